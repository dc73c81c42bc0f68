#!/usr/bin/env python3
"""The programs of the list that come from SV-COMP, run by BenchExec: its tables with verdicts, times and scores.

    pip install benchexec
    bench/c/competition.py --mirrors DIR --list c.tsv --into DIR [--dbverify PATH] [--timeout 20] [--limit N] [--seed S]

The script takes the programs out of DIR/OWNER+NAME/repo as public.py does. It writes a task definition beside each, runs `benchexec`
with the tool-info module of this folder, and `table-generator` over its results. `--into` gets programs, tasks, results and tables.
"""
import argparse, csv, os, random, shutil, subprocess, sys
from pathlib import Path

import public

HERE = Path(__file__).resolve().parent
SETS = ("svcomp21", "svcomp25", "divine-svcomp")
PROPERTIES = {  # property of the list -> the property file, and what stands in it
    "unreach-call": ("unreach-call", "CHECK( init(main()), LTL(G ! call(reach_error())) )"),
    "assert": ("unreach-call", "CHECK( init(main()), LTL(G ! call(reach_error())) )"),
    "no-data-race": ("no-data-race", "CHECK( init(main()), LTL(G ! data-race) )"),
    "valid-memsafety": ("valid-memsafety", "\n".join(f"CHECK( init(main()), LTL(G valid-{what}) )" for what in ("free", "deref", "memtrack"))),
}
BENCHMARK = """<?xml version="1.0"?>
<!DOCTYPE benchmark PUBLIC "+//IDN sosy-lab.org//DTD BenchExec benchmark 1.9//EN" "https://www.sosy-lab.org/benchexec/benchmark-1.9.dtd">
<benchmark tool="benchexec_info.dbverify" displayName="dbverify" timelimit="{limit} s" hardtimelimit="{hard} s" memlimit="8 GB" cpuCores="1">
  <rundefinition name="list"/>
{tasks}
</benchmark>
"""
TASKS = '  <tasks name="{prp}"><include>{prp}/*.yml</include><propertyfile>{prp}.prp</propertyfile></tasks>'
TASK = """format_version: '2.0'
input_files: '{file}'
properties:
  - property_file: ../{prp}.prp
    expected_verdict: {expected}{sub}
options:
  language: C
  data_model: {model}
"""


def write_tasks(o, rows):
    """Answers the names of the properties."""
    projects = {name: public.Project(o.mirrors, name, o.into) for name in {row["repo"] for row in rows}}
    for row in rows:
        project = projects[row["repo"]]
        project.take(row["path"], row["expected"])
        prp, text = PROPERTIES[row["property"]]
        (o.into / f"{prp}.prp").write_text(text + "\n")
        (o.into / prp).mkdir(exist_ok=True)
        violated = next((word[1:] for word in row["options"].split() if word.startswith(":")), "valid-deref")
        sub = f"\n    subproperty: {violated}" if prp == "valid-memsafety" and row["expected"] == "false" else ""
        task = TASK.format(file=project.root / row["path"], prp=prp, expected=row["expected"], sub=sub, model="ILP32" if "ILP32" in row["options"] else "LP64")
        (o.into / prp / (row["path"].replace("/", "_").rsplit(".", 1)[0] + ".yml")).write_text(task)
    return sorted({PROPERTIES[row["property"]][0] for row in rows})


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("mirrors", "list", "into"):
        p.add_argument(f"--{name}", required=True, type=lambda path: Path(path).resolve())
    p.add_argument("--dbverify", default="target/release/dbverify")
    for name, default in (("timeout", 20), ("limit", 0), ("seed", 1)):
        p.add_argument(f"--{name}", type=int, default=default)
    o = p.parse_args()
    if not shutil.which("benchexec"):
        sys.exit("benchexec is not on the path: pip install benchexec")
    rows = [row for row in csv.DictReader(o.list.open(), delimiter="\t") if row["set"] in SETS and row["property"] in PROPERTIES]
    if o.limit:
        rows = random.Random(o.seed).sample(rows, min(o.limit, len(rows)))
    tasks = "\n".join(TASKS.format(prp=prp) for prp in write_tasks(o, rows))
    # The tool-info module takes five seconds from the limit, for what dbverify does after its search.
    (o.into / "benchmark.xml").write_text(BENCHMARK.format(limit=o.timeout + 5, hard=o.timeout + 15, tasks=tasks))
    paths = {"PATH": f"{Path(o.dbverify).resolve().parent}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(HERE)}
    words = dict(cwd=o.into, env={**os.environ, **paths})
    ended = subprocess.run(["benchexec", "--no-container", "benchmark.xml"], **words)
    if ended.returncode:
        sys.exit(ended.returncode)
    results = sorted((o.into / "results").glob("benchmark.*.results.*.xml.bz2"))
    newest = [str(file) for file in results if file.name.split(".results.")[0] == results[-1].name.split(".results.")[0]]
    # Where there are several properties, the file with the shortest name has the runs of all.
    sys.exit(subprocess.run(["table-generator", "--outputpath", "tables", min(newest, key=len)], **words).returncode)


main()
