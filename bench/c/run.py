#!/usr/bin/env python3
"""C programs: how fast they are read, and how many bugs of our examples are found, beside what a machine without dbverify has.

    bench/c/run.py [--dbverify target/release/dbverify] [--cc gcc] [--megabytes 1] [--runs 100]

Reading: a generated program of so many megabytes, preprocessed, every function of which threads call, through `dbverify check` (parsed, typed,
lowered) and through the compiler's `-fsyntax-only` (parsed and typed), with time and most memory.
Bugs: examples/c-programs, each explored once by dbverify, and compiled with -fsanitize=thread and run so many times, each run for at most
two seconds: a race that is reported, an assertion that fails or a run that never ends is a bug that was found. A program without a bug of
which one is reported would be a wrong alarm. A verifier of C with threads is beside it in `peer.py`.
"""
import argparse, json, re, subprocess, tempfile, time
from pathlib import Path

HERE = Path(__file__).resolve().parents[2]
FUNCTION = """
struct part_{i} {{ pthread_mutex_t *lock; int count; int values[4]; struct part_{i} *next; }};
static struct part_{i} part_{i};
static int look_{i}(struct part_{i} *p, int at) {{
  int sum = 0;
  for (int k = 0; k < 4; k++) {{
    if (p->values[k] > at && at >= 0) sum += p->values[k] * (k + {i});
    else sum -= (at << 1) ^ k;
  }}
  return sum;
}}
static int change_{i}(int by) {{
  pthread_mutex_lock(&lock);
  part_{i}.count += by;
  part_{i}.values[by & 3] = part_{i}.count > 3 ? look_{i}(&part_{i}, by) : by;
  pthread_mutex_unlock(&lock);
  switch (by) {{ case 0: return 1; case 1: case 2: return by + {i}; default: return look_{i}(&part_{i}, by - 1); }}
}}
"""


def program(size):
    """Preprocessed text of at least so many bytes."""
    text = ["typedef unsigned long pthread_t;\ntypedef struct { int kind; } pthread_mutex_t;\n"
            "int pthread_mutex_lock(pthread_mutex_t *);\nint pthread_mutex_unlock(pthread_mutex_t *);\n"
            "int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);\nstatic pthread_mutex_t lock;\n"]
    count, length = 0, 0
    while length < size:
        text.append(FUNCTION.format(i=count))
        length += len(text[-1])
        count += 1
    calls = "".join(f"  sum += change_{i}(sum & 3);\n" for i in range(count))
    text.append(f"static void *run(void *arg) {{\n  int sum = 0;\n{calls}  return 0;\n}}\n"
                "int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, run, 0);\n  run(0);\n  return 0;\n}\n")
    return "".join(text)


def measured(command):
    """Seconds of the processor, most memory in MiB, and the exit status of a command."""
    script = ("import os,resource,subprocess,sys;r=subprocess.run(sys.argv[1:],stdout=-3,stderr=-3);"
              "u=resource.getrusage(resource.RUSAGE_CHILDREN);print(u.ru_utime+u.ru_stime,u.ru_maxrss/1024,r.returncode)")
    out = subprocess.run(["python3", "-c", script, *command], capture_output=True, text=True).stdout.split()
    return float(out[0]), float(out[1]), int(out[2])


def reading(options, folder):
    text = program(int(options.megabytes * (1 << 20)))
    file, empty = folder / "large.i", folder / "empty.i"
    file.write_text(text)
    empty.write_text("int main(void) { return 0; }\n")
    size = len(text) / (1 << 20)
    print(f"reading {size:.2f} MiB of preprocessed C")
    for name, command in [("dbverify check", [options.dbverify, "check"]),
                          (f"{options.cc} -fsyntax-only", [options.cc, "-w", "-fsyntax-only", "-x", "cpp-output"])]:
        _, least, _ = measured([*command, str(empty)])
        seconds, memory, status = measured([*command, str(file)])
        times = f"{memory / size:3.0f} times the text, {(memory - least) / size:3.0f} times without what an empty program takes"
        print(f"  {name:24} {seconds:6.2f} s  {memory:5.1f} MiB: {times}   status {status}")


def tested(options, file, folder):
    """Whether the sanitizer, an assertion or a run without end shows a bug, and the seconds that it took."""
    begin = time.time()
    program = folder / "program"
    build = subprocess.run([options.cc, "-w", "-g", "-O1", "-fsanitize=thread", str(file), "-o", str(program), "-lpthread"], capture_output=True)
    if build.returncode:
        return None, 0
    for run in range(options.runs):
        try:
            if subprocess.run([str(program)], capture_output=True, timeout=2).returncode:
                return run + 1, time.time() - begin
        except subprocess.TimeoutExpired:
            return run + 1, time.time() - begin
    return 0, time.time() - begin


def bugs(options, folder):
    print(f"\n{'program':26} {'expected':18} {'dbverify explore':26} {options.cc} -fsanitize=thread, {options.runs} runs")
    right = found = total = 0
    for file in sorted((HERE / "examples/c-programs").glob("*.c")):
        text = file.read_text()
        command, expected = re.search(r"// run: (explore.*)\n// expect: (.*)", text).groups()
        begin = time.time()
        out = subprocess.run([options.dbverify, *command.split(), str(file), "--format", "json"], capture_output=True, text=True)
        seconds = time.time() - begin
        answer = json.loads(out.stdout)
        said = answer["verdict"] + (" " + answer["error"]["kind"] if answer["verdict"] == "bug" else "")
        at, spent = tested(options, file, folder)
        words = "not built" if at is None else f"in run {at}" if at else "nothing"
        total += 1
        right += said == expected
        found += bool(at) == expected.startswith("bug") if at is not None else 0
        print(f"{file.stem:26} {expected:18} {said:18} {seconds:5.2f} s   {words:12} {spent:6.2f} s")
    print(f"right: dbverify {right} of {total}, the sanitizer {found} of {total}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dbverify", default=str(HERE / "target/release/dbverify"))
    parser.add_argument("--cc", default="gcc")
    parser.add_argument("--megabytes", type=float, default=1)
    parser.add_argument("--runs", type=int, default=100)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        reading(options, Path(folder))
        bugs(options, Path(folder))


main()
