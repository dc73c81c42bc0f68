#!/usr/bin/env python3
"""Compares `dbverify explore` with SPIN on the same problems, in one run, on one core.

    bench/spin/run.py [--runs 3] [--small] [--collapse] [--only NAME] [--dbverify PATH] [--against OTHER]

With --against, another dbverify takes SPIN's place, and SPIN is not needed. Needs spin and gcc (Debian: apt-get install spin gcc); installs nothing. Builds dbverify (cargo build --release)
unless it is given one. Each program is run several times, taking turns, and the fastest run of each counts.

dbverify is run twice: as users run it, with its reductions, and with --no-reduction, which visits every state as
"spin full" does.

SPIN is run as fast as it goes and as small as it goes:
  spin           gcc -O2 -DSAFETY
  spin full      ... -DNOREDUCE: no partial-order reduction, every state
  spin collapse  ... -DNOREDUCE -DCOLLAPSE: every state, compressed; with --collapse only, it takes minutes
each with a hash table as large as the problem asks for (-w) and a stack that is just deep enough (-m). What the
C compiler takes is shown by itself and counted in no ratio.

Seconds are processor time (both are single-threaded), so that other work on the machine changes little.
Memory per state is what the stored states and the tables to find them take, without the stack; the peak of the
whole process is shown beside it.
"""

import argparse
import json
import math
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent

# name, values of the parameters; the first size of each is the small one.
PROBLEMS = [
    ("counter", {"N": 4, "L": 2}, {"N": 5, "L": 3}),
    ("philosophers", {"N": 7}, {"N": 11}),
    ("peterson", {"N": 3}, {"N": 6}),
]

SPINS = {
    "spin": [],
    "spin full": ["-DNOREDUCE"],
    "spin collapse": ["-DNOREDUCE", "-DCOLLAPSE"],
}


def instantiate(name, suffix, values, folder):
    """Writes a problem of some size; answers its path."""
    n = values["N"]
    alone = {
        "async": "({k} == i || level[{k}] < l)",
        "pml": "({k} == i || level[{k}] < l)",
    }[suffix]
    values = {
        **values,
        # With one increment each, one is enough; else the first store and the last increment count.
        "LEAST": 1 if values.get("L", 2) == 1 or n == 1 else 2,
        "ALONE": "(" + " && ".join(alone.format(k=k) for k in range(n)) + ")",
    }
    text = (HERE / f"{name}.{suffix}").read_text()
    for key, value in values.items():
        text = text.replace(f"@{key}@", str(value))
    path = folder / f"{name}.{suffix}"
    path.write_text(text)
    return path


def timed(command, cwd):
    """Runs a command: processor seconds, peak KiB, output."""
    child = subprocess.Popen(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    out = child.stdout.read()
    _, _, usage = os.wait4(child.pid, 0)
    child.returncode = 0
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss, out


def build_spin(source, flags, folder):
    """Makes a verifier; answers its path and how long the C compiler took."""
    folder.mkdir()
    subprocess.run(["spin", "-a", str(source)], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    begin = time.monotonic()
    memory = ["-DMEMLIM=16000"]
    command = ["gcc", "-O2", "-DSAFETY", "-w", *memory, *flags, "-o", "pan", "pan.c"]
    subprocess.run(command, cwd=folder, check=True)
    return folder / "pan", time.monotonic() - begin


def run_spin(pan, states, depth):
    """Runs a verifier, with a hash table for so many states and a stack so deep."""
    width = max(16, math.ceil(math.log2(states)))
    seconds, peak, out = timed([str(pan), f"-w{width}", f"-m{depth}"], pan.parent)

    def number(pattern):
        found = re.search(pattern, out)
        if found is None:
            sys.exit(f"SPIN said something else:\n{out}")
        return float(found.group(1))

    if number(r"errors: (\d+)") or "max search depth too small" in out:
        sys.exit(f"SPIN did not settle the problem:\n{out}")
    count = number(r"([\d.e+]+) states, stored")
    # Without compression SPIN's own figure is the vector and its header; the table comes to it.
    mib = number(r"([\d.]+)\s+(?:actual )?memory usage for states") + number(r"([\d.]+)\s+memory used for hash table")
    return {
        "states": count,
        "transitions": number(r"([\d.e+]+) transitions"),
        "seconds": seconds,
        "peak": peak / 1024,
        "bytes": mib * 2**20 / count,
    }


OURS = {
    "dbverify": [],
    "dbverify full": ["--no-reduction"],
}


def run_ours(binary, source, options):
    """Runs `dbverify explore`."""
    limits = ["--timeout", "3600", "--memory", "16000"]
    command = [str(binary), "explore", str(source), "--format", "json", *limits, *options]
    seconds, peak, out = timed(command, source.parent)
    answer = json.loads(out)
    if answer["verdict"] != "safe":
        sys.exit(f"dbverify did not settle the problem: {out}")
    stats = answer["stats"]
    return {
        "states": stats["states"],
        "transitions": stats["transitions"],
        "seconds": seconds,
        "peak": peak / 1024,
        # Of a few states their tables are mostly empty: then it is the whole memory.
        "bytes": stats.get("bytes_per_state", max(stats["memory_mib"], 1) * 2**20 / stats["states"]),
    }


def best(runs):
    """The fastest run. The counts of all must be the same."""
    if len({(r["states"], r["transitions"]) for r in runs}) != 1:
        sys.exit("two runs count differently")
    return min(runs, key=lambda r: r["seconds"])


def show(name, r, note=""):
    rate = r["transitions"] / r["seconds"] / 1e6
    print(
        f"  {name:<14} {r['states']:>12,.0f} {r['transitions']:>13,.0f} {r['seconds']:>9.2f} {rate:>9.2f}"
        f" {r['bytes']:>9.1f} {r['peak']:>9.0f}{note}"
    )


def ratios(ours, theirs):
    """How often we are as good as the other."""
    rate = (ours["transitions"] / ours["seconds"]) / (theirs["transitions"] / theirs["seconds"])
    memory = theirs["bytes"] / ours["bytes"]
    return rate, memory, theirs["seconds"] / ours["seconds"]


def problem(name, values, binary, count, folder):
    folder.mkdir()
    ours_source = instantiate(name, "async", values, folder)
    spin_source = instantiate(name, "pml", values, folder)
    pans = {
        kind: build_spin(spin_source, flags, folder / kind.replace(" ", "-"))
        for kind, flags in SPINS.items()
    }
    ours = {kind: [run_ours(binary, ours_source, options)] for kind, options in OURS.items()}
    first = ours["dbverify full"][0]
    spins = {kind: [] for kind in pans}
    # SPIN's search goes deeper than ours: it is given a stack that holds every state if need be.
    depth = int(min(first["states"] * 1.5, 30_000_000))
    for turn in range(count):
        if turn > 0:
            for kind, options in OURS.items():
                ours[kind].append(run_ours(binary, ours_source, options))
        for kind, (pan, _) in pans.items():
            spins[kind].append(run_spin(pan, first["states"], depth))
    sizes = " ".join(f"{key}={value}" for key, value in values.items())
    print(f"\n{name} {sizes}")
    print(f"  {'':<14} {'states':>12} {'transitions':>13} {'seconds':>9} {'M trans/s':>9} {'B/state':>9} {'peak MiB':>9}")
    ours = {kind: best(runs) for kind, runs in ours.items()}
    for kind, run in ours.items():
        show(kind, run)
    for kind, runs in spins.items():
        show(kind, best(runs), f"   (C compiler {pans[kind][1]:.1f} s)")
    print(f"  {'ratios to':<14} {'trans/s':>12} {'memory/state':>13} {'settled':>9}   (above 1: dbverify is ahead)")
    for kind, runs in spins.items():
        # Each is compared with the run of ours that visits what it visits.
        rate, memory, whole = ratios(ours["dbverify" if kind == "spin" else "dbverify full"], best(runs))
        print(f"  {kind:<14} {rate:>12.2f} {memory:>13.2f} {whole:>9.2f}", flush=True)


def versions(name, values, pair, count, folder):
    """Two binaries on one problem, in turns."""
    folder.mkdir()
    source = instantiate(name, "async", values, folder)
    sizes = " ".join(f"{key}={value}" for key, value in values.items())
    print(f"\n{name} {sizes}")
    print(f"  {'':<14} {'states':>12} {'transitions':>13} {'seconds':>9} {'M trans/s':>9} {'B/state':>9} {'peak MiB':>9}")
    for kind, options in OURS.items():
        runs = ([], [])
        for _ in range(count):
            for binary, own in zip(pair, runs):
                own.append(run_ours(binary, source, options))
        this, other = map(best, runs)
        show(kind, this)
        show("... other", other)
        rate, memory, whole = ratios(this, other)
        print(f"  {'ratios':<14} trans/s {rate:.2f}, memory/state {memory:.2f}, settled {whole:.2f}   (above 1: this one is ahead)", flush=True)


def machine():
    try:
        text = Path("/proc/cpuinfo").read_text()
        model = re.search(r"model name\s*:\s*(.*)", text)
        model = model.group(1) if model else "unknown processor"
    except OSError:
        model = "unknown processor"
    spin = subprocess.run(["spin", "-V"], capture_output=True, text=True).stdout.strip()
    gcc = subprocess.run(["gcc", "--version"], capture_output=True, text=True).stdout.splitlines()[0]
    return f"{model}; {spin}; {gcc}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=3, help="how often each is run")
    parser.add_argument("--small", action="store_true", help="small sizes, to see that everything works")
    parser.add_argument("--collapse", action="store_true", help="compressed states in SPIN, too")
    parser.add_argument("--only", help="one problem")
    parser.add_argument("--dbverify", type=Path, help="this binary instead of a fresh release build")
    parser.add_argument("--against", type=Path, help="another binary in SPIN's place")
    args = parser.parse_args()
    if not args.collapse:
        del SPINS["spin collapse"]
    missing = [tool for tool in ("spin", "gcc") if shutil.which(tool) is None]
    if missing and not args.against:
        sys.exit(f"{' and '.join(missing)} not found; on Debian: apt-get install {' '.join(missing)}")
    binary = args.dbverify
    if binary is None:
        subprocess.run(["cargo", "build", "-q", "--release"], cwd=ROOT, check=True)
        binary = ROOT / "target" / "release" / "dbverify"
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if not args.against:
        print(machine())
    with tempfile.TemporaryDirectory() as folder:
        for name, small, large in PROBLEMS:
            if args.only not in (None, name):
                continue
            values, own = small if args.small else large, Path(folder) / name
            if args.against:
                versions(name, values, (binary.resolve(), args.against.resolve()), args.runs, own)
            else:
                problem(name, values, binary.resolve(), args.runs, own)


if __name__ == "__main__":
    main()
