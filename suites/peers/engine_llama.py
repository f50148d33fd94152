#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times the engine and llama.cpp's llama-bench on the same weights, side by side.

usage: engine_llama.py --engine ENGINE --model FOLDER --output FOLDER [--llama-bench PATH]
                       [--perfgate PERFGATE] [--tests tg128 pp512] [--threads N] [--rounds N]

The weights are written once as OUTPUT/MODEL.gguf (engine_gguf.py). Every round starts both programs
anew, in an order that a coin decides, and OUTPUT/ARM/round_NN.json has what it took, in the form of
Google Benchmark; both arms name a case the same way. With --perfgate each arm is also imported:

    perfgate report OUTPUT/engine.session.json OUTPUT/llama_cpp.session.json

tgN is the time from one token to the N-th after it, behind a prompt of one token; ppN that of a
prompt of N tokens. Of the engine that is with the greedy draw from the logits, which llama-bench
leaves out: what differs counts against us. Both are warm: llama-bench has a warm-up of its own, and
of the engine the first token, or a first prompt of the same length, is not timed.

A spinning program waits for a core that another one holds, so a busy machine decides such a
comparison. Each round says which share of the CPUs other processes took. With --quiet SHARE a round
waits for a second in which they take no more, and where they did in the round itself both arms of it
are measured again; after --retries times it is kept, and counted at the end.

Exits 77 where there is no llama-bench, 1 where a program fails.
"""
import argparse
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import engine_gguf  # noqa: E402  (needs the path)
from gpu import cases  # noqa: E402


QUIET_SECONDS = 300  # that a round waits for others to end


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--engine", required=True, help="the engine executable")
    parser.add_argument("--llama-bench", default="llama-bench", help="name or path [llama-bench]")
    parser.add_argument("--model", required=True, help="model folder of the engine")
    parser.add_argument("--output", required=True, help="folder for the result files")
    parser.add_argument("--perfgate", help="executable that imports the files into sessions")
    parser.add_argument("--tests", nargs="+", default=["tg128"], help="tgN, ppN [tg128]")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--quiet", type=float, default=1, metavar="SHARE",
                        help="most of the CPUs that other processes may take in a round [1: any]")
    parser.add_argument("--retries", type=int, default=20, help="of a round that is not quiet [20]")
    parser.add_argument("options", nargs="*", help="of the engine, behind --")
    options = parser.parse_args()
    for test in options.tests:
        if not re.fullmatch(r"(tg|pp)[1-9]\d*", test):
            parser.error(f"--tests {test}: expected tgN or ppN")
    return options


class Busy:
    """Share of the CPUs that processes other than our children take, from entry to exit."""

    def __enter__(self):
        self.start = self._read()
        return self

    def __exit__(self, *_):
        busy, own, wall = (b - a for a, b in zip(self.start, self._read()))
        self.share = max(0.0, (busy - own) / (wall * os.cpu_count()))

    @staticmethod
    def _read():
        with open("/proc/stat", encoding="ascii") as file:
            ticks = [int(field) for field in file.readline().split()[1:9]]
        busy = (sum(ticks) - ticks[3] - ticks[4]) / os.sysconf("SC_CLK_TCK")
        own = sum(sum(resource.getrusage(who)[:2])
                  for who in (resource.RUSAGE_CHILDREN, resource.RUSAGE_SELF))
        return busy, own, time.monotonic()


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"engine_llama: {' '.join(command)}: exit {done.returncode}\n"
                 f"{done.stderr.strip()[-2000:]}")
    return done.stdout


def engine_seconds(options, test, vocab):
    count = int(test[2:])
    command = [options.engine, "run", "--model", options.model, "--threads", str(options.threads),
               "--ignore-eos", "--json", "-"]
    if test.startswith("tg"):
        command += ["--prompt-ids", "13", "--max-tokens", str(count + 1)]
    else:
        # The prompts of a batch are fed one after the other: the first one warms.
        prompt = ",".join(str((7919 * i + 13) % vocab) for i in range(count))
        command += ["--prompt-ids", prompt, "--prompt-ids", prompt, "--max-tokens", "1"]
    requests = json.loads(run(command + options.options))["requests"]
    if test.startswith("pp"):
        return requests[1]["ttft_s"] - requests[0]["ttft_s"]
    if requests[0]["tokens"] != count + 1:
        sys.exit(f"engine_llama: {requests[0]['tokens']} tokens instead of {count + 1}")
    return requests[0]["full_s"] - requests[0]["ttft_s"]


def llama_seconds(options, test, gguf):
    tokens = ["-n", test[2:], "-p", "0"] if test.startswith("tg") else ["-p", test[2:], "-n", "0"]
    rows = json.loads(run([options.llama_bench, "-m", gguf, *tokens, "-r", "1", "-o", "json",
                           "-t", str(options.threads), "-ngl", "0"]))
    if len(rows) != 1 or rows[0]["n_gen"] + rows[0]["n_prompt"] != int(test[2:]):
        sys.exit(f"engine_llama: {options.llama_bench} did not run {test}: {rows}")
    return rows[0]["samples_ns"][0] * 1e-9, rows[0]


def one_round(options, test, vocab, gguf):
    """Seconds by arm, the share of other processes, and llama-bench's own record."""
    order = ["engine", "llama_cpp"]
    random.shuffle(order)
    seconds, record = {}, {}
    with Busy() as busy:
        for arm in order:
            if arm == "engine":
                seconds[arm] = engine_seconds(options, test, vocab)
            else:
                seconds[arm], record = llama_seconds(options, test, gguf)
    return seconds, busy.share, record


def wait_for_quiet(options):
    for _ in range(QUIET_SECONDS if options.quiet < 1 else 0):
        with Busy() as busy:
            time.sleep(1)
        if busy.share <= options.quiet:
            return


def quiet_round(options, test, vocab, gguf):
    for left in range(options.retries, -1, -1):
        wait_for_quiet(options)
        seconds, share, record = one_round(options, test, vocab, gguf)
        if share <= options.quiet or left == 0:
            return seconds, share, record
        print(f"{test}: other processes took {share:.0%} of the CPUs; again", flush=True)


def import_sessions(options, arms):
    for arm in arms:
        folder = os.path.join(options.output, arm)
        files = [os.path.join(folder, f"round_{i:02}.json") for i in range(options.rounds)]
        run([options.perfgate, "import", *files, "--arm", arm, "--output",
             os.path.join(options.output, arm + ".session.json")])


def main():
    options = arguments()
    if shutil.which(options.llama_bench) is None:
        print(f"engine_llama: skipped: no executable {options.llama_bench}; build llama.cpp and "
              "name its llama-bench with --llama-bench")
        return 77
    name = os.path.basename(os.path.normpath(options.model))
    os.makedirs(options.output, exist_ok=True)
    gguf = os.path.join(options.output, name + ".gguf")
    if not os.path.exists(gguf):
        try:
            engine_gguf.write(options.model, gguf)
        except engine_gguf.Refused as error:
            sys.exit(f"engine_llama: {error}")
    with open(os.path.join(options.model, "config.json"), encoding="utf-8") as file:
        vocab = json.load(file)["vocab_size"]
    loud = 0
    for index in range(options.rounds):
        rows, context = {}, {"rounds": "a process each", "quiet": options.quiet}
        for test in options.tests:
            seconds, share, record = quiet_round(options, test, vocab, gguf)
            loud += share > options.quiet
            context["llama_bench"] = {key: record.get(key) for key in (
                "build_commit", "build_number", "backends", "type_k", "type_v", "flash_attn")}
            case = f"engine/test:{test}/model:{name}/threads:{options.threads}"
            for arm, value in seconds.items():
                rows.setdefault(arm, []).extend(cases.rows_of(case, [(value, 0)], 1))
            rates = ", ".join(f"{arm} {int(test[2:]) / seconds[arm]:.2f} tok/s"
                              for arm in sorted(seconds))
            print(f"round {index} {test}: {rates}, other processes {share:.0%}", flush=True)
        for arm, list_of in rows.items():
            cases.write(os.path.join(options.output, arm, f"round_{index:02}.json"), arm, context,
                        list_of)
    if loud:
        print(f"engine_llama: {loud} of {options.rounds * len(options.tests)} kept though other "
              f"processes took more than {options.quiet:.0%} of the CPUs")
    if options.perfgate:
        import_sessions(options, ["engine", "llama_cpp"])
    return 0


if __name__ == "__main__":
    sys.exit(main())
