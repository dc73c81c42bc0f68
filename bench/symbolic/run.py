#!/usr/bin/env python3
"""Programs with open values: as terms in every schedule, sequentialized with a budget, and over small domains.

    bench/symbolic/run.py [--dbverify PATH] [--timeout S] [NAME...]
    bench/symbolic/run.py --programs [--dbverify PATH] [--timeout S]

For each program: the verdict of `explore` (every schedule, any value) with its states, questions to the solver and processor seconds; of
`--engine smt` with 1, 2 and 4 delays; of `explore --values numbers` where the inputs are one of 2, 4, 8, 16 numbers
(`OPEN` in the program's text is the type of its inputs). A dash is a run that the limit ended. `n` is the size of the
program: how many inputs it has. `--programs` runs the files in `programs/` with terms and looks whether they are what they say.
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


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dbverify", default=str(ROOT / "target/release/dbverify"))
    parser.add_argument("--timeout", type=int, default=20)
    parser.add_argument("--programs", action="store_true")
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    if args.programs:
        return listed(args)
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
