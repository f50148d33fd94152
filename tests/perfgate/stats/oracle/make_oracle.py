#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes what scipy, numpy and brute force say about the estimators of perfgate/stats.

usage: make_oracle.py > tests/data/stats_oracle.json      (needs python3-scipy)

Nothing here shares code with perfgate: intervals come from scipy where it has them, else from the
definition by enumeration (all sign vectors, all choices of sessions, all pairs).
"""
import itertools
import json
import math
import sys

import numpy as np
import scipy
from scipy import optimize, special, stats


def t_ppf(p, df):
    """Quantile of Student's t. scipy's own is good to 8 digits only, so its tail is inverted here."""
    if p == 0.5:
        return 0.0
    if p < 0.5:
        return -t_ppf(1 - p, df) if p > 1e-3 else -_t_upper(p, df)
    return _t_upper(1 - p, df)


def _t_upper(tail, df):
    excess = lambda x: 0.5 * special.betainc(df / 2, 0.5, df / (df + x * x)) - tail
    return optimize.brentq(excess, 0.0, 1e6, xtol=1e-300, rtol=1e-15, maxiter=1000)


def clopper_pearson(successes, trials, confidence):
    """Clopper and Pearson (1934) by inverting binomial tails: beta.ppf is good to 6 digits only in some versions."""
    tail = (1 - confidence) / 2

    def solve(excess):
        return optimize.brentq(excess, 0.0, 1.0, xtol=1e-300, rtol=1e-15, maxiter=1000)

    k, n = successes, trials
    low = 0.0 if k == 0 else solve(lambda p: stats.binom.sf(k - 1, n, p) - tail)
    high = 1.0 if k == n else 1.0 - solve(lambda q: stats.binom.sf(n - k - 1, n, q) - tail)
    return [low, high]


def samples(rng):
    """Samples of many shapes and sizes: skew, ties, outliers, extreme scales."""
    shapes = {
        "normal": lambda n: rng.normal(0.01, 0.03, n),
        "lognormal": lambda n: rng.lognormal(0.0, 1.0, n),
        "t3": lambda n: rng.standard_t(3, n),
        "ties": lambda n: rng.integers(-3, 4, n) / 8.0,
        "tiny": lambda n: rng.normal(0.0, 1e-150, n),
        "large": lambda n: rng.normal(1e12, 1e9, n),
        "outlier": lambda n: np.append(rng.normal(0.0, 0.01, n - 1), 5.0),
    }
    for n in (2, 3, 5, 6, 7, 10, 11, 24, 40, 101):
        for name, draw in shapes.items():
            yield name, draw(n)


def trimmed(x, trim):
    """Tukey and McLaughlin's interval from its definition."""
    n = len(x)
    g = math.floor(trim * n + 1e-9)
    s = np.sort(x)
    kept = s[g:n - g]
    w = s.copy()
    w[:g], w[n - g:] = s[g], s[n - g - 1]
    sd = np.std(w, ddof=1)
    out = {"mean": float(np.mean(kept)), "winsorised_sd": float(sd)}
    if len(kept) >= 2:
        half = t_ppf(0.975, len(kept) - 1) * sd / ((1 - 2 * g / n) * math.sqrt(n))
        out.update(lo=float(np.mean(kept) - half), hi=float(np.mean(kept) + half))
    return out


def walsh(x):
    return np.sort([0.5 * (x[i] + x[j]) for i in range(len(x)) for j in range(i, len(x))])


def signed_rank(x, a):
    """Walsh averages cut off by the enumerated distribution of the rank sum."""
    n = len(x)
    ranks = np.arange(1, n + 1)
    sums = np.sort([sum(r for r, s in zip(ranks, signs) if s)
                    for signs in itertools.product((0, 1), repeat=n)])
    k = -1
    while np.count_nonzero(sums <= k + 1) <= a * 2 ** n:
        k += 1
    w = walsh(x)
    return {"k": k, "lo": float(w[k]), "hi": float(w[len(w) - 1 - k])} if k >= 0 else {"k": -1}


def one_sample(rng):
    cases = []
    for name, x in samples(rng):
        half = t_ppf(0.975, len(x) - 1) * stats.sem(x)
        case = {
            "shape": name, "x": x.tolist(), "median": float(np.median(x)),
            "mean": float(np.mean(x)), "sd": float(np.std(x, ddof=1)),
            "mad_sd": float(stats.median_abs_deviation(x, scale="normal")),
            "iqr_sd": float(stats.iqr(x, scale="normal")),
            "q10": float(np.quantile(x, 0.1)), "q99": float(np.quantile(x, 0.99)),
            "t": [float(np.mean(x) - half), float(np.mean(x) + half)], "trimmed": trimmed(x, 0.2),
            "hodges_lehmann": float(np.median(walsh(x))),
        }
        if len(x) <= 11:
            case["signed_rank"] = {str(a): signed_rank(x, a) for a in (0.025, 0.05, 0.01)}
        cases.append(case)
    return cases


def quantile_ranks():
    """Equal-tailed pairs of order statistics by walking the binomial distribution."""
    out = []
    for n in (1, 5, 6, 10, 40, 59, 72, 100, 299, 368, 369, 1000):
        for p in (0.5, 0.9, 0.95, 0.99, 0.1):
            tail = 0.025
            lo = max((k for k in range(n) if stats.binom.cdf(k, n, p) <= tail), default=None)
            hi = min((k for k in range(n) if stats.binom.sf(k, n, p) <= tail), default=None)
            row = {"n": n, "p": p}
            if lo is not None and hi is not None:
                row.update(lo=lo, hi=hi, attained=float(
                    stats.binom.cdf(hi, n, p) - stats.binom.cdf(lo, n, p)))
            out.append(row)
    return out


def proportions():
    out = []
    for trials in (1, 2, 8, 45, 100, 4000, 100000):
        for successes in sorted({0, 1, trials // 100, trials // 2, trials - 1, trials}):
            result = stats.binomtest(successes, trials)
            for confidence in (0.9, 0.95):
                score = result.proportion_ci(confidence, method="wilson")
                out.append({"successes": successes, "trials": trials, "confidence": confidence,
                            "exact": clopper_pearson(successes, trials, confidence),
                            "wilson": [score.low, score.high]})
    return out


def multiplicity(rng):
    """By definition, for every p by itself: no sorting tricks."""
    out = []
    for m in (1, 2, 5, 20):
        for p in (rng.uniform(0, 1, m), rng.uniform(0, 0.05, m), rng.integers(0, 4, m) / 3.0):
            order = sorted(range(m), key=lambda i: p[i])
            holm, bh = [0.0] * m, [0.0] * m
            for j, i in enumerate(order):
                holm[i] = min(1.0, max((m - l) * p[order[l]] for l in range(j + 1)))
                bh[i] = min(1.0, min(m / (l + 1) * p[order[l]] for l in range(j, m)))
            out.append({"p": p.tolist(), "holm": holm, "benjamini_hochberg": bh})
    return out


def rank_sums(rng):
    out = []
    for n, m in ((1, 1), (3, 4), (8, 5), (20, 20), (60, 30)):
        for ties in (False, True):
            a, b = rng.normal(0, 1, n), rng.normal(0.5, 1, m)
            if ties:
                a, b = np.round(a * 2) / 2, np.round(b * 2) / 2
            tied = len(set(a) | set(b)) < n + m
            if tied and len(set(a) | set(b)) == 1:
                continue
            method = "exact" if not tied and max(n, m) <= 50 else "asymptotic"
            # U of b: pairs in which b is the larger.
            both = stats.mannwhitneyu(b, a, alternative="two-sided", method=method)
            greater = stats.mannwhitneyu(b, a, alternative="greater", method=method)
            out.append({"a": a.tolist(), "b": b.tolist(), "u": float(both.statistic),
                        "two_sided": float(both.pvalue), "greater": float(greater.pvalue)})
    return out


def max_t(rng):
    """Step-down adjusted p by enumerating every sign vector."""
    out = []
    for n, columns, shift in ((6, 1, 0.0), (8, 3, 0.02), (10, 4, 0.05), (11, 6, 0.0)):
        x = rng.standard_t(3, (n, columns)) * 0.02 + shift * (np.arange(columns) == 0)
        limit = 2 * np.median(np.abs(x), axis=0)
        y = np.clip(x, -limit, limit)
        u = y / np.sqrt((y ** 2).sum(axis=0))
        z = u.sum(axis=0)
        signs = np.array(list(itertools.product((1, -1), repeat=n)))
        flipped = signs @ u
        order = sorted(range(columns), key=lambda c: (-z[c], c))
        adjusted, largest = [0.0] * columns, 0.0
        for j, c in enumerate(order):
            p = np.mean(flipped[:, order[j:]].max(axis=1) >= z[c] - 1e-9)
            largest = max(largest, float(p))
            adjusted[c] = largest
        single = [float(np.mean(flipped.max(axis=1) >= v - 1e-9)) for v in z]
        out.append({"x": x.tolist(), "z": z.tolist(), "adjusted": adjusted, "single": single})
    return out


def stored(rng):
    out = []
    for big, small, columns in ((7, 3, 2), (5, 2, 3), (10, 3, 4)):
        base = rng.normal(0, 0.03, (big, columns))
        cand = rng.normal(0.04, 0.03, (small, columns))
        tau = math.log(1.02)
        y = np.vstack([base, cand - tau])
        u = (y - y.mean(axis=0)) / np.sqrt(((y - y.mean(axis=0)) ** 2).sum(axis=0))
        observed = u[big:].sum(axis=0)
        maxima = np.array([u[list(rows)].sum(axis=0).max()
                           for rows in itertools.combinations(range(big + small), small)])
        df = big + small - 2
        pooled = np.sqrt((base.var(axis=0) * big + cand.var(axis=0) * small) / df)
        half = t_ppf(0.975, df) * pooled * math.sqrt(1 / big + 1 / small)
        delta = cand.mean(axis=0) - base.mean(axis=0)
        out.append({"baseline": base.tolist(), "candidate": cand.tolist(), "tau": tau,
                    "p": [float(np.mean(maxima >= t - 1e-9)) for t in observed],
                    "delta": delta.tolist(), "lo": (delta - half).tolist(),
                    "hi": (delta + half).tolist()})
    return out


def planning():
    out = []
    for s in (0.003, 0.01, 0.06):
        for theta in (0.005, 0.02):
            for alpha in (0.01, 0.003, 0.00015):
                z = stats.norm.ppf(1 - alpha)
                n = max(math.ceil(((z + stats.norm.ppf(0.8)) * s / theta) ** 2 + z * z / 2),
                        math.ceil(math.log2(1 / alpha)))
                out.append({"s": s, "theta": theta, "alpha": alpha, "rounds": n,
                            "distance": float((t_ppf(1 - alpha, 15) + stats.norm.ppf(0.8)) *
                                              s / 4.0)})
    return out


def quantiles():
    ps = [1e-12, 1e-6, 0.01, 0.025, 0.2, 0.5, 0.8, 0.975, 0.999999]
    return {"p": ps, "normal": [float(stats.norm.ppf(p)) for p in ps],
            "t3": [float(t_ppf(p, 3)) for p in ps],
            "t39": [float(t_ppf(p, 39)) for p in ps],
            "cdf_at": [-8.0, -1.0, 0.0, 2.5],
            "cdf": [float(stats.norm.cdf(x)) for x in (-8.0, -1.0, 0.0, 2.5)]}


def main():
    if len(sys.argv) > 1:
        sys.exit(__doc__)
    rng = np.random.default_rng(20240229)
    print(json.dumps({
        "about": f"made by make_oracle.py with scipy {scipy.__version__}, numpy {np.__version__}",
        "one_sample": one_sample(rng), "quantile_ranks": quantile_ranks(),
        "proportions": proportions(), "multiplicity": multiplicity(rng),
        "rank_sums": rank_sums(rng), "max_t": max_t(rng), "stored": stored(rng),
        "planning": planning(), "quantiles": quantiles(),
    }, allow_nan=False, separators=(",", ":")).replace("},{", "},\n{"))


if __name__ == "__main__":
    main()
