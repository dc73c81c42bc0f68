#!/usr/bin/env python3
"""Builds the playground: a folder of static files, in which dbverify runs in the page.

    python3 playground/build.py [FOLDER]        default: target/playground

It needs Rust's target wasm32-unknown-unknown: `rustup target add wasm32-unknown-unknown`. Where that cannot be had,
Debian's packages rustc-web, cargo-web, rust-web-src and lld do: the standard library is then built on the way.
"""

import base64
import gzip
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
TARGET = "wasm32-unknown-unknown"
# The parser and the engines recurse; the page's own stack is the browser's.
STACK = 64 << 20


def said(*command: str) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def tools() -> tuple[list[str], dict[str, str]]:
    """The command that compiles for the page, and its environment."""
    libraries = said("rustc", "--print", "target-libdir", "--target", TARGET)
    if libraries and list(pathlib.Path(libraries).glob("libstd-*.rlib")):
        return ["cargo", "build"], {}
    debian = pathlib.Path("/usr/lib/rustlib/src/rust/library/Cargo.lock")
    if debian.exists() and said("/usr/bin/cargo", "--version") and said("wasm-ld", "--version"):
        build = ["/usr/bin/cargo", "build", "-Z", "build-std=std,panic_abort"]
        linker = {"CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER": "wasm-ld"}
        return build, {"RUSTC": "/usr/bin/rustc", "RUSTC_BOOTSTRAP": "1", **linker}
    sys.exit(
        f"playground: the target {TARGET} is missing: `rustup target add {TARGET}` "
        "(or, on Debian: `apt-get install rustc-web cargo-web rust-web-src lld`)"
    )


def compiled() -> bytes:
    command, environment = tools()
    command += ["--package", "dbverify-playground", "--profile", "web", "--target", TARGET]
    flags = f"-C link-arg=-zstack-size={STACK}"
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, **environment, "RUSTFLAGS": flags}, check=False)
    if done.returncode:
        sys.exit(done.returncode)
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    return (ROOT / target / TARGET / "web" / "dbverify_playground.wasm").read_bytes()


def examples() -> str:
    files = sorted((ROOT / "examples" / "async-programs").glob("*.async"))
    listed = [{"name": f.stem, "text": f.read_text(encoding="utf-8")} for f in files]
    # Nothing in it can end the element that it stands in.
    return json.dumps(listed, ensure_ascii=False).replace("<", "\\u003c")


def page() -> str:
    part = lambda name: (HERE / "page" / name).read_text(encoding="utf-8")
    html = part("index.html")
    parts = {"style": part("style.css"), "examples": examples(), "worker": part("worker.js"), "app": part("app.js")}
    for name, text in parts.items():
        before, after = html.split("{{" + name + "}}")
        html = before + text + after
    return html


def main() -> None:
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "target" / "playground"
    verifier = compiled()
    packed = gzip.compress(verifier, 9, mtime=0)
    html = page().encode()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "index.html").write_bytes(html)
    (folder / "dbverify.wasm").write_bytes(verifier)
    # A page that is opened from a folder may load scripts, and nothing else.
    script = f'window.packedVerifier = "{base64.b64encode(packed).decode()}";\n'
    (folder / "dbverify.wasm.js").write_text(script)
    # The book asks for it.
    (folder / "found.js").write_text("")
    size = len(packed) + len(gzip.compress(html, 9))
    print(f"{folder}: {len(verifier):,} bytes of WebAssembly; the page takes {size:,} bytes, compressed")


main()
