# SPDX-License-Identifier: MIT OR Apache-2.0
"""What paging measured: a row for each malloc at each limit, as a table and as a picture."""
import math
import statistics

FAULTS_MOST, THROUGHPUT_LEAST = 2.0, 0.9
# How likely it may be that a limit's few rounds show the wrong side of a bound: there are forty limits.
DOUBT = 0.005
FEW_FAULTS = 20
COLOURS = {"oracle": "#888", "tenure": "#26a", "glibc": "#c44", "jemalloc": "#2a2", "mimalloc": "#e90", "tcmalloc_minimal": "#a3c"}


def standard_errors(rounds):
    """A bound within so many standard errors of what came out may yet lie on the other side: the quantile of Student's t for a
    difference of two means (Abramowitz and Stegun, 26.7.5; for two rounds it is a fourth too small, which `--rounds` avoids)."""
    z, freedom = statistics.NormalDist().inv_cdf(1 - DOUBT), 2 * (rounds - 1)
    return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)


class Row:
    """One malloc under one load at one limit, in rounds with the oracle's: throughput, major faults and peak of each run that
    ended, None for the others."""

    def __init__(self, malloc, runs, oracle, unlimited=None):
        self.malloc = malloc
        self.kept = None
        self.count = len(runs)
        ended = [r for r in runs if r]
        self.ended = len(ended)
        pairs = [(a, b) for a, b in zip(runs, oracle) if a and b]
        self.paired = bool(pairs)
        self.rounds = len(pairs)
        if not pairs:
            return
        self.speed, self.faults = (statistics.median(r[k] for r in ended) for k in (0, 1))
        # The estimate of Hodges and Lehmann: of each run and each of the oracle's. Where a process's memory lies decides its
        # speed by a tenth or more, at random: two runs one after the other have that no more in common than others.
        self.ratio = statistics.median(a[0] / b[0] for a, _ in pairs for _, b in pairs)
        # Faults of single runs differ widely: pairs of them say less than all rounds together.
        self.more = (statistics.median(a[1] for a, _ in pairs) + 1) / (statistics.median(b[1] for _, b in pairs) + 1)
        # What the logarithms of the two may be off by.
        self.ratio_error = self.error(pairs, lambda r: math.log(r[0]))
        self.more_error = 1.25 * self.error(pairs, lambda r: math.log(r[1] + 1))
        if unlimited is not None and unlimited.paired:
            self.kept = self.ratio / unlimited.ratio

    @staticmethod
    def error(pairs, number):
        """The standard error of a difference of means; that of medians is 1.25 times as much."""
        if len(pairs) < 2:
            return math.inf
        return math.sqrt(sum(statistics.variance(number(pair[k]) for pair in pairs) for k in (0, 1)) / len(pairs))

    def fails(self):
        """What does not hold."""
        if not self.paired or self.ended < self.count:
            return ["unfinished runs"]
        above = self.more > FAULTS_MOST and self.faults > FEW_FAULTS
        return ["faults above"] * above + ["throughput below"] * (self.ratio < THROUGHPUT_LEAST)

    def is_close(self):
        """Whether more rounds may say otherwise."""
        if not self.paired:
            return False
        if self.rounds < 2:
            return True
        errors = standard_errors(self.rounds)
        throughput = abs(math.log(self.ratio / THROUGHPUT_LEAST)) < errors * self.ratio_error
        return throughput or (self.faults > FEW_FAULTS / 2 and abs(math.log(self.more / FAULTS_MOST)) < errors * self.more_error)

    def line(self):
        if not self.paired:
            return f"{self.malloc:16} " + ("has no pair" if self.ended else "did not end")
        lost = f"  {self.count - self.ended} of {self.count} did not end" if self.ended < self.count else ""
        kept = "" if self.kept is None else f"  keeps {self.kept:.2f}"
        return f"{self.malloc:16} {self.speed:9.0f}/s ({self.ratio:5.2f}) {self.faults:8.0f} faults ({self.more:8.2f}){kept}{lost}"


class Limit:
    """All mallocs under one load at one limit; `mebibytes` is None where there is none, which is what the others' rows
    are compared with."""

    def __init__(self, load, mebibytes, hot, whole, results, unlimited=None):
        self.load, self.mebibytes, self.hot, self.whole = load, mebibytes, hot, whole
        before = unlimited.rows if unlimited else {}
        self.rows = {name: Row(name, runs, results["oracle"], before.get(name)) for name, runs in results.items() if runs}

    def verdict(self):
        """What fails of the tolerant malloc's bounds; None if it did not run."""
        return self.rows["tenure"].fails() if "tenure" in self.rows and self.mebibytes is not None else None

    def place(self):
        return "none" if self.mebibytes is None else f"{self.mebibytes:.0f}"

    def show(self):
        for name, row in self.rows.items():
            fails = self.verdict() if name == "tenure" else None
            says = "" if fails is None else "  holds" if not fails else "  " + " and ".join(fails)
            print(f"{self.load:26} {self.place():>5} MiB  {row.line()}{says}", flush=True)


def words(limit):
    """A limit at which something does not hold, and what."""
    row = limit.rows["tenure"]
    if not row.paired or row.ended < row.count:
        return f"  not {limit.load} at {limit.place()} MiB: {row.count - row.ended} of {row.count} runs did not end"
    return (f"  not {limit.load} at {limit.place()} MiB: {', '.join(limit.verdict())} "
            f"({row.ratio:.2f} of the oracle's throughput, {row.more:.2f} times its faults, {row.count} rounds)")


def summary(limits):
    judged = [limit for limit in limits if limit.verdict() is not None]
    def count(*reasons):
        return sum(not any(reason in limit.verdict() for reason in reasons) for limit in judged)
    rows = [limit.rows["tenure"] for limit in judged]
    kept = [row.kept for row in rows if row.kept is not None]
    unlimited = [limit.rows["tenure"].ratio for limit in limits if limit.mebibytes is None and "tenure" in limit.rows and limit.rows["tenure"].paired]
    lines = [f"tenure: at most {FAULTS_MOST:g} times the oracle's major faults and at least {THROUGHPUT_LEAST:.0%} of its throughput hold "
             f"at {count('faults above', 'throughput below', 'unfinished runs')} of {len(judged)} limits; "
             f"faults at {count('faults above', 'unfinished runs')}, throughput at {count('throughput below', 'unfinished runs')}"]
    if kept and unlimited:
        lines.append(f"Without a limit it has {min(unlimited):.2f} to {max(unlimited):.2f} of the oracle's throughput; of what each has so, it keeps "
                     f"at least {THROUGHPUT_LEAST:.0%} of what the oracle keeps at {sum(k >= THROUGHPUT_LEAST for k in kept)} of {len(judged)} limits")
    return "\n".join(lines + [words(limit) for limit in judged if limit.verdict()])


def mallocs_of(limits):
    return [name for name in COLOURS if any(name in limit.rows for limit in limits)]


def table(limits, file):
    """Markdown: throughput, times the oracle's, and major faults."""
    names = [name for name in mallocs_of(limits) if name != "oracle"]
    lines = ["| load | hot set, whole, MiB | limit | oracle | " + " | ".join(names) + " | |", "|---|---|---|---|" + "---|" * (len(names) + 1)]
    for limit in limits:
        oracle = limit.rows["oracle"]
        cells = [limit.load, f"{limit.hot:.0f}, {limit.whole:.0f}", limit.place(), f"{oracle.faults:.0f}" if oracle.paired else "did not end"]
        for name in names:
            row = limit.rows.get(name)
            cells.append("" if row is None else f"{row.ratio:.2f}, {row.faults:.0f}" if row.paired else "did not end")
        fails = limit.verdict()
        cells.append("" if fails is None else "holds" if not fails else ", ".join(fails))
        lines.append("| " + " | ".join(cells) + " |")
    with open(file, "w") as to:
        to.write("Throughput, times the oracle's, and major faults; of the oracle major faults. Limits in MiB.\n\n" + "\n".join(lines) + "\n\n" + summary(limits) + "\n")


class Panel:
    """One load: throughput above, faults below, by limit."""
    WIDTH, HEIGHT = 200, 110

    def __init__(self, limits, left, top):
        self.limits, self.left, self.top = limits, left, top
        self.most = max(limit.mebibytes for limit in limits) * 1.1

    def x(self, mebibytes):
        return self.left + self.WIDTH * mebibytes / self.most

    def axes(self, top, ticks):
        parts = [f'<path d="M{self.left} {top}V{top + self.HEIGHT}H{self.left + self.WIDTH}" fill="none" stroke="#000"/>']
        for share, text in ticks:
            y = top + self.HEIGHT * (1 - share)
            parts.append(f'<path d="M{self.left - 3} {y:.1f}h3" stroke="#000"/><text x="{self.left - 6}" y="{y + 4:.1f}" text-anchor="end">{text}</text>')
        for limit in self.limits:
            parts.append(f'<text x="{self.x(limit.mebibytes):.1f}" y="{top + self.HEIGHT + 14}" text-anchor="middle">{limit.mebibytes:.0f}</text>')
        return parts

    def curve(self, top, name, share):
        points = [(self.x(limit.mebibytes), top + self.HEIGHT * (1 - share(limit.rows[name]))) for limit in self.limits
                  if name in limit.rows and limit.rows[name].paired]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        return [f'<polyline fill="none" stroke="{COLOURS[name]}" stroke-width="1.6" points="{line}"/>'] + [
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.4" fill="{COLOURS[name]}"/>' for x, y in points]

    def draw(self):
        below = self.top + self.HEIGHT + 34
        parts = [f'<text x="{self.left}" y="{self.top - 8}" font-weight="bold">{self.limits[0].load}</text>']
        parts += self.axes(self.top, [(0, "0"), (0.5 / 1.4, "0.5"), (1 / 1.4, "1")])
        bound = self.top + self.HEIGHT * (1 - THROUGHPUT_LEAST / 1.4)
        parts.append(f'<path d="M{self.left} {bound:.1f}h{self.WIDTH}" stroke="#888" stroke-dasharray="3 3"/>')
        parts += self.axes(below, [(k / 6, f"10<tspan dy='-4' font-size='8'>{k}</tspan>") for k in range(0, 7, 2)])
        for name in mallocs_of(self.limits):
            parts += self.curve(self.top, name, lambda row: min(row.ratio, 1.4) / 1.4)
            parts += self.curve(below, name, lambda row: min(math.log10(row.faults + 1), 6) / 6)
        return parts


def picture(limits, file):
    limits = [limit for limit in limits if limit.mebibytes is not None]
    if not limits:
        return
    loads = list(dict.fromkeys(limit.load for limit in limits))
    columns = min(4, len(loads))
    rows = (len(loads) + columns - 1) // columns
    wide, high = 70 + columns * 265, 60 + rows * 330
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" font-family="sans-serif" font-size="11">',
             f'<rect width="{wide}" height="{high}" fill="#fff"/>',
             "<title>Throughput, times the oracle's, and major faults by memory limit</title>",
             '<text x="60" y="18">above: throughput, times the oracle\'s; below: major faults; by the memory limit in MiB. What did not end has no point.</text>']
    for i, name in enumerate(mallocs_of(limits)):
        parts.append(f'<path d="M{60 + 120 * i} 34h18" stroke="{COLOURS[name]}" stroke-width="2"/><text x="{83 + 120 * i}" y="38">{name}</text>')
    for i, load in enumerate(loads):
        parts += Panel([limit for limit in limits if limit.load == load], 60 + i % columns * 265, 70 + i // columns * 330).draw()
    with open(file, "w") as to:
        to.write("\n".join(parts) + "\n</svg>\n")
