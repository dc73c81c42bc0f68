#!/usr/bin/env python3
"""Public suites under `dbverify run`: local copies of SCTBench's concurrent-software-benchmarks and of McMini's test programs.
A program's name says whether it has a bug. Prints with how many delays and after how many schedules it is found, those of smaller budgets
included; otherwise what all schedules say; and what contradicts the name. `--paper` is a table `name,delays,schedules` to stand beside.

    bench/suites.py DBVERIFY FOLDER... [--delays K] [--replay N] [--seconds S] [--cc gcc|clang] [--paper FILE]
"""

import argparse
import csv
import json
import pathlib
import re
import subprocess
import tempfile

# The values of McMini's arguments. Its programs print the names of missing ones. All others are 2.
VALUES = {"DEBUG": "0", "DEBUG_FLAG": "0", "NUM_WRITERS": "1", "NUM_LOOP": "1", "numChairs": "1", "RandSeed": "1"}


def arguments_of(file):
    names = re.search(r"sage: %s +(.*?)\\n", file.read_text())
    needed = re.search(r"argc *(<|!= *[2-9])", file.read_text())
    return [VALUES.get(name.strip("<>"), "2") for name in names[1].split()] if names and needed else []


def has_bug(file):
    return bool(re.search(r"_bad|_sat|deadlock", str(file.relative_to(file.parent.parent))))


def answer(tool, options, binary, arguments):
    line = [tool, "run", "--format", "json", *options, "--", binary, *arguments]
    try:
        return json.loads(subprocess.run(line, capture_output=True, text=True, timeout=120).stdout)
    except (json.JSONDecodeError, subprocess.TimeoutExpired) as error:
        return {"verdict": "-", "reason": type(error).__name__}


def schedules(said):
    return said.get("stats", {}).get("executions", 0)


def reason(said):
    return str(said.get("error", {}).get("kind") or said.get("reason") or "")[:40]


def replayed(tool, trace, times):
    lines = [subprocess.run([tool, "replay", trace], capture_output=True, text=True, check=False) for _ in range(times)]
    return sum(done.returncode == 1 for done in lines)


def search(tool, binary, arguments, asked, limits):
    """One budget of delays after the other, then all schedules: the last answer, the budget and the schedules so far."""
    count = 0
    for delays in [*range(asked.delays + 1), "any"]:
        budget = delays if delays == "any" else f"{delays}..{delays}"
        said = answer(tool, ["--delays", budget, *limits], binary, arguments)
        count = schedules(said) + (0 if delays == "any" else count)
        if said["verdict"] == "bug":
            break
    return said, str(delays), count


def one(tool, file, asked, folder):
    binary, trace = f"{folder}/{file.stem}", f"{folder}/{file.stem}.json"
    line = [tool, "cc", "--", asked.cc, "-O1", "-w", "-std=gnu99", "-I", str(file.parent), str(file), "-o", binary, "-lpthread", "-lm"]
    if subprocess.run(line, capture_output=True, check=False).returncode != 0:
        print(f"{file.stem:44} not compiled", flush=True)
        return None
    limits = ["--timeout", str(asked.seconds), "--trace-out", trace]
    said, delays, count = search(tool, binary, arguments_of(file), asked, limits)
    found, bug = said["verdict"] == "bug", has_bug(file)
    again = f"{replayed(tool, trace, asked.replay)}/{asked.replay}" if found and asked.replay else ""
    wrong = {"bug": not bug, "safe": bug}.get(said["verdict"], False)
    mark = "CONTRADICTS ITS NAME" if wrong else ""
    theirs = " ".join(f"{n:>7}" for n in asked.table.get(file.stem, ()))
    line = f"{file.stem:44} {'bug' if bug else 'safe':4} {said['verdict']:>12} {delays:>6} {count:>9} {theirs:15} {again:>7} {reason(said):40} {mark}"
    print(line.rstrip(), flush=True)
    return wrong, bug, count if found else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    parser.add_argument("--delays", type=int, default=3)
    parser.add_argument("--replay", type=int, default=0)
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--cc", default="gcc")
    parser.add_argument("--paper", type=pathlib.Path)
    asked = parser.parse_args()
    rows = csv.reader(asked.paper.read_text().splitlines()) if asked.paper else ()
    asked.table = {row[0]: row[1:3] for row in rows}
    theirs = "of the paper" if asked.table else ""
    print(f"{'program':44} name {'answer':>12} delays schedules {theirs:15} {'replays' if asked.replay else ''}".rstrip())
    with tempfile.TemporaryDirectory() as folder:
        files = [file.resolve() for given in asked.folders for file in sorted(given.glob("*.c"))]
        all = [one(asked.tool, file, asked, folder) for file in files]
    ran = [found for found in all if found]
    print(f"{len(files)} programs, {all.count(None)} not compiled, {sum(wrong for wrong, _, _ in ran)} contradict their name")
    counts = [count for _, bug, count in ran if bug and count is not None]
    within = ", ".join(f"{sum(count <= most for count in counts)} within {most}" for most in (1, 10, 100, 1000))
    print(f"{len(counts)} of {sum(bug for _, bug, _ in ran)} bugs found: {within} schedules")


main()
