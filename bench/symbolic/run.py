#!/usr/bin/env python3
"""Programs with open values: as terms in every schedule, sequentialized with a budget, and over small domains.

    bench/symbolic/run.py [--dbverify PATH] [--timeout S] [NAME...]
    bench/symbolic/run.py --programs [--dbverify PATH] [--timeout S]
    bench/symbolic/run.py --table [--dbverify PATH] [--timeout S]

For each program: the verdict of `explore` (every schedule, any value) with its states, questions to the solver and processor seconds; of
`--engine smt` with 1, 2 and 4 delays; of `explore --values numbers` where the inputs are one of 2, 4, 8, 16 numbers
(`OPEN` in the program's text is the type of its inputs). A dash is a run that the limit ended. `n` is the size of the
program: how many inputs it has. `--programs` runs the files in `programs/` with terms and looks whether they are what they say.

`--table` runs programs like those with which the method was first tried, in a prototype written in Python, and shows the time of the
search itself beside the prototype's: the shortest of twenty runs, as the answer says it, without the start of the process (which
is the line above the table). The prototype's programs are not at hand: ours do what is written of them, and are of about their size. Rows
without figures of the prototype are larger programs of the same kind.
"""

import argparse
import json
import pathlib
import re
import resource
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SIZES = (2, 3, 4, 8)
DELAYS = (1, 2, 4)
DOMAINS = (2, 4, 8, 16)
RUNS = 20

QUEUE = """\
const N := {n};
var slots: [N]OPEN; var used: 0..N := 0; var sent: [N]OPEN;
proc producer() {{
  for i in 0..{n} - 1 {{ await used < N; let at: 0..N - 1 = i; slots[at] := sent[at]; used := used + 1; yield; }}
}}
proc consumer() {{
  for i in 0..{n} - 1 {{ await used > i; let at: 0..N - 1 = i; assert slots[at] == sent[at]; yield; }}
}}
proc main() {{ post producer(); post consumer(); }}
"""

DRIVER = """\
var pending: int := 1; var stopped: bool := false; var stopping: bool := false; var ended: bool := false;
var codes: [{n}]OPEN;
proc leave() {{ pending := pending - 1; if pending == 0 {{ ended := true; }} }}
proc request(code: OPEN) {{
  var admitted: bool := false;
  atomic {{ if !stopping {{ pending := pending + 1; admitted := true; }} }}
  yield;
  if admitted {{
    if code == 0 {{ yield; assert !stopped; }} else if code == 1 {{ assert !stopped; yield; }} else {{ yield; yield; }}
    atomic {{ call leave(); }}
  }}
}}
proc stop() {{ stopping := true; yield; atomic {{ call leave(); }} await ended; stopped := true; }}
proc main() {{
  post stop();
{posts}}}
"""

PARSER = """\
var bytes: [{n}]OPEN; var at: 0..{n} := 0; var sum: int := 0; var seen: 0..{n} := 0; var done: bool := false;
proc reader() {{
  while at < {n} {{
    let here: 0..{last} = at;
    if bytes[here] == 1 {{ seen := seen + 1; }} else if bytes[here] > 1 {{ sum := sum + bytes[here]; }}
    at := at + 1;
    yield;
  }}
  done := true;
}}
proc watcher() {{ await at == {n} || seen > 0; assert seen <= at; await done; assert seen == 0 || sum <= 255 * ({n} - 1); }}
proc main() {{ post reader(); post watcher(); }}
"""

BANK = """\
var balance: int; var amounts: [{n}]OPEN;
proc take(amount: int) {{
  if amount > 0 && balance >= amount {{
    yield;
    atomic {{ if balance >= amount {{ balance := balance - amount; }} }}
  }}
}}
proc main() {{
  assume 0 <= balance && balance <= 1000000;
{posts}}}
finally {{ assert balance >= 0; }}
"""

# Programs like the prototype's, with what that one took: states, questions to the solver, seconds. A program is a file in `programs/` or
# one of the texts above with a size and a type.
TABLE = (
    ("a map at an open key", "map_index", 15, 0, 0.001),
    ("counts for ever", "counter", None, 0, None),
    ("an open value is handed over", "handover", 6, 0, 0.001),
    ("an open value in a range", "range", 25, 1, 0.006),
    ("readers and writers", "rwlock", 315, 0, 0.02),
    ("queue of 4", ("queue", 4, "u32"), 89, 15, 0.03),
    ("queue, bug", "queue_bug", 70, 7, 0.012),
    ("driver, 3 codes", ("driver", 3, "u32"), 11600, 46, 1.5),
    ("driver, 4 codes", ("driver", 4, "u32"), 242557, 142, 96),
    ("driver, bug", "driver_bug", 1143, 12, 0.13),
    ("parser, 5 bytes", ("parser", 5, "0..255"), 404, 27, 0.04),
    ("parser, bug", "parser_bug", 29, 7, 0.01),
    ("Peterson, open start", "peterson", 50, 0, 0.004),
    ("Peterson, bug", "peterson_early", 33, 0, 0.002),
    ("Peterson, another bug", "peterson_bug", None, 0, None),
    ("Fischer, open start and limit", "fischer_once", 479, 5, 0.03),
    ("Fischer, two rounds", "fischer", None, 0, None),
    ("Fischer, deadlock", "fischer_deadlock", 1, 1, 0.006),
    ("bank, 3 amounts", ("bank", 3, "int"), 358, 75, 0.08),
    ("bank, 4 amounts", ("bank", 4, "int"), 2265, 476, 0.68),
    ("bank, bug", "bank_two_bug", 20, 6, 0.01),
    ("bank, bug, 3 amounts", "bank_bug", None, 0, None),
    ("open index, division", "index", 137, 26, 0.49),
    ("2x7 branches in a step", "branches", 385, 1023, 0.36),
    ("input for ever", "stream", 16, 4, 0.008),
)


def programs():
    """Names with texts, by size."""
    for n in SIZES:
        posts = "".join(f"  post request(codes[{i}]);\n" for i in range(n))
        takes = "".join(f"  post take(amounts[{i}]);\n" for i in range(n))
        yield "queue", n, QUEUE.format(n=n), "u32"
        yield "driver", n, DRIVER.format(n=n, posts=posts), "u32"
        yield "parser", n, PARSER.format(n=n, last=n - 1), "0..255"
        yield "bank", n, BANK.format(n=n, posts=takes), "int"


def run(command, timeout):
    """The answer of a run and the processor seconds that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    options = ["--format", "json", "--timeout", str(timeout)]
    done = subprocess.run(command + options, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if not done.stdout.startswith("{"):
        raise SystemExit(done.stdout + done.stderr)
    return json.loads(done.stdout), took


def brief(answer, took):
    return "-" if answer["verdict"] == "inconclusive" else f"{answer['verdict']} {took:.2f}"


def listed(args):
    """The verdicts of the programs in the folder beside this file."""
    print("| program | verdict | states | questions |")
    print("|---|---|---:|---:|")
    wrong = []
    for file in sorted((pathlib.Path(__file__).parent / "programs").glob("*.async")):
        expected = re.search(r"// expect: (\w+)", file.read_text())[1]
        answer, took = run([args.dbverify, "explore", "--values", "terms", str(file)], args.timeout)
        stats = answer["stats"]
        print("|", " | ".join([file.stem, brief(answer, took), str(stats["states"]), str(stats["questions"])]), "|", flush=True)
        if answer["verdict"] != expected:
            wrong.append(file.stem)
    if wrong:
        raise SystemExit("not what they say: " + ", ".join(wrong))


def seconds_to_start(dbverify):
    """The processor seconds of a process that does nothing."""
    least = None
    for _ in range(RUNS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([dbverify, "--version"], capture_output=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        least = took if least is None else min(least, took)
    return least


def table(args):
    """Programs like the prototype's beside what that one took."""
    texts = {"queue": QUEUE, "driver": DRIVER, "parser": PARSER, "bank": BANK}
    print(f"To start: {1000 * seconds_to_start(args.dbverify):.1f} ms.\n")
    print("| program | verdict | states | questions | ms | prototype: states | questions | ms | times as fast |")
    print("|---|---|---:|---:|---:|---:|---:|---:|---:|")
    slow = []
    with tempfile.TemporaryDirectory() as there:
        for label, program, states, questions, seconds in TABLE:
            if isinstance(program, str):
                file = pathlib.Path(__file__).parent / "programs" / f"{program}.async"
            else:
                name, n, ty = program
                posts = {"driver": "  post request(codes[{i}]);\n", "bank": "  post take(amounts[{i}]);\n"}.get(name, "")
                posts = "".join(posts.format(i=i) for i in range(n))
                file = pathlib.Path(there) / f"{name}_{n}.async"
                file.write_text(texts[name].format(n=n, last=n - 1, posts=posts).replace("OPEN", ty))
            command = [args.dbverify, "explore", "--values", "terms", str(file)]
            answers = [run(command, args.timeout)[0] for _ in range(1 if program == "counter" else RUNS)]
            stats = min((a["stats"] for a in answers), key=lambda s: s["seconds"])
            ours = [answers[0]["verdict"], str(stats["states"]), str(stats["questions"])]
            if seconds:
                faster = seconds / stats["seconds"]
                slow += [label] if faster < 10 else []
                times = [f"{1000 * stats['seconds']:.3f}", str(states), str(questions), f"{1000 * seconds:g}", f"{faster:.1f}"]
            else:
                times = [f"{1000 * stats['seconds']:.3f}", "-", "-", "-", "-"]
            print("|", " | ".join([label, *ours, *times]), "|", flush=True)
    print(f"\nLess than ten times as fast: {', '.join(slow) or 'none'}.")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dbverify", default=str(ROOT / "target/release/dbverify"))
    parser.add_argument("--timeout", type=int, default=20)
    parser.add_argument("--programs", action="store_true")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    if args.programs:
        return listed(args)
    if args.table:
        return table(args)
    heads = [f"K = {k}" for k in DELAYS] + [f"0..{d - 1}" for d in DOMAINS]
    print("| program | n | terms | states | questions |", " | ".join(heads), "|")
    print("|---|---:|---|---:|---:|" + "---|" * len(heads))
    with tempfile.TemporaryDirectory() as there:
        for name, n, text, ty in programs():
            if args.names and name not in args.names:
                continue
            file = pathlib.Path(there) / f"{name}_{n}.async"
            file.write_text(text.replace("OPEN", ty))
            answer, took = run([args.dbverify, "explore", "--values", "terms", str(file)], args.timeout)
            stats = answer["stats"]
            row = [name, str(n), brief(answer, took), str(stats["states"]), str(stats["questions"])]
            for k in DELAYS:
                asked = [args.dbverify, str(file), "--engine", "smt", "--delays", str(k)]
                row.append(brief(*run(asked, args.timeout)))
            for size in DOMAINS:
                small = text.replace("OPEN", f"0..{size - 1}")
                small = small.replace("balance: int", f"balance: 0..{size - 1}").replace("balance <= 1000000", "true")
                file.write_text(small)
                row.append(brief(*run([args.dbverify, "explore", "--values", "numbers", str(file)], args.timeout)))
            print("|", " | ".join(row), "|", flush=True)


if __name__ == "__main__":
    main()
