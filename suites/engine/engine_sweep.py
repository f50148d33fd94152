#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""First hit against warm, over the settings of an option: which is the smallest safe one?

    engine_sweep.py --engine build/release/engine/engine --model MODEL --output sweep \\
        --option prebuild --values 0,1,2,4 --tolerance 5 -- --device=cuda --cuda_graph=on

Each sample is a new `engine serve` with the option at one value: the time until it is healthy, its
first request, and a later one after --warmup others. The first hit of a request that finds nothing
prepared pays for it: code that is loaded, products that are planned, steps that are captured. A
setting is safe where the first hit takes no more than the tolerance longer than a warm request of
the same process: the interval of their ratio over rounds, by Student's t on logarithms, ends below
it. The intervals of all values hold together with 95 % (Bonferroni). The smallest safe setting is
the first of --values, which come in the order of what they cost, that is safe and is followed by
safe ones alone.

Values take turns in an order that is new every round. Every answer must have the tokens asked for,
and all values the same ones with --same-tokens. Printed are medians and ratios; each value becomes
files that `perfgate import` reads, a round each.

Exit codes: 0 one is safe; 12 none is, or too few rounds to say; 11 wrong answers; 64 usage; 70 the
server failed.
"""

import argparse
import pathlib
import random
import statistics
import sys

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "peers")]
import recording  # noqa: E402  (needs the path)
from lm import ours  # noqa: E402
from load import server, summary  # noqa: E402

FAILED, UNDECIDED, USAGE, INTERNAL = 11, 12, 64, 70


class Parser(argparse.ArgumentParser):
    def error(self, message):
        self.exit(USAGE, f"engine_sweep: {message}\n")


def arguments(argv):
    parser = Parser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--engine", required=True, help="the engine executable")
    parser.add_argument("--model", required=True, help="model folder")
    parser.add_argument("--name", help="of the model, in case names [the folder's]")
    parser.add_argument("--output", required=True, help="folder for the files")
    parser.add_argument("--option", required=True, help="of the engine")
    parser.add_argument("--values", required=True, help="of it, separated by commas, cheapest first")
    parser.add_argument("--tolerance", type=float, default=5, help="per cent over warm [5]")
    parser.add_argument("--rounds", type=int, default=10, help="samples per value [10]")
    parser.add_argument("--prompt-tokens", type=int, default=32)
    parser.add_argument("--max-tokens", type=int, default=8)
    parser.add_argument("--warmup", type=int, default=3, help="requests between the two [3]")
    parser.add_argument("--same-tokens", action="store_true", help="of all values")
    parser.add_argument("options", nargs="*", help="of engine serve, behind --")
    args = parser.parse_args(argv)
    args.values = [value for value in args.values.split(",") if value]
    if len(set(args.values)) != len(args.values) or len(args.values) < 2:
        parser.error("--values: expected two or more different ones, separated by commas")
    for name, value, least in (("--rounds", args.rounds, 1), ("--warmup", args.warmup, 1),
                               ("--prompt-tokens", args.prompt_tokens, 1),
                               ("--max-tokens", args.max_tokens, 2)):
        if value < least:
            parser.error(f"{name}: expected {least} or more")
    if not args.tolerance > 0:
        parser.error("--tolerance: expected per cent above 0")
    return args


def sample(args, value, prompt):
    """Seconds until healthy, of the first request and of a warm one; the tokens."""
    engine = ours.Engine(args.engine, args.model, [f"--{args.option}={value}", *args.options])
    try:
        answers = [engine.ask(prompt, args.max_tokens) for _ in range(args.warmup + 2)]
        startup = engine.startup
    finally:
        engine.close()
    for tokens, _ in answers:
        if len(tokens) != args.max_tokens or tokens != answers[0][0]:
            raise ours.WrongAnswer(f"{args.option}={value}: {len(tokens)} tokens instead of "
                                   f"{args.max_tokens}, or others than at first")
    return {"startup": startup, "first": answers[0][1]["full"],
            "warm": answers[-1][1]["full"]}, answers[0][0]


def ratios(rounds, values):
    """Per value the interval of first / warm, or None for fewer than 3 rounds."""
    confidence = 1 - 0.05 / len(values)
    return {value: summary.interval([one[value]["first"] / one[value]["warm"] for one in rounds],
                                    confidence) for value in values}


def smallest_safe(values, found, tolerance):
    """The first value from which on all intervals end at or below 1 + tolerance; None: there is
    none."""
    safe = None
    for value in values:
        if found[value] is None or found[value][2] > 1 + tolerance:
            safe = None
        elif safe is None:
            safe = value
    return safe


def write(args, rounds):
    name = args.name or pathlib.Path(args.model).resolve().name
    for index, one in enumerate(rounds):
        for value, times in one.items():
            case = f"engine_sweep/model:{name}/{args.option}:{value}/metric:"
            recording.write_round(
                pathlib.Path(args.output) / f"{args.option}_{value}" / f"round_{index:02}.json",
                args.engine, {"prompt_tokens": args.prompt_tokens,
                              "generated_tokens": args.max_tokens,
                              "engine_options": " ".join(args.options)},
                [recording.row(case + metric, seconds) for metric, seconds in times.items()])


def table(args, rounds, found):
    lines = [f"{args.option:>12} {'healthy ms':>11} {'first ms':>9} {'warm ms':>9}  first / warm"]
    for value in args.values:
        middle = {metric: 1e3 * statistics.median(one[value][metric] for one in rounds)
                  for metric in ("startup", "first", "warm")}
        interval = "too few rounds" if found[value] is None else \
            "{:.3f} [{:.3f}, {:.3f}]".format(*found[value])
        lines.append(f"{value:>12} {middle['startup']:11.1f} {middle['first']:9.3f} "
                     f"{middle['warm']:9.3f}  {interval}")
    return "\n".join(lines)


def main(argv=None):
    args = arguments(argv)
    try:
        vocab = recording.read_json(pathlib.Path(args.model) / "config.json")["vocab_size"]
    except (OSError, ValueError, KeyError) as error:
        print(f"engine_sweep: {args.model}: {error}", file=sys.stderr)
        return USAGE
    prompt = [(7919 * i + 13) % vocab for i in range(args.prompt_tokens)]
    rounds, answers = [], {}
    try:
        for _ in range(args.rounds):
            one = {}
            for value in random.SystemRandom().sample(args.values, len(args.values)):
                one[value], tokens = sample(args, value, prompt)
                if args.same_tokens and answers.setdefault("all", tokens) != tokens:
                    raise ours.WrongAnswer(f"{args.option}={value}: other tokens than another value")
            rounds.append({value: one[value] for value in args.values})
    except ours.WrongAnswer as error:
        print(f"engine_sweep: {error}", file=sys.stderr)
        return FAILED
    except server.ServerFailed as error:
        print(f"engine_sweep: {error}", file=sys.stderr)
        return INTERNAL
    write(args, rounds)
    found = ratios(rounds, args.values)
    print(table(args, rounds, found))
    safe = smallest_safe(args.values, found, args.tolerance / 100)
    if safe is None:
        print(f"\nNo setting of {args.option} is shown to be safe at {args.tolerance:g} %")
        return UNDECIDED
    print(f"\nSmallest safe setting: {args.option}={safe}, at {args.tolerance:g} %")
    return 0


if __name__ == "__main__":
    sys.exit(main())
