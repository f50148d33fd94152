#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does a gate on two commands tell a slower one from the same, and does hyperfine?

usage: commands.py --perfgate PROGRAM --state FOLDER [--alike 100] [--slower 10] [--share I/N]

Builds a program that works for some 20 ms and one that does 3 % more of the same, and gates at
tolerance 0 with at most 60 s each:

  alike   the program against a copy of itself
  slower  the other one against it

Where hyperfine is installed it compares the same pairs with 10 warm-ups and as many runs as a gate
made; it calls a command faster where the relative speed is beyond its own error.

Prints a table. What is done is kept in FOLDER: a run that was stopped goes on. Exits 1 where more
than 3 of 100 alike pairs are named, or fewer than 9 of 10 slower ones found.
"""

import argparse
import json
import math
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from gate import Children, Interrupted  # noqa: E402
from state import State, write_atomically  # noqa: E402

SOURCE = """#include <cstdint>
int main() {
  volatile std::uint64_t seed = 1;
  std::uint64_t x = seed;
  for (std::uint64_t i = 0; i < ROUNDS; ++i) x = x * 6364136223846793005u + (x >> 33);
  return x == 0;
}
"""
USUAL, SLOWED = 12_000_000, 12_360_000
LONGEST_GATE_S = 180


def build(state, name, rounds):
    source = state.path("builds", f"{name}.cc")
    source.parent.mkdir(parents=True, exist_ok=True)
    text = SOURCE.replace("ROUNDS", str(rounds))
    program = source.with_suffix("")
    if not program.exists() or source.read_text(encoding="utf-8") != text:
        write_atomically(source, text)
        subprocess.run(["c++", "-O2", str(source), "-o", str(program)], check=True)
    return program


def hyperfine(state, baseline, candidate, name, runs):
    """'slower', 'faster' or 'same', by the relative speed and its error; None: not installed."""
    if shutil.which("hyperfine") is None:
        return None
    out = state.path("verdicts", f"{name}-hyperfine.json")
    subprocess.run(["hyperfine", "-N", "--warmup", "10", "--runs", str(max(10, runs)),
                    "--export-json", str(out), str(baseline), str(candidate)],
                   check=True, capture_output=True)
    one, other = json.loads(out.read_text(encoding="utf-8"))["results"]
    ratio = other["mean"] / one["mean"]
    error = ratio * math.hypot(one["stddev"] / one["mean"], other["stddev"] / other["mean"])
    if abs(ratio - 1) <= error:
        return "same"
    return "slower" if ratio > 1 else "faster"


def measure(state, children, args, way, name):
    usual = build(state, "usual", USUAL)
    other = build(state, way, USUAL if way == "alike" else SLOWED)
    verdict = state.path("verdicts", f"{name}.json")
    verdict.parent.mkdir(parents=True, exist_ok=True)
    verdict.unlink(missing_ok=True)
    code, _ = children.run([args.perfgate, "gate", "--tolerance", "0%", "--budget", "60s", "--json",
                         str(verdict), "--command", "--", str(usual), str(other)],
                        LONGEST_GATE_S, state.path("log.txt"))
    if not verdict.exists():
        return None
    result = json.loads(verdict.read_text(encoding="utf-8"))
    column = next(c for c in result["columns"] if c["metric"]["name"] == "real_time")
    runs = 4 * column["rounds"]
    return {"id": name, "way": way, "exit": code, "verdict": column["verdict"],
            "effect": column["effect"]["estimate"], "rounds": column["rounds"],
            "wall_s": result["wall_s"], "hyperfine": hyperfine(state, usual, other, name, runs)}


def table(records):
    print("| pairs | gates | slower | faster | rounds, median | wall, median s | hyperfine: slower | faster |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for way in ("alike", "slower"):
        rows = [r for r in records if r["way"] == way]
        if not rows:
            continue
        count = lambda key, word: sum(r[key] == word for r in rows)  # noqa: E731
        middle = lambda key: sorted(r[key] for r in rows)[len(rows) // 2]  # noqa: E731
        known = [r for r in rows if r["hyperfine"] is not None]
        theirs = [sum(r["hyperfine"] == word for r in known) for word in ("slower", "faster")]
        print(f"| {way} | {len(rows)} | {count('verdict', 'regression')} | "
              f"{count('verdict', 'improvement')} | {middle('rounds')} | {middle('wall_s'):.1f} | "
              + " | ".join(f"{n} of {len(known)}" for n in theirs) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--perfgate", required=True)
    parser.add_argument("--state", required=True)
    parser.add_argument("--alike", type=int, default=100)
    parser.add_argument("--slower", type=int, default=10)
    parser.add_argument("--share", default="0/1", help="every N-th run, from the I-th")
    args = parser.parse_args()
    args.perfgate = str(Path(args.perfgate).resolve())
    state = State(args.state)
    state.lock()
    state.freeze({"rounds": [USUAL, SLOWED]})
    done = {r["id"] for r in state.records()}
    children = Children()
    share, shares = map(int, args.share.split("/"))
    runs = [(f"slower-{i}", "slower") for i in range(args.slower)]
    runs += [(f"alike-{i}", "alike") for i in range(args.alike)]
    try:
        for i, (name, way) in enumerate(runs):
            if name in done or i % shares != share:
                continue
            record = measure(state, children, args, way, name)
            if record is None:
                print(f"{name}: no verdict; the same command tries again", file=sys.stderr)
                continue
            state.append(record)
            print(f"{name}: {record['verdict']} {100 * record['effect']:+.2f} %, "
                  f"hyperfine: {record['hyperfine']}", file=sys.stderr)
    except (KeyboardInterrupt, Interrupted):
        children.stop()
        print("stopped; the same command goes on", file=sys.stderr)
        return 130
    records = state.records()
    table(records)
    alike = [r for r in records if r["way"] == "alike"]
    slower = [r for r in records if r["way"] == "slower"]
    named = sum(r["verdict"] in ("regression", "improvement") for r in alike)
    found = sum(r["verdict"] == "regression" for r in slower)
    return 1 if named > 3 * max(1, len(alike) / 100) or found < 0.9 * len(slower) else 0


if __name__ == "__main__":
    sys.exit(main())
