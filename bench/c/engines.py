#!/usr/bin/env python3
"""C programs: whether the reduction (--strategy dpor) and the search of all states come to the same verdict, and how many traces there are.

    bench/c/engines.py [--dbverify target/release/dbverify] [--timeout 10] [--list FILE] [PROGRAM ...]

Programs are given, or named in a list of lines "PATH" or "PATH<tab>TRACES", where TRACES is how many traces another tool counts.
A pair of verdicts is equal, half (one of the two was not settled in the time) or different, of which there must be none. Programs with inputs
that may be anything have no executions to count and are left out. A count agrees if ours is the other tool's; ours are classes of executions
under which all accesses come in the same order, where every read counts; other tools leave out what they cannot tell apart.
"""
import argparse, json, subprocess, sys
from collections import Counter
from pathlib import Path


def ask(options, file, strategy):
    """The verdict with the kind of error, the number of executions, and why nothing was settled."""
    command = [options.dbverify, "explore", str(file), "--strategy", strategy, "--values", "numbers", "--timeout", str(options.timeout), "--format", "json"]
    out = subprocess.run(command, capture_output=True, text=True, errors="replace").stdout
    answer = json.loads(out) if out.strip() else {}
    verdict = answer.get("verdict", "refused")
    kind = " " + answer["error"]["kind"] if verdict == "bug" else ""
    return verdict + kind, answer.get("stats", {}).get("executions"), answer.get("summary", "")


def programs(options):
    for file in options.programs:
        yield file, None
    if options.list:
        for line in options.list.read_text().splitlines():
            path, _, traces = line.partition("\t")
            yield Path(path), int(traces) if traces else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dbverify", default="target/release/dbverify")
    parser.add_argument("--timeout", type=int, default=10)
    parser.add_argument("--list", type=Path)
    parser.add_argument("programs", nargs="*", type=Path)
    options = parser.parse_args()
    pairs, counts = Counter(), Counter()
    for file, traces in programs(options):
        states, _, why = ask(options, file, "stateful")
        if states == "refused" or "too many values" in why:
            pairs["left out"] += 1
            continue
        reduced, executions, _ = ask(options, file, "dpor")
        unsettled = [states, reduced].count("inconclusive")
        # A bug of another kind that is found first is the same answer: whether there is one.
        same = states.split()[0] == reduced.split()[0]
        verdict = "neither" if unsettled == 2 else "half" if unsettled else "equal" if same else "different"
        pairs[verdict] += 1
        if verdict == "different":
            print(f"different: {file}: {states}, but {reduced} by traces")
        if traces is not None and reduced == "safe":
            agrees = "as many" if executions == traces else "more" if executions > traces else "fewer"
            counts[agrees] += 1
            if agrees != "as many":
                print(f"{agrees}: {file}: {executions}, not {traces}")
    print("verdicts: " + ", ".join(f"{n} {what}" for what, n in sorted(pairs.items())))
    if counts:
        print("traces: " + ", ".join(f"{n} {what}" for what, n in sorted(counts.items())))
    sys.exit(pairs["different"] > 0)


main()
