#!/usr/bin/env python3
"""Sends packets through a forwarder on this machine and compares what comes out with what the graph says.

usage: drive.py PACKETS

PACKETS is the program. The graph is replaced while packets flow. Exit status 0 if every packet came out as it should.
"""
import os
import random
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

LIMIT = 120


def frames(connection):
    """The frames of a connection, to its end."""
    data = b''
    while True:
        chunk = connection.recv(65536)
        if not chunk:
            return
        data += chunk
        while len(data) >= 4:
            n = struct.unpack('>I', data[:4])[0]
            if len(data) < 4 + n:
                break
            yield data[4:4 + n]
            data = data[4 + n:]


class Sink(threading.Thread):
    """A port that keeps the frames it gets."""

    def __init__(self):
        super().__init__(daemon=True)
        self.listener = socket.create_server(('127.0.0.1', 0))
        self.port = self.listener.getsockname()[1]
        self.got = []
        self.start()

    def run(self):
        while True:
            connection, _ = self.listener.accept()
            for frame in frames(connection):
                self.got.append(frame)

    def wait_for(self, count):
        end = time.monotonic() + LIMIT
        while len(self.got) < count and time.monotonic() < end:
            time.sleep(0.005)
        return self.got


def free_port():
    with socket.create_server(('127.0.0.1', 0)) as s:
        return s.getsockname()[1]


def connect(port):
    end = time.monotonic() + LIMIT
    while True:
        try:
            return socket.create_connection(('127.0.0.1', port))
        except ConnectionRefusedError:
            if time.monotonic() > end:
                raise
            time.sleep(0.01)


def send(connection, packets):
    connection.sendall(b''.join(struct.pack('>I', len(p)) + p for p in packets))


def expect(name, got, wanted):
    if got != wanted:
        print(f'{name}: {len(got)} packets came, {len(wanted)} were expected; the first that differs:')
        for number, (a, b) in enumerate(zip(got, wanted)):
            if a != b:
                print(number, a[:60], b[:60])
                break
        sys.exit(1)


def main():
    program = sys.argv[1]
    rng = random.Random(4)
    one, two, three = Sink(), Sink(), Sink()
    folder = tempfile.TemporaryDirectory()
    path = os.path.join(folder.name, 'graph')
    with open(path, 'w') as out:
        out.write(f'# three ways\nin: pass -> numbered loud raw\nnumbered: number -> a\na: send {one.port}\n'
                  f'loud: upper -> b\nb: send {two.port}\nraw: number -> back\nback: strip 4 -> c\nc: send {three.port}\n')
    port = free_port()
    process = subprocess.Popen([program, str(port), path], stdout=subprocess.PIPE, text=True)
    try:
        source = connect(port)
        sizes = [0, 1, 3, 4, 5, 1000, 65536] + [rng.randrange(2000) for _ in range(200)]
        packets = [bytes(rng.choice(b'abcXYZ 019') for _ in range(n)) for n in sizes]
        send(source, packets)
        expect('numbered', one.wait_for(len(packets)), [struct.pack('>I', i) + p for i, p in enumerate(packets)])
        expect('upper', two.wait_for(len(packets)), [p.upper() for p in packets])
        expect('numbered and stripped', three.wait_for(len(packets)), packets)

        # A configuration that is wrong changes nothing.
        with open(path, 'w') as out:
            out.write('in: pass -> in\n')
        process.send_signal(signal.SIGHUP)
        send(source, [b'still there'])
        expect('after a bad configuration', three.wait_for(len(packets) + 1)[-1:], [b'still there'])

        with open(path, 'w') as out:
            out.write(f'in: every 3 -> short\nshort: longest 100 -> out\nout: send {two.port}\n')
        process.send_signal(signal.SIGHUP)
        # The old graph writes in upper case.
        end = time.monotonic() + LIMIT
        while b'new?' not in two.got and time.monotonic() < end:
            send(source, [b'new?'])
            time.sleep(0.01)
        seen = len(two.got)
        later = [b'%d' % i + (b'.' * 200 if i % 2 else b'') for i in range(60)]
        send(source, later)
        # One in three of which one in two is short.
        got = [int(p) for p in two.wait_for(seen + 10)[seen:] if p != b'new?']
        expect('one in three', got, list(range(got[0], 60, 6)))
        source.close()
    finally:
        process.send_signal(signal.SIGTERM)
        out, _ = process.communicate(timeout=LIMIT)
    if process.returncode != 0:
        print('exit status', process.returncode)
        sys.exit(1)
    print(out, end='')


if __name__ == '__main__':
    main()
