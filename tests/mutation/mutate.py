#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants small bugs in perfgate/stats and perfgate/verdict and counts those the tests notice.

usage: mutate.py [--jobs N] [--work DIR] [--only TEXT] [--check-list]

For every entry of mutants.py: change one place in a private copy of the tree, build the tests of
the changed room and run them until the first fails; first those of the changed file, then the rest.
A bug in stats that its own tests miss may still fall to those of verdict. A failed test kills the
mutant; a mutant that does not compile proves nothing and is an error. Ends with the survivors and
exits 1 when fewer than 95 % were killed. --check-list only checks that every planted bug still fits
the code (seconds, no build).
"""
import argparse
import itertools
import os
import queue
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import namedtuple

import definitions
from mutants import MUTANTS

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
# The rooms with the executables that test them, the nearest first.
ROOMS = {"perfgate/stats": ["test_stats", "test_verdict"], "perfgate/verdict": ["test_verdict"]}
WANTED = 0.95
TIMEOUT_S = 300

# A bug at its place: source[begin:end] of the file becomes the mutant's replacement.
Planted = namedtuple("Planted", "mutant file begin end")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def room_of(file):
    return next(room for room in ROOMS if file.startswith(room + "/"))


def located(root, mutant):
    """Where the bug goes. ValueError where its place is gone, or where there are several."""
    pattern = re.compile(r"\s+".join(map(re.escape, mutant.find.split())))
    found = definitions.find(root, ROOMS, mutant.function)
    if not found:
        raise ValueError(f"{mutant.name}: nothing below {' and '.join(ROOMS)} defines "
                         f"{mutant.function}")
    # Definitions may lie inside each other.
    places = {(d.file, match.start(), match.end()) for d in found
              for match in pattern.finditer(read(os.path.join(root, d.file)), d.begin, d.end)}
    if len(places) != 1:
        raise ValueError(f"{mutant.name}: {len(places)} places in {mutant.function} match")
    if mutant.find == mutant.replace:
        raise ValueError(f"{mutant.name}: changes nothing")
    return Planted(mutant, *places.pop())


def locate(root, mutants):
    """The bugs at their places, and what is wrong with the list itself, one sentence each."""
    planted = []
    wrong = []
    seen = set()
    for mutant in mutants:
        try:
            planted.append(located(root, mutant))
        except ValueError as error:
            wrong.append(str(error))
            continue
        key = planted[-1][1:] + (mutant.replace,)
        if key in seen:
            wrong.append(f"{mutant.name}: listed twice")
        seen.add(key)
    return planted, wrong


def with_bug(source, planted):
    return source[:planted.begin] + planted.mutant.replace + source[planted.end:]


def copy_tree(root, target):
    files = subprocess.run(["git", "-C", root, "ls-files", "-z", "--cached", "--others",
                            "--exclude-standard"], check=True, capture_output=True).stdout
    for name in filter(None, files.decode().split("\0")):
        source = os.path.join(root, name)
        if os.path.isfile(source):
            os.makedirs(os.path.dirname(os.path.join(target, name)), exist_ok=True)
            shutil.copy2(source, os.path.join(target, name))


class Copy:
    """A private tree with a build of its own."""

    def __init__(self, root, folder):
        self.tree = os.path.join(folder, "tree")
        self.build = os.path.join(folder, "build")
        copy_tree(root, self.tree)
        configure = ["cmake", "-S", self.tree, "-B", self.build, "-G", "Ninja",
                     "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O1",
                     "-DCMAKE_UNITY_BUILD=OFF", "-DPERFGATE_CUDA=OFF", "-DPERFGATE_KERNELS=OFF",
                     "-DPERFGATE_INSTALL=OFF"]
        if shutil.which("ccache"):
            configure.append("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
        subprocess.run(configure, check=True, stdout=subprocess.DEVNULL)

    def make(self, target):
        """What the compiler says where it fails; otherwise nothing."""
        made = subprocess.run(["cmake", "--build", self.build, "--parallel", "2", "--target",
                               target], capture_output=True, text=True)
        return made.stdout[-2000:] if made.returncode != 0 else ""

    def test(self, target, *arguments):
        """The first test that fails, none where all pass. No end is a failure too."""
        room = target.removeprefix("test_")
        executable = os.path.join(self.build, "tests", "perfgate", room, target)
        try:
            result = subprocess.run([executable, "--gtest_fail_fast", "--gtest_brief=1", *arguments],
                                    capture_output=True, text=True, timeout=TIMEOUT_S,
                                    cwd=os.path.dirname(executable))
        except subprocess.TimeoutExpired:
            return f"{target}: no end"
        if result.returncode == 0:
            return ""
        named = re.search(r"\[  FAILED  \] ([\w./]+)", result.stdout)
        return named.group(1) if named else f"{target}: exit {result.returncode}"

    def kill(self, planted):
        """(state, why) of the bug, whose file stays changed."""
        room = room_of(planted.file)
        own = os.path.splitext(os.path.relpath(planted.file, room))[0] + "_test.cc"
        for target in ROOMS[room]:
            message = self.make(target)
            if message:
                return "does not compile", message[-600:]
            failed = ""
            if target == ROOMS[room][0] and os.path.isfile(
                    os.path.join(self.tree, "tests", room, own)):
                failed = self.test(target, "--only=" + own)
            failed = failed or self.test(target)
            if failed:
                return "killed", failed
        return "SURVIVED", ""


def by_file(planted):
    """Bugs of one file come together, so that each costs one compilation."""
    ordered = sorted(planted, key=lambda p: p.file)
    return [list(group) for _, group in itertools.groupby(ordered, key=lambda p: p.file)]


def run_all(folder, planted, jobs):
    waiting = queue.Queue()
    for group in by_file(planted):
        waiting.put(group)
    results = {}
    errors = []

    def run_group(copy, group):
        path = os.path.join(copy.tree, group[0].file)
        original = read(path)
        try:
            for bug in group:
                start = time.monotonic()
                write(path, with_bug(original, bug))
                state, why = results[bug] = copy.kill(bug)
                print(f"{state:>16} {time.monotonic() - start:4.0f} s  {bug.file}: "
                      f"{bug.mutant.name}  {why}", flush=True)
        finally:
            write(path, original)

    def work(index):
        try:
            copy = Copy(ROOT, os.path.join(folder, f"copy{index}"))
            for target in ROOMS["perfgate/stats"]:
                failed = copy.make(target) or copy.test(target)
                if failed:
                    raise RuntimeError("the unchanged tree does not pass: " + failed)
            while True:
                try:
                    group = waiting.get_nowait()
                except queue.Empty:
                    return
                run_group(copy, group)
        except Exception as error:  # shown at the end; the other copies go on
            errors.append(str(error))

    threads = [threading.Thread(target=work, args=(i,)) for i in range(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results, errors


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=2, help="copies built and tested at once")
    parser.add_argument("--work", help="folder for the copies, kept; default: temporary")
    parser.add_argument("--only", default="",
                        help="only bugs whose name, function or file contains this")
    parser.add_argument("--check-list", action="store_true")
    options = parser.parse_args(arguments)
    planted, wrong = locate(ROOT, MUTANTS)
    for sentence in wrong:
        print(sentence, file=sys.stderr)
    if wrong or options.check_list:
        return 1 if wrong else 0
    chosen = [p for p in planted
              if any(options.only in text for text in (p.mutant.name, p.mutant.function, p.file))]
    if not chosen:
        print("no planted bug matches", file=sys.stderr)
        return 64
    folder = options.work or tempfile.mkdtemp(prefix="perfgate_mutants_")
    start = time.monotonic()
    try:
        results, errors = run_all(folder, chosen, max(1, options.jobs))
    finally:
        if not options.work:
            shutil.rmtree(folder, ignore_errors=True)
    broken = [p.mutant.name for p, (state, _) in results.items() if state == "does not compile"]
    survivors = [p for p, (state, _) in results.items() if state == "SURVIVED"]
    killed = len(results) - len(survivors) - len(broken)
    print(f"\n{killed} of {len(chosen)} planted bugs killed ({100.0 * killed / len(chosen):.1f} %) "
          f"in {(time.monotonic() - start) / 60:.0f} min")
    for bug in survivors:
        print(f"survived: {bug.file}: {bug.mutant.name}: {bug.mutant.find!r} -> "
              f"{bug.mutant.replace!r}")
    for sentence in errors + [f"does not compile: {name}" for name in broken]:
        print(sentence, file=sys.stderr)
    return 0 if not errors and not broken and killed >= WANTED * len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
