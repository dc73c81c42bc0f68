#!/usr/bin/env python3
"""Public C programs with known verdicts: how many dbverify answers as their list says, and why not.

    bench/c/public.py --mirrors DIR --list c.tsv [--dbverify PATH] [--set NAME] [--property P] [--only TEXT] [--listed]
                      [--timeout 20] [--limit N] [--seed S] [--args "..."] [--out results.tsv] [--extract DIR] [--again results.tsv=KIND,...]
                      [--deagle deagle_exe]

DIR/OWNER+NAME/repo is a bare git repository for each project of the list. The list has the columns repo, path, expected, property, set,
options. A program is read with what its suite gives to it: macros (-D) of the options or of the file `args.*.in` above it, and headers of
the suite's own `include`, or of the folder above it; where a function is missing, the file of its name beside the header that
declares it; where the suite's tool lets a function without a definition give any result, so does `--stub`. A verdict is
compared only for the property that the list names. With --deagle the same programs are asked of Deagle, a bounded model checker that is
made of CBMC (bench/RESULTS.md says how to build it): about assertions and data races, with its loops unrolled 2, 4, 8, ... times until no
unwinding assertion fails. Right answers and seconds of both stand side by side. `faults.tsv` beside this file names the programs whose listed verdict does not hold
for sequentially consistent C, with the reason; they are counted apart.
"""
import argparse, csv, json, os, random, re, subprocess, sys, tempfile, time
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
OURS = HERE.parents[1] / "include" / "c"
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*["<]([^">]+)[">]', re.M)
MEMORY = {"deref", "free", "leak", "index"}
KINDS = {  # property -> the kinds of error that make it false
    "unreach-call": {"assertion"}, "assert": {"assertion"}, "deadlock": {"deadlock"}, "assert+deadlock": {"assertion", "deadlock"},
    "no-data-race": {"race"}, "memsafety": MEMORY, "valid-memsafety": MEMORY, "memleak": {"leak"}, "no-overflow": {"overflow"},
    "liveness": {"livelock", "good-samaritan"},
}
LISTED = {  # property -> what `--property` calls it
    "unreach-call": "unreach-call", "assert": "unreach-call", "deadlock": "deadlock", "assert+deadlock": "unreach-call,deadlock",
    "no-overflow": "no-overflow", "memsafety": "valid-deref,valid-free", "valid-memsafety": "valid-deref,valid-free",
}
# Suites whose tools let a function without a definition give any result.
STUBS = {"esbmc", "cbmc-concurrency", "cpachecker"}


class Project:
    def __init__(self, mirrors, name, into):
        self.git = ["git", f"--git-dir={mirrors / name.replace('/', '+') / 'repo'}"]
        self.root = into / name.replace("/", "+")
        self.files = set(self.run("ls-tree", "-r", "--name-only", "HEAD").decode(errors="replace").split("\n"))

    def run(self, *words):
        return subprocess.run([*self.git, *words], capture_output=True).stdout

    def text(self, name):
        """The file, written below the project's folder too."""
        target = self.root / name
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(self.run("show", f"HEAD:{name}"))
        return target.read_text(errors="replace")

    def take(self, path, expected=""):
        """The program with all that it includes; the folders of includes and the macros that it needs; the sources
        beside its headers."""
        folders, waiting, seen = [], [path], set()
        own, above = os.path.dirname(path), os.path.dirname(os.path.dirname(path))
        sources = []
        while waiting:
            name = waiting.pop()
            if name in seen or name not in self.files:
                continue
            seen.add(name)
            for quoted in INCLUDE.findall(self.text(name)):
                for base in (os.path.dirname(name), own, above, "include"):
                    near = os.path.normpath(os.path.join(base, quoted))
                    if near in self.files and not (near.startswith("include/") and (OURS / quoted).exists()):
                        waiting.append(near)
                        if near.startswith("include/"):
                            folders = ["-I", str(self.root / "include")]
                        elif base == above != own:
                            folders = ["-I", str(self.root / above)]
                        if near.endswith(".h") and near[:-2] + ".c" in self.files:
                            sources.append(near[:-2] + ".c")
                        break
        yml = path.rsplit(".", 1)[0] + ".yml"
        if yml in self.files:
            self.text(yml)
        return folders + self.macros(path, expected), [self.root / name for name in sources if self.text(name)]

    def macros(self, path, expected):
        # Where a program has a version that is right, it is the one without macros.
        packed = re.search(r"^// V: .*CC_OPT: (-D\S+)", self.text(path), re.M) if expected == "false" else None
        if packed:
            return [packed[1]]
        for up in Path(path).parents:
            for model in ("sc.mo", "rc11.mo", "rc11"):
                name = f"{up}/args.{model}.in"
                if name in self.files:
                    first = next((line for line in self.text(name).split("\n") if "-D" in line), "")
                    own = ["--no-races"] if "-disable-race-detection" in first else []
                    return own + [word for word in first.split() if word.startswith("-D")]
        return []


EMPTY = re.compile(r"(void\s+reach_error\s*\(\s*(?:void)?\s*\)\s*)\{\s*\}")
FAILS = re.compile(r"^\[([^\]]*)\].*: FAILURE$", re.M)


def ask_deagle(o, row, file, extra):
    """As `ask`; nothing if the property is not one that Deagle is asked about here."""
    wanted = row["property"]
    if wanted not in ("assert", "unreach-call", "no-data-race") or row["options"].startswith("args="):
        return None
    # Where the function of the error has lost its body, the program says by its name only that it is one.
    text = EMPTY.sub(r'\1{ __CPROVER_assert(0, "reach_error"); }', file.read_text(errors="replace"))
    file = file.with_suffix(f".deagle{file.suffix}")
    file.write_text(text)
    words = [o.deagle, str(file), "--32" if "ILP32" in row["options"] else "--64", "--unwinding-assertions"]
    words += [word for word in [*extra, *row["options"].split()] if word.startswith(("-D", "-I", "/"))]
    words += ["--datarace", "--no-assertions"] if wanted == "no-data-race" else []
    begin, unwind, why = time.time(), 2, ""
    while (left := o.timeout - (time.time() - begin)) > 0:
        try:
            run = subprocess.run([*words, "--unwind", str(unwind)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", timeout=left)
        except subprocess.TimeoutExpired:
            break
        said = run.stdout.strip()
        why = said.split("\n")[-1][:100]
        failed = [name for name in FAILS.findall(said) if ".unwind." not in name]
        if failed or said.endswith("VERIFICATION FAILED") and ".unwind." not in said:
            return "right" if row["expected"] == "false" else "wrong", "bug", time.time() - begin
        if said.endswith("VERIFICATION SUCCESSFUL"):
            return "right" if row["expected"] == "true" else "wrong", "safe", time.time() - begin
        if not said.endswith("VERIFICATION FAILED"):
            return "refused", why, time.time() - begin
        unwind *= 2
    return "undecided", f"out of time with {unwind} unwindings", time.time() - begin


def side_by_side(pairs):
    """Answers of both tools for the same programs, and the seconds where both are right."""
    print(f"{len(pairs)} programs of both, by answer:")
    for at, tool in enumerate(("dbverify", "deagle")):
        counts = Counter(pair[at][0] for pair in pairs)
        print(f"  {tool:9} " + ", ".join(f"{kind} {count}" for kind, count in sorted(counts.items())))
    both = [pair for pair in pairs if pair[0][0] == pair[1][0] == "right"]
    seconds = [sum(pair[at][2] for pair in both) for at in (0, 1)]
    print(f"  where both are right ({len(both)}): dbverify {seconds[0]:.1f} s, deagle {seconds[1]:.1f} s")


def ask(o, row, file, extra, sources=()):
    races = row["property"] == "no-data-race"
    livelocks = row["property"] == "liveness"
    command = [o.dbverify, *(["explore"] if races or livelocks else []), str(file), "--format", "json", "--timeout", str(o.timeout), *extra]
    if races:
        command = [word for word in command if word != "--no-races"] + ["--property", "no-data-race"]
    elif livelocks:
        command += ["--fair"]
    else:
        command += ["--delays", "any"]
        asked = LISTED.get(row["property"]) if o.listed else None
        if row["property"] == "memleak" or asked:
            command += ["--property", asked or "memleak"]
    if row["options"].startswith("args="):
        command += ["--args", row["options"][5:]]
    command += [word for word in row["options"].split() if word.startswith("-D")]
    if "ILP32" in row["options"]:
        command += ["--data-model", "ILP32"]
    command += o.args.split()
    begin = time.time()
    try:
        run = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=3 * o.timeout + 10)
        answer = json.loads(run.stdout) if run.stdout.strip() else {}
    except (subprocess.TimeoutExpired, ValueError) as problem:
        return "broken", type(problem).__name__, time.time() - begin
    seconds = time.time() - begin
    if run.returncode not in (0, 1, 2, 3):
        return "broken", f"exit {run.returncode}", seconds
    if run.returncode == 2:
        said = [d.get("message", "") for d in answer.get("diagnostics", [])]
        missing = [message.split("`")[1] for message in said if message.startswith("no file defines")]
        if missing and sources:
            return ask(o, row, file, [*extra, *map(str, sources)])
        nowhere = missing if row["set"] in STUBS else []
        nowhere += [name for message in said for name in re.findall(r"^a variable that no file defines.*--stub (\w+)", message)]
        if nowhere and "--stub" not in extra:
            return ask(o, row, file, [*extra, *(word for name in dict.fromkeys(nowhere) for word in ("--stub", name))])
        return "refused", next(iter(said), run.stderr.strip().split("\n")[0])[:160], seconds
    if run.returncode == 3:
        return "undecided", answer.get("summary", "")[:160], seconds
    kinds = set().union(*(KINDS.get(p, set()) for p in row["property"].split(";"))) or {"assertion"}
    if run.returncode == 1:
        kind = answer.get("error", {}).get("kind", "?")
        if kind not in kinds:
            return "other", f"bug of kind {kind}", seconds
        return "right" if row["expected"] == "false" else "wrong", f"bug: {kind}", seconds
    bounds = answer.get("bounds", {})
    exhaustive = bounds.get("exhaustive", False) and not bounds.get("budget_spent", False)
    if row["expected"] == "true":
        return "right" if exhaustive else "bounded", "safe", seconds
    return "wrong" if exhaustive else "missed", "safe", seconds


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--mirrors", required=True, type=Path)
    p.add_argument("--list", required=True, type=Path)
    p.add_argument("--dbverify", default="target/release/dbverify")
    for name in ("set", "property", "only", "again", "args"):
        p.add_argument(f"--{name}", default="")
    p.add_argument("--timeout", type=int, default=20)
    p.add_argument("--limit", type=int, default=0)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--listed", action="store_true", help="ask only about the property that the list names")
    p.add_argument("--out", type=Path)
    p.add_argument("--extract", type=Path)
    p.add_argument("--deagle", help="ask this program of Deagle, too")
    o = p.parse_args()
    rows = list(csv.DictReader(o.list.open(), delimiter="\t"))
    rows = [r for r in rows if o.set in ("", r["set"]) and o.property in r["property"] and o.only in r["path"]]
    if o.limit:
        rows = random.Random(o.seed).sample(rows, min(o.limit, len(rows)))
    if o.again:
        file, wanted = o.again.split("=")
        named = {tuple(w[:2]) for w in (line.split("\t") for line in Path(file).read_text().splitlines()) if w[4] in wanted.split(",")}
        rows = [r for r in rows if (r["repo"], r["path"]) in named]
    faults = {}
    if (HERE / "faults.tsv").exists():
        faults = {(f["repo"], f["path"]): f["reason"] for f in csv.DictReader((HERE / "faults.tsv").open(), delimiter="\t")}
    counts, per_set, projects, pairs = Counter(), {}, {}, []
    out = o.out.open("w") if o.out else None
    with tempfile.TemporaryDirectory() as temporary:
        into = o.extract or Path(temporary)
        for row in rows:
            if row["repo"] not in projects:
                projects[row["repo"]] = Project(o.mirrors, row["repo"], into)
            project = projects[row["repo"]]
            if row["path"] not in project.files:
                result, why, seconds = "absent", "no copy here", 0.0
            else:
                file, (extra, sources) = project.root / row["path"], project.take(row["path"], row["expected"])
                result, why, seconds = ask(o, row, file, extra, sources)
                other = ask_deagle(o, row, file, extra) if o.deagle else None
                if other and (row["repo"], row["path"]) not in faults:
                    pairs.append(((result, why, seconds), other))
                    why += f" | deagle: {other[0]} {other[2]:.2f} {other[1]}"
            if result == "wrong" and (row["repo"], row["path"]) in faults:
                result = "fault"
            counts[result] += 1
            per_set.setdefault(row["set"], Counter())[result] += 1
            line = "\t".join([row["repo"], row["path"], row["expected"], row["property"], result, f"{seconds:.2f}", why])
            if out:
                print(line, file=out, flush=True)
            if result in ("wrong", "broken"):
                print(line, file=sys.stderr)
    for name, c in sorted(per_set.items()):
        print(f"{name:28} " + "  ".join(f"{k} {v}" for k, v in sorted(c.items())))
    if pairs:
        side_by_side(pairs)
    print(f"all {sum(counts.values())}: " + ", ".join(f"{k} {v}" for k, v in sorted(counts.items())))
    sys.exit(counts["wrong"] + counts["broken"] > 0)


if __name__ == "__main__":
    main()
