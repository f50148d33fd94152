#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does a gate name cases that a change does not touch, with one link of each arm and over layouts?

usage: layout.py --perfgate PROGRAM --state FOLDER [--changes 30] [--only WAY ...] [--share I/N]

Builds a suite of 24 cases (layout_suite.py, as any Google Benchmark program, linked dynamically) and
changes of it that leave every case alone, each plain and with -falign-functions=64, and gates them
against the suite at tolerance 0:

  off      one link of each arm, plain: what is named is the link
  confirm  as a gate does by default with layouts, plain and aligned
  always   every round over layouts, plain
  touched  one case does 5 % more, one link of each arm
  real     the same, decided by confirm: found or not, and in how many rounds; every second in a case
           that hardly depends on its layout

off and touched also ask of every case whether it runs the same code in both, and name it all the same.

Prints a table and every name. What is done is kept in FOLDER: a run that was stopped goes on. --share
runs every N-th gate from the I-th, so that several machines or cores can share the work; the lines of
their runs.jsonl in one FOLDER give the table of all. Exits 1 where confirm and always together name
untouched cases in more than 1 of 80 gates.
"""

import argparse
import json
import math
import os
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import layout_suite  # noqa: E402
from gate import Children, Interrupted  # noqa: E402
from state import State, write_atomically  # noqa: E402

ALIGNED = "-falign-functions=64"
SLICES = ["--slice", "2ms", "--pairs", "2"]
LONGEST_GATE_S = 900
CALM_SD = 0.02


def build(state, name, suite, flags, perfgate, count):
    """The folder of layouts of a suite, and its link as it is."""
    folder = state.path("builds", name)
    folder.mkdir(parents=True, exist_ok=True)
    compile_flags = ["-O2", "-ffunction-sections", "-fdata-sections", *flags]
    header_changed = not _same(folder / "cold.h", layout_suite.sources(suite)["cold.h"])
    todo = []
    for file, text in layout_suite.sources(suite).items():
        fresh = _same(folder / file, text) and (folder / file).with_suffix(".o").exists()
        if file.endswith(".cc") and (header_changed or not fresh):
            todo.append(file)
        write_atomically(folder / file, text)

    def compile_one(file):
        subprocess.run(["c++", *compile_flags, "-c", file, "-o", Path(file).with_suffix(".o").name],
                       cwd=folder, check=True)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(compile_one, todo))
    objects = sorted(f"{layout_suite.case_name(i)}.o" for i in range(layout_suite.CASES))
    subprocess.run([perfgate, "relink", "--later", "--count", str(count), "--output", "layouts", "--",
                    "c++", *objects, "-lbenchmark_main", "-lbenchmark", "-o", "suite"],
                   cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return folder / "layouts"


def _same(path, text):
    return path.exists() and path.read_text(encoding="utf-8") == text


def experiments(args):
    """(id, way, flags, change or case) of every gate, in the order in which they run."""
    for number in range(args.changes):
        yield f"off-{number}", "off", [], number
        yield f"confirm-{number}", "confirm", [], number
        yield f"confirm-aligned-{number}", "confirm", [ALIGNED], number
        if number < args.always:
            yield f"always-{number}", "always", [], number
        if number < args.touched:
            yield f"touched-{number}", "touched", [], number
    for number in range(args.real):
        yield f"real-{number}", "real", [], number


def slowed_case(way, number):
    calm = layout_suite.calm_cases()
    if way == "real" and number % 2 == 0:
        return calm[number // 2 % len(calm)]
    return number * 7 % layout_suite.CASES


def gate(state, children, args, way, flags, number, name):
    tag = "aligned" if flags else "plain"
    base = build(state, f"base-{tag}", layout_suite.base(), flags, args.perfgate, args.count)
    if way in ("real", "touched"):
        case = slowed_case(way, number)
        suite, kind = layout_suite.slowed(case), layout_suite.case_name(case)
        candidate = build(state, f"real-{case}", suite, flags, args.perfgate, args.count)
    else:
        kind, suite = layout_suite.changed(number)
        candidate = build(state, f"change-{tag}-{number}", suite, flags, args.perfgate, args.count)
    verdict = state.path("verdicts", f"{name}.json")
    layouts = {"real": "confirm", "touched": "off"}.get(way, way)
    tolerance = ["--tolerance", "2%" if way == "real" else "0"]
    command = [args.perfgate, "gate", "--baseline", str(base), "--candidate", str(candidate),
               "--layouts", layouts, "--budget", args.budget, "--json", str(verdict), *tolerance,
               *SLICES]
    if layouts == "off":
        command += ["--hot-code", "all", "--unchanged-code", "judge"]
    if args.cpu is not None:
        command += ["--cpu", str(args.cpu)]
    verdict.unlink(missing_ok=True)
    code, _ = children.run(command, LONGEST_GATE_S, state.path("log.txt"))
    if not verdict.exists():  # refused on a machine that is too busy for the budget
        return None
    result = json.loads(verdict.read_text(encoding="utf-8"))
    named = {c["case_name"]: c for c in result["columns"]
             if c["verdict"] in ("regression", "improvement")}
    case = f"BM_{kind}"
    column = next((c for c in result["columns"] if c["case_name"] == case), None)
    return {"id": name, "way": way, "aligned": bool(flags), "kind": kind, "exit": code,
            "named": {n: [c["verdict"], c["effect"]["estimate"]] for n, c in named.items()},
            "rounds": result["rounds"], "layout_rounds": result.get("layout_rounds", 0),
            "wall_s": result["wall_s"],
            "hot_code": {c["case_name"]: c["hot_code"] for c in result["columns"]
                         if c.get("hot_code")},
            "layout_sd": [c["layout_sd"] for c in result["columns"] if c.get("layout_sd")],
            "case": column and {"rounds": column["rounds"], "effect": column["effect"],
                                "rounds_to_fail": column.get("rounds_to_fail"),
                                "layout_sd": column.get("layout_sd")}}


def table(records):
    print("| gates | layouts | flags | name an untouched case | cases named | median wall, s |")
    print("| --- | --- | --- | --- | --- | --- |")
    for way, aligned in (("off", False), ("confirm", False), ("confirm", True), ("always", False)):
        rows = [r for r in records if r["way"] == way and r["aligned"] == aligned]
        if rows:
            wall = sorted(r["wall_s"] for r in rows)[len(rows) // 2]
            print(f"| {len(rows)} | {way} | {ALIGNED if aligned else 'plain'} | "
                  f"{sum(bool(r['named']) for r in rows)} | {sum(len(r['named']) for r in rows)} | "
                  f"{wall:.0f} |")
    for record in records:
        if record["named"] and record["way"] in ("confirm", "always"):
            print(f"named: {record['id']} ({record['kind']}): {record['named']}")
    hot_code(records)
    real = [r for r in records if r["way"] == "real"]
    for calm in (True, False):
        rows = [r for r in real if (layout_sd(r) <= CALM_SD) == calm]
        found = [r for r in rows if r["exit"] == 10 and f"BM_{r['kind']}" in r["named"]]
        if rows:
            print(f"\n+5 % in one case, layout SD {'at most' if calm else 'above'} 2 %: found in "
                  f"{len(found)} of {len(rows)} gates")
        for r in rows:
            print(f"- {r['kind']}: exit {r['exit']}, layout SD {100 * layout_sd(r):.1f} %, "
                  f"{r['layout_rounds']} rounds over layouts, {r['wall_s']:.0f} s"
                  + ("" if r in found else f", needs {needed_rounds(layout_sd(r))} rounds"))


def layout_sd(record):
    """Of the slowed case, both arms together; 0 where rounds show none beyond that of one link."""
    return (record["case"] or {}).get("layout_sd") or 0.0


def needed_rounds(sd):
    """Until 5 % is told from 2 % at alpha .003 with 80 % power: the normal formula."""
    return round(((2.75 + 0.84) * sd / math.log(1.05 / 1.02)) ** 2)


def hot_code(records):
    """What was said of the code of cases that a change touches and of those that it does not."""
    said = {True: Counter(), False: Counter()}
    for record in records:
        for case, words in record.get("hot_code", {}).items():
            touched = record["way"] == "touched" and case == f"BM_{record['kind']}"
            said[touched][words.split(":")[0]] += 1
    for touched, counts in said.items():
        if counts:
            print(f"code of {'touched' if touched else 'untouched'} cases: "
                  + ", ".join(f"{n} {what}" for what, n in counts.most_common()))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--perfgate", required=True)
    parser.add_argument("--state", required=True)
    parser.add_argument("--changes", type=int, default=30)
    parser.add_argument("--always", type=int, default=20)
    parser.add_argument("--touched", type=int, default=20)
    parser.add_argument("--real", type=int, default=40)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--budget", default="60s")
    parser.add_argument("--cpu", type=int)
    parser.add_argument("--share", default="0/1")
    parser.add_argument("--only", nargs="*", default=["off", "confirm", "always", "touched", "real"])
    args = parser.parse_args()
    args.perfgate = str(Path(args.perfgate).resolve())
    state = State(args.state)
    state.lock()
    state.freeze({"count": args.count, "budget": args.budget, "slices": SLICES})
    done = {r["id"] for r in state.records()}
    children = Children()
    try:
        share, shares = map(int, args.share.split("/"))
        for i, (name, way, flags, number) in enumerate(experiments(args)):
            if name in done or way not in args.only or i % shares != share:
                continue
            record = gate(state, children, args, way, flags, number, name)
            if record is None:
                print(f"{name}: no verdict; the same command tries again", file=sys.stderr)
                continue
            state.append(record)
            print(f"{name} ({record['kind']}): exit {record['exit']}, named {record['named']}",
                  file=sys.stderr)
    except (KeyboardInterrupt, Interrupted):
        children.stop()
        print("stopped; the same command goes on", file=sys.stderr)
        return 130
    records = state.records()
    table(records)
    false = [r for r in records if r["way"] in ("confirm", "always") and r["named"]]
    return 1 if len(false) > 1 else 0


if __name__ == "__main__":
    sys.exit(main())
