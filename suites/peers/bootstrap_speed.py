#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times perfgate's resampling beside a plain loop and scipy.stats.bootstrap, in one run.

usage: bootstrap_speed.py STATISTICS_BENCH [--check] [--repeats N]

Everything runs pinned to the same two cores, alternately, and the fastest of N runs counts, so
that the ratios are of the same minute. All get the same numbers: cases x 20 rounds, 10,000
resamples, percentile interval of the mean. scipy is called in the quickest way found (all cases in
one vectorised call, `batch` tried at several sizes). Prints one Markdown table; --check exits 1
where a promise is broken. Exits 77 where there are fewer than two cores; without numpy and scipy
the rows of scipy are left out, and said so.
"""
import argparse
import json
import os
import subprocess
import sys
import time

ROUNDS = 20
RESAMPLES = 10000
CASES = 1000
MASK = (1 << 64) - 1


def splitmix64(seed, index):
    t = (seed + (index + 1) * 0x9E3779B97F4A7C15) & MASK
    t = ((t ^ (t >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    t = ((t ^ (t >> 27)) * 0x94D049BB133111EB) & MASK
    return t ^ (t >> 31)


def data(cases):
    """The numbers of statistics_bench, rounds x cases."""
    return [[(splitmix64(7, r * cases + c) >> 11) * 2.0 ** -52 - 1.0 for c in range(cases)]
            for r in range(ROUNDS)]


def bench(executable, pattern):
    """{case name: seconds of one iteration}, and the peak memory in bytes."""
    command = [executable, f"--benchmark_filter={pattern}", "--benchmark_format=json",
               "--benchmark_min_time=0.05"]
    started = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    output = started.stdout.read()
    _, status, usage = os.wait4(started.pid, 0)
    if status != 0:
        sys.exit(f"{executable} failed with status {status}")
    rows = json.loads(output)["benchmarks"]
    return {row["run_name"]: row["real_time"] * 1e-3 for row in rows}, usage.ru_maxrss * 1024


def fastest(times, name, seconds):
    times[name] = min(seconds, times.get(name, seconds))


def scipy_call():
    """A function that runs scipy once, or None."""
    try:
        import numpy
        from scipy import stats
    except ImportError:
        return None
    columns = numpy.array(data(CASES)).T

    def run(batch):
        begin = time.perf_counter()
        stats.bootstrap((columns,), numpy.mean, axis=-1, vectorized=True, n_resamples=RESAMPLES,
                        batch=batch, method="percentile", random_state=1)
        return time.perf_counter() - begin

    return run


def name_of(kind, cases, workers):
    if kind == "loop":
        return f"bootstrap_loop/method:percentile/cases:{cases}/rounds:{ROUNDS}/resamples:{RESAMPLES}"
    if kind == "flips":
        return f"max_t/cases:{cases}/rounds:{ROUNDS}/flips:{RESAMPLES}/workers:{workers}"
    return (f"bootstrap/method:percentile/cases:{cases}/rounds:{ROUNDS}/resamples:{RESAMPLES}"
            f"/workers:{workers}")


def find(times, name):
    """Names end in what the library adds, such as /real_time."""
    for known, seconds in times.items():
        if known == name or known.startswith(name + "/"):
            return seconds
    sys.exit(f"the benchmark has no case {name}")


def pin():
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2:
        print("fewer than two cores")
        sys.exit(77)
    os.sched_setaffinity(0, cores[-2:])


def measure(executable, repeats):
    times, memory = {}, 0
    scipy_run = scipy_call()
    batches = [20, 50, 100, 200]
    for _ in range(repeats):
        for pattern in ("method:percentile", "^max_t"):
            found, peak = bench(executable, pattern)
            # 100,000 cases hold ten times the data; the promise on memory is about 10,000.
            for known, seconds in found.items():
                fastest(times, known, seconds)
        _, peak = bench(executable, "cases:10000/.*workers:2")
        memory = max(memory, peak)
        if scipy_run:
            by_batch = {batch: scipy_run(batch) for batch in batches}
            batches = [min(by_batch, key=by_batch.get)]  # the quickest goes on
            fastest(times, "scipy", min(by_batch.values()))
    return times, memory


def table(times):
    one = find(times, name_of("bootstrap", CASES, 1))
    rows = []
    for cases in (100, 1000, 10000, 100000):
        for kind, label in (("bootstrap", "matrix product"), ("flips", "flip test, max-T")):
            for workers in (1, 2):
                seconds = find(times, name_of(kind, cases, workers))
                rows.append([label, f"{cases:,}", str(workers), f"{seconds:.4f}",
                             f"{1e6 * seconds / cases:.1f}", ""])
    loop = find(times, name_of("loop", CASES, 1))
    rows.append(["loop (mt19937, mean, sort)", f"{CASES:,}", "1", f"{loop:.4f}",
                 f"{1e6 * loop / CASES:.1f}", f"{loop / one:.0f}x"])
    if "scipy" in times:
        rows.append(["scipy.stats.bootstrap", f"{CASES:,}", "1", f"{times['scipy']:.4f}",
                     f"{1e6 * times['scipy'] / CASES:.1f}", f"{times['scipy'] / one:.0f}x"])
    return rows


def broken(times, memory):
    """Promises that do not hold, one sentence each."""
    both = sum(find(times, name_of(kind, 10000, 2)) for kind in ("bootstrap", "flips"))
    one = find(times, name_of("bootstrap", CASES, 1))
    sentences = []
    if both > 2.0:
        sentences.append(f"10,000 cases take {both:.2f} s on two cores, more than 2 s")
    if memory > 1 << 30:
        sentences.append(f"10,000 cases take {memory / 2**20:.0f} MiB, more than 1 GiB")
    for kind in ("bootstrap", "flips"):
        per_case = [find(times, name_of(kind, cases, 1)) / cases for cases in (1000, 100000)]
        if per_case[1] > 1.5 * per_case[0]:
            sentences.append(f"{kind}: time per case grows by {per_case[1] / per_case[0]:.1f}x "
                             "from 1,000 to 100,000 cases")
    for name, seconds in (("the loop", find(times, name_of("loop", CASES, 1))),
                          ("scipy", times.get("scipy"))):
        if seconds is not None and seconds < 20.0 * one:
            sentences.append(f"{name} takes {seconds / one:.1f}x as long, less than 20x")
    return sentences


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("executable")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args(arguments)
    pin()
    times, memory = measure(options.executable, max(1, options.repeats))
    print("<!-- table: resampling_speed -->")
    header = ["method", "cases", "cores", "seconds", "us per case", "against the product, 1 core"]
    for row in [header, ["---"] * len(header)] + table(times):
        print("| " + " | ".join(row) + " |")
    print("<!-- end of table -->")
    both = sum(find(times, name_of(kind, 10000, 2)) for kind in ("bootstrap", "flips"))
    print(f"10,000 cases, resamples and flips together, two cores: {both:.2f} s, at most "
          f"{memory / 2**20:.0f} MiB.")
    if "scipy" not in times:
        print("numpy and scipy are not installed: not compared.")
    sentences = broken(times, memory)
    for sentence in sentences:
        print("broken: " + sentence, file=sys.stderr)
    return 1 if options.check and sentences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
