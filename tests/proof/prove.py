#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows on this machine that perfgate is right about noise and about slowdowns.

  tests/proof/prove.py --build build/release --state build/proof-state

runs, interleaved in random order and half of them under background load:
  100 gates of the proof suite against itself (tolerance 0): how many fail?
  gates of builds that are 3, 5 or 10 % slower in one case, 20 of each in cases quiet enough to
  show it: how many are found, is the right case named, does the interval hold the truth?
and beside each, what three usual rules say of two ordinary runs, one after the other. Takes about
two hours on four cores. Every finished run is one line in STATE/runs.jsonl; started again, the
proof goes on where it was stopped. Prints a Markdown table, also in STATE/table.md.

  tests/proof/prove.py --state build/proof-state --check

runs nothing, prints the table and exits 1 where a criterion fails: at most 3 of 100 A/A gates
fail; at least 17 of 20 found at 5 %, 19 of 20 at 10 %; at least 15 cases with a round SD of at
most 1.5 %. Exit 2: usage, build or state; 130: interrupted.
"""

import argparse
import datetime
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import peers
import plan
import table
import variants
from background_load import BackgroundLoad
from gate import Children, Interrupted, gate_command, read_verdict
from state import State, StateError, write_atomically

HERE = Path(__file__).resolve().parent


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", help="build tree that holds proof_suite, calibrate_injection")
    parser.add_argument("--perfgate", help="the command under test [BUILD/perfgate/cli/perfgate]")
    parser.add_argument("--state", required=True, help="folder of this proof; goes on where it is")
    parser.add_argument("--jobs", type=int, default=2, help="gates at once, on own cores [2]")
    parser.add_argument("--only", choices=("aa", "slow"), help="runs of this kind only")
    parser.add_argument("--limit", type=int, help="stop after this many runs")
    parser.add_argument("--check", action="store_true", help="run nothing; judge what is recorded")
    parser.add_argument("--seed", type=int, default=1, help="of the plan [1]")
    parser.add_argument("--aa-runs", type=int, default=100, help="[100]")
    parser.add_argument("--per-effect", type=int, default=20, help="eligible runs [20]")
    parser.add_argument("--aa-budget", default="30s", help="[30s]")
    parser.add_argument("--slow-budget", default="60s", help="[60s]")
    parser.add_argument("--layouts", action="store_true",
                        help="gate on layouts of every build, as --layouts confirm does")
    parser.add_argument("--no-peers", action="store_true", help="skip the usual methods")
    return parser.parse_args(arguments)


def seconds(text):
    """Of a budget such as 30s or 5min."""
    for unit, factor in (("min", 60), ("s", 1)):
        if text.endswith(unit):
            return float(text[: -len(unit)]) * factor
    return float(text)


def cpu_model():
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return "unknown"


class Proof:
    """One experiment: the frozen plan, its executables and the runs still to do."""

    def __init__(self, options):
        self.options = options
        self.state = State(options.state)
        self.state.lock()
        self.cases = variants.read_cases(HERE / "proof_cases.inc")
        self.names = [name for name, _ in self.cases]
        self.children = Children()
        self.lock = threading.Lock()
        self.stopped = False
        self.wake_reader, self.wake_writer = os.pipe()
        os.set_blocking(self.wake_writer, False)

    def stop_on_signals(self):
        """Python runs handlers in the main thread only, and not while that is just falling asleep in
        a join(); the byte that the interpreter's own C handler writes wakes a thread at once."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: None)
        signal.set_wakeup_fd(self.wake_writer, warn_on_full_buffer=False)
        threading.Thread(target=self._stop_when_woken, daemon=True).start()

    def _stop_when_woken(self):
        os.read(self.wake_reader, 1)
        self.stopped = True
        self.children.stop()

    def prepare(self):
        """Everything that must not change while the proof runs: executables and injections."""
        options, state = self.options, self.state
        if not options.build:
            raise variants.BuildError("--build is missing: a build tree, e.g. build/release")
        perfgate = Path(options.perfgate or Path(options.build) / "perfgate/cli/perfgate")
        own = state.path("bin", "perfgate")
        if not own.exists():
            if not perfgate.exists():
                raise variants.BuildError(f"no perfgate at {perfgate}: build it, or --perfgate")
            shutil.copy2(perfgate, own)
        self.builder = variants.Builder(Path(options.build).resolve(), state.path("exe"),
                                        self.cases, perfgate.resolve() if options.layouts else None)
        self.base = self.builder.base()
        self.config = state.freeze({
            "command": shlex.join(["python3", *sys.argv]), "cpu": cpu_model(), "seed": options.seed,
            "aa_runs": options.aa_runs, "per_effect": options.per_effect,
            "layouts": options.layouts, "aa_budget": options.aa_budget, "slow_budget": options.slow_budget,
            "base": variants.digest(self.base), "perfgate": variants.digest(own)})
        injection = state.path("injection.json")
        if not injection.exists():
            write_atomically(injection, self.calibrate_injection())
        self.injection, _ = variants.read_injection(injection, self.cases)
        if options.only == "aa":
            return
        print("building the slowed variants ...", flush=True)
        self.slowed = {(effect, i): self.builder.variant(i, effect, self.injection[effect][i][0])
                       for effect in plan.EFFECTS
                       for i in plan.drawable(options.seed, effect, len(self.cases),
                                              options.per_effect)}

    def calibrate_injection(self):
        """The tool's answer; asked again, twice, while a busy machine spoils its own check."""
        tool = Path(self.options.build).resolve() / "tests/proof/calibrate_injection"
        if not tool.exists():
            raise variants.BuildError(f"no {tool}: build the target calibrate_injection")
        for _ in range(3):
            print("measuring how many units make 3, 5 and 10 % (a minute) ...", flush=True)
            code, text = self.children.run([str(tool)], 600)
            if code == 0:
                break
        return text

    def todo(self):
        """Runs to do now, in order; calibration first, unless only slowed ones are asked for."""
        done = {r["id"] for r in self.state.records()}
        frozen = self.state.calibration()
        runs = []
        if frozen is None and self.options.only != "slow":
            runs = [r for r in plan.calibration_runs(self.config) if r["id"] not in done]
            if not runs:
                frozen = plan.pooled_noise(self.state.records(), self.names)
                self.state.freeze_calibration(frozen)
        if not runs:
            runs = [r for r in plan.later_runs(self.config, self.names, frozen, self.options.only)
                    if r["id"] not in done]
        return runs

    def execute(self, run, load):
        """One run, start to record."""
        is_aa = run["kind"] == "aa"
        record = dict(run)
        candidate = self.base
        if not is_aa:
            index = record.pop("case_index")
            candidate = self.slowed[run["effect"], index]
            record.update(case=self.names[index], true=self.injection[run["effect"]][index][1])
        budget = self.config["aa_budget" if is_aa else "slow_budget"]
        verdict_file = self.state.path("verdicts", run["id"] + ".json")
        verdict_file.unlink(missing_ok=True)
        record["started"] = datetime.datetime.now(datetime.timezone.utc).isoformat("T", "seconds")
        with load.wanted(run["load"]):
            start = time.monotonic()
            code, _ = self.children.run(
                gate_command(self.state.path("bin", "perfgate"),
                             *map(self.builder.layouts_of, (self.base, candidate)), budget,
                             verdict_file, is_aa),
                timeout=6 * seconds(budget) + 120, output=self.state.path("log.txt"))
            end = time.monotonic()
            record.update(exit=code, gate_s=end - start, load_share=load.share(start, end))
            record.update(read_verdict(verdict_file) or {})
            if not self.options.no_peers:
                record.update(self.ask_peers(run["id"], candidate))
        with self.lock:
            self.state.append(record)
            found = "" if is_aa else f" {record['case']}"
            print(f"{run['id']}{found}: exit {code}, {record['gate_s']:.0f} s", flush=True)

    def ask_peers(self, name, candidate):
        start = time.monotonic()
        try:
            judged = peers.compare(lambda command: self.children.run(command, 300), self.base,
                                   candidate, f"{self.config['seed']}:{name}")
        except (subprocess.SubprocessError, ValueError, KeyError) as error:
            return {"peers": None, "peers_error": str(error)}
        return {"peers": judged, "peers_s": time.monotonic() - start}

    def work(self, runs, load):
        """`jobs` threads, each takes the next run."""
        queue, errors = iter(runs), []

        def loop():
            while not self.stopped and not errors:
                with self.lock:
                    run = next(queue, None)
                if run is None:
                    return
                try:
                    self.execute(run, load)
                except Interrupted:
                    return
                except Exception as error:  # noqa: BLE001 - a thread must hand it over
                    errors.append(error)

        threads = [threading.Thread(target=loop) for _ in range(max(1, self.options.jobs))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if errors:
            raise errors[0]

    def run_all(self):
        left = self.options.limit
        load = BackgroundLoad(self.options.seed)
        try:
            while not self.stopped and (runs := self.todo()) and left != 0:
                batch = runs if left is None else runs[:left]
                self.work(batch, load)
                left = None if left is None else left - len(batch)
        finally:
            load.close()


def report(state):
    """Prints and stores the table; sentences on what does not hold."""
    cases = variants.read_cases(HERE / "proof_cases.inc")
    names = [name for name, _ in cases]
    records, config, frozen = state.records(), state.config(), state.calibration()
    doubtful = variants.read_injection(state.path("injection.json"), cases)[1]
    text = table.render(records, frozen, config, names, doubtful)
    write_atomically(state.path("table.md"), text)
    print(text)
    return table.failures(records, frozen, config, names)


def main(arguments):
    options = parse_arguments(arguments)
    try:
        if options.check:
            problems = report(State(options.state))
            for problem in problems:
                print("not shown: " + problem, file=sys.stderr)
            return 1 if problems else 0
        proof = Proof(options)
        proof.stop_on_signals()
        proof.prepare()
        proof.run_all()
        report(proof.state)
        return 130 if proof.stopped else 0
    except Interrupted:
        return 130
    except (variants.BuildError, StateError, json.JSONDecodeError, OSError) as error:
        print(f"prove.py: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
