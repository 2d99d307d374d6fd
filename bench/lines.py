"""Pictures of a figure against a size, after papers/000, figures 3 and 5."""
import math

COLOURS = ['#4477aa', '#ee6677', '#228833', '#aa3377', '#ccbb44', '#66ccee']
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 820, 420, 90, 150, 50, 50


def quartiles(values):
    """The lower quartile, the median and the upper one."""
    ordered = sorted(values)

    def at(part):
        place = part * (len(ordered) - 1)
        low = math.floor(place)
        high = min(low + 1, len(ordered) - 1)
        return ordered[low] + (ordered[high] - ordered[low]) * (place - low)

    return at(0.25), at(0.5), at(0.75)


def round_step(most):
    """The distance of at most seven marks on an axis that reaches so far: 1, 2 or 5 and zeros."""
    unit = 10 ** math.floor(math.log10(most / 6))
    return next(unit * step for step in (1, 2, 5, 10) if most <= unit * step * 6)


def lines(path, title, unit, series):
    """series: a name to a list of sizes, each with the values measured. Sizes are drawn on a logarithmic axis, medians as a line, quartiles as bars."""
    sizes = sorted({size for points in series.values() for size, _ in points})
    most = max(max(values) for points in series.values() for _, values in points)
    step = round_step(most)
    marks = math.ceil(most / step)
    most = marks * step
    span = max(math.log(sizes[-1] / sizes[0]), 1e-9)

    def x(size):
        return LEFT + (WIDTH - LEFT - RIGHT) * math.log(size / sizes[0]) / span

    def y(value):
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / most

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
             f'<text x="{LEFT}" y="22" font-size="15">{title}</text>',
             f'<text x="{LEFT - 80}" y="{TOP - 10}">{unit}</text>',
             f'<line x1="{LEFT}" y1="{y(0)}" x2="{WIDTH - RIGHT}" y2="{y(0)}" stroke="black"/>',
             f'<line x1="{LEFT}" y1="{TOP}" x2="{LEFT}" y2="{y(0)}" stroke="black"/>']
    for size in sizes:
        parts.append(f'<text x="{x(size):.1f}" y="{y(0) + 18}" text-anchor="middle">{size}</text>')
    for mark in range(marks + 1):
        value = mark * step
        if mark > 0:
            parts.append(f'<line x1="{LEFT}" y1="{y(value):.1f}" x2="{WIDTH - RIGHT}" y2="{y(value):.1f}" stroke="#dddddd"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y(value) + 4:.1f}" text-anchor="end">{value:.0f}</text>')
    for number, (name, points) in enumerate(series.items()):
        colour = COLOURS[number % len(COLOURS)]
        middles = []
        for size, values in sorted(points):
            low, middle, high = quartiles(values)
            middles.append(f'{x(size):.1f},{y(middle):.1f}')
            parts.append(f'<line x1="{x(size):.1f}" y1="{y(low):.1f}" x2="{x(size):.1f}" y2="{y(high):.1f}" stroke="{colour}"/>')
        parts.append(f'<polyline points="{" ".join(middles)}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.append(f'<text x="{WIDTH - RIGHT + 12}" y="{TOP + 18 * number + 10}" fill="{colour}">{name}</text>')
    parts.append('</svg>')
    with open(path, 'w') as out:
        out.write('\n'.join(parts) + '\n')
