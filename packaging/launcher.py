"""Starts dbverify, which lies beside this file, with the solver's library from the package z3-solver."""

import importlib.util
import os
import sys


def library():
    """The library of Z3, or None: then the program looks for one by itself, and says so where it needs it."""
    package = importlib.util.find_spec("z3")
    for folder in (package.submodule_search_locations or []) if package else []:
        for name in ("libz3.so", "libz3.dylib"):
            path = os.path.join(folder, "lib", name)
            if os.path.exists(path):
                return path
    return None


def main():
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "dbverify")
    environment = dict(os.environ)
    found = library()
    if found and not environment.get("DBVERIFY_LIBZ3"):
        environment["DBVERIFY_LIBZ3"] = found
    os.execve(program, [program, *sys.argv[1:]], environment)
