#!/usr/bin/env python3
"""Public C code bases with threads: how many dbverify reads without an edit, and why not.

    bench/c/wild.py --mirrors DIR [--dbverify PATH] [--only NAME,...] [--timeout 30] [--extract DIR] [--args "..."]

DIR/OWNER+NAME/repo is a git repository for each code base of `wild/list.tsv`. The list has the columns name, repo, commit, take (what is
extracted), files (what is given to dbverify), options, expected (what reading the code says: `safe`, or a kind of error; `-` is open).
`-I.` is the root of the code base, and `-I@PATH` is below `wild/`: there stands what a code base's own configuration writes.
`wild/NAME.c` is the harness, which is ours; nothing of a code base is kept.

A code base is read if dbverify answers, or searches until the time is over. It is not read if dbverify refuses it, or if executions end
at something that is not supported.
"""
import argparse, csv, json, os, subprocess, tempfile, time
from collections import Counter
from pathlib import Path

WILD = Path(__file__).resolve().parent / "wild"
# A search that ends so has read the program.
BUDGETS = ("time ran out", "memory ran out")


def extract(mirrors, row, into):
    root = into / row["name"]
    if root.exists():
        return root
    repo = mirrors / row["repo"].replace("/", "+") / "repo"
    repo = repo / ".git" if (repo / ".git").exists() else repo
    root.mkdir(parents=True)
    archive = subprocess.run(["git", f"--git-dir={repo}", "archive", row["commit"], *row["take"].split()], capture_output=True)
    if archive.returncode != 0:
        names = subprocess.run(["git", f"--git-dir={repo}", "ls-tree", "-r", "--name-only", row["commit"], *row["take"].split()],
                               capture_output=True, text=True).stdout.split("\n")
        for name in filter(None, names):
            shown = subprocess.run(["git", f"--git-dir={repo}", "show", f"{row['commit']}:{name}"], capture_output=True)
            if shown.returncode == 0:
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_bytes(shown.stdout)
    else:
        subprocess.run(["tar", "x", "-C", str(root)], input=archive.stdout, check=True)
    return root


def options(row, root):
    for word in row["options"].split():
        if word.startswith("-I@"):
            yield f"-I{WILD / word[3:]}"
        elif word.startswith("-I"):
            yield f"-I{root / word[2:]}"
        else:
            yield word


def ask(o, row, root):
    files = [str(root / name) for name in row["files"].split()]
    command = [o.dbverify, "explore", *files, str(WILD / f"{row['name']}.c"), *options(row, root), "--timeout", str(o.timeout),
               "--format", "json", *o.args.split()]
    begin = time.time()
    try:
        run = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=3 * o.timeout + 20)
        answer = json.loads(run.stdout) if run.stdout.strip() else {}
    except (subprocess.TimeoutExpired, ValueError) as problem:
        return "no", "broken", type(problem).__name__, time.time() - begin
    seconds = time.time() - begin
    if run.returncode == 2:
        said = answer.get("diagnostics", [])
        if not said:
            return "no", "refused", run.stderr.strip().split("\n")[0], seconds
        places = [f"{os.path.basename(d['file'])}:{d['line']}: {d['message']}" for d in said if "line" in d]
        more = f" (and {len(said) - 1} more)" if len(said) > 1 else ""
        return "no", "refused", (places or [said[0]["message"]])[0] + more, seconds
    if run.returncode not in (0, 1, 3):
        return "no", "broken", f"exit {run.returncode}", seconds
    summary = answer.get("summary", "")
    if run.returncode == 1:
        return "yes", "bug", answer.get("error", {}).get("kind", "?") + ": " + summary, seconds
    if run.returncode == 0:
        return "yes", "safe", summary, seconds
    ends = [n for n in answer.get("notes", []) if n["message"].startswith("executions are followed as far as")]
    if ends or not summary.startswith(BUDGETS):
        place = f"{os.path.basename(ends[0]['file'])}:{ends[0]['line']}: " if ends else ""
        return "no", "ended early", place + summary, seconds
    return "yes", "open", summary, seconds


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--mirrors", required=True, type=Path)
    p.add_argument("--dbverify", default="target/release/dbverify")
    p.add_argument("--only", default="")
    p.add_argument("--args", default="")
    p.add_argument("--timeout", type=int, default=30)
    p.add_argument("--extract", type=Path)
    o = p.parse_args()
    rows = list(csv.DictReader((WILD / "list.tsv").open(), delimiter="\t"))
    if o.only:
        rows = [r for r in rows if r["name"] in o.only.split(",")]
    counts = Counter()
    with tempfile.TemporaryDirectory() as temporary:
        into = o.extract or Path(temporary)
        for row in rows:
            read, verdict, why, seconds = ask(o, row, extract(o.mirrors, row, into))
            counts[verdict if read == "yes" else "not read"] += 1
            found = why.split(":")[0] if verdict == "bug" else verdict
            mark = "  NOT " + row["expected"] if found != row["expected"] != "-" and verdict in ("bug", "safe") else ""
            print(f"{row['name']:20} {read:3} {verdict:11} {seconds:5.1f} s  {why[:240]}{mark}", flush=True)
    print(f"{len(rows) - counts['not read']} of {len(rows)} are read: " + ", ".join(f"{k} {n}" for k, n in sorted(counts.items())))


main()
