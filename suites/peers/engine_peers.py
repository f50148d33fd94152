#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The engine beside Hugging Face transformers: the same model folder, prompt ids and counts of tokens.

    engine_peers.py --engine build/release/engine/engine --model MODEL --output peers \\
        [--device cuda] [--ceiling 3000] [--perfgate build/release/perfgate/cli/perfgate] -- OPTIONS
    perfgate report --format md peers/*.session.json

Arms, all in the type of the model's weights, one sequence, greedy, end tokens ignored:

    engine                `engine serve` with the OPTIONS
    transformers_eager    model.generate(), its default attention and cache
    transformers_compile  the same with a static cache and torch.compile, mode "reduce-overhead"

With --arms none there is the engine alone, whose times and floor need neither torch nor transformers.

Every arm stays alive for the whole script and has --warmup requests first, in which torch compiles
and tunes. Then each round asks every arm the same --samples requests, arms in a random order that is
new each round, one at a time; each begins its turn with a request that does not count. A time is
when the host can read a token: ttft from the request, as token ids, to the first; tpot from the first
to the last, divided by the gaps between. Each side takes its times in its own process: the engine as
its /metrics tells them, without HTTP; transformers by a streamer that generate() hands each token to.
Rounds of one process share its luck; start the script again with --first-round for more.

An answer with another number of tokens fails the script, and so does a token that differs where the
model is peaked (`engine synth --peaked`), since its answers are exact. Other models have nearly tied
logits and may part; how far the answers agree is printed.

Printed are medians over rounds, ratios to the engine as geometric means of rounds with 95 % intervals
by Student's t, and with --ceiling GB/s the least tpot that reading weights and cache allows.

Exit codes: 0; 11: wrong answers, or an engine that does not start, as one without a GPU; 64: usage;
65: the model's folder; 70: not imported; 77: skipped, torch or transformers are not there, or they
see no GPU.
"""

import argparse
import os
import pathlib
import random
import re
import shutil
import statistics
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "engine")]
import recording  # noqa: E402  (needs the path)
from lm import ours  # noqa: E402
from load import server, summary  # noqa: E402

FAILED, USAGE, DATA, INTERNAL, SKIPPED = 11, 64, 65, 70, 77
METRICS = ("ttft", "tpot", "full")


class Parser(argparse.ArgumentParser):
    def error(self, message):
        self.exit(USAGE, f"engine_peers: {message}\n")


def arguments():
    parser = Parser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--engine", required=True, help="the engine executable")
    parser.add_argument("--model", required=True, help="model folder")
    parser.add_argument("--name", help="of the model, in case names [the folder's]")
    parser.add_argument("--output", required=True, help="folder for the files")
    parser.add_argument("--perfgate", help="executable that imports the files into sessions")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--arms", default="eager,compile",
                        help="of transformers; none: the engine alone, without torch "
                             "[eager,compile]")
    parser.add_argument("--prompt-tokens", type=int, default=32)
    parser.add_argument("--max-tokens", type=int, default=128)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--first-round", type=int, default=0, help="number of the first round")
    parser.add_argument("--samples", type=int, default=1, help="requests per arm and round [1]")
    parser.add_argument("--warmup", type=int, default=3, help="requests per arm [3]")
    parser.add_argument("--threads", type=int, default=0,
                        help="of every arm on a CPU [as many as torch takes; with --arms none one "
                             "per CPU of this process]")
    parser.add_argument("--ceiling", type=float, help="GB/s that a copy reaches: prints the floor")
    parser.add_argument("options", nargs="*", help="of engine serve, behind --")
    args = parser.parse_args()
    least = {"--prompt-tokens": args.prompt_tokens, "--max-tokens": args.max_tokens - 1,
             "--rounds": args.rounds, "--samples": args.samples, "--warmup": args.warmup}
    for name, value in least.items():
        if value < 1:
            parser.error(f"{name}: expected {2 if name == '--max-tokens' else 1} or more")
    args.arms = [] if args.arms == "none" else args.arms.split(",")
    if set(args.arms) - {"eager", "compile"}:
        parser.error("--arms: expected none, eager, compile, or the last two separated by a comma")
    if args.ceiling is not None and not args.ceiling > 0:
        parser.error("--ceiling: expected GB/s above 0")
    if args.warmup + args.rounds * (args.samples + 1) > ours.MOST_REQUESTS:
        parser.error(f"more than {ours.MOST_REQUESTS} requests per arm; start the script again "
                     "with --first-round")
    for program in filter(None, (args.engine, args.perfgate)):
        if shutil.which(program) is None:
            parser.error(f"no executable {program}")
    return args


def is_peaked(folder):
    """Whether `engine synth --peaked` made the model, as its weights say."""
    for path in sorted(pathlib.Path(folder).glob("*.safetensors")):
        with open(path, "rb") as file:
            header = file.read(int.from_bytes(file.read(8), "little"))
        return b'"peaked":"true"' in header
    return False


def step_bytes(args, config):
    """What a step has to read: weights as `engine inspect` counts them, and the cache of the mean
    position, in the type of the weights."""
    done = subprocess.run([args.engine, "inspect", "--model", args.model], capture_output=True,
                          text=True, check=False)
    found = re.search(r"per token\s+([0-9.]+) MB", done.stdout)
    if not found:
        raise ValueError(done.stderr.strip() or "engine inspect does not say bytes per token")
    size = 4 if "float32" in (config.get("dtype"), config.get("torch_dtype")) else 2
    heads = config.get("num_key_value_heads") or config["num_attention_heads"]
    dim = config.get("head_dim") or config["hidden_size"] // config["num_attention_heads"]
    position = 2 * config["num_hidden_layers"] * heads * dim * size
    return float(found[1]) * 1e6 + position * (args.prompt_tokens + args.max_tokens / 2)


def make_arms(args, torch):
    """The arms; the last ones are transformers'. torch: None where there are none of those."""
    if torch:
        threads = args.threads or torch.get_num_threads()
        torch.set_num_threads(threads)
    else:
        threads = args.threads or len(os.sched_getaffinity(0))
    options = [f"--device={args.device}", *args.options]
    if args.device == "cpu":
        options.insert(1, f"--threads={threads}")
    arms = [ours.Engine(args.engine, args.model, options)]
    if not torch:
        return arms
    from lm import hf  # late: it needs torch
    model = hf.load(args.model, args.device)
    return arms + [hf.Transformers(model, arm == "compile") for arm in args.arms]


class Rounds:
    """seconds[arm][metric][round]: the samples of a round."""

    def __init__(self, args, prompt):
        self.args, self.prompt = args, prompt
        self.seconds, self.answers = {}, {}

    def ask(self, arm):
        tokens, times = arm.ask(self.prompt, self.args.max_tokens)
        if len(tokens) != self.args.max_tokens:
            raise ours.WrongAnswer(f"{arm.name}: {len(tokens)} tokens instead of "
                                   f"{self.args.max_tokens}")
        before = self.answers.setdefault(arm.name, tokens)
        if before != tokens:
            print(f"Warning  {arm.name}: two answers to one prompt differ", flush=True)
        return times

    def warm_up(self, arm):
        for _ in range(self.args.warmup):
            self.ask(arm)

    def run(self, arms):
        order = list(arms)
        random.SystemRandom().shuffle(order)
        for arm in order:
            self.ask(arm)
            found = [self.ask(arm) for _ in range(self.args.samples)]
            of_arm = self.seconds.setdefault(arm.name, {m: [] for m in METRICS})
            for metric in METRICS:
                of_arm[metric].append([sample[metric] for sample in found])

    def agreement(self, name):
        """Tokens until the answer parts from the engine's."""
        pairs = zip(self.answers["engine"], self.answers[name])
        return next((i for i, (a, b) in enumerate(pairs) if a != b), self.args.max_tokens)


def write(args, arms, rounds, digest):
    name = args.name or pathlib.Path(args.model).resolve().name
    prefix = (f"engine_peers/model:{name}/device:{args.device}/prompt:{args.prompt_tokens}"
              f"/tokens:{args.max_tokens}/metric:")
    problems = []
    for arm in arms:
        folder = pathlib.Path(args.output) / arm.name
        for index in range(args.rounds):
            rows = [row for metric in METRICS for row in recording.samples(
                prefix + metric, rounds.seconds[arm.name][metric][index])]
            recording.write_round(folder / f"round_{args.first_round + index:02}.json", arm.name,
                                  arm.describe(), rows)
        recording.write_manifest(folder / "manifest.json", [prefix + m for m in METRICS], {
            "prompt_tokens": args.prompt_tokens, "generated_tokens": args.max_tokens,
            "sampling": "greedy", "model_digest": digest, "device": args.device})
        if args.perfgate:
            session = pathlib.Path(args.output) / f"{arm.name}.session.json"
            problem = recording.import_session(args.perfgate, sorted(folder.glob("round_*.json")),
                                               folder / "manifest.json", arm.name, session)
            if problem:
                problems.append(problem)
    return problems


def print_times(args, arms, rounds, least):
    def middle(arm, metric):
        return [statistics.median(samples) for samples in rounds.seconds[arm.name][metric]]

    print(f"\n{'arm':22} {'ttft ms':>9} {'tpot ms':>9} {'tpot / engine [CI95]':>27} "
          f"{'tok/s':>8}  same tokens")
    for arm in arms:
        tpot, reference = middle(arm, "tpot"), middle(arms[0], "tpot")
        ratio = summary.interval([a / b for a, b in zip(tpot, reference)])
        text = f"{ratio[0]:.3f} [{ratio[1]:.3f}, {ratio[2]:.3f}]" if ratio else "-"
        value = statistics.median(tpot)
        print(f"{arm.name:22} {statistics.median(middle(arm, 'ttft')) * 1e3:9.3f} "
              f"{value * 1e3:9.4f} {text:>27} {1 / value:8.1f}  "
              f"{rounds.agreement(arm.name)} of {args.max_tokens}")
    if args.ceiling:
        floor = least / (args.ceiling * 1e9)
        share = floor / statistics.median(middle(arms[0], "tpot"))
        print(f"{'floor':22} {'':9} {floor * 1e3:9.4f}   {least * 1e-6:.1f} MB per token at "
              f"{args.ceiling:g} GB/s; {share:.0%} of the engine's tpot")


def measure(args, arms, digest, least):
    vocab = int(recording.read_json(pathlib.Path(args.model) / "config.json")["vocab_size"])
    draw = random.Random(7)
    rounds = Rounds(args, [draw.randrange(vocab) for _ in range(args.prompt_tokens)])
    for arm in arms:
        rounds.warm_up(arm)
        print(f"warm: {arm.name}", flush=True)
    peaked = is_peaked(args.model)
    for arm in arms:
        if peaked and rounds.agreement(arm.name) < args.max_tokens:
            print(f"engine_peers: {arm.name}: token {rounds.agreement(arm.name)} is not the "
                  "engine's, and the model is peaked", file=sys.stderr)
            return FAILED
    for _ in range(args.rounds):
        rounds.run(arms)
    problems = write(args, arms, rounds, digest)
    print_times(args, arms, rounds, least)
    for problem in problems:
        print(f"engine_peers: {problem}", file=sys.stderr)
    return INTERNAL if problems else 0


def import_torch(device):
    """torch with transformers; raises ImportError for what is missing."""
    import torch
    import transformers
    if device == "cuda" and not torch.cuda.is_available():
        raise ImportError("PyTorch sees no GPU")
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    return torch


def main():
    args = arguments()
    try:
        torch = import_torch(args.device) if args.arms else None
    except ImportError as error:
        print(f"engine_peers: skipped: {error}")
        return SKIPPED
    arms = []
    try:
        config = recording.read_json(pathlib.Path(args.model) / "config.json")
        digest, least = recording.model_digest(args.model), step_bytes(args, config)
    except (OSError, ValueError, KeyError, TypeError) as error:
        print(f"engine_peers: no model in {args.model}: {error}", file=sys.stderr)
        return DATA
    try:
        arms = make_arms(args, torch)
        return measure(args, arms, digest, least)
    except (ours.WrongAnswer, server.ServerFailed) as problem:
        print(f"engine_peers: {problem}", file=sys.stderr)
        return FAILED
    finally:
        for arm in arms:
            arm.close()


if __name__ == "__main__":
    sys.exit(main())
