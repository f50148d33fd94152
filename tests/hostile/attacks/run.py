#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which attacks on the gate are refused, and whether they would have passed without the defence.

usage: run.py --perfgate PROGRAM --programs FOLDER [--only ID,...] [--group NAME] [--rounds 24]
              [--show] [--undefended]

Runs every attack of catalogue.py in a folder of its own, with its defence and without it, and
prints a table. "gains" means exit 0 for a program that is slower, or does something else. Exits 1
where an attack ends with 0 or hangs with its defence on, or an honest program is judged wrongly;
with 77 where this machine can play none of them.
"""

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from catalogue import ISOLATED, OPEN, attack, catalogue  # noqa: E402
from steps import Run, Unavailable  # noqa: E402

HONEST = [
    (attack("honest_slower", "honest", "30 % slower", "", "", OPEN, None, program="slower_worker"),
     (10,)),
    (attack("honest_slower_isolated", "honest", "30 % slower", "", "", ISOLATED, None,
            program="slower_worker"), (10,)),
    (attack("honest_faster_isolated", "honest", "30 % faster", "", "", ISOLATED, None,
            program="faster_worker"), (0,)),
    (attack("honest_same_isolated", "honest", "the baseline again", "", "", ISOLATED + ["--aa"],
            None, program="honest_worker"), (0,)),
]


def outcome(given, one, options, defended):
    """Exit code of the last step, or why there is none."""
    with tempfile.TemporaryDirectory(prefix="attack-") as folder:
        run = Run(Path(folder), given.perfgate, given.programs, given.rounds)
        try:
            return run.play(one, options, defended)
        except Unavailable as reason:
            return str(reason)
        finally:
            run.sweep()
            if given.show:
                print(run.log, file=sys.stderr)


def defended_outcome(given, one):
    """On a loaded machine noise can leave a gate open (12), which is then run again: the table is
    about the defence that names the attack. Exit 0 in any of the runs stays."""
    for _ in range(3):
        code = outcome(given, one, one.on, True)
        if code != 12 or code in one.exits:
            break
    return code


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--perfgate", type=Path, required=True)
    parser.add_argument("--programs", type=Path, required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--group", default="")
    parser.add_argument("--rounds", type=int, default=24)
    parser.add_argument("--show", action="store_true", help="what every command printed")
    parser.add_argument("--undefended", action="store_true",
                        help="for tests of this program: the defence is off where it should be on")
    given = parser.parse_args()
    if shutil.which("setsid") is None:
        sys.exit("run.py needs setsid")
    only = set(filter(None, given.only.split(",")))

    def wanted(one):
        return (not only or one.id in only) and given.group in ("", one.group)

    bad, refused, gained, played, ends = [], 0, 0, 0, []
    print("| class | attack | what it does | without | with | defence | level |")
    print("|---|---|---|---|---|---|---|", flush=True)
    for one in filter(wanted, catalogue()):
        without = "" if one.off is None else outcome(given, one, one.off, False)
        with_it = without if given.undefended else defended_outcome(given, one)
        ends.append(with_it)
        played += 1
        refused += with_it in one.exits
        gained += without == 0
        if with_it == "hung" or (isinstance(with_it, int) and with_it not in one.exits):
            bad.append(one.id)
        print(f"| {one.group} | {one.id} | {one.what} | {without} | {with_it} | {one.defence} | "
              f"{one.level} |", flush=True)
    for one, exits in HONEST:
        if not wanted(one):
            continue
        code = outcome(given, one, one.on, True)
        if code not in exits and not isinstance(code, str):
            bad.append(one.id)
        ends.append(code)
        print(f"| honest | {one.id} | {one.what} | | {code} | | |", flush=True)
    print(f"\n{played} attacks: {refused} refused with the defence, {gained} gain exit 0 without it")
    if bad:
        print("wrong: " + ", ".join(bad))
    if not any(isinstance(code, int) for code in ends):
        return 77
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
