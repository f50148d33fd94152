#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times what PyTorch and Triton offer for the cases of kernels_cuda_bench, with the same shapes and
the same cold-cache protocol, and writes result files that perfgate reads.

usage: kernels_cuda_bench --benchmark_list_tests > names.txt
       gpu_peers.py --cases names.txt --output FOLDER [--perfgate perfgate] [--filter REGEX]
                    [--kernels build/dev/suites/libkernels_cuda_arm.so]

FOLDER/ARM/round_NN.json is one round of one arm (torch_eager, torch_compile, triton, sdpa_flash,
...) in the form of Google Benchmark's files; cases keep the names given, so that reports put them
beside ours. With --perfgate (a path) each arm is also imported to FOLDER/ARM.session.json:

    perfgate report --format md FOLDER/*.session.json

With --kernels our own kernel is an arm too, `perfgate`, in turn with the others in the same
process, and each case ends with a line of its time over that of the fastest other, round by round:
median, lowest and highest.

Protocol: as many sets of buffers as hold five times the L2 cache and as a sample has calls, at most
64; before each sample persisting lines of the cache are reset and other memory of twice its size is
read; random data; inputs that a model would find in the cache (a vector, tables) are shared; a
sample is what lies between two events behind a kernel that holds the stream until all is queued: one
call where physics keeps it for 100 us, else a CUDA graph of calls on the sets in turn, divided by
the calls; 200 ms of warm-up; TF32 off. The arms of a case alternate, in a new random order every
round. The rounds of one process share its memory layout and its luck: start the script again with
--first-round for more of them.

Every arm's result is compared with float64 first, that of our own kernels with what our plain CUDA
ones make of the same inputs; a wrong one is a failed row. An arm that cannot do a case is a skipped
row with the reason. Exits 77 without PyTorch, Triton or a GPU, 1 where an arm gave a wrong result.
"""
import argparse
import contextlib
import os
import random
import re
import statistics
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from gpu import cases as peer_cases  # noqa: E402  (needs the path)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--cases", required=True, help="names, one per line; - for standard input")
    parser.add_argument("--output", required=True, help="folder for the result files")
    parser.add_argument("--perfgate", help="executable that imports the files into sessions")
    parser.add_argument("--filter", default="", help="only cases that this expression matches")
    parser.add_argument("--arms", default="", help="only these, separated by commas")
    parser.add_argument("--kernels", help="library kernels_cuda_arm: our own kernels as an arm")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--first-round", type=int, default=0, help="number of the first round")
    parser.add_argument("--samples", type=int, default=10, help="per arm, case and round")
    parser.add_argument("--minutes", type=float, default=1e9, help="start no case after this time")
    parser.add_argument("--list", action="store_true", help="only show the cases chosen")
    return parser.parse_args()


def chosen(options):
    source = sys.stdin if options.cases == "-" else open(options.cases, encoding="utf-8")
    with source:
        cases = peer_cases.choose(source.read().split())
    cases = [case for case in cases if re.search(options.filter, case.name)]
    if not cases:
        sys.exit(f"gpu_peers: no cold CUDA case in {options.cases} matches '{options.filter}'")
    return cases


class Results:
    """Rows of each arm and round."""

    def __init__(self, options, extra):
        self.options, self.extra = options, extra
        self.rows = {}
        self.wrong = 0

    def add(self, arm, round_index, row):
        self.rows.setdefault(arm, {}).setdefault(round_index, []).append(row)

    def fail(self, arm, case, message, skipped):
        self.wrong += not skipped
        print(f"{arm:22} {case.name}: {'skipped' if skipped else 'FAILED'}: {message}", flush=True)
        # A skip is said once; a failure spoils every round.
        for index in range(1 if skipped else self.options.rounds):
            self.add(arm, index, peer_cases.failed_row(case.name, message, skipped))

    def write(self):
        for arm, rounds in self.rows.items():
            for index, rows in rounds.items():
                name = f"round_{self.options.first_round + index:02}.json"
                peer_cases.write(os.path.join(self.options.output, arm, name), arm, self.extra,
                                 rows)

    def import_sessions(self):
        for arm in sorted(self.rows):
            folder = os.path.join(self.options.output, arm)
            files = sorted(os.path.join(folder, name) for name in os.listdir(folder))
            session = os.path.join(self.options.output, arm + ".session.json")
            done = subprocess.run([self.options.perfgate, "import", *files, "--arm", arm,
                                   "--output", session], capture_output=True, text=True, check=False)
            # 11: rows that failed, which the session has as faults.
            print(f"perfgate import {arm}: exit {done.returncode}", flush=True)
            if done.returncode not in (0, 11):
                print(done.stdout + done.stderr, flush=True)


def message_of(error):
    return f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"


def prepare_ours(case, ours, sets, calls, clock, results):
    """{"perfgate": its sample}, or nothing."""
    import torch

    launch = lambda index: ours.launch(index, torch.cuda.current_stream().cuda_stream)
    sample = clock.prepare(launch, list(range(sets)), calls)
    torch.cuda.synchronize()
    wrong = ours.check(0)
    if wrong:
        results.fail("perfgate", case, wrong, skipped=False)
        return {}
    return {"perfgate": sample}


def measure(case, options, library, clock, results):
    """library: kernels_arm.Library, or none."""
    import torch
    from gpu import torch_ops, triton_kernels

    torch._dynamo.reset()
    op = torch_ops.OPS[case.op]()
    sets = [op.make(case, None)]
    while len(sets) < peer_cases.sets_for(case, clock.l2_bytes):
        sets.append(op.make(case, sets[0]))
    calls = peer_cases.calls_for(case)
    prepared = {}
    wanted = [arm for arm in options.arms.split(",") if arm]
    for arm, function in op.peers(case).items():
        if wanted and arm not in wanted:
            continue
        function = getattr(triton_kernels, function) if isinstance(function, str) else function
        try:
            with torch.no_grad():
                difference = torch_ops.wrong(case, op.check(case, sets[0], function(sets[0])))
            if difference:
                results.fail(arm, case, difference, skipped=False)
                continue
            prepared[arm] = clock.prepare(function, sets, calls)
        except Exception as error:  # noqa: BLE001  (whatever a peer throws is its own affair)
            torch.cuda.synchronize()
            results.fail(arm, case, message_of(error), skipped=True)
    with contextlib.ExitStack() as stack:
        if library and (not wanted or "perfgate" in wanted):
            try:
                ours = stack.enter_context(library.bind(case.name, len(sets)))
                prepared.update(prepare_ours(case, ours, len(sets), calls, clock, results))
            except RuntimeError as error:
                results.fail("perfgate", case, message_of(error), skipped=True)
        medians = take_turns(case, options, prepared, calls, clock, results)
    for arm, times in medians.items():
        middle = statistics.median(times)
        rate = peer_cases.bytes_of(case) / middle
        print(f"{arm:22} {case.name:90} {middle * 1e6:9.2f} us {rate / 1e9:7.0f} GB/s "
              f"{peer_cases.flops_of(case) / middle / 1e12:6.0f} TFLOP/s", flush=True)
    compared = peer_cases.against_fastest(medians)
    if compared:
        fastest, middle, least, most = compared
        print(f"{'perfgate / ' + fastest:22} {case.name:90} {middle:9.4f} [{least:.4f}, {most:.4f}] "
              "over rounds", flush=True)


def take_turns(case, options, prepared, calls, clock, results):
    """The median time of each arm of `prepared` in each round."""
    for sample in prepared.values():
        clock.warm_up(sample)
    medians = {}
    late = clock.late
    for index in range(options.rounds):
        order = list(prepared)
        random.shuffle(order)
        for arm in order:
            clock.time(prepared[arm], calls)
            samples = [clock.time(prepared[arm], calls) for _ in range(options.samples)]
            for row in peer_cases.rows_of(case.name, samples, calls):
                results.add(arm, index, row)
            medians.setdefault(arm, []).append(statistics.median(device for device, _ in samples))
    if clock.late > late:
        print(f"{case.name}: {clock.late - late} samples could not be queued ahead and have gaps of "
              "the host in them", flush=True)
    return medians


def main():
    options = arguments()
    cases = chosen(options)
    if options.list:
        for case in cases:
            print(case.name)
        return 0
    try:
        import torch
        import triton
    except ImportError as error:
        print(f"gpu_peers: skipped: {error}")
        return 77
    if not torch.cuda.is_available():
        print("gpu_peers: skipped: PyTorch sees no GPU")
        return 77
    from gpu import kernels_arm, timing

    try:
        library = kernels_arm.Library(options.kernels) if options.kernels else None
    except OSError as error:
        sys.exit(f"gpu_peers: --kernels: {error}")
    torch.manual_seed(random.SystemRandom().getrandbits(63))
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    clock = timing.Clock()
    ceiling = timing.copy_ceiling(clock)
    print(f"copy ceiling {ceiling / 1e9:.0f} GB/s", flush=True)
    results = Results(options, {
        "gpu": torch.cuda.get_device_name(0), "torch": torch.__version__,
        "triton": triton.__version__, "cuda": torch.version.cuda,
        "protocol": "cold: emptied and persisting lines reset before each sample, no set of buffers "
                    "twice in it; one call or a graph of them between events",
        "rounds": "repetitions of one process",
    })
    started = time.monotonic()
    for case in cases:
        if time.monotonic() - started > 60 * options.minutes:
            print(f"gpu_peers: {case.name} and later ones not started: {options.minutes} minutes "
                  "are over")
            break
        try:
            measure(case, options, library, clock, results)
        except torch.cuda.OutOfMemoryError as error:
            results.fail("torch_eager", case, message_of(error), skipped=True)
        torch.cuda.empty_cache()
        results.write()  # what there is, should a later case end the process
    if options.perfgate:
        results.import_sessions()
    return 1 if results.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
