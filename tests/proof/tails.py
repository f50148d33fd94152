#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does a gate on recorded runs of a real server find a tail that its median hides?

usage: tails.py --perfgate PROGRAM --runs FILE... [--gates 20] [--baseline 10] [--candidate 3]
                [--seed 1]

FILEs are runs of one server under one load, each with all of its requests, as `vllm bench serve
--save-result --save-detailed` or suites/engine/engine_load.py write them. Every gate draws some for
the baseline and others for the candidate. In the candidate's a share of the requests, drawn anew,
gets a first token that is several times as late. `none` is the same gate with nothing changed: the
server against itself.

Prints a table: how many gates are red (10 or 15), and how many name each metric. Exits 1 where fewer
than 19 of 20 changed ones are red, or more than 1 of 20 unchanged ones.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

CHANGES = [(0, 1)] + [(share, factor) for share in (0.01, 0.02, 0.04) for factor in (3, 5, 10)]
SHOWN = ("ttft", "ttft_p95", "ttft_p99", "ttft_tail_mean", "e2e_latency_p99", "e2e_latency_tail_mean")


def slowed(run, share, factor, draw):
    """A copy in which that share of the requests waits `factor` times as long for its first token.
    What the tool printed of the whole run would no longer be true, and is left out."""
    copy = {key: value for key, value in run.items()
            if not any(word in key for word in ("ttft_ms", "e2el_ms", "tpot_ms"))}
    copy["ttfts"], copy["latencies"] = list(run["ttfts"]), list(run["latencies"])
    for i, ttft in enumerate(run["ttfts"]):
        if draw.random() < share:
            copy["ttfts"][i] += (factor - 1) * ttft
            copy["latencies"][i] += (factor - 1) * ttft
    return copy


def imported(perfgate, arm, runs, folder):
    files = [folder / f"{arm}-{i}.json" for i in range(len(runs))]
    for file, run in zip(files, runs):
        file.write_text(json.dumps(run), encoding="utf-8")
    session = folder / f"{arm}.session.json"
    subprocess.run([perfgate, "import", *files, "--arm", arm, "--output", session], check=True,
                   stdout=subprocess.DEVNULL)
    return session


def gate(args, runs, share, factor, draw, folder):
    """The exit code and the metrics that are named as slower."""
    drawn = draw.sample(runs, args.baseline + args.candidate)
    changed = [slowed(run, share, factor, draw) for run in drawn[args.baseline:]]
    baseline = imported(args.perfgate, "baseline", drawn[:args.baseline], folder)
    candidate = imported(args.perfgate, "candidate", changed, folder)
    out = folder / "verdict.json"
    out.unlink(missing_ok=True)
    done = subprocess.run([args.perfgate, "gate", "--baseline", baseline, "--candidate", candidate,
                           "--json", out], stdout=subprocess.DEVNULL, check=False)
    verdict = json.loads(out.read_text(encoding="utf-8"))
    named = {column["metric"]["name"] for column in verdict["columns"]
             if column["verdict"] in ("regression", "suspected")}
    return done.returncode, named


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--perfgate", required=True)
    parser.add_argument("--runs", nargs="+", required=True, type=Path)
    parser.add_argument("--gates", type=int, default=20)
    parser.add_argument("--baseline", type=int, default=10, help="runs of the baseline")
    parser.add_argument("--candidate", type=int, default=3, help="runs of the candidate")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    if len(args.runs) < args.baseline + args.candidate:
        parser.error(f"--runs: {args.baseline + args.candidate} files or more")
    runs = [json.loads(file.read_text(encoding="utf-8")) for file in args.runs]
    draw, kept = random.Random(args.seed), True
    requests = sorted(len(run["ttfts"]) for run in runs)
    print(f"{len(runs)} runs of {requests[0]} to {requests[-1]} requests; {args.baseline} against "
          f"{args.candidate}\n")
    print("| slow requests | times as slow | red | " + " | ".join(SHOWN) + " |")
    print("| --- | --- | --- |" + " --- |" * len(SHOWN))
    with tempfile.TemporaryDirectory() as scratch:
        for share, factor in CHANGES:
            gates = [gate(args, runs, share, factor, draw, Path(scratch))
                     for _ in range(args.gates)]
            red = sum(code in (10, 15) for code, _ in gates)
            counts = [sum(name in named for _, named in gates) for name in SHOWN]
            what = f"{100 * share:g} % | {factor}" if share else "none | 1"
            print(f"| {what} | {red} of {len(gates)} | " + " | ".join(map(str, counts)) + " |",
                  flush=True)
            kept &= red >= 0.95 * len(gates) if share else red <= 0.05 * len(gates)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
