#!/usr/bin/env python3
"""The table of "The One Page Model Checker" (section 6) beside ours, for pairs of tasks of 3 to 8 statements.

The paper counts calls of `hook()`, which stands before each statement. We count steps: a statement is a step. A step
leads to a call unless it is its task's last, and each task begins with a call. Without pruning each execution has a
last step of either task; with pruning a task's last step is taken once for each of the n + 1 places of the other.

    cargo build --release && python3 bench/divergence.py [--dbverify target/release/dbverify]
"""

import argparse
import json
import pathlib
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
PAPER = {3: (30, 18), 4: (112, 32), 5: (420, 50), 6: (1584, 72), 7: (6006, 98), 8: (22876, 128)}


def program(n):
    statements = "\n  yield;\n".join(f"  c[i] := {k};" for k in range(n))
    return f"var c: [2]int := [0; 2];\nproc p(i: 0..1) {{\n{statements}\n}}\nproc main() {{ post p(0); post p(1); }}\n"


def stats(binary, text, *options):
    command = [binary, "explore", "-", "--format", "json", *options]
    answer = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    return json.loads(answer.stdout)["stats"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dbverify", default=str(HERE.parent / "target/release/dbverify"))
    given = parser.parse_args()
    print("| n | paper, exhaustive | ours: steps | executions | as calls | paper, pruning | ours: steps | states | as calls |")
    print("|---|---|---|---|---|---|---|---|---|")
    for n, (exhaustive, pruning) in PAPER.items():
        every = stats(given.dbverify, program(n), "--strategy", "stateless")
        pruned = stats(given.dbverify, program(n), "--divergence")
        steps, executions = every["transitions"], every["executions"]
        few, states = pruned["transitions"], pruned["states"]
        calls, few_calls = steps - 2 * executions + 2, few - 2 * (n + 1) + 2
        print(f"| {n} | {exhaustive} | {steps} | {executions} | {calls} | {pruning} | {few} | {states} | {few_calls} |")


if __name__ == "__main__":
    main()
