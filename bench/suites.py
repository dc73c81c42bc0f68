#!/usr/bin/env python3
"""Public suites under `dbverify run`: local copies of SCTBench's concurrent-software-benchmarks and of McMini's test programs.
A program's name says whether it has a bug. Prints after how many schedules it is found, and what contradicts the name.

    bench/suites.py DBVERIFY FOLDER... [--replay N] [--seconds S] [--cc gcc|clang]
"""

import argparse
import json
import pathlib
import re
import subprocess
import tempfile

# The values of McMini's arguments, whose names its programs print when they are missing; others are 2.
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


def shown(said):
    what = said.get("error", {}).get("kind") or said.get("reason") or ""
    return f"{said['verdict']:>12} {said.get('stats', {}).get('executions', '-')!s:>7} {str(what)[:34]:34}"


def replayed(tool, trace, times):
    lines = [subprocess.run([tool, "replay", trace], capture_output=True, text=True, check=False) for _ in range(times)]
    return sum(done.returncode == 1 for done in lines)


def one(tool, file, asked, folder):
    binary, trace = f"{folder}/{file.stem}", f"{folder}/{file.stem}.json"
    line = [tool, "cc", "--", asked.cc, "-O1", "-w", "-std=gnu99", "-I", str(file.parent), str(file), "-o", binary, "-lpthread", "-lm"]
    if subprocess.run(line, capture_output=True, check=False).returncode != 0:
        print(f"{file.stem:44} not compiled", flush=True)
        return None
    arguments = arguments_of(file)
    limits = ["--timeout", str(asked.seconds), "--trace-out", trace]
    few = answer(tool, ["--delays", "0..3", *limits], binary, arguments)
    found = few["verdict"] == "bug"
    again = f"{replayed(tool, trace, asked.replay)}/{asked.replay}" if found and asked.replay else ""
    every = few if found else answer(tool, ["--delays", "any", *limits], binary, arguments)
    bug = has_bug(file)
    wrong = {"bug": not bug, "safe": bug}.get(every["verdict"], False)
    mark = "CONTRADICTS ITS NAME" if wrong else ""
    print(f"{file.stem:44} {'bug' if bug else 'safe':4} {shown(few)} {'' if found else shown(every)} {again} {mark}", flush=True)
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    parser.add_argument("--replay", type=int, default=0)
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--cc", default="gcc")
    asked = parser.parse_args()
    print(f"{'program':44} name {'0..3 delays':>20} {'all schedules, where no bug was found':>50}")
    with tempfile.TemporaryDirectory() as folder:
        files = [file.resolve() for given in asked.folders for file in sorted(given.glob("*.c"))]
        wrong = [one(asked.tool, file, asked, folder) for file in files]
    print(f"{len(files)} programs, {wrong.count(None)} not compiled, {wrong.count(True)} contradict their name")


main()
