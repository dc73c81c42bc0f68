#!/usr/bin/env python3
"""A preprocessor of mdBook (book.toml): the book has what its pages name outside `docs`, a page for each file.

A folder is a page: its README and a list of its programs. A program stands there with its whole folder.
"""

import json
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LINK = re.compile(r"\]\(([^)#\s]+)(#[^)\s]*)?\)")
LANGUAGES = {".async": "async", ".c": "c", ".cpp": "cpp", ".py": "python", ".pml": "text", ".toml": "toml", ".tsv": "text"}


def place(path: str) -> str:
    """Where the book has a file of the repository."""
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    if path.endswith("/README.md") or (ROOT / path).is_dir():
        return f"{page_of(path)}/index.md"
    return path if path.endswith(".md") else f"{path}.md"


def page_of(path: str) -> str:
    """What has to be in the book for a file: a text, or a whole folder."""
    alone = (ROOT / path).is_dir() or path.endswith(".md") and not path.endswith("/README.md")
    return path if alone else os.path.dirname(path)


def relinked(text: str, path: str, wanted: list[str]) -> str:
    """The text of a file whose links lead to places of the book; says what they want."""

    def link(found: re.Match) -> str:
        target, anchor = found[1], found[2] or ""
        whole = os.path.normpath(os.path.join(os.path.dirname(path), target))
        if "://" in target or not (ROOT / whole).exists():
            return found[0]
        if not whole.startswith("docs/"):
            wanted.append(whole)
        return f"]({os.path.relpath(place(whole), os.path.dirname(place(path)))}{anchor})"

    return LINK.sub(link, text)


def about(text: str) -> str:
    """The first sentence of the comment at the head of a program."""
    lines = [line[2:].strip() for line in text.splitlines()[:8] if line.startswith("//")]
    words = " ".join(line for line in lines if not line.startswith(("run:", "expect:")))
    return re.split(r"(?<=[.:]) ", words)[0].rstrip(".:")


def chapter(name: str, path: str, text: str, parts: list[dict], parents: list[str]) -> dict:
    plain = {"name": name, "content": text, "number": None, "path": place(path), "source_path": None}
    return {"Chapter": {**plain, "sub_items": parts, "parent_names": parents}}


def folder(path: str, wanted: list[str]) -> dict:
    readme = ROOT / path / "README.md"
    text = relinked(readme.read_text(encoding="utf-8"), f"{path}/README.md", wanted) if readme.exists() else f"# {path}\n"
    files = []
    for file in sorted((ROOT / path).iterdir()):
        if file.suffix not in LANGUAGES:
            continue
        content = file.read_text(encoding="utf-8")
        sentence = about(content)
        text += f"\n- [{file.name}]({file.name}.md)" + (f": {sentence}" if sentence else "")
        shown = f"# {file.name}\n\n````{LANGUAGES[file.suffix]}\n{content}````\n"
        files.append(chapter(file.name, f"{path}/{file.name}", shown, [], [path]))
    return chapter(path, f"{path}/README.md", text + "\n", files, [])


def pages(items: list, wanted: list[str]) -> None:
    for item in items:
        if "Chapter" in item:
            page = item["Chapter"]
            page["content"] = relinked(page["content"], f"docs/{page['path']}", wanted)
            pages(page["sub_items"], wanted)


def main() -> None:
    _, book = json.load(sys.stdin)
    items = book["items"] if "items" in book else book["sections"]
    wanted: list[str] = []
    pages(items, wanted)
    more: dict[str, dict] = {}
    for path in map(page_of, wanted):  # which grows on the way
        if path in more:
            continue
        if path.endswith(".md"):
            text = relinked((ROOT / path).read_text(encoding="utf-8"), path, wanted)
            more[path] = chapter(path, path, text, [], [])
        else:
            more[path] = folder(path, wanted)
    # What has no number has no place in the tree of chapters.
    first = 1 + max((item["Chapter"].get("number") or [0])[0] for item in items if "Chapter" in item)
    for number, path in enumerate(sorted(more), first):
        page = more[path]["Chapter"]
        page["number"] = [number]
        for part, file in enumerate(page["sub_items"], 1):
            file["Chapter"]["number"] = [number, part]
    items += ["Separator", {"PartTitle": "Files"}, *(more[path] for path in sorted(more))]
    json.dump(book, sys.stdout)


if sys.argv[1:2] != ["supports"]:
    main()
