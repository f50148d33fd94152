#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Puts the tables of the calibration programs into docs/statistics.md.

usage: write_tables.py BUILD [PROGRAM ...] [--from FILE] [--skip TABLE] [--check]

Runs BUILD/tests/calibration/calibration_PROGRAM, or all of them where none is named, and takes what
they print between the lines

  <!-- table: NAME -->
  <!-- end of table -->

A block of the same name in the document is replaced; everything else in it stays as it is.
  --from FILE    takes tables from saved output, too ("-": standard input); with it and no BUILD,
                 nothing is run
  --skip TABLE   a table of the document that no calibration program prints, such as timings
  --check        changes nothing; exits 1 where a table differs
  --document     another document than docs/statistics.md

Exits 1 where a printed table has no block in the document, or where all programs ran and a block
got no table. The programs draw fixed random numbers, so a table differs only where a program or the
statistics changed, on every machine with the same floating-point library.
"""
import argparse
import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

START = re.compile(r"<!-- table: (\S+) -->")
END = "<!-- end of table -->"
DOCUMENT = pathlib.Path(__file__).resolve().parents[2] / "docs" / "statistics.md"


class Mistake(Exception):
    """Text that is not well formed, or a program that failed."""


def split(text, where):
    """[(name or None, lines)]: the tables, markers excluded, and what stands between them."""
    parts = [(None, [])]
    names = set()
    for number, line in enumerate(text.split("\n"), 1):
        start = START.fullmatch(line.strip())
        inside = parts[-1][0] is not None
        if start:
            if inside:
                raise Mistake(f"{where}:{number}: table {parts[-1][0]} has no end")
            if start[1] in names:
                raise Mistake(f"{where}:{number}: a second table {start[1]}")
            names.add(start[1])
            parts.append((start[1], []))
        elif line.strip() == END:
            if not inside:
                raise Mistake(f"{where}:{number}: an end without a table")
            parts.append((None, []))
        else:
            parts[-1][1].append(line)
    if parts[-1][0] is not None:
        raise Mistake(f"{where}: table {parts[-1][0]} has no end")
    return parts


def tables_in(text, where):
    """{name: lines} of the tables in a text."""
    return {name: lines for name, lines in split(text, where) if name is not None}


def replaced(document, tables):
    """The document with the lines of its blocks replaced by those of `tables`."""
    lines = []
    for name, old in split(document, "document"):
        if name is None:
            lines += old
        else:
            lines += [f"<!-- table: {name} -->", *tables.get(name, old), END]
    return "\n".join(lines)


def programs_in(build, names):
    """The executables of these names, or all."""
    folder = pathlib.Path(build) / "tests" / "calibration"
    if not names:
        found = sorted(p for p in folder.glob("calibration_*") if os.access(p, os.X_OK) and
                       p.is_file())
        if not found:
            raise Mistake(f"no calibration program in {folder}; build them first")
        return found
    found = [folder / f"calibration_{name}" for name in names]
    for path in found:
        if not path.is_file():
            raise Mistake(f"{path} does not exist; build it first")
    return found


def add(tables, more, where):
    for name, lines in more.items():
        if name in tables:
            raise Mistake(f"{where}: table {name} was printed before")
        tables[name] = lines


def collect(options):
    """{name: lines} of all tables that were printed."""
    tables = {}
    for source in options.sources:
        text = sys.stdin.read() if source == "-" else pathlib.Path(source).read_text("utf-8")
        add(tables, tables_in(text, source), source)
    for path in programs_in(options.build, options.programs) if options.build else []:
        print(f"running {path.name}", file=sys.stderr, flush=True)
        done = subprocess.run([path], stdout=subprocess.PIPE, check=False)
        if done.returncode != 0:
            raise Mistake(f"{path.name} ended with {done.returncode}")
        printed = tables_in(done.stdout.decode("utf-8"), path.name)
        if not printed:
            raise Mistake(f"{path.name} printed no table")
        add(tables, printed, path.name)
    return tables


def write(path, text):
    """Replaces a file as a whole or not at all."""
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, delete=False) as file:
        file.write(text)
    os.chmod(file.name, path.stat().st_mode & 0o777)
    os.replace(file.name, path)


def update(options):
    """Returns the list of complaints."""
    document = options.document.read_text("utf-8")
    blocks = tables_in(document, options.document.name)
    for name in options.skip:
        if name not in blocks:
            raise Mistake(f"--skip {name}: the document has no such table")
    tables = collect(options)
    complaints = [f"table {name} is printed, but {options.document.name} has no place for it"
                  for name in tables if name not in blocks]
    if options.build and not options.programs:
        complaints += [f"no program prints table {name}" for name in blocks
                       if name not in tables and name not in options.skip]
    new = replaced(document, tables)
    if options.check:
        for name, lines in tables.items():
            if name in blocks and lines != blocks[name]:
                difference = difflib.unified_diff(blocks[name], lines, options.document.name,
                                                  "printed", lineterm="", n=0)
                complaints.append("\n".join([f"table {name} differs", *difference]))
    elif new != document:
        write(options.document, new)
    return complaints


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", nargs="?")
    parser.add_argument("programs", nargs="*", metavar="program")
    parser.add_argument("--from", action="append", default=[], dest="sources", metavar="FILE")
    parser.add_argument("--skip", action="append", default=[], metavar="TABLE")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--document", type=pathlib.Path, default=DOCUMENT)
    options = parser.parse_args(arguments)
    if not options.build and not options.sources:
        parser.error("needs a build folder or --from FILE")
    try:
        complaints = update(options)
    except (Mistake, OSError, UnicodeDecodeError) as error:
        complaints = [str(error)]
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
