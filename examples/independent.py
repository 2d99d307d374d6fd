#!/usr/bin/env python3
"""The example programs' results computed a second time, without them.

usage: independent.py CHECK ARGS                exits with 0 if the program's result agrees
"""
import cmath
import collections
import csv
import itertools
import json
import math
import random
import re
import sqlite3
import subprocess
import sys


# Results.

def run(*command, stdin=None):
    return subprocess.run(command, stdin=stdin, stdout=subprocess.PIPE, check=True).stdout.decode()


def check_json(program, path):
    """The printed document is character for character what Python prints."""
    with open(path, encoding='utf-8') as f:
        document = json.load(f)
    pretty = json.dumps(document, indent=2, ensure_ascii=False) + '\n'
    compact = json.dumps(document, separators=(',', ':'), ensure_ascii=False) + '\n'
    return run(program, 'pretty', path) == pretty and run(program, 'compact', path) == compact


def check_json_errors(program):
    """Wrong documents are rejected at the line and column where Python rejects them."""
    wrong = ['', '{', '[1,2', '[1 2]', '{"a" 1}', '{"a":}', '[1,]x', '[01]', '-', '"abc', '"a\nb"', '"\\q"', 'tru',
             '[1,\n2,\n  nul]', '{"a":1,}', '[]]', '{"é": x}', '1 2', '{1:2}', ' \n ', '"\\', '["a\\', '"\x01"']
    for text in wrong:
        try:
            json.loads(text)
            return False
        except json.JSONDecodeError as e:
            place = '-:%d:%d' % (e.lineno, e.colno)
        ours = subprocess.run([program, 'check'], input=text.encode(), capture_output=True)
        if ours.returncode != 1 or not ours.stderr.decode().startswith(place + ': '):
            print('%r: expected %s, found %s' % (text, place, ours.stderr), file=sys.stderr)
            return False
    deep = subprocess.run([program, 'check'], input=b'[' * 100000, capture_output=True)
    return deep.returncode == 1 and b'nested too deeply' in deep.stderr


def check_csv(program, table, queries):
    """Each query's answer is SQLite's."""
    with open(table, newline='', encoding='utf-8') as f:
        records = list(csv.reader(f))
    names, rows = records[0], records[1:]

    def number(s):
        return None if s == '' else float(s)

    numeric = [all(_is_number(row[i]) for row in rows) and any(row[i] for row in rows) for i in range(len(names))]
    db = sqlite3.connect(':memory:')
    kinds = ', '.join('"%s" %s' % (n, 'real' if k else 'text') for n, k in zip(names, numeric))
    db.execute('create table t (%s)' % kinds)
    db.executemany('insert into t values (%s)' % ','.join('?' * len(names)),
                   [[number(v) if k else v for v, k in zip(row, numeric)] for row in rows])
    with open(queries, encoding='utf-8') as f:
        asked = [line.strip() for line in f if line.strip()]
    with open(queries, encoding='utf-8') as f:
        answers = run(program, table, stdin=f).split('\n\n')
    for query, answer in zip(asked, answers, strict=False):
        ours = [line.split('\t') for line in answer.split('\n')][1:]
        theirs = db.execute(_with_table(query)).fetchall()
        if len(ours) != len(theirs) or not all(map(_same_row, ours, theirs)):
            print('%s:\n%s\n%s' % (query, ours[:5], theirs[:5]), file=sys.stderr)
            return False
    return len(answers) - 1 == len(asked)


def _is_number(s):
    try:
        return s == '' or float(s) is not None
    except ValueError:
        return False


def _with_table(query):
    for word in (' where ', ' group by ', ' order by ', ' limit '):
        if word in query:
            return query.replace(word, ' from t' + word, 1)
    return query + ' from t'


def _same_row(ours, theirs):
    for a, b in zip(ours, theirs, strict=True):
        if b is None:
            if a != '':
                return False
        elif isinstance(b, str):
            if a != b:
                return False
        elif not math.isclose(float(a), b, rel_tol=1e-9):
            return False
    return True


def check_pgm(program, path, step, least):
    """Unpacked again, the picture differs by so little; with step 1 not at all. Prints what it found."""
    with open(path, 'rb') as f:
        packed = subprocess.run([program, 'pack', step], stdin=f, stdout=subprocess.PIPE, check=True).stdout
    unpacked = subprocess.run([program, 'unpack'], input=packed, stdout=subprocess.PIPE, check=True).stdout
    with open(path, 'rb') as f:
        raw = f.read()
    size = len(raw)
    width, height = map(int, unpacked.split(b'\n', 2)[1].split())
    before, after = raw[-width * height:], unpacked[-width * height:]
    error = sum((a - b) ** 2 for a, b in zip(before, after)) / (width * height)
    ratio = len(packed) / size
    psnr = math.inf if error == 0 else 10 * math.log10(255 * 255 / error)
    print('%.0f%% of %d bytes, PSNR %.1f dB' % (100 * ratio, size, psnr))
    return psnr >= float(least) and (error == 0) == (step == '1') and ratio < 0.9


def check_fft(program, n):
    """A transform of random numbers is that of the definition, or numpy's."""
    n = int(n)
    r = random.Random(n)
    x = [complex(r.uniform(-1, 1), r.uniform(-1, 1)) for _ in range(n)]
    lines = ''.join('%.17g %.17g\n' % (c.real, c.imag) for c in x)
    out = subprocess.run([program, 'pipe', str(n)], input=lines.encode(), stdout=subprocess.PIPE, check=True).stdout
    ours = [complex(*map(float, line.split())) for line in out.decode().splitlines()]
    try:
        import numpy
        expected = numpy.fft.fft(x)
    except ImportError:
        roots = [cmath.exp(-2j * cmath.pi * k / n) for k in range(n)]
        expected = [sum(x[i] * roots[i * k % n] for i in range(n)) for k in range(n)]
    return len(ours) == n and all(abs(a - b) < 1e-9 * n for a, b in zip(ours, expected))


def nbody(steps):
    pi = 3.141592653589793
    sun, day = 4 * pi * pi, 365.24
    bodies = [
        [0, 0, 0, 0, 0, 0, sun],
        [4.84143144246472090e+00, -1.16032004402742839e+00, -1.03622044471123109e-01, 1.66007664274403694e-03 * day,
         7.69901118419740425e-03 * day, -6.90460016972063023e-05 * day, 9.54791938424326609e-04 * sun],
        [8.34336671824457987e+00, 4.12479856412430479e+00, -4.03523417114321381e-01, -2.76742510726411899e-03 * day,
         4.99852801234917238e-03 * day, 2.30417297573763929e-05 * day, 2.85885980666130812e-04 * sun],
        [1.28943695621391310e+01, -1.51111514016986312e+01, -2.23307578892655734e-01, 2.96460137564761618e-03 * day,
         2.37847173959480950e-03 * day, -2.96589568540237556e-05 * day, 4.36624404335156298e-05 * sun],
        [1.53796971148509165e+01, -2.59193146099879641e+01, 1.79258772950371181e-01, 2.68067772490389322e-03 * day,
         1.62824170038242295e-03 * day, -9.51592254519715870e-05 * day, 5.15138902046611451e-05 * sun],
    ]
    for axis in (3, 4, 5):
        bodies[0][axis] = -sum(b[axis] * b[6] for b in bodies) / sun

    def energy():
        e = sum(b[6] * (b[3] ** 2 + b[4] ** 2 + b[5] ** 2) / 2 for b in bodies)
        return e - sum(a[6] * b[6] / math.dist(a[:3], b[:3]) for a, b in itertools.combinations(bodies, 2))

    first = energy()
    for _ in range(int(steps)):
        for a, b in itertools.combinations(bodies, 2):
            d = [a[k] - b[k] for k in range(3)]
            distance2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
            force = 0.01 / (distance2 * math.sqrt(distance2))
            for k in range(3):
                a[3 + k] -= d[k] * b[6] * force
                b[3 + k] += d[k] * a[6] * force
        for b in bodies:
            for k in range(3):
                b[k] += 0.01 * b[3 + k]
    return '%.9f\n%.9f\n' % (first, energy())


def spectralnorm(n):
    n = int(n)
    a = [[1 / ((i + j) * (i + j + 1) // 2 + i + 1) for j in range(n)] for i in range(n)]
    at = list(zip(*a))

    def times(m, v):
        return [sum(p * q for p, q in zip(row, v)) for row in m]

    u = [1.0] * n
    for _ in range(10):
        v = times(at, times(a, u))
        u = times(at, times(a, v))
    return '%.9f\n' % math.sqrt(sum(p * q for p, q in zip(u, v)) / sum(q * q for q in v))


def fannkuch(n):
    """By the definition alone; the order of permutations matters only for the checksum's signs."""
    n = int(n)
    perm, count = list(range(n)), [0] * n
    most = checksum = 0
    sign = 1
    while True:
        p, flips = perm[:], 0
        while p[0]:
            p[:p[0] + 1] = p[p[0]::-1]
            flips += 1
        most = max(most, flips)
        checksum += sign * flips
        sign = -sign
        for r in range(1, n):
            perm[:r + 1] = perm[1:r + 1] + perm[:1]
            count[r] += 1
            if count[r] <= r:
                break
            count[r] = 0
        else:
            return '%d\nPfannkuchen(%d) = %d\n' % (checksum, n, most)


def binarytrees(most):
    most = max(int(most), 6)

    def nodes(depth):
        return 2 ** (depth + 1) - 1

    out = 'stretch tree of depth %d\t check: %d\n' % (most + 1, nodes(most + 1))
    for depth in range(4, most + 1, 2):
        trees = 2 ** (most - depth + 4)
        out += '%d\t trees of depth %d\t check: %d\n' % (trees, depth, trees * nodes(depth))
    return out + 'long lived tree of depth %d\t check: %d\n' % (most, nodes(most))


def check_same(program, name, n):
    """The program prints what the Python function of this name returns."""
    functions = {'nbody': nbody, 'spectralnorm': spectralnorm, 'fannkuch': fannkuch, 'binarytrees': binarytrees}
    return run(program, n) == functions[name](n)


def check_json_lines(program, seed):
    """arena-json prints, and with -c leaves out, what a walk over Python's values does."""
    rng = random.Random(int(seed))
    documents = [{'id': i, 'state': rng.choice(['up', 'down']), 'user': {'tags': [rng.randrange(3) for _ in range(i % 4)]}}
                 for i in range(300)]
    lines = [json.dumps(d) for d in documents]
    lines[7] = '{"id": 7,'
    text = '\n'.join(lines).encode()

    def walk(document, path):
        for name, number in re.findall(r'\.(\w+)|\[(\d+)\]', path):
            try:
                document = document[name] if name else document[int(number)]
            except (KeyError, IndexError, TypeError):
                return None
        return json.dumps(document, separators=(',', ':'))

    for path in ('.', '.state', '.user.tags[0]', '.user', '.none', '.user.tags[1][0]', '.id'):
        found = [walk(d, path) for i, d in enumerate(documents) if i != 7]
        changed = [b for a, b in zip([None] + found, found) if b != a]
        for flags, wanted in (([], found), (['-c'], changed)):
            done = subprocess.run([program, *flags, path], input=text, capture_output=True)
            if done.returncode != 1 or b'-:8:10: ' not in done.stderr:
                print('the damaged line was not reported:', done.returncode, done.stderr)
                return False
            if done.stdout.decode().split('\n')[:-1] != [w for w in wanted if w is not None]:
                print('differs for', flags, path)
                return False
    return True


def check_cache(program, path, limit, time_to_live):
    """Hits, expiry, eviction and what clients find again are those of an ordered dictionary."""
    table, clients = collections.OrderedDict(), [None] * 64
    hits = misses = expired = evicted = stale = seen = now = 0
    with open(path, encoding='latin-1') as f:
        words = re.findall('[A-Za-z]+', f.read())
    for word in (word.lower()[:32] for word in words):
        mine = clients[now % 64]
        if mine is not None:
            stale += mine['gone']
            seen += 0 if mine['gone'] else mine['uses']
        entry = table.get(word)
        if entry is not None and now - entry['born'] > int(time_to_live):
            expired += 1
            entry['gone'], entry = 1, None
            del table[word]
        if entry is None:
            misses += 1
            if len(table) == int(limit):
                evicted += 1
                table.popitem(last=False)[1]['gone'] = 1
            entry = table[word] = {'born': now, 'uses': 0, 'gone': 0}
        else:
            hits += 1
            table.move_to_end(word)
        entry['uses'] += 1
        clients[now % 64] = entry
        now += 1
    wanted = (f'{now} requests, {hits} hits, {misses} misses\n{expired} expired, {evicted} evicted, {len(table)} live\n'
              f'{seen} seen again, {stale} stale\n')
    with open(path, 'rb') as f:
        return run(program, limit, time_to_live, stdin=f) == wanted


def main():
    actions = {
        'check-cache': check_cache,
        'check-json': check_json, 'check-json-errors': check_json_errors, 'check-csv': check_csv,
        'check-pgm': check_pgm, 'check-fft': check_fft, 'check-same': check_same, 'check-json-lines': check_json_lines,
    }
    if len(sys.argv) < 2 or sys.argv[1] not in actions:
        print(__doc__, file=sys.stderr)
        return 2
    result = actions[sys.argv[1]](*sys.argv[2:])
    return 1 if result is False else 0


if __name__ == '__main__':
    sys.exit(main())
