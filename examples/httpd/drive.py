#!/usr/bin/env python3
"""Asks a web server on this machine for everything that it should and should not give, also slowly, in pieces and with ill will.

usage: drive.py HTTPD

HTTPD is the program. Exit status 0 if every answer is as it should be.
"""
import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

LIMIT = 120
failures = []


def check(name, holds, shown=''):
    if not holds:
        failures.append(name)
        print(f'FAILED: {name} {shown!r}'[:400])


class Answer:
    """A status, fields by lower-case name, and a body."""

    def __init__(self, stream, method):
        line = stream.readline()
        parts = line.split(b' ', 2)
        self.status = int(parts[1]) if len(parts) > 1 else 0
        self.fields = {}
        while True:
            line = stream.readline().strip()
            if not line:
                break
            name, _, value = line.decode('latin-1').partition(':')
            self.fields[name.lower()] = value.strip()
        self.body = b''
        if method != 'HEAD' and self.status != 304:
            self.body = stream.read(int(self.fields.get('content-length', 0)))


class Client:
    def __init__(self, port):
        self.socket = socket.create_connection(('127.0.0.1', port), timeout=LIMIT)
        self.stream = self.socket.makefile('rb')

    def send(self, data):
        self.socket.sendall(data)

    def ask(self, path, method='GET', fields=(), version='HTTP/1.1'):
        lines = [f'{method} {path} {version}', 'Host: here', *fields, '', '']
        self.send('\r\n'.join(lines).encode('latin-1'))
        return Answer(self.stream, method)

    def is_closed(self):
        try:
            return self.stream.read(1) == b''
        except OSError:
            return True


def make_files(root):
    random.seed(7)
    big = random.randbytes(700001)
    files = {'a.txt': b'hello\n', 'empty': b'', 'big.bin': big, 'sub/index.html': b'<p>index', 'list/x & y.html': b'x',
             'list/<z>': b'z', '.hidden': b'no', 'exact': random.randbytes(4096)}
    for name, content in files.items():
        path = os.path.join(root, 'www', name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'wb') as f:
            f.write(content)
    with open(os.path.join(root, 'secret'), 'w') as f:
        f.write('secret')
    os.symlink('../secret', os.path.join(root, 'www', 'link'))
    os.symlink('..', os.path.join(root, 'www', 'up'))
    return files


def plain_requests(port, files):
    client = Client(port)
    for name in ('a.txt', 'empty', 'big.bin', 'exact'):
        answer = client.ask('/' + name)
        check(f'GET {name}', answer.status == 200 and answer.body == files[name])
        check(f'length of {name}', answer.fields['content-length'] == str(len(files[name])))
        answer = client.ask('/' + name, 'HEAD')
        check(f'HEAD {name}', answer.status == 200 and answer.fields['content-length'] == str(len(files[name])))
    answer = client.ask('/a.txt?x=1')
    check('a query is no part of the name', answer.body == b'hello\n')
    check('types', answer.fields['content-type'].startswith('text/plain') and 'date' in answer.fields)
    check('%XX', client.ask('/%61.t%78t').body == b'hello\n')
    since = answer.fields['last-modified']
    check('304', client.ask('/a.txt', fields=[f'If-Modified-Since: {since}']).status == 304)
    check('changed since', client.ask('/a.txt', fields=['If-Modified-Since: Mon, 01 Jan 2001 00:00:00 GMT']).status == 200)
    answer = client.ask('/a.txt', 'POST')
    check('405', answer.status == 405 and answer.fields['allow'] == 'GET, HEAD', answer.fields)
    check('404', client.ask('/nothing').status == 404)
    check('404 below a file', client.ask('/a.txt/x').status == 404 and client.ask('/a.txt/').status == 404)
    check('the connection still stands', client.ask('/a.txt').status == 200)


def directories(port):
    client = Client(port)
    answer = client.ask('/sub')
    check('301', answer.status == 301 and answer.fields['location'] == '/sub/', answer.fields)
    check('index.html', client.ask('/sub/').body == b'<p>index')
    page = client.ask('/list/').body.decode()
    check('listing', re.findall('href="([^"]*)"', page) == ['%3Cz%3E', 'x%20%26%20y.html'], page)
    check('listing is escaped', '&lt;z>' in page and 'x &amp; y.html' in page, page)
    check('a name from the listing', client.ask('/list/%3Cz%3E').body == b'z')
    check('the root', 'big.bin' in client.ask('/').body.decode() and '.hidden' not in client.ask('/').body.decode())
    check('HEAD of a listing', client.ask('/list/', 'HEAD').status == 200)


def ranges(port, big):
    client = Client(port)
    for text, start, stop in [('0-0', 0, 1), ('5-9', 5, 10), ('700000-', 700000, 700001), ('-5', 699996, 700001),
                              ('0-99999999', 0, 700001), ('-99999999', 0, 700001), ('4000-9000', 4000, 9001)]:
        answer = client.ask('/big.bin', fields=[f'Range: bytes={text}'])
        check(f'range {text}', answer.status == 206 and answer.body == big[start:stop], answer.fields)
        check(f'range {text} is named', answer.fields['content-range'] == f'bytes {start}-{stop - 1}/700001', answer.fields)
    for text in ('bytes=9-5', 'bytes=', 'bytes=a-b', 'bytes=1-2,4-5', 'lines=1-2', 'bytes=-'):
        check(f'no range: {text}', client.ask('/a.txt', fields=[f'Range: {text}']).status == 200)
    answer = client.ask('/a.txt', fields=['Range: bytes=6-'])
    check('416', answer.status == 416 and answer.fields['content-range'] == 'bytes */6', answer.fields)
    check('416 of nothing', client.ask('/empty', fields=['Range: bytes=-1']).status == 416)
    check('If-Range', client.ask('/a.txt', fields=['Range: bytes=0-1', 'If-Range: yesterday']).status == 200)


def escapes(port):
    client = Client(port)
    for path in ('/../secret', '/%2e%2e/secret', '/sub/../../secret', '/up/secret', '/link', '/sub/%2e%2e/%2e%2e/secret', '/.hidden',
                 '//../secret', '/./a.txt', '/' + 'x' * 300, '/a%2f..%2f..%2fsecret'):
        answer = client.ask(path)
        check(f'refused: {path}', answer.status == 404 and b'secret' not in answer.body, answer.status)


def keep_alive(port):
    client = Client(port)
    answer = client.ask('/a.txt', fields=['Connection: close'])
    check('close', answer.fields['connection'] == 'close' and client.is_closed())
    client = Client(port)
    answer = client.ask('/a.txt', version='HTTP/1.0')
    check('HTTP/1.0 closes', answer.status == 200 and client.is_closed())
    client = Client(port)
    client.ask('/a.txt', fields=['Connection: Keep-Alive'], version='HTTP/1.0')
    check('HTTP/1.0 may stay', client.ask('/a.txt').status == 200)
    client = Client(port)
    client.send(b'GET /a.txt HTTP/1.1\r\nHost: h\r\n\r\n' * 20)
    check('one after the other', all(Answer(client.stream, 'GET').body == b'hello\n' for _ in range(20)))
    client = Client(port)
    client.ask('/a.txt', 'POST', fields=['Content-Length: 10'])
    check('a body is not taken for a request', client.is_closed())


def malformed(port):
    for text, status in [(b'nonsense\r\n\r\n', 400), (b'GET /a.txt\r\n\r\n', 400), (b'GET a.txt HTTP/1.1\r\nHost: h\r\n\r\n', 400),
                         (b'GET /%zz HTTP/1.1\r\nHost: h\r\n\r\n', 400), (b'GET /%00 HTTP/1.1\r\nHost: h\r\n\r\n', 400),
                         (b'GET /a.txt HTTP/1.1\r\n\r\n', 400), (b'GET /a.txt HTTP/2.0\r\nHost: h\r\n\r\n', 505),
                         (b'GET /a.txt HTTP/1.1\r\nHost h\r\n\r\n', 400), (b'GET /' + b'a' * 5000, 431), (b'\x00\xff\r\n\r\n', 400),
                         (b'GET /a% HTTP/1.1\r\nHost: h\r\n\r\n', 400), (b' / \r\n\r\n', 400), (b'\r\n\r\n\r\n', 400)]:
        client = Client(port)
        client.send(text)
        answer = Answer(client.stream, 'GET')
        check(f'{text[:30]!r}', answer.status == status and client.is_closed(), answer.status)
    client = Client(port)
    client.send(b'\r\nGET /a.txt HTTP/1.1\nHost: h\n\n')
    check('bare line feeds', Answer(client.stream, 'GET').body == b'hello\n')
    check('a target with its host', client.ask('http://h/a.txt').body == b'hello\n')
    check('a host without a path', client.ask('http://h').status == 400)
    client = Client(port)
    client.ask('/a.txt', fields=['Content-Length: -5'])
    check('a length that is none', client.is_closed())
    random.seed(3)
    for _ in range(100):
        client = Client(port)
        client.send(random.randbytes(random.randrange(1, 3000)) + b'\r\n\r\n')
        client.socket.close()
    check('noise does no harm', Client(port).ask('/a.txt').status == 200)


def slow(port, big):
    client = Client(port)
    for byte in b'GET /a.txt HTTP/1.1\r\nHost: h\r\n\r\n':
        client.send(bytes([byte]))
    check('byte by byte', Answer(client.stream, 'GET').body == b'hello\n')
    start = time.monotonic()
    idle, half, stuck = Client(port), Client(port), Client(port)
    half.send(b'GET /a.txt HT')
    stuck.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    stuck.send(b'GET /big.bin HTTP/1.1\r\nHost: h\r\n\r\n' * 50)
    check('others are served meanwhile', Client(port).ask('/big.bin').body == big)
    check('half a request times out', Answer(half.stream, 'GET').status == 408 and half.is_closed())
    check('an idle connection is closed', idle.is_closed())
    check('not before its time', time.monotonic() - start > 0.5)
    gone = Client(port)
    gone.send(b'GET /big.bin HTTP/1.1\r\nHost: h\r\n\r\n')
    gone.socket.close()
    check('who goes away does no harm', Client(port).ask('/a.txt').status == 200)


def many(port):
    clients = [Client(port) for _ in range(200)]
    for client in clients:
        client.send(b'GET /exact HTTP/1.1\r\nHost: h\r\n\r\n')
    check('many at once', all(len(Answer(client.stream, 'GET').body) == 4096 for client in clients))


def run(program, root, seconds, tests):
    server = subprocess.Popen([program, '-p', '0', '-t', str(seconds), os.path.join(root, 'www')], stdout=subprocess.PIPE,
                              text=True)
    # A server that hangs must not hang this.
    watchdog = threading.Timer(3 * LIMIT, server.kill)
    watchdog.start()
    try:
        port = int(re.search(r'port (\d+)', server.stdout.readline()).group(1))
        for test, *arguments in tests:
            test(port, *arguments)
    finally:
        server.send_signal(signal.SIGTERM)
        last = server.stdout.read()
        status = server.wait(timeout=LIMIT)
        watchdog.cancel()
    check('it ends in order', status == 0 and 'requests' in last, (status, last))


def main():
    program = sys.argv[1]
    with tempfile.TemporaryDirectory() as root:
        files = make_files(root)
        big = files['big.bin']
        run(program, root, 15, [(plain_requests, files), (directories,), (ranges, big), (escapes,), (keep_alive,), (malformed,),
                                (many,)])
        run(program, root, 4, [(slow, big)])
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
