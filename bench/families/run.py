#!/usr/bin/env python3
"""What deciding costs the solver, on families of programs that grow in one number and on models of drivers.

    cargo build --profile fast
    python3 bench/families/run.py target/fast/dbverify [--against OTHER] [--quick] [--only WORDS] [--timeout SECONDS]

For each program and K: verdict, processor seconds and peak memory, and the terms that it became; with `--against`, verdict, seconds and memory
of another binary on the same question, and how many times faster this one is; the seconds of the explicit engine; and, where a `z3` is installed, of that command on the
same condition (`--solver "z3 -in"`). All of a row is measured in one run, one after the other. Engines that contradict each other end it. A dash
means that the time ran out.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
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

HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parent.parent / "examples" / "async-programs"

# Each with its files, right and broken, and the K that are tried.
MODELS = {
    "work stealing": ([EXAMPLES / "work_stealing.async", EXAMPLES / "work_stealing_bug.async"], (1, 2)),
    "interrupts and a ring": ([HERE / "models" / "ring.async", HERE / "models" / "ring_bug.async"], (1, 2)),
    "USB cancel": ([HERE / "models" / "urb.async", HERE / "models" / "urb_bug.async"], (1, 2)),
    "cache and reaper": ([HERE / "models" / "cache.async", HERE / "models" / "cache_bug.async"], (1, 2)),
}

# Runs a command and prints, after what it prints, its processor seconds and its peak memory in MiB: in a process that has no other
# children.
MEASURE = """
import resource, subprocess, sys
try:
    done = subprocess.run(sys.argv[2:], capture_output=True, text=True, timeout=float(sys.argv[1]))
    print(done.stdout or done.stderr)
except subprocess.TimeoutExpired:
    print("null")
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime, used.ru_maxrss // 1024)
"""

SETTLED = ("safe", "bug")


class Run:
    """One run of a binary: its verdict, what it took, and its statistics."""

    def __init__(self, command, seconds):
        wrapped = [sys.executable, "-c", MEASURE, str(4 * seconds + 60), *command]
        text = subprocess.run(wrapped, capture_output=True, text=True, check=True).stdout
        answer, _, used = text.rstrip().rpartition("\n")
        try:
            answer = json.loads(answer) or {}
        except ValueError:
            sys.exit(f"{' '.join(command)}: {answer}")
        self.seconds, self.memory = float(used.split()[0]), used.split()[1]
        self.verdict = answer.get("verdict", "inconclusive")
        self.stats = answer.get("stats", {})
        self.settled = self.verdict in SETTLED

    def cells(self):
        return [self.verdict, f"{self.seconds:.2f}", self.memory] if self.settled else ["-", "-", self.memory]


def measure(binary, file, delays, args):
    """The cells of one row."""
    base = [str(file), "--delays", str(delays), "--timeout", str(args.timeout), "--format", "json"]
    ours = Run([binary, *base, "--engine", "smt"], args.timeout)
    cells = [*ours.cells(), str(ours.stats.get("terms", "-"))]
    others = []
    if args.against:
        others.append(Run([args.against, *base, "--engine", "smt"], args.timeout))
        cells += others[0].cells()
        faster = ours.settled and others[0].seconds / max(ours.seconds, 0.01)
        bound = "" if others[0].settled else "> "
        cells.append(f"{bound}{faster:.1f}" if ours.settled else "-")
    explicit = Run([binary, *base, "--engine", "explicit"], args.timeout)
    others.append(explicit)
    cells.append(explicit.cells()[1])
    if shutil.which("z3"):
        others.append(Run([binary, *base, "--engine", "smt", "--solver", "z3 -in"], args.timeout))
        cells.append(others[-1].cells()[1])
    for other in others:
        if ours.settled and other.settled and other.verdict != ours.verdict:
            sys.exit(f"{file}, K = {delays}: {other.verdict}, but {ours.verdict} by {binary}")
    return cells


def points(quick):
    """The rows: a name, n, K and a program's text or file."""
    for family, (text, middle) in FAMILIES.items():
        if quick:
            numbers = [(n, 2) for n in (2, middle)]
        else:
            numbers = [(n, 2) for n in (2, 4, 6, 10, 20, 30, 50)] + [(middle, k) for k in (0, 1, 3, 4)]
        for n, delays in numbers:
            yield family, n, delays, text(n)
    for model, (files, budgets) in MODELS.items():
        for file in files:
            for delays in budgets[:1] if quick else budgets:
                broken = ", broken" if file.stem.endswith("_bug") else ""
                yield model + broken, "", delays, file


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--against", metavar="OTHER", help="another binary, measured beside this one")
    parser.add_argument("--quick", action="store_true", help="few and small instances")
    parser.add_argument("--only", metavar="WORDS", default="", help="only rows whose name, n and K contain these words")
    parser.add_argument("--timeout", type=int, default=60)
    args = parser.parse_args()
    heads = ["program", "n", "K", "verdict", "CPU s", "MiB", "terms"]
    heads += ["other", "CPU s", "MiB", "times faster"] if args.against else []
    heads += ["explicit s"] + (["z3 command s"] if shutil.which("z3") else [])
    print("| " + " | ".join(heads) + " |")
    print("|" + "---|" * len(heads))
    with tempfile.TemporaryDirectory() as folder:
        for name, n, delays, program in points(args.quick):
            if args.only not in f"{name} {n} {delays}":
                continue
            if not isinstance(program, Path):
                (Path(folder) / "program.async").write_text(program)
                program = Path(folder) / "program.async"
            cells = [name, str(n), str(delays), *measure(args.binary, program, delays, args)]
            print("| " + " | ".join(cells) + " |", flush=True)


main()
