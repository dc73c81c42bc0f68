#!/usr/bin/env python3
"""C examples run by `dbverify run` and by the interpreter: the counts of traces have to be equal.
Then what an execution, a process and a step cost.

    bench/native.py [DBVERIFY] [FILE...]
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent


def answer(line, seconds=40):
    begin = time.time()
    try:
        done = subprocess.run(line, capture_output=True, text=True, timeout=seconds)
        said = json.loads(done.stdout)
    except (subprocess.TimeoutExpired, json.JSONDecodeError):
        return "-", "-", time.time() - begin
    stats = said.get("stats", {})
    return said.get("verdict", "-"), stats.get("executions", "-"), time.time() - begin


STEPS = """#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *w(void *p) { for (int i = 0; i < N; i++) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); } return 0; }
int main(void) { pthread_t t[3]; for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, w, 0); for (int i = 0; i < 3; i++) pthread_join(t[i], 0); }
"""


def costs(tool, folder):
    """Random schedules are a process each; delays use what is known."""
    pathlib.Path(f"{folder}/steps.c").write_text(STEPS)
    print(f"\n{'three threads, locks each':28} {'executions':>10} {'processes':>10} {'s':>6} {'executions/s':>13}")
    for count, options in [
        (2, ["--strategy", "random", "--runs", "2000"]),
        (500, ["--strategy", "random", "--runs", "2000"]),
        (2, ["--delays", "5"]),
        (2, ["--delays", "any"]),
    ]:
        binary = f"{folder}/steps{count}"
        subprocess.run([tool, "cc", "--", "gcc", "-O1", f"-DN={count}", f"{folder}/steps.c", "-o", binary], check=True)
        done = subprocess.run([tool, "run", "--format", "json", *options, "--", binary], capture_output=True, text=True)
        stats = json.loads(done.stdout)["stats"]
        rate = stats["executions"] / stats["seconds"]
        name = f"{count}, {' '.join(options[:2])}"
        print(f"{name:28} {stats['executions']:>10} {stats['processes']:>10} {stats['seconds']:6.2f} {rate:13.0f}", flush=True)


def main():
    tool = sys.argv[1] if len(sys.argv) > 1 else "dbverify"
    files = sys.argv[2:] or sorted((ROOT / "examples/c-programs").glob("*.c"))
    print(f"{'program':28} {'interpreter':>22} {'s':>6} {'run':>22} {'s':>6}")
    with tempfile.TemporaryDirectory() as folder:
        for file in map(pathlib.Path, files):
            binary = f"{folder}/{file.stem}"
            built = [tool, "cc", "--", "gcc", "-O1", "-w", str(file), "-o", binary]
            if subprocess.run(built, capture_output=True).returncode != 0:
                print(f"{file.name:28} not compiled by gcc")
                continue
            limits = ["--timeout", "30", "--format", "json"]
            read = [tool, "explore", str(file), "--strategy", "dpor", "--no-races", "--spurious", "0", *limits]
            run = [tool, "run", "--delays", "any", *limits, "--", binary]
            (v1, n1, t1), (v2, n2, t2) = answer(read), answer(run)
            mark = "" if (v1, n1) == (v2, n2) else "   differ"
            print(f"{file.name:28} {v1:>12} {n1!s:>9} {t1:6.2f} {v2:>12} {n2!s:>9} {t2:6.2f}{mark}", flush=True)
        costs(tool, folder)


main()
