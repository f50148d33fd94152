#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the house from its sources: arrows between rooms, include cycles, sizes of folders and files.

usage: house_check.py ROOT    prints one line for each trouble and a summary; exits 1 where there is any

ROOMS is the order of the rooms: a file includes its own room and those before it. A file of more
than 300 lines says why in its first five lines, in a comment that starts with "Long:".
"""
import collections
import pathlib
import re
import sys

ROOMS = """perfgate/base perfgate/stats perfgate/evidence perfgate/published perfgate/verdict perfgate/audit
perfgate/import perfgate/measure perfgate/store perfgate/gate perfgate/bench perfgate/gtest
perfgate/report perfgate/cli kernels kernels/cpu kernels/cuda engine engine/model engine/ops
engine/decode engine/serve engine/cli suites suites/cpu suites/cuda suites/engine suites/peers""".split()
MOST_FILES, LONG, LONGEST, MOST_LONG = 25, 300, 400, 10
# One operator is one file beside the next: its folder is as long as the list of operators.
MANY_ON_PURPOSE = {"kernels"}


def room_of(path):
    return max((r for r in ROOMS if path.startswith(r + "/")), key=len, default=None)


def cycles(graph):
    """Strongly connected sets of more than one unit, by repeated removal of what has no arrow out or in."""
    left = {u: set(v) for u, v in graph.items()}
    while True:
        targets = set().union(*left.values()) if left else set()
        loose = {u for u in left if not (left[u] & left.keys()) or u not in targets}
        if not loose:
            return sorted(left)
        left = {u: v - loose for u, v in left.items() if u not in loose}


def main(root):
    troubles, upward, long_files, graph = [], 0, [], collections.defaultdict(set)
    folders = collections.Counter()
    files = [p for top in ("perfgate", "kernels", "engine", "suites") for p in (root / top).rglob("*")
             if p.suffix in (".h", ".cc", ".cu", ".cuh", ".py") and p.is_file()]
    for path in files:
        name, text = str(path.relative_to(root)), path.read_text(encoding="utf-8")
        folders[str(path.parent.relative_to(root))] += 1
        room, unit = room_of(name), name.rsplit(".", 1)[0]
        for other in re.findall(r'^\s*#include "([^"]+)"', text, re.M):
            there = room_of(other)
            if there and ROOMS.index(there) > ROOMS.index(room):
                upward += 1
                troubles.append(f"{name}: includes {other}, a room above its own")
            if other.rsplit(".", 1)[0] != unit:
                graph[unit].add(other.rsplit(".", 1)[0])
        lines = text.count("\n")
        if lines > LONG:
            long_files.append(name)
            if lines > LONGEST or "Long:" not in "".join(text.splitlines(True)[:5]):
                troubles.append(f"{name}: {lines} lines")
    circle = cycles(graph)
    troubles += [f"{unit}: on an include cycle" for unit in circle]
    troubles += [f"{f}: {n} source files side by side" for f, n in folders.items()
                 if n > MOST_FILES and f not in MANY_ON_PURPOSE]
    if len(long_files) > MOST_LONG:
        troubles.append(f"{len(long_files)} files of more than {LONG} lines, {MOST_LONG} are allowed")
    print(*troubles, sep="\n")
    print(f"{len(files)} files in {len(folders)} folders, the fullest of {max(folders.values())}; {upward} "
          f"upward includes, {len(circle)} files on include cycles, {len(long_files)} of more than {LONG} lines")
    return 1 if troubles else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
