#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How much of the noise each design of measurement cancels, on this machine.

  tests/e2e/variance/variance_table.py build/release/tests/proof/proof_suite

prints, per case, the standard deviation of the A/A log ratio (one executable on both sides) at
equal measuring time for three designs:
  serial     one process after the other, as with two ordinary benchmark runs
  unpinned   both processes at once, slices alternated, cores left to the system
  same core  both processes at once, slices alternated, both pinned to one core
One pair is a fresh launch of both sides with --slices slices of 10 ms per side and case. Serial:
the log ratio of the two medians. Alternated: the median of the slice pairs' log ratios. The designs
take turns in random order, so all see the same minutes. 40 pairs of 8 cases take about four
minutes (--pairs, --cases, --slices). --load adds background load that comes and goes.
"robust" is 1.4826 times the median absolute deviation. Exit 2: the executable is no worker.
"""

import argparse
import math
import os
import random
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "proof"))

from background_load import BackgroundLoad  # noqa: E402
from worker import Worker, WorkerError  # noqa: E402

DESIGNS = ("serial", "unpinned", "same core")
CASES = ("matrix/op:multiply/size:8", "sort/kind:std/count:4096", "text/op:append",
         "search/kind:unordered_map/count:4096", "memory/op:memcpy/bytes:1048576",
         "memory/op:chase/bytes:262144", "row/op:softmax/cols:32", "control/kind:state_machine")
SLICE = 0.01  # seconds


def serial(executable, plan, slices, order):
    """{case: log ratio} of two launches, the second after the first."""
    medians = []
    for _ in range(2):
        medians.append({})
        with Worker(executable) as worker:
            for case in order:
                worker.slice(case, plan[case])  # warm-up
                medians[-1][case] = statistics.median(
                    worker.slice(case, plan[case]) for _ in range(slices))
    return {case: math.log(medians[1][case] / medians[0][case]) for case in order}


def alternated(executable, plan, slices, order, cpus):
    """{case: log ratio} of two launches at once; the side that goes first alternates."""
    ratios = {}
    with Worker(executable, cpus) as one, Worker(executable, cpus) as two:
        for case in order:
            for worker in (one, two):
                worker.slice(case, plan[case])  # warm-up
            logs = []
            for i in range(slices):
                sides = [(one, -1), (two, 1)]
                logs.append(sum(sign * math.log(worker.slice(case, plan[case]))
                                for worker, sign in (sides if i % 2 == 0 else sides[::-1])))
            ratios[case] = statistics.median(logs)
    return ratios


def robust_sd(values):
    middle = statistics.median(values)
    return 1.4826 * statistics.median(abs(v - middle) for v in values)


def render(logs, names):
    """The table. logs: {design: {case name: log ratios}}."""
    lines = ["| case | " + " | ".join(f"{d}, SD (robust)" for d in DESIGNS) +
             " | serial / same core | unpinned / same core |", "|---" * 6 + "|"]
    for name in names:
        spread = {d: statistics.stdev(logs[d][name]) for d in DESIGNS}
        cells = [f"{100 * spread[d]:.2f} % ({100 * robust_sd(logs[d][name]):.2f} %)"
                 for d in DESIGNS]
        quotients = [f"{spread[d] / spread['same core']:.1f}" if spread["same core"] > 0 else "-"
                     for d in ("serial", "unpinned")]
        lines.append("| " + " | ".join([name, *cells, *quotients]) + " |")
    return "\n".join(lines)


def measure(options):
    """{design: {case name: log ratios}} in names' order, and the names."""
    cpu = options.cpu if options.cpu is not None else max(os.sched_getaffinity(0))
    rng = random.Random(options.seed)
    with Worker(options.executable, {cpu}) as worker:
        known = worker.cases()
        missing = [name for name in options.cases if name not in known]
        if missing:
            raise WorkerError(f"{options.executable} has no case {', '.join(missing)}")
        plan = {known.index(n): worker.calibrate(known.index(n), SLICE) for n in options.cases}
    logs = {design: {name: [] for name in options.cases} for design in DESIGNS}
    for pair in range(options.pairs):
        for design in rng.sample(DESIGNS, len(DESIGNS)):
            order = rng.sample(list(plan), len(plan))
            if design == "serial":
                ratios = serial(options.executable, plan, options.slices, order)
            else:
                ratios = alternated(options.executable, plan, options.slices, order,
                                    {cpu} if design == "same core" else None)
            for case, value in ratios.items():
                logs[design][known[case]].append(value)
        if sys.stderr.isatty():
            print(f"\r{pair + 1}/{options.pairs} pairs", end="", file=sys.stderr)
    return logs


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("executable", help="links perfgate::main, e.g. the proof suite")
    parser.add_argument("--pairs", type=int, default=40, help="per design, at least 2 [40]")
    parser.add_argument("--slices", type=int, default=8, help="per side, case and pair [8]")
    parser.add_argument("--cases", nargs="+", default=list(CASES), metavar="NAME")
    parser.add_argument("--cpu", type=int, help="of `same core` [the last one allowed]")
    parser.add_argument("--load", action="store_true", help="with background load")
    parser.add_argument("--seed", type=int, default=1, help="of the orders [1]")
    options = parser.parse_args(arguments)
    if options.pairs < 2:
        parser.error("--pairs must be at least 2")
    load = BackgroundLoad(options.seed)
    start = time.monotonic()
    try:
        with load.wanted(options.load):
            logs = measure(options)
    except (WorkerError, OSError, ValueError) as error:
        print(f"variance_table.py: {error}", file=sys.stderr)
        return 2
    finally:
        load.close()
    print(render(logs, options.cases))
    print(f"\n{options.pairs} pairs per design, {options.slices} slices of 10 ms per side and "
          f"case, {'with' if options.load else 'no added'} background load, "
          f"{time.monotonic() - start:.0f} s.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
