#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does a gate with its default budget decide suites that were not written for perfgate?

usage: budget.py --perfgate PROGRAM --state FOLDER [--slower 10] [--alike 20] [--large 3] [--share I/N]

Builds a suite of 8 cases as any Google Benchmark program, linked dynamically: one case makes its data
once in every process, one before every loop. Then runs, all with the defaults:

  slower  one case does 15 % more: must be found (exit 10, that case named)
  alike   the suite against itself (--aa): must be green (exit 0)
  large   60 cases against themselves: wall time until the verdict

and two rounds with a process for every slice, 4 pairs and slices lengthened for set-up, whose time is
printed beside that of the rounds above. What is done is kept in FOLDER: a run that was stopped goes
on. Exits 1 where one of the promises is broken; seconds are printed and not judged, but for the
verdict on 60 cases in 5 minutes.
"""

import argparse
import json
import statistics
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from gate import Children, Interrupted  # noqa: E402
from state import State, write_atomically  # noqa: E402

SOURCE = r"""
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace {

std::vector<std::uint32_t> Shuffled(std::size_t count, int passes) {
  std::vector<std::uint32_t> values(count);
  std::iota(values.begin(), values.end(), 0);
  std::mt19937 random(1);
  for (int i = 0; i < passes; ++i) std::shuffle(values.begin(), values.end(), random);
  return values;
}

std::uint64_t Mix(const std::uint32_t* values, std::size_t count) {
  std::uint64_t hash = 14695981039346656037u;
  for (std::size_t i = 0; i < count; ++i) hash = (hash ^ values[i]) * 1099511628211u;
  return hash;
}

void BM_Mix(benchmark::State& state) {
  const auto values = Shuffled(static_cast<std::size_t>(state.range(0)), 1);
  for (auto _ : state) benchmark::DoNotOptimize(Mix(values.data(), values.size()));
}
BENCHMARK(BM_Mix)CASES;

void BM_Slowed(benchmark::State& state) {
  const auto values = Shuffled(2000, 1);
  for (auto _ : state) benchmark::DoNotOptimize(Mix(values.data(), PART));
}
BENCHMARK(BM_Slowed);

// Its data is made once in every process.
void BM_OncePerProcess(benchmark::State& state) {
  static const std::vector<std::uint32_t> values = Shuffled(1u << 20, 50);
  for (auto _ : state) benchmark::DoNotOptimize(Mix(values.data(), 5000));
}
BENCHMARK(BM_OncePerProcess);

// Its data is made before every loop.
void BM_OncePerLoop(benchmark::State& state) {
  const std::vector<std::uint32_t> values = Shuffled(1u << 18, 60);
  for (auto _ : state) benchmark::DoNotOptimize(Mix(values.data(), 5000));
}
BENCHMARK(BM_OncePerLoop);

}  // namespace

BENCHMARK_MAIN();
"""

# What BM_Slowed mixes, of 2,000 numbers.
USUAL, SLOWED = 1700, 1955
FIVE = "->Arg(500)->Arg(1000)->Arg(1500)->Arg(2500)->Arg(4000)"
LONGEST_GATE_S = 1200
LARGE_LIMIT_S = 300


def build(state, name, part, cases):
    source = state.path("builds", f"{name}.cc")
    source.parent.mkdir(parents=True, exist_ok=True)
    text = SOURCE.replace("PART", str(part)).replace(")CASES", ")" + cases)
    program = source.with_suffix("")
    if not program.exists() or source.read_text(encoding="utf-8") != text:
        write_atomically(source, text)
        subprocess.run(["c++", "-O2", str(source), "-o", str(program), "-lbenchmark", "-lpthread"],
                       check=True)
    return program


def experiments(args):
    """(id, way) of every run."""
    yield "uncut", "uncut"
    for number in range(max(args.slower, args.alike)):
        if number < args.slower:
            yield f"slower-{number}", "slower"
        if number < args.alike:
            yield f"alike-{number}", "alike"
    for number in range(args.large):
        yield f"large-{number}", "large"


def measure(state, children, args, way, name):
    usual = build(state, "usual", USUAL, FIVE)
    slower = build(state, "slower", SLOWED, FIVE)
    large = build(state, "large", USUAL, "->DenseRange(500, 6100, 100)")
    verdict, session = (state.path("verdicts", f"{name}{end}.json") for end in ("", "-session"))
    arms = {"slower": ["--baseline", usual, "--candidate", slower], "alike": ["--aa", "--candidate", usual],
            "large": ["--aa", "--candidate", large],
            "uncut": ["--aa", "--candidate", usual, "--no-preload", "--rounds", "2", "--pairs", "4"]}
    command = [args.perfgate, "gate", *map(str, arms[way]), "--json", str(verdict),
               "--session", str(session), "--hot-code", "off"]
    if args.cpu is not None:
        command += ["--cpu", str(args.cpu)]
    code, _ = children.run(command, LONGEST_GATE_S, state.path("log.txt"))
    result = json.loads(verdict.read_text(encoding="utf-8"))
    rounds = json.loads(session.read_text(encoding="utf-8"))["rounds"]
    session.unlink()
    whole = [r["wall_s"] for r in rounds if len(r["cases"]) == len(result["columns"])]
    return {"id": name, "way": way, "exit": code, "wall_s": result["wall_s"],
            "rounds": result["rounds"], "round_s": statistics.median(whole),
            "plan": result["schedule"].get("plan", ""),
            "named": [c["case_name"] for c in result["columns"]
                      if c["verdict"] in ("regression", "improvement")]}


def judge(records):
    """Prints what was found; True where every promise holds."""
    rows = {way: [r for r in records if r["way"] == way]
            for way in ("uncut", "slower", "alike", "large")}
    found = [r for r in rows["slower"] if r["exit"] == 10 and r["named"] == ["BM_Slowed"]]
    green = [r for r in rows["alike"] if r["exit"] == 0]
    in_time = [r for r in rows["large"] if r["exit"] == 0 and r["wall_s"] <= LARGE_LIMIT_S]
    print("| gates | what | as promised | rounds, median | wall, median s | round, median s |")
    print("| --- | --- | --- | --- | --- | --- |")
    for what, way, good in (("+15 % in one case", "slower", found), ("itself", "alike", green),
                            ("60 cases, itself", "large", in_time)):
        if rows[way]:
            middle = {key: statistics.median(r[key] for r in rows[way])
                      for key in ("rounds", "wall_s", "round_s")}
            print(f"| {len(rows[way])} | {what} | {len(good)} | {middle['rounds']:g} | "
                  f"{middle['wall_s']:.1f} | {middle['round_s']:.2f} |")
            print(f"{rows[way][0]['plan']}", file=sys.stderr)
    for row in records:
        if row["way"] != "uncut" and row not in found + green + in_time:
            print(f"broken: {row}")
    if rows["uncut"] and rows["alike"]:
        before = rows["uncut"][0]["round_s"]
        now = statistics.median(r["round_s"] for r in rows["alike"])
        print(f"\na round: {before:.2f} s with a process a slice and uncut, {now:.2f} s now: "
              f"{before / now:.1f} times less")
    return len(found + green + in_time) == len(records) - len(rows["uncut"])


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--perfgate", required=True)
    parser.add_argument("--state", required=True)
    parser.add_argument("--slower", type=int, default=10)
    parser.add_argument("--alike", type=int, default=20)
    parser.add_argument("--large", type=int, default=3)
    parser.add_argument("--cpu", type=int)
    parser.add_argument("--share", default="0/1", help="every N-th run, from the I-th")
    args = parser.parse_args()
    args.perfgate = str(Path(args.perfgate).resolve())
    state = State(args.state)
    state.lock()
    done = {r["id"] for r in state.records()}
    children = Children()
    try:
        share, shares = map(int, args.share.split("/"))
        for i, (name, way) in enumerate(experiments(args)):
            if name not in done and i % shares == share:
                record = measure(state, children, args, way, name)
                state.append(record)
                print(record, file=sys.stderr)
    except (KeyboardInterrupt, Interrupted):
        children.stop()
        print("stopped; the same command goes on", file=sys.stderr)
        return 130
    return 0 if judge(state.records()) else 1


if __name__ == "__main__":
    sys.exit(main())
