#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How often the second clock calls an honest candidate invalid, on a loaded machine.

    tests/proof/second_clock.py BUILD_DIR [--seconds 480] [--no-load] [--json FILE]

Gates honest programs for so many seconds: equal ones and ones that are 3 % slower, as a worker and
as a stock executable process by process, in cases of every kind of untimed work, while a busy
process per core computes and touches memory. Prints, per kind, the share of the wall that the
baseline's report does not explain (median and range over rounds), the noise of the excess x (its
median and standard deviation over rounds), and the numbers of verdicts. Exit code 1 where an honest
case was called invalid.
"""
import argparse
import collections
import json
import multiprocessing
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

KINDS = ("plain", "threaded", "manual", "pausing", "fixture")


def burn(share):
    """Busy for `share` of every 200 ms, as a compiler is between its files."""
    data = bytearray(1 << 22)
    while True:
        end = time.monotonic() + 0.2 * share
        while time.monotonic() < end:
            data[::64] = data[1::64]
        time.sleep(0.2 * (1 - share))


def excesses(session, case_index):
    """Of every round: x, and the share of the baseline's wall that is unexplained."""
    found = []
    for a_round in session["rounds"]:
        for measured in a_round["cases"]:
            if measured["case_index"] != case_index or not measured["slice_wall_s"]:
                continue
            wall = [sum(arm) for arm in measured["slice_wall_s"]]
            timed = [sum(arm) for arm in measured["slice_timed_s"]]
            left = [w - t for w, t in zip(wall, timed)]
            found.append(((left[1] - left[0]) / timed[0], left[0] / wall[0]))
    return found


def gate(perfgate, baseline, candidate, kind, options, folder):
    session_file, verdict_file = folder / "session.json", folder / "verdict.json"
    for file in (session_file, verdict_file):
        file.unlink(missing_ok=True)
    command = [perfgate, "gate", "--baseline", baseline, "--candidate", candidate, "--filter",
               f"^{kind}(/|$)", "--rounds", "10", "--pairs", "2", "--slice", "5ms",
               "--layouts", "off", "--oversubscribe", "--session", session_file, "--json",
               verdict_file, *options]
    if baseline == candidate:
        command.append("--aa")
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True,
                          timeout=300, check=False)
    if not session_file.exists() or not verdict_file.exists():
        sys.exit(f"{' '.join(map(str, command))}\nended with {done.returncode}: {done.stderr}")
    return json.loads(session_file.read_text()), json.loads(verdict_file.read_text())


def summary(values):
    if not values:
        return "-"
    return (f"{100 * statistics.median(values):6.2f} % "
            f"[{100 * min(values):.2f}, {100 * max(values):.2f}]")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=480)
    parser.add_argument("--no-load", action="store_true")
    parser.add_argument("--json", type=pathlib.Path)
    given = parser.parse_args()
    perfgate = given.build / "perfgate/cli/perfgate"
    programs = given.build / "tests/proof"
    runs = []
    for driver, options in (("worker", []), ("stock", ["--no-preload"])):
        base = programs / f"second_clock_{driver}"
        for change, candidate in (("equal", base), ("+3 %", programs / f"{base.name}_slower")):
            runs += [(driver, kind, change, base, candidate, options) for kind in KINDS]
    load = []
    if not given.no_load:
        load = [multiprocessing.Process(target=burn, args=(0.7,), daemon=True)
                for _ in range(os.cpu_count() or 1)]
    for process in load:
        process.start()
    shares, noise = collections.defaultdict(list), collections.defaultdict(list)
    reasons, false_invalid, gates = collections.Counter(), [], 0
    end = time.monotonic() + given.seconds
    try:
        with tempfile.TemporaryDirectory() as name:
            while time.monotonic() < end:
                for driver, kind, change, base, candidate, options in runs:
                    if time.monotonic() >= end:
                        break
                    session, verdict = gate(perfgate, base, candidate, kind, options,
                                            pathlib.Path(name))
                    gates += 1
                    for c in range(len(session["cases"])):
                        for x, share in excesses(session, c):
                            shares[driver, kind].append(share)
                            noise[driver, kind].append(x)
                    for column in verdict["columns"]:
                        reasons[column["verdict"]] += 1
                        if column["reason"].startswith("second_clock"):
                            reasons["withheld or invalid by the second clock"] += 1
                        if column["verdict"] == "invalid":
                            false_invalid.append((driver, kind, change, column["reason"]))
    finally:
        for process in load:
            process.terminate()
    print(f"{gates} gates of honest programs, {len(load)} busy processes beside them")
    print("driver  kind      rounds  unexplained wall, median [range]    "
          "x, median [range]                sd of x")
    for (driver, kind), values in sorted(shares.items()):
        x = noise[driver, kind]
        print(f"{driver:7} {kind:9} {len(values):6}  {summary(values):34}  {summary(x):32} "
              f"{100 * statistics.pstdev(x):7.2f} %")
    for word, count in sorted(reasons.items()):
        print(f"{count:5} {word}")
    print(f"false invalid: {len(false_invalid)} of {gates}")
    for driver, kind, change, reason in false_invalid:
        print(f"  {driver} {kind} {change}: {reason}")
    if given.json:
        given.json.write_text(json.dumps({"gates": gates, "verdicts": reasons,
                                          "false_invalid": false_invalid}, indent=1) + "\n")
    return 1 if false_invalid else 0


if __name__ == "__main__":
    sys.exit(main())
