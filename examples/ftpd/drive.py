#!/usr/bin/env python3
"""Fetches files from an FTP server on this machine in every way it knows, also breaking off in the middle.

usage: drive.py FTPD

FTPD is the program. Exit status 0 if everything came as it should.
"""
import ftplib
import io
import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading

LIMIT = 120
failures = []


def check(name, holds, shown=''):
    if not holds:
        failures.append(name)
        print(f'FAILED: {name} {shown!r}'[:400])


def refused(name, action, code):
    try:
        reply = action()
    except ftplib.Error as error:
        reply = str(error)
    check(name, str(reply).startswith(code), reply)


def make_files(root):
    random.seed(5)
    files = {'a.txt': b'hello\r\n', 'empty': b'', 'big': random.randbytes(900001), 'sub/one': b'1', 'sub/deep/two': b'22',
             '.hidden': b'no'}
    for name, content in files.items():
        path = os.path.join(root, 'pub', name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'wb') as f:
            f.write(content)
    os.makedirs(os.path.join(root, 'pub', 'void'))
    with open(os.path.join(root, 'secret'), 'w') as f:
        f.write('secret')
    # More than the sockets between us hold.
    with open(os.path.join(root, 'pub', 'huge'), 'wb') as f:
        f.truncate(60_000_000)
    os.symlink('../secret', os.path.join(root, 'pub', 'link'))
    os.symlink('..', os.path.join(root, 'pub', 'up'))
    return files


def login(port, passive=True):
    ftp = ftplib.FTP()
    ftp.connect('127.0.0.1', port, timeout=LIMIT)
    ftp.login()
    ftp.set_pasv(passive)
    return ftp


def fetch(ftp, name, rest=None):
    out = io.BytesIO()
    ftp.retrbinary(f'RETR {name}', out.write, rest=rest)
    return out.getvalue()


def files_and_lists(port, files):
    for passive in (True, False):
        ftp = login(port, passive)
        for name in ('a.txt', 'empty', 'big', 'sub/deep/two', '/sub/../a.txt', 'sub//one'):
            want = files[name.replace('/sub/../', '').replace('//', '/')]
            check(f'RETR {name}', fetch(ftp, name) == want)
        check('REST', fetch(ftp, 'big', 800000) == files['big'][800000:])
        check('REST is once', fetch(ftp, 'a.txt') == b'hello\r\n')
        refused('REST before the start', lambda: ftp.sendcmd('REST -1'), '501')
        check('SIZE', ftp.size('big') == 900001)
        check('MDTM', re.fullmatch(r'213 \d{14}', ftp.sendcmd('MDTM a.txt')))
        check('NLST', sorted(ftp.nlst()) == ['a.txt', 'big', 'empty', 'huge', 'link', 'sub', 'up', 'void'])
        check('NLST of nothing', ftp.nlst('void') == [])
        lines = []
        ftp.retrlines('LIST -la', lines.append)
        check('LIST', any(re.match(r'-r--r--r-- 1 ftp ftp 900001 \w{3} \d\d \d\d:\d\d big$', line) for line in lines), lines)
        check('LIST marks directories', any(line.startswith('d') and line.endswith(' sub') for line in lines), lines)
        ftp.cwd('sub')
        check('PWD', ftp.pwd() == '/sub')
        check('a name from there', fetch(ftp, 'deep/two') == b'22')
        ftp.cwd('deep')
        ftp.sendcmd('CDUP')
        check('CDUP', ftp.pwd() == '/sub')
        ftp.cwd('/../..')
        check('nothing is above the root', ftp.pwd() == '/')
        check('QUIT', ftp.quit().startswith('221'))


def refusals(port):
    ftp = ftplib.FTP()
    ftp.connect('127.0.0.1', port, timeout=LIMIT)
    refused('log in first', lambda: ftp.sendcmd('PASV'), '530')
    refused('PASS without USER', lambda: ftp.sendcmd('PASS x'), '503')
    refused('other users', lambda: ftp.sendcmd('USER root'), '530')
    ftp.login()
    for name in ('../secret', 'link', 'up/secret', '/.hidden', 'sub', 'nothing', 'x' * 300, '/../../etc/passwd'):
        refused(f'RETR {name}', lambda: fetch(ftp, name), '550')
        refused(f'SIZE {name}', lambda: ftp.sendcmd(f'SIZE {name}'), '550')
    for path in ('up', 'nothing', 'a.txt', '.hidden'):
        refused(f'CWD {path}', lambda: ftp.cwd(path), '550')
    ftp = login(port)
    refused('RETR without PASV', lambda: ftp.sendcmd('RETR a.txt'), '425')
    refused('STOR', lambda: ftp.sendcmd('STOR x'), '550')
    refused('PORT to another machine', lambda: ftp.sendcmd('PORT 10,0,0,1,100,100'), '501')
    refused('PORT to a system port', lambda: ftp.sendcmd('PORT 127,0,0,1,0,22'), '501')
    refused('nonsense', lambda: ftp.sendcmd('HURZ'), '502')
    refused('PORT of nonsense', lambda: ftp.sendcmd('PORT 1,2,3'), '501')
    check('it still works', fetch(ftp, 'a.txt') == b'hello\r\n')
    try:
        ftp.sendcmd('x' * 2000)
        check('a line that is too long', False)
    except (ftplib.Error, OSError, EOFError):
        pass


def broken_off(port, big):
    for way in range(6):
        ftp = login(port)
        connection = ftp.transfercmd('RETR huge')
        connection.recv(1000)
        if way == 0:
            connection.close()
            check('who hangs up is told', ftp.getmultiline()[:3] in ('226', '426'))
            check('and may go on', fetch(ftp, 'a.txt') == b'hello\r\n')
        elif way == 1:
            ftp.sock.close()
            while connection.recv(65536):
                pass
        elif way == 2:
            ftp.sendcmd('ABOR')
            check('after ABOR', fetch(ftp, 'big') == big)
        elif way == 3:
            ftp.makepasv()
            check('another PASV ends the transfer', fetch(ftp, 'a.txt') == b'hello\r\n')
        elif way == 4:
            refused('two at once', lambda: ftp.sendcmd('RETR a.txt'), '425')
            connection.close()
        else:
            ftp.sendcmd('QUIT')
    ftp = login(port)
    for _ in range(20):
        ftp.makepasv()
    check('many doors', fetch(ftp, 'a.txt') == b'hello\r\n')
    ftp.makepasv()
    ftp.close()
    noise = socket.create_connection(('127.0.0.1', port), timeout=LIMIT)
    noise.sendall(random.randbytes(100) + b'\r\n' + b'\0\xff\xf4 \r\n\r\n')
    noise.close()


def side_by_side(port, big):
    def one():
        ftp = login(port)
        for _ in range(3):
            check('side by side', fetch(ftp, 'big') == big)
        ftp.quit()

    threads = [threading.Thread(target=one) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LIMIT)


def silence(port):
    ftp = login(port)
    refused('silence ends a session', lambda: ftp.getresp(), '421')


def run(program, root, seconds, tests):
    server = subprocess.Popen([program, '-p', '0', '-t', str(seconds), os.path.join(root, 'pub')], stdout=subprocess.PIPE,
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
    check('it ends in order', status == 0 and last.endswith('open at the end: 0 and 0\n'), (status, last))


def main():
    program = sys.argv[1]
    with tempfile.TemporaryDirectory() as root:
        files = make_files(root)
        run(program, root, 60, [(files_and_lists, files), (refusals,), (broken_off, files['big']), (side_by_side, files['big'])])
        run(program, root, 3, [(silence,)])
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
