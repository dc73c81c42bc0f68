#!/usr/bin/env python3
"""What two workers take, beside one, on the problems of bench/spin.

    bench/jobs.py [--runs 3] [--small] [--only NAME] [--jobs 2] [--dbverify PATH] [--against PATH]

Each problem is searched in full (--no-reduction) by one worker, by several (--jobs), and by as many processes of one worker each,
side by side. The kinds of runs take turns, and the fastest of each counts. Without --dbverify a release build is made.

Seconds of the clock say something only on a machine that has nothing else to do; so the load before each turn is shown.
Processor seconds (user and system, of all workers) change less. "side by side" is how much longer each process takes than one
that is alone: what the machine's memory and its processors cost, whatever the program does. No division of the work is
faster than that, so the number of workers divided by it is the bound of the speed-up.

With --against each turn also has a run of one worker of another build.
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


def begin(binary, source, jobs):
    """Starts a search."""
    limits = ["--timeout", "3600", "--memory", "16000"]
    options = ["--no-reduction", "--jobs", str(jobs), "--format", "json"]
    command = [str(binary), "explore", str(source), *limits, *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def end(child):
    """Waits for a search: processor seconds, and what it counted."""
    out = child.stdout.read()
    _, _, usage = os.wait4(child.pid, 0)
    child.returncode = 0
    answer = json.loads(out)
    counts = [answer["verdict"], answer["stats"]["states"], answer["stats"]["transitions"], answer["stats"]["depth"]]
    return usage.ru_utime + usage.ru_stime, counts


def timed(binary, source, jobs, processes=1):
    """Searches: seconds of the clock, processor seconds of each process, and what it counted."""
    before = time.monotonic()
    results = [end(child) for child in [begin(binary, source, jobs) for _ in range(processes)]]
    clock = time.monotonic() - before
    counts = results[0][1]
    if any(other != counts for _, other in results):
        sys.exit(f"{counts} and {results}: two processes count differently")
    return clock, sum(cpu for cpu, _ in results) / processes, counts


def problem(name, source, binary, against, jobs, turns):
    kinds = {"one": (binary, 1, 1), f"{jobs} workers": (binary, jobs, 1), "side by side": (binary, 1, jobs)}
    if against is not None:
        kinds["one, against"] = (against, 1, 1)
    best, counts = {}, None
    print(f"\n{name}")
    for _ in range(turns):
        loads = []
        for kind, arguments in kinds.items():
            loads.append(f"{os.getloadavg()[0]:.1f}")
            other, work, processes = arguments
            clock, cpu, counted = timed(other, source, work, processes)
            if counts not in (None, counted):
                sys.exit(f"{counts} and {counted}: {kind} counts differently")
            counts = counted
            old = best.get(kind, (clock, cpu))
            best[kind] = (min(old[0], clock), min(old[1], cpu))
        print(f"  load before each run: {' '.join(loads)}")
    one = best["one"]
    _, states, transitions, _ = counts
    print(f"  {states:,} states, {transitions:,} transitions, {transitions / one[1] / 1e6:.1f} million a second by one worker")
    print(f"  {'':<14} {'clock':>7} {'processor':>10} {'clock, ratio':>13} {'processor, ratio':>17}")
    for kind, (clock, cpu) in best.items():
        print(f"  {kind:<14} {clock:>7.2f} {cpu:>10.2f} {one[0] / clock:>13.2f} {cpu / one[1]:>17.2f}")
    print(f"  bound of the speed-up: {jobs * one[0] / best['side by side'][0]:.2f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=3, help="how often each is run")
    parser.add_argument("--small", action="store_true", help="small sizes, to see that everything works")
    parser.add_argument("--only", help="one problem")
    parser.add_argument("--jobs", type=int, default=2, help="how many workers")
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
                problem(name, source, binary.resolve(), against, args.jobs, args.runs)


if __name__ == "__main__":
    main()
