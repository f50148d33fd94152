#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the A/A rounds of session files to one small file.

usage: extract_rounds.py SESSION... > tests/data/calibration/aa_rounds.json

The sessions come from `perfgate run BIN BIN --rounds 160 --session SESSION`: the same executable
twice, so every difference is noise. Value [round][case] is the median over the slice pairs of
log(second / first), as the gate computes it; cases that miss a round are left out.
"""
import json
import math
import statistics
import sys


def rounds_of(session):
    """{case name: [d of every round]} for the cases measured in every round."""
    names = [case["name"] for case in session["cases"]]
    values = {name: [] for name in names}
    for entry in session["rounds"]:
        for case in entry["cases"]:
            first, second = case["values"][0]
            pairs = [math.log(b / a) for a, b in zip(first, second) if a and b]
            if pairs:
                values[names[case["case_index"]]].append(statistics.median(pairs))
    return {name: d for name, d in values.items() if len(d) == len(session["rounds"])}


def main(paths):
    if not paths:
        sys.exit(__doc__)
    columns = {}
    machine = ""
    for path in paths:
        with open(path, encoding="utf-8") as file:
            session = json.load(file)
        digests = {arm["digest"] for arm in session["arms"]}
        if len(session["arms"]) != 2 or len(digests) != 1:
            sys.exit(f"{path}: not one executable against itself")
        machine = session["machine"]["cpu_model"]
        columns.update(rounds_of(session))
    count = min(len(d) for d in columns.values())
    rows = [[round(d[r], 6) for d in columns.values()] for r in range(count)]
    about = (f"{count} A/A rounds of {len(columns)} cases recorded by perfgate run on {machine}, a "
             "shared VM with other work: log(second/first), median of the slice pairs, roles drawn "
             "by coin")
    lines = ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
    print('{"about":' + json.dumps(about) + ',\n"cases":' + json.dumps(list(columns)) +
          ',\n"rounds":[\n' + lines + "\n]}")


if __name__ == "__main__":
    main(sys.argv[1:])
