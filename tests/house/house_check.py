#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the house from its sources: arrows between rooms, include cycles, sizes of folders and files.

usage: house_check.py ROOT    prints a line for each trouble, then a summary; exits 1 where there is any

A file includes its own room and those before it in ROOMS. A header and its source are one unit of a
cycle. A file of more than 300 lines says why in its first five lines, after "Long:".
"""
import pathlib
import re
import sys
from collections import Counter, defaultdict

ROOMS = """perfgate/base perfgate/code perfgate/stats perfgate/evidence perfgate/layouts perfgate/published perfgate/verdict perfgate/audit perfgate/import
perfgate/measure perfgate/store perfgate/gate perfgate/study perfgate/bench perfgate/gtest perfgate/report perfgate/ci perfgate/cli kernels kernels/cpu
kernels/cuda engine engine/model engine/ops engine/decode engine/serve engine/cli suites suites/cpu suites/cuda suites/engine suites/peers""".split()
MOST_FILES, LONG, LONGEST, MOST_LONG = 25, 300, 400, 10  # kernels itself: as many files as operators


def rank(path):
    return max((len(r), i) for i, r in enumerate(ROOMS) if path.startswith(r + "/"))[1]


def cycles(graph):
    """The units that lie on a cycle or between two: what is left when all without an arrow in or out go."""
    left = dict(graph)
    while True:
        reached = set().union(*left.values()) if left else set()
        loose = {u for u in left if u not in reached or not left[u] & left.keys()}
        if not loose:
            return sorted(left)
        left = {u: arrows - loose for u, arrows in left.items() if u not in loose}


def main(root):
    troubles, long_files, upward = [], [], 0
    graph, folders = defaultdict(set), Counter()
    for path in sorted(p for top in ("perfgate", "kernels", "engine", "suites") for p in (root / top).rglob("*.*")
                       if p.suffix in (".h", ".cc", ".cu", ".cuh", ".py")):
        name, text = str(path.relative_to(root)), path.read_text(encoding="utf-8")
        folders[str(path.parent.relative_to(root))] += 1
        for other in re.findall(r'^\s*#include "((?:perfgate|kernels|engine|suites)/[^"]+)"', text, re.M):
            upward += rank(other) > rank(name)
            troubles += [f"{name}: includes {other}, of a room above its own"] * (rank(other) > rank(name))
            graph[name.rsplit(".", 1)[0]] |= {other.rsplit(".", 1)[0]} - {name.rsplit(".", 1)[0]}
        if (lines := text.count("\n")) > LONG:
            long_files.append(name)
            if lines > LONGEST or "Long:" not in "".join(text.splitlines(True)[:5]):
                troubles.append(f"{name}: {lines} lines, and no reason that starts with Long:")
    circle = [f"{unit}: on an include cycle" for unit in cycles(graph)]
    troubles += circle + [f"{f}: {n} files side by side" for f, n in folders.items() if n > MOST_FILES and f != "kernels"]
    troubles += [f"{len(long_files)} files of over {LONG} lines"] * (len(long_files) > MOST_LONG)
    print(*troubles, sep="\n", end="\n" * bool(troubles))
    print(f"{sum(folders.values())} files, at most {max(folders.values())} side by side, {upward} upward includes, "
          f"{len(circle)} units on cycles, {len(long_files)} files of over {LONG} lines")
    return bool(troubles)


sys.exit(main(pathlib.Path(sys.argv[1])))
