#!/usr/bin/env python3
"""What it brings to exchange the numbers by which tasks are told apart, on the problems of bench/numbers.

    bench/numbers.py --dbverify PATH [--against PATH] [--runs 3] [--small]

Each problem is searched in full, with all reductions and with none (--no-reduction); with --against also by another build, as one that
does not exchange numbers. The kinds of runs take turns, and the fastest of each counts. Seconds are of the processor, with reading the text.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "numbers"
# Names, small sizes, large sizes.
PROBLEMS = [("ring", [4], [8, 10, 12]), ("lock", [4], [6, 7, 8]), ("levels", [3], [3, 4, 5])]


def instantiate(name, size, folder):
    alone = " && ".join(f"({k} == i || level[{k}] < l)" for k in range(size))
    text = (FOLDER / f"{name}.async").read_text(encoding="utf-8")
    source = folder / f"{name}_{size}.async"
    source.write_text(text.replace("@N@", str(size)).replace("@ALONE@", alone), encoding="utf-8")
    return source


def search(binary, source, options):
    """Processor seconds, states, MiB that the search counts, and what is wrong."""
    limits = ["--timeout", "600", "--memory", "8000"]
    command = [str(binary), "explore", str(source), "--all", "--format", "json", *limits, *options]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    answer = json.loads(child.stdout.read())
    _, _, usage = os.wait4(child.pid, 0)
    child.returncode = 0
    stats = answer["stats"]
    # Traces may name other tasks.
    errors = sorted({(bug["kind"], bug["line"]) for bug in answer.get("bugs", [])})
    if answer["verdict"] == "inconclusive":
        sys.exit(f"{source.name}: {answer['reason']}")
    return usage.ru_utime + usage.ru_stime, stats["states"], stats["memory_mib"], (answer["verdict"], errors)


def problem(name, size, folder, binary, against, runs):
    source = instantiate(name, size, folder)
    kinds = {"exchanged": (binary, []), "no reduction": (binary, ["--no-reduction"])}
    if against is not None:
        kinds["against"] = (against, [])
    best = {}
    for _ in range(runs):
        for kind, (other, options) in kinds.items():
            seconds, *counted = search(other, source, options)
            old = best.get(kind)
            best[kind] = (min(seconds, old[0]) if old else seconds, *counted)
    if len({str(result[3]) for result in best.values()}) > 1:
        sys.exit(f"{source.name}: {best}: the answers differ")
    fewest = best["exchanged"][1]
    for kind, (seconds, states, memory, _) in best.items():
        print(f"{name:<8} {size:>3}  {kind:<13} {states:>12,} {states / fewest:>9.1f} {seconds:>9.2f} {memory:>6}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dbverify", type=Path, required=True, help="the binary")
    parser.add_argument("--against", type=Path, help="another binary")
    parser.add_argument("--runs", type=int, default=3, help="how often each is run")
    parser.add_argument("--small", action="store_true", help="small sizes, to see that everything works")
    args = parser.parse_args()
    against = args.against and args.against.resolve()
    print(f"{'':<8} {'N':>3}  {'':<13} {'states':>12} {'for one':>9} {'seconds':>9} {'MiB':>6}")
    with tempfile.TemporaryDirectory() as folder:
        for name, small, large in PROBLEMS:
            for size in small if args.small else large:
                problem(name, size, Path(folder), args.dbverify.resolve(), against, args.runs)


if __name__ == "__main__":
    main()
