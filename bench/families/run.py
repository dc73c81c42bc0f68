#!/usr/bin/env python3
"""Families of programs that grow in one number: what verification costs, beside other ways in the same run.

    cargo build --release && python3 bench/families/run.py target/release/dbverify [--quick] [--timeout SECONDS]

For each family, n and K: verdict, seconds to encode and to solve, terms and peak memory of the solver's side; seconds of
the explicit engine on the same question; and, where a `z3` is installed, of that command on the same condition
(`--solver "z3 -in"`). A dash means that the time ran out.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

COUNTER = """var x: int := 0;
proc step() {{ {body} }}
proc main() {{ for i in 1..{n} {{ post step(); }} }}
finally {{ assert x == {n}; }}
"""

SETTERS = """var set: [{n}]bool := [false; {n}];
proc setter(i: int) {{ set[i] := true; }}
proc checker() {{ for i in 0..{n} - 1 {{ assert set[i]; }} }}
proc main() {{ for i in 0..{n} - 1 {{ post setter(i); }} post checker(); }}
"""

DRIVER = """var pending: int := 1;
var stopping: bool := false;
var event: bool := false;
var stopped: bool := false;
proc leave() {{
  pending := pending - 1;
  if pending == 0 {{ event := true; }}
}}
proc request() {{
  yield;
  {enter}
  yield;
  assert !stopped;
  yield;
  call leave();
}}
proc stop() {{
  yield;
  stopping := true;
  yield;
  call leave();
  await event;
  stopped := true;
}}
proc main() {{ for i in 1..{n} {{ post request(); }} post stop(); }}
"""

REPAIRED = "pending := pending + 1; yield; if stopping { call leave(); return; }"
BROKEN = "if stopping { return; } yield; pending := pending + 1;"

# Each with its text, and the n that is tried with every K.
FAMILIES = {
    "increments, not atomic": (lambda n: COUNTER.format(n=n, body="var t: int := x; yield; x := t + 1;"), 20),
    "increments, atomic": (lambda n: COUNTER.format(n=n, body="x := x + 1;"), 20),
    "setters, checker last": (lambda n: SETTERS.format(n=n), 30),
    "driver stop, repaired": (lambda n: DRIVER.format(n=n, enter=REPAIRED), 6),
    "driver stop, broken": (lambda n: DRIVER.format(n=n, enter=BROKEN), 6),
}


def run(command, seconds):
    """The answer of one run, if there was one in time, and its seconds."""
    begin = time.monotonic()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds + 5)
    except subprocess.TimeoutExpired:
        return None, seconds
    try:
        answer = json.loads(done.stdout)
    except ValueError:
        sys.exit(f"{' '.join(command)}: {done.stdout}{done.stderr}")
    return answer, time.monotonic() - begin


def peak(command, seconds):
    """Peak memory of a command in MiB, measured in a process that has no other children."""
    code = (
        "import resource,subprocess,sys;"
        "subprocess.run(sys.argv[1:],stdout=subprocess.DEVNULL,stderr=subprocess.DEVNULL);"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss//1024)"
    )
    done = subprocess.run([sys.executable, "-c", code, *command], capture_output=True, text=True, timeout=seconds + 10)
    return done.stdout.strip()


def measure(binary, family, n, delays, seconds, folder):
    text, _ = FAMILIES[family]
    file = Path(folder) / "program.async"
    file.write_text(text(n))
    base = [binary, str(file), "--delays", str(delays), "--timeout", str(seconds), "--format", "json"]
    answer, _ = run(base, seconds)
    cells = [family, str(n), str(delays)]
    if answer is not None and "verdict" not in answer:
        sys.exit(f"{file.read_text()}\n{answer}")
    verdict = answer["verdict"] if answer else "inconclusive"
    settled = answer is not None and verdict in ("safe", "bug")
    stats = answer.get("stats", {}) if answer else {}
    if settled:
        cells += [verdict, f"{stats['encode_seconds']:.3f}", f"{stats['solve_seconds']:.3f}", str(stats["terms"])]
        cells.append(peak(base, seconds))
    else:
        cells += ["-"] * 5
    others = [["--engine", "explicit"]]
    if shutil.which("z3"):
        others.append(["--solver", "z3 -in"])
    for other in others:
        theirs, spent = run(base + other, seconds)
        same = theirs is not None and theirs["verdict"] == verdict
        if settled and theirs is not None and theirs["verdict"] in ("safe", "bug") and not same:
            sys.exit(f"{family}, n = {n}, K = {delays}: {other} says {theirs['verdict']}, the solver {verdict}")
        cells.append(f"{spent:.2f}" if theirs is not None and theirs["verdict"] in ("safe", "bug") else "-")
    print("| " + " | ".join(cells) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--quick", action="store_true", help="few and small instances")
    parser.add_argument("--timeout", type=int, default=60)
    args = parser.parse_args()
    heads = ["family", "n", "K", "verdict", "encode s", "solve s", "terms", "peak MiB", "explicit s"]
    heads += ["z3 command s"] if shutil.which("z3") else []
    print("| " + " | ".join(heads) + " |")
    print("|" + "---|" * len(heads))
    with tempfile.TemporaryDirectory() as folder:
        for family, (_, middle) in FAMILIES.items():
            if args.quick:
                points = [(n, 2) for n in (2, middle)]
            else:
                points = [(n, 2) for n in (2, 4, 6, 10, 20, 30, 50)] + [(middle, k) for k in (0, 1, 3, 4)]
            for n, delays in points:
                measure(args.binary, family, n, delays, args.timeout, folder)


main()
