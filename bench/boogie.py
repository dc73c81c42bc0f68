#!/usr/bin/env python3
"""Boogie decides what `--emit-boogie` prints: for each example and each number of delays that its header names.

The table has the lines of the printed program (those of another build beside them), Boogie's verdict and seconds of
processor time, and the solver's verdict within the same bounds. An example whose header names no number of delays is asked about with 2.

    apt-get install --no-install-recommends boogie z3
    cargo build --release && python3 bench/boogie.py [--against OTHER] [--seconds 60] [NAME...]

With `--seconds 0` it counts lines and asks nobody.
"""

import argparse
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import tempfile

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent / "examples"
# Of the time on the clock, a busy machine gives a process only a part.
BUSY = 8
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
    """The verdict, or the reason why there is none, and the seconds of processor time that it took."""
    command = re.search(r"^// +(boogie .*) FILE.bpl$", text, re.M).group(1).split()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    most = int(seconds)
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "program.bpl"
        file.write_text(text)
        # If only Boogie is stopped, its solver goes on running.
        with subprocess.Popen([*command, str(file)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                              start_new_session=True,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (most, most))) as process:
            try:
                said = process.communicate(timeout=BUSY * seconds)[0]
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                said = ""
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if re.search(r"1 verified, 0 errors", said):
        return "safe", took
    if re.search(r"0 verified, 1 error\b", said):
        return "bug", took
    return ("time" if took >= most - 1 else "unknown"), took


def solver(binary, file, options, seconds):
    command = [binary, str(file), *options, "--engine", "smt", "--format", "json", "--timeout", str(int(seconds))]
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
    counts, compared, slowest = {"same": 0, "undecided": 0, "different": 0}, [], 0
    print("| program | | lines | before | solver | Boogie | s |\n|---|---|---|---|---|---|---|")
    for file in files:
        for options in budgets(file.read_text()):
            text = translated(args.dbverify, file, options)
            if text is None:
                continue
            before = translated(args.against, file, options) if args.against else None
            row = [f"{file.relative_to(EXAMPLES)}", " ".join(options).replace("--delays", "K ="), text.count("\n")]
            row.append(before.count("\n") if before else "")
            if before:
                compared.append((row[2], row[3]))
            if args.seconds:
                said, took = boogie(text, args.seconds)
                expected = solver(args.dbverify, file, options, args.seconds)
                settled = said in ("safe", "bug")
                # If our solver gives up, there is nothing to compare with.
                same = said == expected or expected == "inconclusive"
                counts["undecided" if not settled else "same" if same else "different"] += 1
                slowest = max(slowest, took if settled else 0)
                row += [expected, said, f"{took:.1f}"]
            print("| " + " | ".join(map(str, row)) + " |", flush=True)
    if args.seconds:
        print(f"\n{counts['same']} decided, not against the solver's verdict, {counts['undecided']} not decided, "
              f"{counts['different']} with another verdict; the slowest decision took {slowest:.0f} s.")
    if compared:
        now, before = map(sorted, zip(*compared))
        print(f"\n{sum(now)} lines, {sum(before)} before; the median is {now[len(now) // 2]}, "
              f"{before[len(before) // 2]} before; {sum(n < b for n, b in compared)} are shorter, "
              f"{sum(n > b for n, b in compared)} longer.")


if __name__ == "__main__":
    main()
