#!/usr/bin/env python3
"""The experiments of the McMini paper on the programs of bench/objects/: executions and steps of `--strategy dpor`.

    cargo build --release && python3 bench/objects.py [--dbverify target/release/dbverify]

Constants and types of the programs are replaced as the rows say. `paper` are the transitions and traces of McMini's
tables, where they have the same program and number of threads; what counts as a transition differs (the paper's are the
operations of C programs, with the starts and ends of threads).
"""

import argparse
import json
import pathlib
import subprocess

HERE = pathlib.Path(__file__).resolve().parent / "objects"

# Paper's table, name, program, replacements, whether all bugs are looked for, the paper's transitions and traces.
ROWS = [
    *(
        ("5", f"{n} philosophers, mutexes", "philosophers", {"N := 4": f"N := {n}"}, True, paper)
        for n, paper in [
            (4, "834, 45"),
            (5, "5,188, 311"),
            (6, "37,968, 2,507"),
            (7, "321,202, 23,016"),
            (8, "3,097,702, 236,981"),
        ]
    ),
    ("2", "5 philosophers, semaphores", "philosophers_semaphore", {"N := 3": "N := 5"}, True, "136,931, 10,017"),
    (
        "4",
        "5 philosophers, semaphores, in a circle",
        "philosophers_semaphore",
        {"N := 3": "N := 5", "CIRCLE := false": "CIRCLE := true"},
        True,
        "157,439, 11,208",
    ),
    ("7", "lock without preference: object", "readers_writers", {}, True, "282,207, 34,415"),
    ("7", "… on a condition variable", "readers_writers_cond", {}, True, "739,912, 82,540"),
    ("7", "lock preferring readers: object", "readers_writers", {": RwLock": ": ReaderRwLock"}, True, "284,374, 36,080"),
    ("7", "… on a condition variable", "readers_writers_cond", {"PREFER := Nobody": "PREFER := Readers"}, True, "604,750, 53,527"),
    ("7", "lock preferring writers: object", "readers_writers", {": RwLock": ": WriterRwLock"}, True, "284,374, 36,080"),
    ("7", "… on a condition variable", "readers_writers_cond", {"PREFER := Nobody": "PREFER := Writers"}, True, "538,118, 59,884"),
    ("7", "4 readers, 1 writer: object", "readers_writers", {"READERS := 2": "READERS := 4"}, True, ""),
    ("7", "… on a condition variable", "readers_writers_cond", {"READERS := 2": "READERS := 4"}, True, ""),
    ("8", "1 reader, two writers: an object for them", "two_writers", {}, True, "919, 109"),
    (
        "8",
        "… on a condition variable",
        "readers_writers_cond",
        {"READERS := 2": "READERS := 1", "WRITERS := 1": "WRITERS := 2"},
        True,
        "793,912, 82,540",
    ),
    *(
        row
        for n, safe, bug in [(1, "84, 21", "trace 28"), (2, "2,301, 907", "trace 1,046"), (3, "101,509, 48,636", "trace 45,040")]
        for row in [
            ("9", f"{n}+1 producers, consumer, `if`, no spurious wake-up", "producer_consumer", {"PRODUCERS := 1": f"PRODUCERS := {n}", ": Cond": ": StrictCond"}, False, safe),
            ("9", "… one spurious wake-up", "producer_consumer", {"PRODUCERS := 1": f"PRODUCERS := {n}"}, False, bug),
            ("9", "… with `while`", "producer_consumer", {"PRODUCERS := 1": f"PRODUCERS := {n}", "if items": "while items"}, False, ""),
        ]
    ),
    ("10", "3 philosophers, semaphores: any waiter", "philosophers_semaphore", {}, True, "10,840, 601"),
    ("10", "… first come", "philosophers_semaphore", {"]Semaphore": "]FifoSemaphore"}, True, "104,216, 5,801"),
    ("10", "… last come", "philosophers_semaphore", {"]Semaphore": "]LifoSemaphore"}, True, "81,282, 4,519"),
    ("11", "2 at a barrier: object", "barrier", {}, True, "90"),
    ("11", "… of a mutex and a semaphore", "barrier_library", {}, True, "114"),
]


def explore(binary, name, replacements, everything):
    """The answer about a program with these texts replaced."""
    text = (HERE / f"{name}.async").read_text()
    for old, new in replacements.items():
        if old not in text:
            raise SystemExit(f"{name}: no `{old}`")
        text = text.replace(old, new)
    command = [binary, "explore", "-", "--strategy", "dpor", "--format", "json"] + ["--all"] * everything
    ran = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    return json.loads(ran.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dbverify", default=str(HERE.parent.parent / "target/release/dbverify"))
    given = parser.parse_args()
    print("| table | program | verdict | executions | steps | seconds | paper: transitions, traces |")
    print("|---|---|---|---|---|---|---|")
    for table, shown, name, replacements, everything, paper in ROWS:
        answer = explore(given.dbverify, name, replacements, everything)
        verdict = answer["error"]["kind"] if answer["verdict"] == "bug" else answer["verdict"]
        stats = answer["stats"]
        figures = f"{stats['executions']} | {stats['transitions']} | {stats['seconds']:.2f}"
        print(f"| {table} | {shown} | {verdict} | {figures} | {paper} |")


if __name__ == "__main__":
    main()
