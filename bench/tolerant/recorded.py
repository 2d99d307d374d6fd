# SPDX-License-Identifier: MIT OR Apache-2.0
"""Faults of recorded runs: which pages a load touches, and how many faults a memory of each size would have under the
least recently used order (touches.c and lru.c). The numbers do not depend on what else the machine does; loads are
smaller, as a touch costs some microseconds."""
import os
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
LOADS = {
    "index-churn-50": ("index", ["churn", "100000", "500000", "50", "reachable"]),
    "index-churn-10": ("index", ["churn", "100000", "1000000", "10"]),
    "index-grow-50": ("index", ["grow", "100000", "500000", "50"]),
    "index-grow-10": ("index", ["grow", "100000", "1000000", "10", "reachable"]),
    "proxy-churn-50": ("proxy", ["churn", "15000", "60000", "50", "reachable"]),
    "proxy-churn-10": ("proxy", ["churn", "15000", "60000", "10"]),
}
# The panels of the picture.
CURVES = [("proxy-churn-50", "caching proxy, 50% of requests leak"), ("proxy-churn-10", "caching proxy, 10% of requests leak"),
          ("index-churn-50", "index that churns, 50% of operations leak"), ("index-grow-50", "index that grows, 50% of operations leak")]
COLOURS = {"glibc": "#c44", "tenure": "#26a", "oracle": "#888"}
PAGES_OF_MEBIBYTE = 256


class Recorder:
    def __init__(self, work, library):
        self.work = work
        self.library = library
        self.known = {}
        flags = ["cc", "-O2", "-o"]
        subprocess.run(flags + [f"{work}/lru", f"{HERE}/lru.c"], check=True)
        subprocess.run(flags + [f"{work}/touches.so", "-shared", "-fPIC", "-fno-stack-protector", f"{HERE}/touches.c"], check=True)

    def curve(self, load, malloc, percent=None):
        """Pairs of pages and faults, from few pages to many; the last is of all pages that were touched."""
        asked = (load, malloc, percent)
        if asked not in self.known:
            self.known[asked] = self.record(load, malloc, percent)
        return self.known[asked]

    def record(self, load, malloc, percent):
        program, arguments = LOADS[load]
        if percent is not None:
            arguments = arguments[:3] + [str(percent)] + arguments[4:]
        preload = f"{self.work}/touches.so" + (f":{self.library}" if malloc == "tenure" else "")
        touches = os.path.join(self.work, "touches")
        # Looks ask the kernel to write to memory that is protected here; a run is too short for anything to become cold, but
        # recording makes it long enough for some, which read what describes all pages.
        environment = os.environ | {"TOUCHES": touches, "TOUCHES_PROGRAM": "/" + program, "TENURE_TOLERANT_COLD": "0",
                                     "TENURE_TOLERANT_COLD_SECONDS": "86400"}
        environment |= {"PROXY_PRELOAD": preload} if program == "proxy" else {"LD_PRELOAD": preload}
        subprocess.run([f"{self.work}/{program}"] + arguments + ["oracle"] * (malloc == "oracle"), env=environment, check=True,
                       stdout=subprocess.DEVNULL)
        with open(touches) as trace:
            lines = subprocess.run([f"{self.work}/lru"], stdin=trace, capture_output=True, text=True, check=True).stdout.split("\n")
        os.remove(touches)
        curve = [(int(pages), int(faults)) for pages, faults in (line.split() for line in lines if line and "touches" not in line)]
        touched = next(int(line.split()[1]) for line in lines if "touches" in line)
        return sorted(curve) + [(touched, 0)]


def faults_at(curve, pages):
    """The faults of a memory of so many pages: those of the largest smaller size that is in the curve."""
    low, high = 0, len(curve)
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if curve[middle][0] <= pages else (low, middle)
    return curve[low - 1][1] if low else curve[0][1]


def need(curve):
    """Pages with which there are no faults but those of first touches."""
    return next(pages for pages, faults in curve if faults == 0)


def table(recorder, places, most, file):
    held, lines = [], []
    def say(line):
        lines.append(line)
        print(line, flush=True)
    for load in LOADS:
        curves = {malloc: recorder.curve(load, malloc) for malloc in ("oracle", "tenure", "glibc")}
        hot, whole = need(recorder.curve(load, "oracle", 0)), curves["glibc"][-1][0]
        say(f"{load}: hot set {hot} pages, whole {whole}")
        for place in places:
            pages = int(hot + (whole - hot) * place)
            oracle, tenure, glibc = (faults_at(curves[malloc], pages) for malloc in ("oracle", "tenure", "glibc"))
            # The order has no fault above the hot set: then one for each ten pages counts as none.
            held.append(tenure <= most * oracle + pages / 10)
            say(f"{load:26} {pages:5} pages  oracle {oracle:7} faults, tenure {tenure:7}, glibc {glibc:7}"
                f"  {'holds' if held[-1] else 'faults above'}")
    say(f"tenure: at most {most:g} times the oracle's faults hold at {sum(held)} of {len(held)} limits")
    if file:
        with open(file, "w") as to:
            to.write("\n".join(lines) + "\n")


def polyline(curve, x, y, most_pages, colour):
    """One point for each few pixels."""
    points, last = [], None
    for pages, faults in curve + [(most_pages, 0)]:
        if pages > most_pages:
            break
        at = x(pages)
        if last is not None and at - last < 1.5 and pages != most_pages:
            continue
        points.append(f"{at:.1f},{y(faults):.1f}")
        last = at
    return f'<polyline fill="none" stroke="{colour}" stroke-width="1.8" points="{" ".join(points)}"/>'


def panel(curves, title, left, top, width, height):
    most_pages = int(max(need(curve) for curve in curves.values()) * 1.1)
    most_faults = max(faults_at(curve, most_pages * 0.05) for curve in curves.values()) * 1.05
    def x(pages):
        return left + width * pages / most_pages
    def y(faults):
        return top + height * (1 - min(faults, most_faults) / most_faults)
    parts = [f'<text x="{left}" y="{top - 8}" font-weight="bold">{title}</text>',
             f'<path d="M{left} {top}V{top + height}H{left + width}" fill="none" stroke="#000"/>']
    step = next(s for s in (0.5, 1, 2, 5, 10, 20, 50, 100) if s * PAGES_OF_MEBIBYTE * 7 > most_pages)
    for i in range(int(most_pages / (step * PAGES_OF_MEBIBYTE)) + 1):
        at = x(i * step * PAGES_OF_MEBIBYTE)
        parts.append(f'<path d="M{at:.1f} {top + height}v4" stroke="#000"/><text x="{at:.1f}" y="{top + height + 16}" '
                     f'text-anchor="middle">{i * step:g}</text>')
    power = 10 ** (len(str(int(most_faults))) - 1)
    unit = power if most_faults / power >= 3 else power // 2 or 1
    for i in range(int(most_faults / unit) + 1):
        at = y(i * unit)
        parts.append(f'<path d="M{left - 4} {at:.1f}h4" stroke="#000"/><text x="{left - 7}" y="{at + 4:.1f}" '
                     f'text-anchor="end">{i * unit:,}</text>')
    parts.append(f'<text x="{left + width / 2}" y="{top + height + 32}" text-anchor="middle">memory, MiB</text>')
    parts += [polyline(curve, x, y, most_pages, COLOURS[malloc]) for malloc, curve in curves.items()]
    for i, malloc in enumerate(curves):
        parts.append(f'<path d="M{left + width - 90} {top + 12 + 16 * i}h20" stroke="{COLOURS[malloc]}" stroke-width="1.8"/>'
                     f'<text x="{left + width - 64}" y="{top + 16 + 16 * i}">{malloc}</text>')
    return "\n".join(parts)


def draw(recorder, file):
    parts = []
    for i, (load, title) in enumerate(CURVES):
        curves = {malloc: recorder.curve(load, malloc) for malloc in ("glibc", "tenure", "oracle")}
        print(f"{load}: without faults from {', '.join(f'{need(c)} pages ({m})' for m, c in curves.items())}", flush=True)
        parts.append(panel(curves, title, 80 + i % 2 * 470, 40 + i // 2 * 300, 360, 210))
    with open(file, "w") as to:
        to.write('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 940 610" font-family="sans-serif" font-size="12">\n'
                 '<rect width="940" height="610" fill="#fff"/>\n<title>Faults by size of memory</title>\n' + "\n".join(parts) + "\n</svg>\n")
