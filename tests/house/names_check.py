#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that a function in an anonymous namespace shares its name with no function of another file of its library.

ci/test compiles ten sources at once. Of two functions of one name the compiler then takes the one that
fits the call better, and says nothing.

usage: names_check.py ROOT    prints a line for each trouble, then a summary; exits 1 where there is any
"""
import collections
import pathlib
import re
import sys

# At the start of a line: a type, a name and a parenthesis. TEST(...) has no type.
FUNCTION = re.compile(r"^(?!return |else |using |#)[A-Za-z_][\w:<>,&*\[\] ]*[ &*](\w+)\(")


APART = ("perfgate/bench/", "kernels/cuda/", "suites/cuda/", "tests/perfgate/bench/cuda/", "tests/kernels/cuda/")  # compiled one by one
OVERLOADS = {"describe"}  # by the type of the record


def library(path):
    """The sources that may end up in one compilation. Of the tests only *_test.cc: the rest are programs."""
    parts = path.parts
    if str(path).startswith(APART) or parts[0] == "tests" and not path.name.endswith("_test.cc"):
        return ""
    return "/".join(parts[:{"kernels": 1, "engine": 1, "perfgate": 2, "suites": 2, "tests": 3}[parts[0]]])


def main(root):
    places = collections.defaultdict(set)  # (library, name): {(file, anonymous)}
    for path in sorted(p.relative_to(root) for top in ("perfgate", "kernels", "engine", "suites", "tests")
                       for p in (root / top).rglob("*") if p.suffix in (".cc", ".h")):
        anonymous = False
        for line in (root / path).read_text(encoding="utf-8").splitlines():
            anonymous = (anonymous or line == "namespace {") and line != "}  // namespace"
            found = FUNCTION.match(line)
            if found and library(path) and found[1] not in OVERLOADS:
                places[library(path), found[1]].add((str(path), anonymous))
    troubles = [f"{name}: in an anonymous namespace, and again: {', '.join(sorted({f for f, _ in where}))}"
                for (_, name), where in sorted(places.items())
                if any(a for _, a in where) and len({f for f, _ in where}) > 1]
    print(*troubles, sep="\n", end="\n" * bool(troubles))
    print(f"{len(places)} names of functions, {len(troubles)} of them ambiguous")
    return bool(troubles)


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
