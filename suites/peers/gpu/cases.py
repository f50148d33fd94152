# SPDX-License-Identifier: Apache-2.0
"""Names of kernel cases, what they say, and result files about them. Needs no PyTorch."""
import json
import math
import os
import socket
import statistics
import sys
import time

DTYPE_BYTES = {"f32": 4, "bf16": 2, "f16": 2, "f8e4m3": 1, "u8": 1, "mxfp4": 1}
LEAST_SETS, MOST_SETS, MOST_CALLS = 2, 64, 64
# Implementations of ours whose names the peers take over, best first.
OURS = ("vector", "cublaslt", "last_block", "split")


class Case:
    """op/key:value/.../cache:cold[/manual_time]; the values of numeric keys are integers."""

    def __init__(self, name):
        self.name = name
        self.op, *parts = name.split("/")
        self.keys = {}
        for part in parts:
            key, colon, value = part.partition(":")
            if colon:
                self.keys[key] = int(value) if value.isdigit() else value
        if "dtype" not in self.keys or "device" not in self.keys:
            raise ValueError(f"{name}: expected op/device:D/impl:I/.../dtype:T/cache:C")

    def __getattr__(self, key):
        try:
            return self.__dict__["keys"][key]
        except KeyError:
            raise AttributeError(f"{self.name} has no {key}") from None

    def get(self, key, default):
        return self.keys.get(key, default)

    @property
    def shape(self):
        """What two implementations of one case have in common."""
        return self.op, tuple(sorted((k, v) for k, v in self.keys.items() if k != "impl"))

    @property
    def size(self):
        """Bytes of an element; of a conversion those of its input."""
        return DTYPE_BYTES[self.dtype.split("_to_")[0]]

    @property
    def target(self):
        """The dtype that a conversion, or the cache of rope_append, has."""
        return self.dtype.split("_to_")[-1]


def choose(names):
    """One case per shape, under the name of the first of OURS that has it. Cold cases on a GPU."""
    best = {}
    for name in names:
        try:
            case = Case(name)
        except ValueError:
            continue
        if case.device != "cuda" or case.get("cache", "") != "cold" or case.get("impl", "") not in OURS:
            continue
        known = best.get(case.shape)
        if known is None or OURS.index(case.impl) < OURS.index(known.impl):
            best[case.shape] = case
    return list(best.values())


def bytes_of(case):
    """Bytes that a call must move, by the models in the headers of kernels/."""
    c, b = case, case.size
    target = DTYPE_BYTES[c.target]
    if c.op in ("copy",):
        return 2 * c.count * b
    if c.op == "sum":
        return c.count * b
    if c.op in ("rmsnorm", "softmax"):
        return 2 * c.rows * c.cols * b
    if c.op == "residual_rmsnorm":
        return 4 * c.rows * c.cols * b
    if c.op == "silu_mul":
        return 3 * c.rows * c.cols * b
    if c.op == "rope":
        return 2 * c.tokens * c.heads * c.dim * b + 4 * c.tokens * c.dim
    if c.op == "rope_append":
        q, kv = c.tokens * c.heads * c.dim, 2 * c.tokens * c.kv_heads * c.dim
        return (2 * q + kv) * b + kv * target + 4 * c.tokens * c.dim
    if c.op == "convert":
        return c.count * (b + target)
    if c.op == "gemv":
        return c.n * c.k * b + 4 * (c.n + c.k)
    if c.op == "gemv_mxfp4":
        return c.n * c.k * 17 / 32 + 4 * (c.n + c.k)
    if c.op == "logits_argmax":
        return c.vocab * c.k * b + 4 * c.k
    if c.op == "decode_attention":
        return c.get("batch", 1) * 2 * (c.length * c.kv_heads * c.dim * b + 4 * c.heads * c.dim)
    if c.op in ("argmax", "top_k", "sample"):
        return c.rows * c.cols * b
    if c.op == "gemm":
        batch = c.get("batch", 1)
        return (c.m * c.k + batch * (c.n * c.k + c.m * c.n)) * b
    raise ValueError(f"{c.op}: no model of its bytes")


def flops_of(case):
    return 2 * case.get("batch", 1) * case.m * case.n * case.k if case.op == "gemm" else 0


def sets_for(case, l2_bytes):
    """Sets of buffers that together hold five times the L2 cache, and one per call of a sample."""
    filling = math.ceil(5 * l2_bytes / bytes_of(case))
    return min(MOST_SETS, max(LEAST_SETS, filling, calls_for(case)))


def calls_for(case):
    """Calls of a sample, by the rule of perfgate/bench/sample_plan.h at an H100's peaks: one where
    physics keeps it for 100 us, else about 200 us of them in a graph."""
    predicted = max(bytes_of(case) / 3.35e12, flops_of(case) / 989e12)
    if predicted >= 100e-6:
        return 1
    return max(2, min(MOST_CALLS, math.ceil(200e-6 / (predicted + 2e-6))))


def context(arm, extra):
    """The header of a result file in the form of Google Benchmark's."""
    return {
        "date": time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime()),
        "host_name": socket.gethostname(),
        "executable": os.path.basename(sys.argv[0]),
        "num_cpus": os.cpu_count(),
        "mhz_per_cpu": 0,
        "cpu_scaling_enabled": False,
        "caches": [],
        "load_avg": list(os.getloadavg()),
        "library_build_type": "release",
        "peer": arm,
        **extra,
    }


def rows_of(name, samples, calls):
    """samples: (seconds of a call on the device, host seconds per call), one row each."""
    return [{
        "name": name, "run_name": name, "run_type": "iteration",
        "repetitions": len(samples), "repetition_index": index, "threads": 1,
        "iterations": calls, "real_time": device * 1e9, "cpu_time": host * 1e9, "time_unit": "ns",
    } for index, (device, host) in enumerate(samples)]


def against_fastest(medians):
    """(arm, median, lowest, highest): the ratios of `perfgate` to the fastest of the other arms,
    round by round. medians: arm -> a time per round. None where there is nothing to compare."""
    ours = medians.get("perfgate")
    others = {arm: times for arm, times in medians.items() if arm != "perfgate"}
    if not ours or not others:
        return None
    fastest = min(others, key=lambda arm: statistics.median(others[arm]))
    ratios = [mine / theirs for mine, theirs in zip(ours, others[fastest])]
    return fastest, statistics.median(ratios), min(ratios), max(ratios)


def failed_row(name, message, skipped):
    row = {"name": name, "run_name": name, "run_type": "iteration", "repetitions": 1,
           "repetition_index": 0, "threads": 1, "iterations": 0, "real_time": 0.0, "cpu_time": 0.0,
           "time_unit": "ns"}
    if skipped:
        return {**row, "skipped": True, "skip_message": message}
    return {**row, "error_occurred": True, "error_message": message}


def write(path, arm, extra, rows):
    """The whole file or none of it."""
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    text = json.dumps({"context": context(arm, extra), "benchmarks": rows}, indent=1)
    with open(path + ".part", "w", encoding="utf-8") as file:
        file.write(text + "\n")
    os.replace(path + ".part", path)
