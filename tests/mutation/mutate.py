#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants small bugs in perfgate/stats and perfgate/verdict and counts those the tests notice.

usage: mutate.py [--jobs N] [--work DIR] [--only TEXT] [--check-list]

For every entry of mutants.py: change one place in a private copy of the tree, build the tests of
both modules and run them. A failed test kills the mutant; a mutant that does not compile proves
nothing and is an error. Ends with the survivors and exits 1 when fewer than 95 % were killed.
--check-list only checks that every planted bug still fits the code (seconds, no build).
"""
import argparse
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading

from mutants import MUTANTS

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
WANTED = 0.95
TESTS = r"^(stats|verdict)\."
TIMEOUT_S = 900


def planted(text, mutant):
    """The file's text with the bug. ValueError where the place is gone or not unique."""
    count = text.count(mutant.find)
    if count != 1:
        raise ValueError(f"{mutant.name}: {count} places in {mutant.file} match")
    if mutant.find == mutant.replace:
        raise ValueError(f"{mutant.name}: changes nothing")
    return text.replace(mutant.find, mutant.replace)


def located(root, mutant):
    """The mutant with the file that holds its place now: a file of that name anywhere in the module,
    else the only file of the module with that text. ValueError where there is none."""
    module = "/".join(mutant.file.split("/")[:2])
    names = [os.path.relpath(os.path.join(folder, name), root)
             for folder, _, found in os.walk(os.path.join(root, module)) for name in sorted(found)
             if name.endswith((".cc", ".h"))]
    same = [name for name in names if os.path.basename(name) == os.path.basename(mutant.file)
            and mutant.find in read(os.path.join(root, name))]
    holders = same or [name for name in names if mutant.find in read(os.path.join(root, name))]
    if len(holders) != 1:
        raise ValueError(f"{mutant.name}: {len(holders)} files of {module} have its place")
    return mutant._replace(file=holders[0])


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def problems(root, mutants):
    """What is wrong with the list itself, one sentence each."""
    found = []
    seen = set()
    for mutant in mutants:
        key = (mutant.file, mutant.find, mutant.replace)
        if key in seen:
            found.append(f"{mutant.name}: listed twice")
        seen.add(key)
        try:
            planted(read(os.path.join(root, located(root, mutant).file)), mutant)
        except (OSError, ValueError) as error:
            found.append(str(error))
    return found


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
                     "-DPERFGATE_CUDA=OFF", "-DPERFGATE_KERNELS=OFF", "-DPERFGATE_INSTALL=OFF"]
        if shutil.which("ccache"):
            configure.append("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
        subprocess.run(configure, check=True, stdout=subprocess.DEVNULL)

    def targets(self):
        listing = subprocess.run(["ninja", "-C", self.build, "-t", "targets", "all"], check=True,
                                 capture_output=True, text=True).stdout
        names = (line.split(":")[0] for line in listing.splitlines() if ": phony" in line)
        return sorted(n for n in names if n in ("test_stats", "test_verdict"))

    def make(self, targets):
        return subprocess.run(["cmake", "--build", self.build, "--parallel", "2", "--target",
                               *targets], capture_output=True, text=True)

    def test(self):
        """The names of the tests that fail; times out as a failure does."""
        command = ["ctest", "--test-dir", self.build, "-R", TESTS, "-LE",
                   "perf|calibration|nightly", "--no-tests=error", "--parallel", "2",
                   "--timeout", "120"]
        try:
            result = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S)
        except subprocess.TimeoutExpired:
            return ["(all: no end)"]
        if result.returncode == 0:
            return []
        failed = [line.split(" - ")[1].split(" (")[0] for line in result.stdout.splitlines()
                  if line.endswith(("(Failed)", "(Timeout)")) or "(SEGFAULT)" in line
                  or "(Subprocess" in line]
        return failed or ["(ctest: " + result.stdout[-200:] + ")"]


def run_one(copy, targets, mutant):
    mutant = located(copy.tree, mutant)
    path = os.path.join(copy.tree, mutant.file)
    original = read(path)
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(planted(original, mutant))
        made = copy.make(targets)
        if made.returncode != 0:
            return "does not compile", made.stdout[-600:]
        failed = copy.test()
        return ("killed", ", ".join(failed)) if failed else ("SURVIVED", "")
    finally:
        with open(path, "w", encoding="utf-8") as file:
            file.write(original)


def run_all(folder, mutants, jobs):
    waiting = queue.Queue()
    for mutant in mutants:
        waiting.put(mutant)
    results = {}
    errors = []

    def work(index):
        try:
            copy = Copy(ROOT, os.path.join(folder, f"copy{index}"))
            targets = copy.targets()
            made = copy.make(targets)
            failed = copy.test() if made.returncode == 0 else [made.stdout[-2000:]]
            if failed:
                raise RuntimeError("the unchanged tree does not pass: " + ", ".join(failed))
            while True:
                try:
                    mutant = waiting.get_nowait()
                except queue.Empty:
                    return
                results[mutant] = run_one(copy, targets, mutant)
                print(f"{results[mutant][0]:>16}  {mutant.file}: {mutant.name}"
                      f"  {results[mutant][1]}", flush=True)
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
    parser.add_argument("--only", default="", help="only bugs whose name or file contains this")
    parser.add_argument("--check-list", action="store_true")
    options = parser.parse_args(arguments)
    chosen = [m for m in MUTANTS if options.only in m.name or options.only in m.file]
    wrong = problems(ROOT, MUTANTS)
    for sentence in wrong:
        print(sentence, file=sys.stderr)
    if wrong or options.check_list:
        return 1 if wrong else 0
    if not chosen:
        print("no planted bug matches", file=sys.stderr)
        return 64
    folder = options.work or tempfile.mkdtemp(prefix="perfgate_mutants_")
    try:
        results, errors = run_all(folder, chosen, max(1, options.jobs))
    finally:
        if not options.work:
            shutil.rmtree(folder, ignore_errors=True)
    broken = [m.name for m, (state, _) in results.items() if state == "does not compile"]
    survivors = [m for m, (state, _) in results.items() if state == "SURVIVED"]
    killed = len(results) - len(survivors) - len(broken)
    print(f"\n{killed} of {len(chosen)} planted bugs killed ({100.0 * killed / len(chosen):.1f} %)")
    for mutant in survivors:
        print(f"survived: {mutant.file}: {mutant.name}: {mutant.find!r} -> {mutant.replace!r}")
    for sentence in errors + [f"does not compile: {name}" for name in broken]:
        print(sentence, file=sys.stderr)
    return 0 if not errors and not broken and killed >= WANTED * len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
