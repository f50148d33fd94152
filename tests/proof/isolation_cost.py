#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What isolation costs: the same A/A gate with and without, in turns.

    tests/proof/isolation_cost.py PERFGATE EXECUTABLE [--gates 20] [--rounds 10] [gate options]

Prints the medians of the wall time of a session and of a round, their ratio, and the difference
per launch (an isolated gate starts every arm through bubblewrap, once a round for a worker).
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile


def session_of(perfgate, executable, rounds, more, folder):
    file = pathlib.Path(folder) / "session.json"
    command = [perfgate, "gate", "--aa", "--baseline", executable, "--candidate", executable,
               "--rounds", str(rounds), "--session", str(file)] + more
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 12):
        sys.exit(f"{' '.join(command)} exited with {done.returncode}: {done.stderr}")
    return json.loads(file.read_text())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("perfgate")
    parser.add_argument("executable")
    parser.add_argument("--gates", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=10)
    given, options = parser.parse_known_args()
    rounds = {"open": [], "isolated": []}
    sessions = {"open": [], "isolated": []}
    with tempfile.TemporaryDirectory() as folder:
        for gate in range(given.gates):
            order = ["open", "isolated"] if gate % 2 == 0 else ["isolated", "open"]
            for level in order:
                more = [word for word in options if word != "--"] + (["--isolate=require"] if level == "isolated" else [])
                session = session_of(given.perfgate, given.executable, given.rounds, more, folder)
                # Rounds of all cases only: later ones measure what is still open.
                first = session["rounds"][:6]
                rounds[level] += [one["wall_s"] for one in first]
                sessions[level].append(sum(one["wall_s"] for one in first))
    typical = {level: statistics.median(walls) for level, walls in rounds.items()}
    whole = {level: statistics.median(walls) for level, walls in sessions.items()}
    difference = typical["isolated"] - typical["open"]
    print(f"{given.gates} gates each: a round takes {1e3 * typical['open']:.1f} ms in the open and "
          f"{1e3 * typical['isolated']:.1f} ms isolated "
          f"({100 * difference / typical['open']:+.1f} %)")
    print(f"the first 6 rounds: {whole['open']:.3f} s and {whole['isolated']:.3f} s "
          f"({100 * (whole['isolated'] / whole['open'] - 1):+.1f} %)")
    print(f"per launch: {1e3 * difference / 2:+.1f} ms")


if __name__ == "__main__":
    main()
