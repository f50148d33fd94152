# SPDX-License-Identifier: Apache-2.0
"""The proof's result: a Markdown table from the records of a state folder, and its criteria."""

import statistics

from peers import RULES, TITLES
from plan import EFFECTS, eligible_cases, is_eligible, pooled_noise

MOST_AA_FAILS = 3
LEAST_FOUND = {5: 17, 10: 19}  # of 20
LEAST_QUIET = 15
CLEAN = (0, 12)  # exit codes that are no failure


def is_fail(record):
    """Of an A/A run: anything but pass or inconclusive, crashes and time-outs too."""
    return record["exit"] not in CLEAN


def is_found(record):
    """Exit code of a regression, and the slowed case is named."""
    return record["exit"] == 10 and record.get("verdicts", {}).get(record["case"]) == "regression"


def falsely_named(record):
    """Cases called regressions that were not slowed."""
    return [name for name, verdict in record.get("verdicts", {}).items()
            if verdict == "regression" and name != record.get("case")]


def covers(record):
    """Does the printed interval contain the true slowdown? None without an interval."""
    _, lo, hi = record.get("effects", {}).get(record["case"], (None, None, None))
    return None if lo is None or hi is None else lo <= record["true"] <= hi


def mean(values, digits=0):
    """Text; `-` where there is no value."""
    values = [v for v in values if v is not None]
    return f"{statistics.fmean(values):.{digits}f}" if values else "-"


def ratio(part, whole):
    return f"{part}/{whole}"


def percent(value):
    return "?" if value is None else f"{100 * value:.2f} %"


def markdown(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows] + [""]


def split_eligible(records, frozen, names, effect, wanted):
    """(the first `wanted` eligible slow runs, all others) of one effect, in the order drawn."""
    runs = sorted((r for r in records if r["kind"] == "slow" and r["effect"] == effect),
                  key=lambda r: r["id"])
    good = set() if frozen is None else {names[i] for i in eligible_cases(frozen, names, effect)}
    eligible = [r for r in runs if r["case"] in good][:wanted]
    return eligible, [r for r in runs if r not in eligible]


def exit_counts(runs):
    codes = [r["exit"] for r in runs]
    return ", ".join(f"{code}: {codes.count(code)}"
                     for code in sorted(set(codes), key=lambda c: (c is None, c))) or "none"


def aa_section(records):
    runs = [r for r in records if r["kind"] == "aa"]
    rows = []
    for title, part in (("all", runs), ("with load", [r for r in runs if r["load"]]),
                        ("without", [r for r in runs if not r["load"]])):
        judged = [r["peers"] for r in part if r.get("peers")]
        rows.append([title, ratio(sum(map(is_fail, part)), len(part)), exit_counts(part),
                     ratio(sum(bool(r.get("could_fail")) for r in part), len(part)),
                     mean([r.get("rounds") for r in part], 1), mean([r["gate_s"] for r in part]),
                     mean([100 * r["load_share"] for r in part]) + " %",
                     *(ratio(sum(bool(j[rule]) for j in judged), len(judged)) for rule in RULES)])
    return ["## Identical code (A/A, tolerance 0)", "",
            "Fails: any exit but 0 and 12. Right of `load on`: pairs of ordinary runs in which "
            "that rule calls any case slower.", ""] + markdown(
        ["runs", "fails", "exit codes", "reached a FAIL look", "rounds", "seconds", "load on",
         *(TITLES[rule] for rule in RULES)], rows)


def slow_row(title, runs):
    judged = [r for r in runs if r.get("peers")]
    intervals = [c for c in map(covers, runs) if c is not None]
    peers = []
    for rule in RULES:
        found = sum(r["case"] in r["peers"][rule] for r in judged)
        others = sum(any(n != r["case"] for n in r["peers"][rule]) for r in judged)
        peers.append(f"{ratio(found, len(judged))}, {others} false")
    return [title, ratio(sum(map(is_found, runs)), len(runs)), exit_counts(runs),
            ratio(sum(intervals), len(intervals)), sum(bool(falsely_named(r)) for r in runs),
            mean([r.get("case_rounds", {}).get(r["case"]) for r in runs], 1),
            mean([r["gate_s"] for r in runs]), *peers]


def slow_section(records, frozen, names, wanted):
    rows, listed = [], []
    for effect in EFFECTS:
        eligible, rest = split_eligible(records, frozen, names, effect, wanted)
        rows.append(slow_row(f"{effect} %", eligible))
        if rest:
            kind = "noisy" if frozen else "uncalibrated"
            rows.append(slow_row(f"{effect} %, {kind} case", rest))
        listed += [[f"{effect} %", r["case"], percent((frozen or {}).get(r["case"])),
                    "found" if is_found(r) else f"not found (exit {r['exit']})"] for r in rest]
    lines = ["## One case slowed (tolerance 2 %)", "",
             "Found: exit 10 and the slowed case is named. `interval`: runs whose printed interval "
             "contains the true slowdown. `false`: runs in which another case is named as well. "
             "`rounds`: of the slowed case. Noisy: the calibrated round SD is more than half of "
             "(effect - tolerance).", ""]
    lines += markdown(["slowdown", "found", "exit codes", "interval", "false", "rounds", "seconds",
                       *(TITLES[rule] for rule in RULES)], rows)
    if listed:
        lines += ["Runs in noisy cases, one by one:", ""]
        lines += markdown(["slowdown", "case", "calibrated round SD", "result"], listed)
    return lines


def noise_section(records, frozen, names):
    pooled = pooled_noise(records, names)
    rows = [[name, percent((frozen or {}).get(name)), percent(pooled[name])]
            for name in sorted(names, key=lambda n: pooled[n] if pooled[n] is not None else 1e9)]
    quiet = sum(is_eligible(pooled[name], 5) for name in names)
    return ["## Noise of the cases (between rounds, median over A/A runs)", "",
            f"{quiet} of {len(names)} cases have a round SD of at most 1.5 %, half of (5 % - 2 %). "
            "`calibrated` comes from the first A/A runs and decided before any injection where an "
            "effect should be found.", ""] + markdown(["case", "calibrated", "all A/A runs"], rows)


def render(records, frozen, config, names, doubtful=()):
    """The whole report. frozen: {case: noise} of the calibration, or None before it is there."""
    lines = ["# Proof", "", f"Made by: `{config['command']}`, "
             f"{len(records)} runs recorded. CPU: {config.get('cpu', 'unknown')}.", ""]
    lines += aa_section(records)
    lines += slow_section(records, frozen, names, config["per_effect"])
    lines += noise_section(records, frozen, names)
    if doubtful:
        lines += ["Injection not confirmed by calibrate_injection: " + ", ".join(doubtful), ""]
    return "\n".join(lines)


def failures(records, frozen, config, names):
    """Sentences, one for each criterion that does not hold; empty: the proof stands."""
    found = []
    runs = [r for r in records if r["kind"] == "aa"]
    if len(runs) < config["aa_runs"]:
        found.append(f"{len(runs)} of {config['aa_runs']} A/A runs are recorded")
    fails = sum(map(is_fail, runs))
    if fails > MOST_AA_FAILS:
        found.append(f"{fails} A/A runs failed, at most {MOST_AA_FAILS} may")
    mute = sum(not r.get("could_fail") for r in runs)
    if mute > len(runs) // 10:
        found.append(f"{mute} A/A runs never reached a look at which they could fail: raise "
                     "--aa-budget")
    for effect, least in LEAST_FOUND.items():
        wanted = config["per_effect"]
        eligible, _ = split_eligible(records, frozen, names, effect, wanted)
        hits = sum(map(is_found, eligible))
        if len(eligible) < wanted:
            found.append(f"{effect} %: {len(eligible)} of {wanted} eligible runs are recorded")
        if hits < least:
            found.append(f"{effect} %: {hits} found, at least {least} of {wanted} must be")
    pooled = pooled_noise(records, names)
    quiet = sum(is_eligible(pooled[name], 5) for name in names)
    if quiet < LEAST_QUIET:
        found.append(f"{quiet} cases have a round SD of at most 1.5 %, at least {LEAST_QUIET} must")
    return found
