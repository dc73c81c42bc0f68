#!/usr/bin/env python3
"""Makes what people install, each by one command:

    python3 packaging/make.py wheel        for pip: the program; the solver comes with its own wheel
    python3 packaging/make.py archive      the program and the solver in one folder, packed
    python3 packaging/make.py container    an image for docker, whose entry point is the program
    python3 packaging/make.py crate        the sources for cargo, as one package per room
    python3 packaging/make.py playground   the page of the playground, packed
    python3 packaging/make.py vscode       the extension for VS Code

Files go to target/packages, or to --out. `wheel` and `archive` build the program first (`cargo build --release`), or take
the one that --program names.
"""

import argparse
import base64
import gzip
import hashlib
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
MANIFEST = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))
VERSION = MANIFEST["workspace"]["package"]["version"]
ADDRESS = MANIFEST["workspace"]["package"]["repository"]
SUMMARY = MANIFEST["package"]["description"]
# Equal input, equal bytes: no file has a time of its own.
WHEN = (1980, 1, 1, 0, 0, 0)


def run(*command: str | pathlib.Path, **more) -> str:
    done = subprocess.run([str(word) for word in command], cwd=more.pop("cwd", ROOT), text=True, **more)
    if done.returncode:
        sys.exit(f"make.py: `{' '.join(map(str, command))}` ended with status {done.returncode}")
    return done.stdout or ""


def built(program: str | None) -> pathlib.Path:
    if program is None:
        run("cargo", "build", "--release", "--locked", "--bin", "dbverify")
        target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
        program = str(ROOT / target / "release" / "dbverify")
    path = pathlib.Path(program).resolve()
    if not path.is_file():
        sys.exit(f"make.py: there is no program {path}")
    return path


def whole(path: pathlib.Path, content: bytes) -> None:
    """Writes a file that is there as a whole, or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(path.name + ".partial")
    partial.write_bytes(content)
    partial.replace(path)
    print(f"{path}: {len(content):,} bytes")


def system(program: bytes) -> str:
    """The tag of wheels for the machines on which the program starts."""
    machine = {"arm64": "aarch64", "AMD64": "x86_64"}.get(platform.machine(), platform.machine())
    if sys.platform == "darwin":
        major = platform.mac_ver()[0].split(".")[0]
        return f"macosx_{major}_0_{'arm64' if machine == 'aarch64' else machine}"
    if not sys.platform.startswith("linux"):
        sys.exit(f"make.py: wheels are made on Linux and macOS, not on {sys.platform}")
    # The newest version of the C library that the program asks for.
    asked = [int(minor) for minor in re.findall(rb"GLIBC_2\.(\d+)", program)]
    if not asked:
        return f"linux_{machine}"
    return f"manylinux_2_{max(asked)}_{machine}"


def solver() -> str:
    """The version of the solver's wheel: the one that the build fetches."""
    text = (ROOT / "src/solver/build/z3-requirements.txt").read_text(encoding="utf-8")
    found = re.search(r"^z3-solver==([0-9.]+)", text, re.MULTILINE)
    return found[1] if found else sys.exit("make.py: z3-requirements.txt names no version")


def wheel(args) -> None:
    program = built(args.program).read_bytes()
    tag = f"py3-none-{system(program)}"
    info = f"dbverify-{VERSION}.dist-info"
    readme = (ROOT / "packaging/README.md").read_text(encoding="utf-8")
    metadata = (
        f"Metadata-Version: 2.1\nName: dbverify\nVersion: {VERSION}\nSummary: {SUMMARY}\nLicense: MIT\n"
        f"License-File: LICENSE\nProject-URL: Source, {ADDRESS}\nRequires-Python: >=3.8\n"
        f"Requires-Dist: z3-solver=={solver()}\nDescription-Content-Type: text/markdown\n\n{readme}"
    )
    files = {
        "dbverify/__init__.py": (ROOT / "packaging/launcher.py").read_bytes(),
        "dbverify/__main__.py": b"from . import main\n\nmain()\n",
        "dbverify/dbverify": program,
        f"{info}/METADATA": metadata.encode(),
        f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: make.py\nRoot-Is-Purelib: false\nTag: {tag}\n".encode(),
        f"{info}/entry_points.txt": b"[console_scripts]\ndbverify = dbverify:main\n",
        f"{info}/LICENSE": (ROOT / "LICENSE").read_bytes(),
    }
    record = ""
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(content)}\n"
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    with tempfile.TemporaryFile() as packed:
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in files.items():
                entry = zipfile.ZipInfo(name, WHEN)
                entry.external_attr = (0o100755 if name == "dbverify/dbverify" else 0o100644) << 16
                archive.writestr(entry, content, zipfile.ZIP_DEFLATED)
        packed.seek(0)
        whole(args.out / f"dbverify-{VERSION}-{tag}.whl", packed.read())


def tarred(path: pathlib.Path, folder: pathlib.Path, name: str) -> None:
    """Packs a folder under another name."""

    def plain(entry: tarfile.TarInfo) -> tarfile.TarInfo:
        entry.uid = entry.gid = entry.mtime = 0
        entry.uname = entry.gname = ""
        return entry

    with tempfile.TemporaryFile() as packed:
        with gzip.GzipFile("", "wb", fileobj=packed, mtime=0) as zipped:
            with tarfile.open(fileobj=zipped, mode="w") as archive:
                archive.add(folder, name, recursive=False, filter=plain)
                for file in sorted(folder.rglob("*")):
                    archive.add(file, f"{name}/{file.relative_to(folder)}", recursive=False, filter=plain)
        packed.seek(0)
        whole(path, packed.read())


def archive(args) -> None:
    program = built(args.program)
    machine = f"{sys.platform}-{platform.machine()}"
    name = f"dbverify-{VERSION}-{machine}"
    with tempfile.TemporaryDirectory() as folder:
        bundle = pathlib.Path(folder) / name
        run(program, "bundle", bundle, stdout=subprocess.DEVNULL)
        shutil.copy(ROOT / "LICENSE", bundle / "LICENSE")
        shutil.copy(ROOT / "packaging/README.md", bundle / "README.md")
        shutil.copytree(ROOT / "examples/async-programs", bundle / "examples")
        tarred(args.out / f"{name}.tar.gz", bundle, name)


def container(_args) -> None:
    run("docker", "build", "-t", f"dbverify:{VERSION}", "-t", "dbverify", ".")


def crate(args) -> None:
    # The rooms are packages of their own, and a package names its dependencies by version. So all of them go together.
    rooms = ["--exclude", "dbverify-playground", "--exclude", "dbverify-testing"]
    with tempfile.TemporaryDirectory() as folder:
        run("cargo", "package", "--workspace", *rooms, "--locked", *args.more, "--target-dir", folder)
        for file in sorted((pathlib.Path(folder) / "package").glob("*.crate")):
            whole(args.out / file.name, file.read_bytes())


def playground(args) -> None:
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder) / "playground"
        run(sys.executable, ROOT / "playground/build.py", page)
        tarred(args.out / f"dbverify-playground-{VERSION}.tar.gz", page, "dbverify-playground")


def vscode(args) -> None:
    folder = ROOT / "editors/vscode"
    args.out.mkdir(parents=True, exist_ok=True)
    run("npm", "ci", "--no-audit", "--no-fund", cwd=folder)
    package = (args.out / f"dbverify-{VERSION}.vsix").resolve()
    run("npx", "vsce", "package", "--out", package, cwd=folder)


MAKERS = [wheel, archive, container, crate, playground, vscode]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=[maker.__name__ for maker in MAKERS])
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "target/packages", help="where the files go")
    parser.add_argument("--program", help="a program that was built before, for `wheel` and `archive`")
    args, args.more = parser.parse_known_args()
    if args.more and args.what != "crate":
        parser.error(f"unknown: {' '.join(args.more)}")
    args.out = args.out.resolve()
    if ".example/" in ADDRESS:
        print(f"note: the packages name {ADDRESS}, which is no address; set `repository` in Cargo.toml", file=sys.stderr)
    next(maker for maker in MAKERS if maker.__name__ == args.what)(args)


main()
