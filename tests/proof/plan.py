# SPDX-License-Identifier: Apache-2.0
"""Which runs make up the proof, in which order: a function of the seed and of what is eligible.

First come `CALIBRATION` A/A runs. They give the noise of each case, and that decides, once and
before anything was injected, in which cases an effect should be found (`is_eligible`). The rest
(A/A and slowed runs) is interleaved in random order.
"""

import random
import statistics

CALIBRATION = 12
EFFECTS = (3, 5, 10)  # per cent
TOLERANCE = 0.02
MOST_DRAWS = 3  # times the wanted number
BLOCK = 6  # consecutive runs with, then without background load


def is_eligible(noise_sd, effect):
    """Round SD at most half the distance between effect (per cent) and tolerance."""
    return noise_sd is not None and noise_sd <= (effect / 100 - TOLERANCE) / 2 + 1e-12


def balanced_flags(rng, count):
    """`count` booleans, half of them true, in random order."""
    flags = [i % 2 == 0 for i in range(count)]
    rng.shuffle(flags)
    return flags


def aa_runs(seed, count):
    """A/A runs; the first CALIBRATION of them are half loaded by themselves."""
    rng = random.Random(f"{seed}:aa")
    first = min(CALIBRATION, count)
    flags = balanced_flags(rng, first) + balanced_flags(rng, count - first)
    return [{"id": f"aa-{i:03d}", "kind": "aa", "load": load} for i, load in enumerate(flags)]


def drawable(seed, effect, case_count, wanted):
    """Indices of all cases that slow_runs can return, whatever is eligible."""
    rng = random.Random(f"{seed}:slow:{effect}")
    return sorted({_draw(rng, case_count) for _ in range(MOST_DRAWS * wanted)})


def _draw(rng, case_count):
    return rng.randrange(case_count)


def slow_runs(seed, effect, case_count, wanted, eligible=None):
    """Draws of a slowed case, uniform over all cases, until `wanted` of them are eligible.

    eligible: set of case indices, or None where it is not known: `wanted` draws. Ends at
    MOST_DRAWS * wanted draws, or at half of that where less than half of the cases are eligible.
    """
    rng = random.Random(f"{seed}:slow:{effect}")
    flags_rng = random.Random(f"{seed}:slow:{effect}:load")
    if eligible is None:
        cap = wanted
    else:
        cap = MOST_DRAWS * wanted // (1 if 2 * len(eligible) >= case_count else 2)
    runs, found, flags = [], 0, []
    while len(runs) < cap and found < wanted:
        flags = flags or balanced_flags(flags_rng, 2)
        index = _draw(rng, case_count)
        runs.append({"id": f"slow{effect:02d}-{len(runs):03d}", "kind": "slow", "effect": effect,
                     "case_index": index, "load": flags.pop()})
        found += eligible is None or index in eligible
    return runs


def interleave(seed, runs):
    """Random order in which blocks of loaded and of unloaded runs alternate.

    Two gates may run at once; in blocks, they mostly agree on the load.
    """
    rng = random.Random(f"{seed}:order")
    queues = [[r for r in runs if r["load"]], [r for r in runs if not r["load"]]]
    for queue in queues:
        rng.shuffle(queue)
    order, turn = [], rng.randrange(2)
    while queues[0] or queues[1]:
        order += queues[turn][:BLOCK]
        del queues[turn][:BLOCK]
        turn = 1 - turn
    return order


def pooled_noise(records, names):
    """{case: median over A/A records of the noise_sd that the gate reported, or None}."""
    pooled = {}
    for name in names:
        seen = [r["noise_sd"][name] for r in records
                if r["kind"] == "aa" and r.get("noise_sd", {}).get(name) is not None]
        pooled[name] = statistics.median(seen) if seen else None
    return pooled


def eligible_cases(noise, names, effect):
    """Indices of the cases in which `effect` per cent should be found."""
    return {i for i, name in enumerate(names) if is_eligible(noise[name], effect)}


def calibration_runs(config):
    return aa_runs(config["seed"], config["aa_runs"])[:CALIBRATION]


def later_runs(config, names, noise, only=None):
    """All runs after calibration, in order. noise: frozen by calibration, or None (not known)."""
    runs = []
    if only != "slow":
        runs += aa_runs(config["seed"], config["aa_runs"])[CALIBRATION:]
    if only != "aa":
        for effect in EFFECTS:
            eligible = None if noise is None else eligible_cases(noise, names, effect)
            runs += slow_runs(config["seed"], effect, len(names), config["per_effect"], eligible)
    return interleave(config["seed"], runs)
