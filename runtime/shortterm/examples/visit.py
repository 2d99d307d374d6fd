#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Starts a web server, makes requests over several connections at once, and prints the answers in order.

usage: visit.py CONNECTIONS REQUESTS COMMAND…       CONNECTIONS is appended to the command
"""
import concurrent.futures
import http.client
import subprocess
import sys


def talk(port, who, requests):
    connection = http.client.HTTPConnection('127.0.0.1', port, timeout=60)
    answers = []
    for i in range(requests):
        path = (f'/count/{(who * 37 + i * 11) % 300}', f'/echo/{"x" * (i * 7 % 500)}-{who}', '/elsewhere')[(who + i) % 3]
        headers = {f'X-{k}': 'v' * k for k in range(i % 9)}
        if i == requests - 1:
            headers['Connection'] = 'close'
        connection.request('GET', path, headers=headers)
        answer = connection.getresponse()
        answers.append(f'{path} {answer.status} {answer.headers["X-Fields"]}\n{answer.read().decode()}')
    connection.close()
    return ''.join(answers)


def main():
    connections, requests = int(sys.argv[1]), int(sys.argv[2])
    server = subprocess.Popen(sys.argv[3:] + [str(connections)], stdout=subprocess.PIPE, text=True)
    port = int(server.stdout.readline())
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for text in pool.map(lambda who: talk(port, who, requests), range(connections)):
            sys.stdout.write(text)
    sys.exit(server.wait(60))


main()
