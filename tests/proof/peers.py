# SPDX-License-Identifier: Apache-2.0
"""What the usual methods say of two ordinary benchmark runs, one after the other.

Each rule names the cases that it calls slower. Samples are the repetitions of one process.
"""

import json
import math
import random
import statistics
import subprocess
from functools import lru_cache

ARGUMENTS = ("--benchmark_repetitions=10", "--benchmark_min_time=0.01", "--benchmark_format=json")
RULES = ("rank_sum", "moved_5", "bootstrap")
TITLES = {"rank_sum": "Mann-Whitney p < 0.05", "moved_5": "median moved > 5 %",
          "bootstrap": "percentile bootstrap of repetitions"}


@lru_cache(maxsize=None)
def rank_sum_counts(m, n):
    """Number of arrangements of m and n distinct values per value of U (Mann and Whitney, 1947)."""
    if m == 0 or n == 0:
        return (1,)
    counts = [0] * (m * n + 1)
    for u, ways in enumerate(rank_sum_counts(m - 1, n)):  # the largest value is an a
        counts[u] += ways
    for u, ways in enumerate(rank_sum_counts(m, n - 1)):  # the largest value is a b: m pairs
        counts[u + m] += ways
    return tuple(counts)


def rank_sum(a, b):
    """(U, two-sided p): U counts pairs a < b, ties one half.

    Exact without ties and up to 50 values a side; else normal with tie and continuity correction.
    """
    m, n = len(a), len(b)
    u = sum((x < y) + 0.5 * (x == y) for x in a for y in b)
    groups = {}
    for value in (*a, *b):
        groups[value] = groups.get(value, 0) + 1
    if len(groups) == m + n and max(m, n) <= 50:
        counts = rank_sum_counts(m, n)
        total = math.comb(m + n, m)
        tail = min(sum(counts[: int(u) + 1]), sum(counts[int(u):]))
        return u, min(1.0, 2 * tail / total)
    size = m + n
    ties = sum(t**3 - t for t in groups.values())
    variance = m * n / 12 * ((size + 1) - ties / (size * (size - 1)))
    if variance <= 0:
        return u, 1.0
    z = max(0.0, abs(u - m * n / 2) - 0.5) / math.sqrt(variance)
    return u, math.erfc(z / math.sqrt(2))


def percentile(ordered, share):
    """Linear interpolation between order statistics."""
    position = share * (len(ordered) - 1)
    low = math.floor(position)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (position - low) * (ordered[high] - ordered[low])


def bootstrap_ratio(a, b, seed, resamples=2000):
    """Percentiles 2.5 and 97.5 of mean(b*) / mean(a*), both resampled (Efron, 1979)."""
    rng = random.Random(seed)

    def resampled_mean(values):
        return sum(rng.choices(values, k=len(values))) / len(values)

    ratios = sorted(resampled_mean(b) / resampled_mean(a) for _ in range(resamples))
    return percentile(ratios, 0.025), percentile(ratios, 0.975)


def is_slower(rule, a, b, seed):
    """Does `rule` call b slower than a?"""
    if rule == "rank_sum":
        u, p = rank_sum(a, b)
        return p < 0.05 and u > len(a) * len(b) / 2
    if rule == "moved_5":
        return statistics.median(b) > 1.05 * statistics.median(a)
    return bootstrap_ratio(a, b, seed)[0] > 1


def judge(base, candidate, seed):
    """{rule: names of the cases called slower}. base, candidate: {case: times}."""
    return {rule: [name for name in base if name in candidate
                   and is_slower(rule, base[name], candidate[name], f"{seed}:{name}")]
            for rule in RULES}


def read_times(text):
    """{case: real times of the repetitions} of Google Benchmark's JSON output."""
    times = {}
    for row in json.loads(text)["benchmarks"]:
        if row.get("run_type", "iteration") == "iteration" and not row.get("error_occurred"):
            times.setdefault(row.get("run_name", row["name"]), []).append(float(row["real_time"]))
    return times


def compare(run, base, candidate, seed):
    """Runs both executables the ordinary way and judges them; raises where one of them fails.

    run(command) -> (exit code, standard output)
    """
    times = []
    for executable in (base, candidate):
        code, out = run([str(executable), *ARGUMENTS])
        if code != 0:
            raise subprocess.SubprocessError(f"{executable} ended with {code}")
        times.append(read_times(out))
    return judge(times[0], times[1], seed)
