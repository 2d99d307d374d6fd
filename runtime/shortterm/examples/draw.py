#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Draws memory over time, as in figures 3 and 4 of papers/003…, from what measuring mode wrote.

usage: draw.py WORK FIGURES        reads WORK/mp3-*.csv and WORK/encode-*.csv, writes FIGURES/*.svg
"""
import csv
import glob
import os
import sys

WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 760, 340, 70, 50, 30
COLOURS = ('#1b6ca8', '#c8553d', '#3a7d44', '#8e5ea2', '#d9a404', '#444444', '#17a2a2')


def rows(path):
    """Seconds since the first line, and live kibibytes, in order of time."""
    with open(path, newline='') as source:
        lines = sorted((int(row['microseconds']), int(row['short_term_bytes']) + int(row['persistent_bytes']))
                       for row in csv.DictReader(source))
    return [((when - lines[0][0]) / 1e6, size / 1024) for when, size in lines]


def thinned(points, right, pixels):
    """For each pixel across, the least and the most."""
    groups = {}
    for x, y in points:
        groups.setdefault(int(x / right * pixels), []).append((x, y))
    kept = []
    for group in groups.values():
        kept += sorted({min(group, key=lambda p: p[1]), max(group, key=lambda p: p[1])})
    return kept


def nice(most):
    step = 1.0
    while most / step > 6:
        step *= 2 if most / step <= 12 else 2.5 if str(step)[0] == '2' else 2
    return step


def draw(title, series, target):
    right = max(x for _, points in series for x, _ in points) or 1
    high = max(y for _, points in series for _, y in points) * 1.08 or 1
    width, height = WIDTH - LEFT - 20, HEIGHT - BOTTOM - TOP

    def place(x, y):
        return f'{LEFT + x / right * width:.1f},{TOP + height - y / high * height:.1f}'

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT + 18 * len(series)}" '
           'font-family="sans-serif" font-size="12">',
           '<rect width="100%" height="100%" fill="white"/>',
           f'<text x="{LEFT}" y="18" font-size="14">{title}</text>']
    step = nice(high)
    value = 0.0
    while value <= high:
        at = TOP + height - value / high * height
        out.append(f'<line x1="{LEFT}" x2="{WIDTH - 20}" y1="{at:.1f}" y2="{at:.1f}" stroke="#ddd"/>')
        out.append(f'<text x="{LEFT - 8}" y="{at + 4:.1f}" text-anchor="end">{value:g}</text>')
        value += step
    out.append(f'<text x="14" y="{TOP + height / 2}" transform="rotate(-90 14 {TOP + height / 2})" text-anchor="middle">'
               'live KiB</text>')
    out.append(f'<text x="{LEFT + width / 2}" y="{HEIGHT - 18}" text-anchor="middle">time, seconds (0 to {right:.2f})</text>')
    for index, (name, points) in enumerate(series):
        colour = COLOURS[index % len(COLOURS)]
        shown = thinned(points, right, width)
        path = [place(*shown[0])]
        for (_, before), (x, y) in zip(shown, shown[1:]):
            path += [place(x, before), place(x, y)]
        out.append(f'<polyline fill="none" stroke="{colour}" stroke-width="1.5" points="{" ".join(path)}"/>')
        at = HEIGHT + 18 * index
        out.append(f'<line x1="{LEFT}" x2="{LEFT + 24}" y1="{at}" y2="{at}" stroke="{colour}" stroke-width="3"/>')
        out.append(f'<text x="{LEFT + 32}" y="{at + 4}">{name}: at most {max(y for _, y in points):,.0f} KiB</text>')
    out.append('</svg>')
    with open(target, 'w') as sink:
        sink.write('\n'.join(out) + '\n')


def main():
    work, figures = sys.argv[1:]
    for title, pattern, target in (('mp3 batch: one decoder a file', 'mp3-*.csv', 'mp3.svg'),
                                   ('encoding, one thread', 'encode-*-1.csv', 'encode-1.svg'),
                                   ('encoding, two threads', 'encode-*-2.csv', 'encode-2.svg')):
        paths = sorted(glob.glob(os.path.join(work, pattern)))
        series = [(os.path.basename(path).split('-', 1)[1][:-4], rows(path)) for path in paths]
        if series:
            draw(title, series, os.path.join(figures, target))


main()
