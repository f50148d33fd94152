# SPDX-License-Identifier: Apache-2.0
"""Percentiles as engine/decode/metrics.h has them, and how far those of several runs agree."""

import math

LEAST = {50: 1, 95: 20, 99: 100}  # values from which on a percentile is one of them that repeats


def nearest_rank(values, percent):
    """The smallest value that at least `percent` of all do not exceed."""
    rank = -(-len(values) * percent // 100)  # whole numbers: 0.95 * 20 would be rank 20, not 19
    return sorted(values)[max(rank, 1) - 1]


def summary(values):
    """n, mean, p50, and p95 and p99 where there are enough values; only n of none."""
    if not values:
        return {"n": 0}
    return {"n": len(values), "mean": math.fsum(values) / len(values),
            **{f"p{p}": nearest_rank(values, p) for p, n in LEAST.items() if len(values) >= n}}


def t_probability(t, freedom):
    """P(|T| <= t) of Student's t with a whole number of degrees of freedom (Abramowitz, Stegun,
    26.7.3 and 26.7.4)."""
    angle = math.atan(t / math.sqrt(freedom))
    cosine, term, total = math.cos(angle), 1.0, 0.0
    for k in range(1 if freedom % 2 == 0 else 2, freedom, 2):
        total += term
        term *= cosine * cosine * k / (k + 1)
    if freedom % 2 == 0:
        return math.sin(angle) * total
    return 2 / math.pi * (angle + math.sin(angle) * cosine * total)


def t_quantile(confidence, freedom):
    """The t whose interval [-t, t] has this probability, 0 < confidence < 1, freedom >= 1."""
    low, high = 0.0, 1.0
    while t_probability(high, freedom) < confidence:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        if t_probability(middle, freedom) < confidence:
            low = middle
        else:
            high = middle
    return high


def interval(values, confidence=0.95):
    """Geometric mean and its interval by Student's t on logarithms: times are above 0 and skewed,
    and on their own scale the lower end of a few runs is often negative. values: one per run, above
    0; None for fewer than 3."""
    n = len(values)
    if n < 3:
        return None
    logs = [math.log(value) for value in values]
    mean = math.fsum(logs) / n
    variance = math.fsum((value - mean) ** 2 for value in logs) / (n - 1)
    half = t_quantile(confidence, n - 1) * math.sqrt(variance / n)
    return math.exp(mean), math.exp(mean - half), math.exp(mean + half)
