#!/usr/bin/env python3
"""Proving for any number of tasks against exploring so many.

    bench/prove/run.py [--dbverify PATH] [--timeout S] [NAME...]

For each example in examples/proofs whose `main` posts tasks as long as somebody chooses: the processor seconds of
`dbverify prove`, and of `dbverify explore` with 2, 4, 8 and 16 rounds of that loop in its place. A dash is a run that the limit ended.
"""

import argparse
import json
import pathlib
import resource
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
COUNTS = (2, 4, 8, 16)


def seconds(command, timeout):
    """The verdict of a run and the processor seconds that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    options = ["--format", "json", "--timeout", str(timeout)]
    run = subprocess.run(command + options, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return json.loads(run.stdout)["verdict"], took


def shown(result, wanted):
    verdict, took = result
    return f"{took:.2f}" if verdict == wanted else "-"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dbverify", default=str(ROOT / "target/debug/dbverify"))
    parser.add_argument("--timeout", type=int, default=60)
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    folder = ROOT / "examples/proofs"
    files = [f for f in sorted(folder.glob("*.async")) if not f.stem.endswith("_bug")]
    print("| program | prove, any number |", " | ".join(f"explore {n}" for n in COUNTS), "|")
    print("|---|---|" + "---|" * len(COUNTS))
    for file in files:
        text = file.read_text()
        if (args.names and file.stem not in args.names) or "while * {" not in text:
            continue
        row = [shown(seconds([args.dbverify, "prove", str(file)], args.timeout), "proved")]
        with tempfile.TemporaryDirectory() as there:
            for count in COUNTS:
                instance = pathlib.Path(there) / f"{file.stem}_{count}.async"
                instance.write_text(text.replace("while * {", f"for round in 1..{count} {{", 1))
                run = [args.dbverify, "explore", str(instance)]
                row.append(shown(seconds(run, args.timeout), "safe"))
        print(f"| {file.stem} |", " | ".join(row), "|", flush=True)


if __name__ == "__main__":
    main()
