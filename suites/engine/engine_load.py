#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The engine under load: mixed requests at Poisson arrivals, how slow the slowest are, and how well
that repeats.

    engine_load.py --engine build/release/engine/engine --model MODEL --rate 20 --runs 10 \\
        --output load --perfgate build/release/perfgate/cli/perfgate -- --batch=4 --threads=2
    perfgate report load/engine.session.json

A run is a new process of `engine serve`, with the options behind --, that is sent --requests streamed
completions. Prompts and answers have lengths drawn from --prompt-tokens and --max-tokens, arrivals
are a Poisson process of --rate requests per second, both from --seed. Every run sends the same
requests at the same times: what differs between runs is the system. Other arrivals may give other
tails; another --seed tells.

Times are the client's, from the moment a request was due, so that neither a slow client nor a full
server hides the wait: ttft to the first token, itl from token to token, tpot their mean in a request,
full to the last token. An answer counts only if it has exactly the tokens asked for, by their ids and
by the server's count; anything else fails the script, as do refusals and a server that ends.

Percentiles are nearest rank over the values of all runs, p95 from 20 and p99 from 100 on. How well a
p99 repeats is told by those of single runs: their range, and their geometric mean with its 95 %
interval by Student's t on logarithms, runs being the unit.

With --other-options or --other-engine a second arm, "other", is loaded the same: each run has both, in
random order, so that what the machine does in a minute happens to both, and ratios are of runs.

Every run is a file OUTPUT/ARM/round_NN.json of its mean and percentiles as cases, which --perfgate
imports to OUTPUT/ARM.session.json with a manifest of rate, seed, lengths and model, and a file
OUTPUT/ARM/requests_NN.json of every request, which it imports to OUTPUT/ARM.requests.session.json: a
gate of those judges the tails of each run.

Exit codes: 0; 11: a request failed, or the server; 64: usage; 65: the model's folder; 70: the files
were not imported.
"""

import argparse
import dataclasses
import gc
import math
import pathlib
import random
import shlex
import shutil
import sys

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import recording  # noqa: E402  (needs the path)
from load import run as load_run, server, stream, summary  # noqa: E402

METRICS = ("ttft", "tpot", "itl", "full")
FAILED, USAGE, DATA, INTERNAL = 11, 64, 65, 70


class Parser(argparse.ArgumentParser):
    def error(self, message):
        self.exit(USAGE, f"engine_load: {message}\n")


def positive(text):
    value = float(text)
    if not 0 < value < math.inf:
        raise argparse.ArgumentTypeError(f"expected a number above 0, got '{text}'")
    return value


def count(text):
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number from 1 on, got '{text}'")
    return value


def lengths(text):
    return [count(part) for part in text.split(",")]


def arguments():
    parser = Parser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--engine", required=True, help="the engine executable")
    parser.add_argument("--model", required=True, help="model folder")
    parser.add_argument("--name", help="of the model, in case names [the folder's]")
    parser.add_argument("--output", required=True, help="folder for the files")
    parser.add_argument("--arm", default="engine", help="name of the files and the session [engine]")
    parser.add_argument("--other-options", metavar="TEXT",
                        help="of the second arm, in place of those behind --, in one text")
    parser.add_argument("--other-engine", help="executable of the second arm [--engine]")
    parser.add_argument("--perfgate", help="executable that imports the files into a session")
    parser.add_argument("--rate", type=positive, required=True, help="requests per second")
    parser.add_argument("--requests", type=count, default=100, help="per run [100]")
    parser.add_argument("--runs", type=count, default=10, help="fresh servers [10]")
    parser.add_argument("--prompt-tokens", type=lengths, default=[16, 64, 256], metavar="N,...",
                        help="lengths of prompts, equally likely [16,64,256]")
    parser.add_argument("--max-tokens", type=lengths, default=[8, 32, 64], metavar="N,...",
                        help="lengths of answers, equally likely [8,32,64]")
    parser.add_argument("--warmup", type=count, default=2, help="untimed requests per run [2]")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--timeout", type=positive, default=60, metavar="S",
                        help="seconds without any token, or until healthy, that end the run [60]")
    parser.add_argument("options", nargs="*", help="of engine serve, behind --")
    args = parser.parse_args()
    if args.arm == "other":
        parser.error("--arm: other is the name of the second arm")
    return args


@dataclasses.dataclass
class Arm:
    name: str
    engine: str
    options: list
    runs: list = dataclasses.field(default_factory=list)


def arms_of(args):
    arms = [Arm(args.arm, args.engine, args.options)]
    if args.other_options is not None or args.other_engine:
        options = args.options if args.other_options is None else shlex.split(args.other_options)
        arms.append(Arm("other", args.other_engine or args.engine, options))
    return arms


def plan(args, vocab):
    """The requests of every run."""
    draw = random.Random(args.seed)
    due, requests = 0.0, []
    for _ in range(args.requests):
        due += draw.expovariate(args.rate)
        prompt = [draw.randrange(vocab) for _ in range(draw.choice(args.prompt_tokens))]
        requests.append(stream.Request(due, prompt, draw.choice(args.max_tokens)))
    return requests


def longest(args, vocab):
    """Untimed, one after the other."""
    prompt = [i % vocab for i in range(max(args.prompt_tokens))]
    return [stream.Request(0.0, prompt, max(args.max_tokens))]


def exchanged(serving, requests, args, what):
    """Answers, seconds until the last token, and the worst lateness in sending; SystemExit where one
    is not an answer."""
    exchanges, start = stream.drive(serving.address, requests, args.timeout, serving.alive)
    answers, problems = [], []
    for index, exchange in enumerate(exchanges):
        try:
            answers.append(stream.answer_of(exchange, start))
        except stream.Refused as problem:
            problems.append(f"request {index}: {problem}")
    missing = len(requests) - len(exchanges)
    if problems or missing:
        print(f"engine_load: {what}: {len(problems)} of {len(requests)} requests failed"
              + (f", {missing} were not sent" if missing else ""), file=sys.stderr)
        for problem in problems[:5]:
            print(f"  {problem}", file=sys.stderr)
        if len(problems) > 5:
            print(f"  and {len(problems) - 5} more", file=sys.stderr)
        if end := serving.obituary():
            print(f"  {end}", file=sys.stderr)
        raise SystemExit(FAILED)
    late = max(e.sent_at - e.request.due for e in exchanges)
    return answers, max(r.due + a.full for r, a in zip(requests, answers)), late


def one_run(args, arm, requests, vocab):
    what = f"{arm.name}, run {len(arm.runs)}"
    with server.Server(arm.engine, args.model, arm.options, args.timeout) as serving:
        for _ in range(args.warmup):
            exchanged(serving, longest(args, vocab), args, what + ", warm-up")
        answers, seconds, late = exchanged(serving, requests, args, what)
        serving.stop()
    tokens = sum(len(a.tokens) for a in answers)
    print(f"{what}: healthy after {serving.startup:.2f} s, {len(answers)} answers, "
          f"{tokens} tokens, {tokens / seconds:.0f} tok/s, sent at most {late * 1e3:.1f} ms late",
          flush=True)
    arm.runs.append(load_run.Run(answers, seconds))


def model_name(args):
    return args.name or pathlib.Path(args.model).resolve().name


def case(args, metric, part):
    return f"engine_load/model:{model_name(args)}/rate:{args.rate:g}/metric:{metric}_{part}"


def rows_by_run(args, runs):
    """A case per metric and part that every run has. Where tokens came together a gap is 0, and a
    percentile that is 0 is no time to compare."""
    summaries = [{m: summary.summary(run.values[m]) for m in METRICS} for run in runs]
    shared = [(m, part) for m in METRICS for part in ("mean", "p50", "p95", "p99")
              if all(s[m].get(part, 0) > 0 for s in summaries)]
    return [[recording.row(case(args, m, part), s[m][part]) for m, part in shared]
            for s in summaries]


def write(args, arm, digest, requests):
    folder = pathlib.Path(args.output) / arm.name
    for old in [*folder.glob("round_*.json"), *folder.glob("requests_*.json")]:
        old.unlink()  # of an earlier call: they would be rounds of this one
    rounds, details = [], []
    for index, (rows, run) in enumerate(zip(rows_by_run(args, arm.runs), arm.runs)):
        rounds.append(folder / f"round_{index:02}.json")
        recording.write_round(rounds[-1], arm.engine,
                              {"engine_options": " ".join(arm.options), "answers": run.digest}, rows)
        details.append(folder / f"requests_{index:02}.json")
        recording.write_json(details[-1], run.document(model_name(args), requests, args.rate))
    join = ",".join
    workload = {
        "arrivals": "poisson", "rate": f"{args.rate:g}", "requests": args.requests,
        "prompt_tokens": join(map(str, args.prompt_tokens)), "sampling": "greedy",
        "generated_tokens": join(map(str, args.max_tokens)), "seed": args.seed,
        "model_digest": digest}
    recording.write_manifest(folder / "manifest.json", [row["name"] for row in rows], workload)
    if not args.perfgate:
        return
    for files, manifest, name in ((rounds, folder / "manifest.json", arm.name),
                                  (details, None, f"{arm.name}.requests")):
        session = pathlib.Path(args.output) / f"{name}.session.json"
        problem = recording.import_session(args.perfgate, files, manifest, arm.name, session)
        if problem:
            print(f"engine_load: {problem}", file=sys.stderr)
            raise SystemExit(INTERNAL)
        print(f"session {session}")


def print_summary(arm):
    runs = arm.runs

    def ms(seconds):
        return f"{seconds * 1e3:9.3f}"

    head = f"{'n':>7} {'mean':>9} {'p50':>9} {'p95':>9} {'p99':>9}"
    print(f"\n{arm.name}, in ms\n{'':8} {head}   p99 of single runs: range, mean [CI95]")
    for metric in METRICS:
        pooled = summary.summary([v for run in runs for v in run.values[metric]])
        parts = [ms(pooled[p]) if p in pooled else f"{'-':>9}" for p in ("mean", "p50", "p95", "p99")]
        single = [summary.summary(run.values[metric]).get("p99") for run in runs]
        text = "-"
        if None not in single:
            text = f"{ms(min(single)).strip()} .. {ms(max(single)).strip()}"
            spread = summary.interval(single) if min(single) > 0 else None
            if spread:
                mean, low, high = (ms(value).strip() for value in spread)
                text += f", {mean} [{low}, {high}]"
        print(f"{metric:8} {pooled['n']:7} {' '.join(parts)}   {text}")
    if len({run.digest for run in runs}) > 1:
        print("Warning  the tokens of the answers differ between runs, so their bits do")


def print_ratios(arm, other):
    """Of the same percentile in runs beside each other."""
    print(f"\n{other.name} / {arm.name}, by run: mean [CI95]")
    for metric in METRICS:
        texts = []
        for part in ("mean", "p50", "p99"):
            pairs = [[summary.summary(run.values[metric]).get(part, 0) for run in pair]
                     for pair in zip(arm.runs, other.runs)]
            times = min(map(min, pairs)) > 0  # tokens that came together have no time between
            found = summary.interval([b / a for a, b in pairs]) if times else None
            texts.append(f"{part} " + ("{:.3f} [{:.3f}, {:.3f}]".format(*found) if found else "-"))
        print(f"{metric:8} {'   '.join(texts)}")


def main():
    args = arguments()
    for program in filter(None, (args.engine, args.other_engine, args.perfgate)):
        if shutil.which(program) is None:
            print(f"engine_load: no executable {program}", file=sys.stderr)
            return USAGE
    try:
        config = recording.read_json(pathlib.Path(args.model) / "config.json")
        vocab, digest = int(config["vocab_size"]), recording.model_digest(args.model)
    except (OSError, ValueError, KeyError, TypeError) as error:
        print(f"engine_load: no model in {args.model}: {error}", file=sys.stderr)
        return DATA
    requests = plan(args, vocab)
    gc.disable()  # a collection takes milliseconds, and would be a tail of the engine's
    arms = arms_of(args)
    for index in range(args.runs):
        for arm in random.SystemRandom().sample(arms, len(arms)):
            try:
                one_run(args, arm, requests, vocab)
            except server.ServerFailed as problem:
                print(f"engine_load: {arm.name}, run {index}: {problem}", file=sys.stderr)
                return FAILED
    for arm in arms:
        print_summary(arm)
    if len(arms) > 1:
        print_ratios(*arms)
    for arm in arms:
        write(args, arm, digest, requests)
    return 0


if __name__ == "__main__":
    sys.exit(main())
