#!/usr/bin/env python3
"""C programs of ours beside Nidhugg, a stateless model checker of C with threads: right answers, traces, and seconds of the processor.

    bench/c/peer.py [--dbverify target/release/dbverify] [--timeout 20] [--clang clang-14] [--only NAME]

Nidhugg must be on the PATH, and the clang of the LLVM that it was built with be installed (bench/RESULTS.md says how to build it); otherwise
one line says so. Asked are the closed programs of examples/c-programs, and those of bench/c/peer with several N, each right and, with -DBUG, broken, by
`dbverify explore`, `dbverify explore --strategy dpor`, and `nidhugg --sc --optimal`. The seconds leave out Nidhugg's compiler, and have our `cc -E`.
What Nidhugg itself calls unsupported (conditions without a call that initialises them, read-write locks) is no answer, and neither right nor wrong.
It looks for assertions that fail, and neither for deadlocks nor for memory that was freed: where one of these is expected, "no error" is no
answer to that.
"""
import argparse, json, re, resource, shutil, subprocess, tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parents[2]
SIZES = {"counters": [2, 4, 6], "fibonacci": [2, 3, 4], "last_zero": [2, 4, 6], "readers": [2, 4, 8]}
UNSUPPORTED = re.compile(r"uninitialized|Unsupported|unknown external function|not supported", re.IGNORECASE)


def spent(command, seconds):
    """What a command says, its exit status (None: out of time), and its seconds of the processor with those of its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", timeout=seconds)
        said, status = run.stdout, run.returncode
    except subprocess.TimeoutExpired:
        said, status = "", None
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return said, status, sum(getattr(after, k) - getattr(before, k) for k in ("ru_utime", "ru_stime"))


def ours(options, file, macros, strategy):
    command = [options.dbverify, "explore", str(file), *macros, *strategy, "--format", "json", "--timeout", str(options.timeout)]
    said, _, seconds = spent(command, 2 * options.timeout)
    answer = json.loads(said[said.find("{"):]) if "{" in said else {"verdict": "out of time"}
    kind = " " + answer["error"]["kind"] if answer["verdict"] == "bug" else ""
    return answer["verdict"] + kind, answer.get("stats", {}).get("executions"), seconds


def theirs(options, file, macros, folder):
    code = folder / "program.ll"
    build = [options.clang, "-w", "-O1", "-S", "-emit-llvm", "-D_GNU_SOURCE", *macros, str(file), "-o", str(code)]
    if subprocess.run(build, capture_output=True).returncode:
        return "not compiled", None, 0
    said, status, seconds = spent(["nidhugg", "--sc", "--optimal", "--no-check-mutex-init", str(code)], options.timeout)
    traces = re.search(r"Trace count: (\d+)", said)
    word = {None: "out of time", 0: "no error", 42: "bug"}.get(status, "stopped")
    if status and UNSUPPORTED.search(said):
        word = "unsupported"
    return word, int(traces[1]) if traces else None, seconds


def questions(options):
    """Name, file, macros and what is expected."""
    for file in sorted((HERE / "examples/c-programs").glob("*.c")):
        asked = re.findall(r"// run: (.*)\n// expect: (.*)", file.read_text())
        expected = next(expect for command, expect in asked if command == "explore")
        yield file.stem, file, [], expected
    for name, sizes in SIZES.items():
        for n in sizes:
            for macros, expected in ([f"-DN={n}"], "safe"), ([f"-DN={n}", "-DBUG"], "bug assertion"):
                yield " ".join([name, *macros]), HERE / f"bench/c/peer/{name}.c", macros, expected


def judged(said, expected):
    """Whether an answer is right; None if it is none."""
    if said == "no error" and expected not in ("safe", "bug assertion"):
        return None
    if said in ("unsupported", "not compiled", "stopped", "out of time", "inconclusive"):
        return None
    return said.startswith("bug") == expected.startswith("bug")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dbverify", default=str(HERE / "target/release/dbverify"))
    parser.add_argument("--timeout", type=int, default=20)
    parser.add_argument("--clang", default="clang-14")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    if not shutil.which("nidhugg") or not shutil.which(options.clang):
        print(f"left out: nidhugg and {options.clang} must be on the PATH (bench/RESULTS.md says how to build the one)")
        return
    tally = {"explore": [0, 0, 0], "explore --strategy dpor": [0, 0, 0], "nidhugg": [0, 0, 0]}
    print(f"{'program':28} {'expected':15}" + "".join(f" {tool:24} {'traces':>8} {'s':>6}" for tool in tally))
    with tempfile.TemporaryDirectory() as folder:
        for name, file, macros, expected in questions(options):
            if options.only not in name:
                continue
            line = f"{name:28} {expected:15}"
            answers = [ours(options, file, macros, []), ours(options, file, macros, ["--strategy", "dpor"]), theirs(options, file, macros, Path(folder))]
            for tool, (said, traces, seconds) in zip(tally, answers):
                place = {True: 0, False: 1, None: 2}[judged(said, expected)]
                tally[tool][place] += 1
                line += f" {said:24} {'' if traces is None else traces:>8} {seconds:6.2f}"
            print(line, flush=True)
    for tool, (right, wrong, none) in tally.items():
        print(f"{tool}: {right} right, {wrong} wrong, {none} without an answer")


main()
