#!/usr/bin/env python3
"""Boogie decides what `--emit-boogie` prints: for each example and each number of delays that its header names.

The table has the lines of the printed program (those of another build beside them), Boogie's verdict and seconds, and the
solver's verdict within the same bounds. An example whose header names no number of delays is asked about with 2.

    apt-get install --no-install-recommends boogie z3
    cargo build --release && python3 bench/boogie.py [--against OTHER] [--seconds 60] [NAME...]
"""

import argparse
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent / "examples"
OPTIONS = ["--delays", "--scheduler", "--unroll", "--preempt"]


def budgets(text):
    """The options of the header's verifications that a translation can have, each once."""
    found = []
    for line in re.findall(r"// run: verify(.*)", text):
        words = line.split()
        given = dict(zip(words, words[1:]))
        options = [word for name in OPTIONS if name in given for word in (name, given[name])]
        if given.get("--delays", "").isdigit() and options not in found:
            found.append(options)
    return found or [["--delays", "2"]]


def translated(binary, file, options):
    command = [binary, str(file), *options, "--emit-boogie"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else None


def boogie(text, seconds):
    """The verdict, or the reason why there is none, and the seconds that it took."""
    command = re.search(r"^// +(boogie .*) FILE.bpl$", text, re.M).group(1).split()
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "program.bpl"
        file.write_text(text)
        begin = time.monotonic()
        # Boogie leaves its solver running where it is stopped alone.
        with subprocess.Popen([*command, str(file)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                              start_new_session=True) as process:
            try:
                said = process.communicate(timeout=seconds)[0]
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                said = ""
        took = time.monotonic() - begin
    if re.search(r"1 verified, 0 errors", said):
        return "safe", took
    if re.search(r"0 verified, 1 error\b", said):
        return "bug", took
    return ("time" if took >= seconds else "unknown"), took


def solver(binary, file, options):
    command = [binary, str(file), *options, "--engine", "smt", "--format", "json"]
    answer = json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout)
    return answer["verdict"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dbverify", default="target/release/dbverify")
    parser.add_argument("--against", help="another build, for its lines")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("names", nargs="*", help="only examples whose path contains one of these")
    args = parser.parse_args()
    files = sorted(EXAMPLES.rglob("*.async"))
    files = [f for f in files if not args.names or any(name in str(f) for name in args.names)]
    counts, lines, slowest = {"same": 0, "undecided": 0, "different": 0}, [0, 0], 0
    print("| program | | lines | before | solver | Boogie | s |\n|---|---|---|---|---|---|---|")
    for file in files:
        for options in budgets(file.read_text()):
            text = translated(args.dbverify, file, options)
            if text is None:
                continue
            before = translated(args.against, file, options) if args.against else None
            said, took = boogie(text, args.seconds)
            expected = solver(args.dbverify, file, options)
            settled = said in ("safe", "bug")
            # Where the solver gives up, there is nothing to compare with.
            same = said == expected or expected == "inconclusive"
            counts["undecided" if not settled else "same" if same else "different"] += 1
            lines = [lines[0] + text.count("\n"), lines[1] + (before or "").count("\n")]
            slowest = max(slowest, took if settled else 0)
            words = " ".join(options).replace("--delays", "K =")
            row = [f"{file.relative_to(EXAMPLES)}", words, text.count("\n"), before.count("\n") if before else "",
                   expected, said, f"{took:.1f}"]
            print("| " + " | ".join(map(str, row)) + " |", flush=True)
    print(f"\n{counts['same']} decided, not against the solver's verdict, {counts['undecided']} not decided, "
          f"{counts['different']} with another verdict; the slowest decision took {slowest:.0f} s. "
          f"{lines[0]} lines" + (f", {lines[1]} before." if args.against else "."))


if __name__ == "__main__":
    main()
