"""Packets led through examples/packets by bench/packets/load."""
import os
import signal
import socket
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SOURCE = os.path.join(ROOT, 'examples', 'packets', 'packets.cyc')


def build_load(folder):
    subprocess.run(['cc', '-O2', '-pthread', '-o', os.path.join(folder, 'load'), os.path.join(HERE, 'load.c')], check=True)


def free_port():
    with socket.create_server(('127.0.0.1', 0)) as s:
        return s.getsockname()[1]


def forward(folder, program, count, size, environment=None):
    """Seconds, processor seconds of the forwarder, its peak KiB. It has a processor to itself if there are two."""
    port, sink = free_port(), free_port()
    graph = os.path.join(folder, 'graph')
    with open(graph, 'w') as out:
        out.write(f'in: pass -> numbered\nnumbered: number -> out\nout: send {sink}\n')
    processors = sorted(os.sched_getaffinity(0))
    mine, others = {processors[0]}, set(processors[1:]) or {processors[0]}
    process = subprocess.Popen([program, str(port), graph], stdout=subprocess.DEVNULL, env={**os.environ, **(environment or {})},
                               preexec_fn=lambda: os.sched_setaffinity(0, mine))
    try:
        load = subprocess.run([os.path.join(folder, 'load'), str(port), str(sink), str(count), str(size)], capture_output=True, text=True,
                              check=True, timeout=600, preexec_fn=lambda: os.sched_setaffinity(0, others))
        with open(f'/proc/{process.pid}/status') as lines:
            peak = next(int(line.split()[1]) for line in lines if line.startswith('VmHWM'))
    finally:
        process.send_signal(signal.SIGTERM)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = status
    if status != 0:
        sys.exit(f'{program}: wait status {status}')
    return float(load.stdout), usage.ru_utime + usage.ru_stime, peak
