#!/usr/bin/env python3
"""Schedules until the first bug: bounded preemptions against bounded delays (section 4 of the paper).

    bench/first_bug.py [--timeout 5] [--dbverify PATH] [FILE...]

For each example with a bug and each way to bound the schedules, the bound is raised from 0 until a bug is found.
Printed are the bound, how many schedules were run under it until the bug, the failing one included, and how many
schedules the bound allows in all: the first depends on the order in which a search happens to try them, the second
does not. The schedules of the smaller bounds are not counted. A dash: not found within the time, or not with a bound of
up to 8; `many`: not all run within the time. Each schedule is followed from the start (--strategy stateless). The table is Markdown, as in bench/RESULTS.md.
"""

import argparse
import json
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WAYS = [
    ("preemptions", ["--preemptions"]),
    ("rr delays", ["--scheduler", "rr", "--delays"]),
    ("dfs delays", ["--scheduler", "dfs", "--delays"]),
    ("rdfs delays", ["--scheduler", "rdfs", "--delays"]),
]
MOST = 8


def run(binary, path, options, timeout):
    """The answer, if there is one in time."""
    command = [binary, "explore", path, "--strategy", "stateless", "--format", "json", *options]
    command += ["--timeout", max(1, int(timeout))]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    answer = json.loads(done.stdout)
    return None if answer.get("verdict") in (None, "inconclusive") else answer


def first(binary, path, way, timeout):
    """The least bound that shows a bug, the schedules until it, and all schedules if they are known."""
    left = timeout
    for bound in range(MOST + 1):
        answer = run(binary, path, [*way, bound], left)
        if answer is None:
            return None
        if answer["verdict"] == "bug":
            if "executions" not in answer["stats"]:
                return None  # a declaration is false: that is proved, and no schedule is run
            every = run(binary, path, [*way, bound, "--all"], timeout)
            return bound, answer["stats"]["executions"], every and every["stats"]["executions"]
        left -= answer["stats"]["seconds"]
        if left <= 0:
            return None
    return None


def show(found):
    if found is None:
        return "-"
    bound, until, every = found
    return f"{bound}: {until:,} of {'many' if every is None else f'{every:,}'}"


def pairs(delayed, preempted):
    """Schedules to compare: until the bug, and in all; not all run is more than any number."""
    return [(delayed[i] or float("inf"), preempted[i] or float("inf")) for i in (1, 2)]


def sums(counts):
    return " / ".join(map(str, counts))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--timeout", type=float, default=5, help="seconds for each example and way")
    parser.add_argument("--dbverify", type=Path, default=ROOT / "target" / "release" / "dbverify")
    parser.add_argument("files", type=Path, nargs="*")
    args = parser.parse_args()
    files = args.files or sorted((ROOT / "examples" / "async-programs").glob("*_bug.async"))
    print("| example | " + " | ".join(name for name, _ in WAYS) + " |")
    print("|---|" + "---:|" * len(WAYS))
    fewer = {name: ([0, 0, 0], [0, 0, 0]) for name, _ in WAYS[1:]}
    for path in files:
        found = [first(args.dbverify, path, way, args.timeout) for _, way in WAYS]
        print(f"| {path.stem} | " + " | ".join(map(show, found)) + " |", flush=True)
        for (name, _), delayed in zip(WAYS[1:], found[1:]):
            if found[0] is not None and delayed is not None:
                for count, (a, b) in zip(fewer[name], pairs(delayed, found[0])):
                    count[(a > b) - (a < b) + 1] += 1
    for name, (until, every) in fewer.items():
        print(f"\n{name} against preemptions, fewer / as many / more: until the bug {sums(until)}; in all {sums(every)}.", end="")
    print()


if __name__ == "__main__":
    main()
