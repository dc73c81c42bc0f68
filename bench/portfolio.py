#!/usr/bin/env python3
"""The default command against each single engine, on every example.

    cargo build --release
    bench/portfolio.py [--binary PATH] [--timeout SECONDS] [--traps] [WORDS...]

With words, only files whose path contains one of them. Each file is a row: the verdict of each command, its seconds of
processor time, and the default's time divided by that of the best engine. An engine that settles the question with another
verdict than the default was asked another question (it looks at more schedules, for example). Such an engine is not
compared. A star marks a row that breaks the rule, and the last line names them all. The rule: the default takes at most
twice the time of the best engine and a second, and settles each question that an engine settles. The exit status is 1 if a
file breaks it.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WAYS = {
    "default": [],
    "smt": ["--engine", "smt"],
    "explicit": ["--engine", "explicit"],
    "explore": ["explore"],
    "prove": ["prove"],
}
SAFE = {"safe", "proved"}


def run(binary, path, words, timeout):
    """The verdict and the processor time of a command."""
    command = [binary, *words, str(path), "--timeout", str(timeout), "--format", "json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    text = process.stdout.read()
    process.stdout.close()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    try:
        answer = json.loads(text)
    except ValueError:
        return "error", 0.0
    return answer.get("verdict", "error"), usage.ru_utime + usage.ru_stime


def agree(verdict, other):
    """Whether an engine has settled the question that the default has, or may have, been asked."""
    if verdict == "bug":
        return other == "bug"
    return other in SAFE if verdict in SAFE else other in SAFE | {"bug"}


def row(binary, path, timeout):
    """What all commands need for a file, the ratio, and whether the rule holds."""
    found = {way: run(binary, path, words, timeout) for way, words in WAYS.items()}
    verdict, seconds = found["default"]
    others = [s for way, (v, s) in found.items() if way != "default" and agree(verdict, v)]
    best = min(others, default=None)
    if best is None:
        return found, 0.0, True
    settled = verdict in SAFE | {"bug"}
    return found, seconds / max(best, 0.01), settled and seconds <= 2 * best + 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*")
    parser.add_argument("--binary", default=ROOT / "target/release/dbverify")
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("--traps", action="store_true", help="also the C programs of the tests")
    args = parser.parse_args()
    folders = [ROOT / "examples", ROOT / "bench/portfolio", *([ROOT / "tests/c/traps"] if args.traps else [])]
    files = [p for f in folders for p in sorted(f.rglob("*")) if p.suffix in (".async", ".c", ".i")]
    wanted = lambda path: not args.words or any(word in str(path.relative_to(ROOT)) for word in args.words)
    rows = []
    print(f"{'':44}" + "".join(f"{way:>20}" for way in WAYS) + f"{'ratio':>8}")
    for path in filter(wanted, files):
        found, ratio, holds = row(str(Path(args.binary).absolute()), path, args.timeout)
        name = str(path.relative_to(ROOT))
        rows.append((holds, found, name))
        cells = "".join(f"{verdict:>13}{seconds:7.2f}" for verdict, seconds in found.values())
        print(f"{name:44}{cells}{ratio:8.1f}{'' if holds else '  *'}", flush=True)
    broken = [name for holds, _, name in rows if not holds]
    total = sum(found["default"][1] for _, found, _ in rows)
    print(f"\n{len(rows)} files, {total:.1f} s by default; {len(broken)} break the rule: {', '.join(broken) or 'none'}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
