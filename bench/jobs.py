#!/usr/bin/env python3
"""What two workers take, beside one, on the problems of bench/spin.

    bench/jobs.py [--runs 3] [--small] [--only NAME] [--jobs 2] [--cluster] [--dbverify PATH] [--against PATH]

Each problem is searched in full (--no-reduction) by one worker, by several (--jobs), and by as many processes of one worker each,
side by side. The kinds of runs take turns, and the fastest of each counts. Without --dbverify a release build is made.

Seconds of the clock say something only on a machine that has nothing else to do; so the load before each turn is shown.
Processor seconds (user and system, of all workers) change less. "side by side" is how much longer each process takes than one
that is alone: what the machine's memory and its processors cost, whatever the program does. No division of the work is
faster than that, so the number of workers divided by it is the bound of the speed-up.

With --against each turn also has a run of one worker of another build. With --cluster it has runs of one process, of
several, and of several workers in one process that --cluster carries.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "spin"))
import run as spin  # noqa: E402


def begin(binary, source, workers):
    """Starts a search."""
    limits = ["--timeout", "3600", "--memory", "16000"]
    options = ["--no-reduction", *workers.split(), "--format", "json"]
    command = [str(binary), "explore", str(source), *limits, *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def end(child):
    """Waits for a search: processor seconds, what it counted, and the MiB of all its states."""
    out = child.stdout.read()
    _, _, usage = os.wait4(child.pid, 0)
    child.returncode = 0
    answer = json.loads(out)
    stats = answer["stats"]
    counts = [answer["verdict"], stats["states"], stats["transitions"]]
    return usage.ru_utime + usage.ru_stime, counts, stats["memory_mib"]


def timed(binary, source, workers, processes=1):
    """Searches: seconds of the clock, processor seconds of each process, what it counted, and the MiB of its states."""
    before = time.monotonic()
    results = [end(child) for child in [begin(binary, source, workers) for _ in range(processes)]]
    clock = time.monotonic() - before
    _, counts, memory = results[0]
    if any(other != counts for _, other, _ in results):
        sys.exit(f"{counts} and {results}: two processes count differently")
    return clock, sum(cpu for cpu, _, _ in results) / processes, counts, memory


def problem(name, source, binary, against, jobs, turns, cluster):
    several = f"--jobs {jobs}"
    kinds = {"one": (binary, "", 1), f"{jobs} workers": (binary, several, 1), "side by side": (binary, "", jobs)}
    if against is not None:
        kinds["one, against"] = (against, "", 1)
    if cluster:
        for workers in ["local:1", f"local:{jobs}", f"local:1 {several}"]:
            kinds[workers] = (binary, f"--cluster {workers}", 1)
    best, counts = {}, None
    print(f"\n{name}")
    for _ in range(turns):
        loads = []
        for kind, arguments in kinds.items():
            loads.append(f"{os.getloadavg()[0]:.1f}")
            other, work, processes = arguments
            clock, cpu, counted, memory = timed(other, source, work, processes)
            if counts not in (None, counted):
                sys.exit(f"{counts} and {counted}: {kind} counts differently")
            counts = counted
            old = best.get(kind, (clock, cpu, memory))
            best[kind] = (min(old[0], clock), min(old[1], cpu), memory)
        print(f"  load before each run: {' '.join(loads)}")
    one = best["one"]
    _, states, transitions = counts
    print(f"  {states:,} states, {transitions:,} transitions, {transitions / one[1] / 1e6:.1f} million a second by one worker")
    print(f"  {'':<16} {'clock':>7} {'processor':>10} {'clock, ratio':>13} {'processor, ratio':>17} {'MiB':>6}")
    for kind, (clock, cpu, memory) in best.items():
        ratios = f"{one[0] / clock:>13.2f} {cpu / one[1]:>17.2f}"
        print(f"  {kind:<16} {clock:>7.2f} {cpu:>10.2f} {ratios} {memory:>6}")
    print(f"  bound of the speed-up: {jobs * one[0] / best['side by side'][0]:.2f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=3, help="how often each is run")
    parser.add_argument("--small", action="store_true", help="small sizes, to see that everything works")
    parser.add_argument("--only", help="one problem")
    parser.add_argument("--jobs", type=int, default=2, help="how many workers")
    parser.add_argument("--cluster", action="store_true", help="searches that --cluster carries, too")
    parser.add_argument("--dbverify", type=Path, help="this binary instead of a fresh release build")
    parser.add_argument("--against", type=Path, help="another binary")
    args = parser.parse_args()
    binary = args.dbverify
    if binary is None:
        subprocess.run(["cargo", "build", "-q", "--release"], cwd=spin.ROOT, check=True)
        binary = spin.ROOT / "target" / "release" / "dbverify"
    against = args.against and args.against.resolve()
    with tempfile.TemporaryDirectory() as folder:
        for name, small, large in spin.PROBLEMS:
            if args.only in (None, name):
                source = spin.instantiate(name, "async", small if args.small else large, Path(folder))
                problem(name, source, binary.resolve(), against, args.jobs, args.runs, args.cluster)


if __name__ == "__main__":
    main()
