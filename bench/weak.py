#!/usr/bin/env python3
"""States and traces under --memory tso and pso, as factors over sc.

    bench/weak.py [PATH-OF-DBVERIFY]

Asks about the pairs of examples/memory. Assertions are left out, so that each search comes to its end.
"""

import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def count(binary, file, memory, strategy):
    command = [binary, "explore", file, "--memory", memory, "--memory", "3000", "--no-races"]
    command += ["--strategy", strategy, "--timeout", "60", "--format", "json"]
    answer = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)
    stats = answer.get("stats", {})
    if answer.get("verdict") != "safe":
        return None
    return stats["states" if strategy == "stateful" else "executions"]


def main():
    binary = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "target/release/dbverify")
    factors = {}
    print("| program | states sc | tso | pso | traces sc | tso | pso |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for path in sorted((ROOT / "examples/memory").glob("*.c")):
            text = re.sub(r"\bassert\(", "(void)(", path.read_text())
            text = text.replace("#include <assert.h>\n", "")
            file = pathlib.Path(folder) / path.name
            file.write_text(text)
            row = []
            for strategy in ["stateful", "dpor"]:
                counts = {m: count(binary, str(file), m, strategy) for m in ["sc", "tso", "pso"]}
                for memory in ["tso", "pso"]:
                    if counts["sc"] and counts[memory]:
                        factor = counts[memory] / counts["sc"]
                        factors.setdefault((strategy, memory), []).append(factor)
                row += [str(counts[m]) for m in ["sc", "tso", "pso"]]
            print(f"| {path.stem} | {' | '.join(row)} |", flush=True)
    for (strategy, memory), all in factors.items():
        what = "states" if strategy == "stateful" else "traces"
        mean = math.exp(sum(map(math.log, all)) / len(all))
        print(f"{what} {memory}: {mean:.2f} in the geometric mean, {sum(all) / len(all):.2f} in the arithmetic one, {max(all):.1f} at worst")


main()
