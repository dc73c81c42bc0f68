#!/usr/bin/env python3
"""The shape of Table 2 and Figures 5 and 6 of "Fair Stateless Model Checking" on the programs of bench/fair/.

Searches without a store of states, with the fair scheduler and without it: how many states of the program they visit,
and how many executions it takes. Without fairness `sleep` is a `yield` like every other, and executions end at a depth
bound. `cb` is the bound on preemptions. `total` is what the search with a store reaches under the same bound.

    cargo build --release && python3 bench/fair.py [--dbverify target/release/dbverify] [--seconds 20]
"""

import argparse
import json
import pathlib
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = ["philosophers_2", "philosophers_3", "stealing_1", "stealing_2"]
BOUNDS = [1, 2, 3, None]
DEPTHS = [12, 16, 20, 40, 60]


def explore(binary, file, seconds, bound, *options):
    """The figures of a search, and whether it came to its end."""
    command = [binary, "explore", file, "--fair", "--all", "--format", "json", "--timeout", str(seconds), *options]
    if bound is not None:
        command += ["--preemptions", str(bound)]
    answer = json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout)
    if answer["verdict"] == "bug":
        raise SystemExit(f"{file}: {answer['summary']}")
    return answer["stats"], "ran out" not in answer.get("reason", "")


def cell(found, what):
    stats, ended = found
    if what == "states":
        shown = str(stats.get("states", "many"))
    else:
        shown = f"{stats['executions'] + stats.get('cut', 0)} ({stats['seconds']:.2f} s)"
    return shown + ("" if ended else "*")


def row(binary, name, bound, seconds):
    """Total, with fairness, and without for each depth."""
    text = (HERE / "fair" / f"{name}.async").read_text()
    with tempfile.TemporaryDirectory() as folder:
        fair, unfair = f"{folder}/{name}.async", f"{folder}/unfair.async"
        pathlib.Path(fair).write_text(text)
        pathlib.Path(unfair).write_text(text.replace("sleep;", "yield;"))
        total = stored(binary, unfair, seconds, bound)
        free = ["--strategy", "stateless"]
        searches = [explore(binary, fair, seconds, bound, *free)]
        for depth in DEPTHS:
            searches.append(explore(binary, unfair, seconds, bound, *free, "--max-steps", str(depth)))
    return total, searches


def stored(binary, file, seconds, bound):
    """How many states there are; endless executions are no matter here."""
    command = [binary, "explore", file, "--fair", "--all", "--format", "json", "--timeout", str(seconds)]
    if bound is not None:
        command += ["--preemptions", str(bound)]
    answer = json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout)
    return answer["stats"]["states"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dbverify", default=str(HERE.parent / "target/release/dbverify"))
    parser.add_argument("--seconds", type=float, default=20, help="for one search; one that takes longer is marked *")
    given = parser.parse_args()
    rows = [
        (name, f"cb={bound}" if bound else "dfs", *row(given.dbverify, name, bound, given.seconds))
        for name in PROGRAMS
        for bound in BOUNDS
    ]
    columns = ["fair"] + [f"db={depth}" for depth in DEPTHS]
    print("States visited:\n")
    print("| program | strategy | total | " + " | ".join(columns) + " |")
    print("|---|---|" + "---|" * (1 + len(columns)))
    for name, strategy, total, searches in rows:
        cells = [cell(found, "states") for found in searches]
        print(f"| {name} | {strategy} | {total} | " + " | ".join(cells) + " |")
    print("\nExecutions, with those that were cut at the depth bound:\n")
    print("| program | strategy | " + " | ".join(columns) + " |")
    print("|---|---|" + "---|" * len(columns))
    for name, strategy, _, searches in rows:
        cells = [cell(found, "executions") for found in searches]
        print(f"| {name} | {strategy} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
