#!/usr/bin/env python3
"""The default command against each single engine, on every example.

    cargo build --release
    bench/portfolio.py [--binary PATH] [--timeout SECONDS] [--traps] [--tests] [--bench] [--full] [WORDS...]

With words, only files whose path contains one of them. Each file is a row: the verdict of each command, its seconds of
processor time, and the default's time divided by that of the best engine. An engine that settles the question with another
verdict than the default was asked another question (it looks at more schedules, for example). Such an engine is not
compared. A star marks a row that breaks the rule, and the last line names them all. The rule: the default takes at most
twice the time of the best engine and a second, and settles each question that an engine settles. The exit status is 1 if a
file breaks it.

Where the default settles the question in a second, the rule holds, and no engine is asked. Elsewhere an engine gets as much
time as can break the rule. `--full` asks each engine everywhere, for as long as the default may take.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
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
SETTLED = SAFE | {"bug"}
# A text in a test of ours: a raw one, or one without a backslash.
LITERAL = re.compile(r'r(#*)"(.*?)"\1|"([^"\\]*)"', re.DOTALL)


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
    return other in SAFE if verdict in SAFE else other in SETTLED


def row(binary, path, timeout, full):
    """What all commands need for a file, the ratio, and whether the rule holds."""
    verdict, seconds = run(binary, path, [], timeout)
    found = {"default": (verdict, seconds)}
    settled = verdict in SETTLED
    if settled and seconds <= 1 and not full or verdict == "error":
        return found, 0.0, True
    # An engine's limit is wall time: on a busy machine it works for only a part of that.
    most = timeout if full or not settled else min(timeout, seconds)
    found |= {way: run(binary, path, words, most) for way, words in WAYS.items() if words}
    others = [s for way, (v, s) in found.items() if way != "default" and agree(verdict, v)]
    best = min(others, default=None)
    if best is None:
        return found, 0.0, True
    return found, seconds / max(best, 0.01), settled and seconds <= 2 * best + 1


def of_tests(binary, folder):
    """The models that stand in the texts of tests, each with its name and a file of its own."""
    sources = [*(ROOT / "tests/all").rglob("*.rs"), *(ROOT / "src").rglob("*.rs")]
    for source in sorted(sources):
        text = source.read_text()
        for match in LITERAL.finditer(text):
            model = match[2] or match[3]
            if not model or "proc main(" not in model:
                continue
            line = text.count("\n", 0, match.start()) + 1
            name = f"{source.relative_to(ROOT)}:{line}"
            path = Path(folder) / (name.replace("/", "+").replace(":", "+") + ".async")
            path.write_text(model)
            check = [binary, "check", str(path)]
            if subprocess.run(check, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0:
                yield name, path


def models(args, folder):
    """All files, each with its name."""
    folders = [ROOT / "examples", ROOT / "bench/portfolio"]
    folders += [ROOT / "tests/c/traps"] if args.traps else []
    folders += [p for p in sorted((ROOT / "bench").iterdir()) if p.is_dir() and args.bench and p not in folders]
    for path in (p for f in folders for p in sorted(f.rglob("*")) if p.suffix in (".async", ".c", ".i")):
        yield str(path.relative_to(ROOT)), path
    if args.tests:
        yield from of_tests(args.binary, folder)


def report(args, folder):
    """A row for each file, and the last line; whether the rule holds everywhere."""
    rows = []
    print(f"{'':44}" + "".join(f"{way:>20}" for way in WAYS) + f"{'ratio':>8}")
    for name, path in models(args, folder):
        if args.words and not any(word in name for word in args.words):
            continue
        found, ratio, holds = row(args.binary, path, args.timeout, args.full)
        rows.append((holds, found, name))
        cells = "".join(f"{verdict:>13}{seconds:7.2f}" for verdict, seconds in found.values())
        print(f"{name:44}{cells}{ratio:8.1f}{'' if holds else '  *'}", flush=True)
    broken = [name for holds, _, name in rows if not holds]
    total = sum(found["default"][1] for _, found, _ in rows)
    print(f"\n{len(rows)} files, {total:.1f} s by default; {len(broken)} break the rule: {', '.join(broken) or 'none'}")
    return not broken


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*")
    parser.add_argument("--binary", type=Path, default=ROOT / "target/release/dbverify")
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("--traps", action="store_true", help="also the C programs of the tests")
    parser.add_argument("--tests", action="store_true", help="also the models that stand in tests")
    parser.add_argument("--bench", action="store_true", help="also the models of the other benchmarks")
    parser.add_argument("--full", action="store_true", help="ask each engine everywhere")
    args = parser.parse_args()
    args.binary = str(args.binary.absolute())
    with tempfile.TemporaryDirectory() as folder:
        return 0 if report(args, folder) else 1


if __name__ == "__main__":
    sys.exit(main())
