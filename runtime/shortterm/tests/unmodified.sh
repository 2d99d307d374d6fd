#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
#
# usage: unmodified.sh PRELOAD WORK
# Programs that know nothing of the library, with it preloaded: they put out what they do without it. Each runs as it is, with every
# object having a header (measuring mode). Ends with `N tests, N failures`.
set -u
preload=$1
work=$2
rm -rf "$work"
mkdir -p "$work"
cd "$work" || exit 1
work=$(pwd)
tests=0
failures=0
export LC_ALL=C PYTHONHASHSEED=0 PERL_HASH_SEED=0

seq 1 20000 | awk '{ print ($1 * 7919) % 20011, "line", $1 }' >lines
cat >threads.py <<'END'
import os, threading, json
def work(n, out):
    text = json.dumps([{"a": i, "b": [str(i)] * 3} for i in range(n)])
    out[n] = len(json.loads(text)) + len(text)
out = {}
threads = [threading.Thread(target=work, args=(n, out)) for n in range(500, 508)]
for t in threads: t.start()
pid = os.fork()
if pid == 0:
    work(100, out)
    os._exit(0)
assert os.waitpid(pid, 0)[1] == 0
for t in threads: t.join()
print(sorted(out.items()))
END
cat >words.pl <<'END'
my %h;
for my $i (1 .. 20000) { push @{ $h{ $i % 997 } }, "v" . ($i * 3) }
my $pid = fork();
if ($pid == 0) { my @l = map { [$_] } 1 .. 1000; exit 0 }
waitpid($pid, 0);
print join(",", map { "$_:" . scalar(@{ $h{$_} }) } sort keys %h), $?, "\n";
END
cat >unit.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pthread.h>
int main(void) { char *p = strdup("x"); puts(p); free(p); return 0; }
END
cat >unit.cc <<'END'
#include <map>
#include <string>
#include <vector>
int f() { std::map<std::string, std::vector<int>> m; m["x"].push_back(1); return (int)m.size(); }
END
awk 'BEGIN { print "create table t(a integer primary key, b text);"; print "begin;"
    for (i = 0; i < 3000; i++) printf "insert into t values(%d, \047text %d\047);\n", i, (i * 7919) % 10007
    print "commit;"; print "create index i on t(b);"; print "select count(*), sum(a) from t where b like \047text 1%\047;"
    print "select b from t order by b limit 5;" }' >query.sql

# agree NAME COMMAND…, with the variables in $with
agree() {
    name=$1
    shift
    if ! "$@" >plain 2>/dev/null </dev/null; then return; fi
    for with in "" "TENURE_STM_MEASURE=$work/measure.csv"; do
        tests=$((tests + 1))
        if env $with LD_PRELOAD="$preload" "$@" >ours 2>errors </dev/null && cmp -s plain ours && [ ! -s errors ]; then continue; fi
        failures=$((failures + 1))
        echo "FAILED $name ($with)"
        head -n 5 errors
    done
}

has() { command -v "$1" >/dev/null 2>&1; }
agree sort sort --parallel=2 lines
has python3 && agree python python3 threads.py
has python3 && agree "python, malloc alone" env PYTHONMALLOC=malloc python3 threads.py
if has perl; then
    agree perl perl words.pl
    tests=$((tests + 1))
    headings=$(grep -c '^microseconds' measure.csv)
    if [ "$headings" -ne 1 ]; then
        failures=$((failures + 1))
        echo "FAILED: measured by a process that forks, and by its child again: $headings headings"
    fi
fi
has gcc && agree gcc gcc -O2 -S -o - unit.c
has g++ && agree g++ g++ -O1 -S -o - unit.cc
has clang && agree clang clang -O1 -S -o - unit.c
has sqlite3 && agree sqlite sqlite3 :memory: ".read query.sql"
has tar && agree tar tar --mtime=@0 --sort=name --owner=0 --group=0 -cf - lines unit.c
has xz && agree xz xz -T2 -c lines
has git && agree git sh -c "rm -rf g && git init -q g && cd g && cp ../lines . && git add . && git write-tree && git gc -q && git ls-files -s"

# A master and two workers, which serve a file and end by themselves at SIGQUIT. Puts out the file as often as it was fetched.
cat >serve.py <<'END'
import os, signal, socket, subprocess, sys, time, urllib.request
work = os.getcwd()
with socket.socket() as probe:
    probe.bind(("127.0.0.1", 0))
    port = probe.getsockname()[1]
with open("nginx.conf", "w") as conf:
    conf.write(f"""daemon off; worker_processes 2; pid {work}/nginx.pid; error_log {work}/nginx.log;
events {{ worker_connections 64; }}
http {{ access_log off; gzip on; gzip_types *; gzip_min_length 1; client_body_temp_path {work}/t1; proxy_temp_path {work}/t2;
fastcgi_temp_path {work}/t3; uwsgi_temp_path {work}/t4; scgi_temp_path {work}/t5;
server {{ listen 127.0.0.1:{port}; root {work}; }} }}
""")
os.chmod(work, 0o755)
environment = dict(os.environ, **dict(word.split("=", 1) for word in sys.argv[1:]))
server = subprocess.Popen(["nginx", "-e", f"{work}/nginx.log", "-c", f"{work}/nginx.conf"], env=environment)
url = f"http://127.0.0.1:{port}/lines"
for _ in range(2000):
    try:
        urllib.request.urlopen(url).read()
        break
    except OSError:
        time.sleep(0.05)
for number in range(40):
    request = urllib.request.Request(url, headers={"Accept-Encoding": "gzip"} if number % 2 else {})
    body = urllib.request.urlopen(request).read()
    sys.stdout.buffer.write(body if number % 2 == 0 else str(len(body)).encode())
server.send_signal(signal.SIGQUIT)
sys.exit(server.wait(300))
END
if has python3 && has nginx && python3 serve.py >plain; then
    for with in "" "TENURE_STM_MEASURE=$work/measure.csv"; do
        tests=$((tests + 1))
        if python3 serve.py "LD_PRELOAD=$preload" $with >ours && cmp -s plain ours; then continue; fi
        failures=$((failures + 1))
        echo "FAILED nginx ($with)"
    done
fi
echo "$tests tests, $failures failures"
[ "$failures" -eq 0 ]
