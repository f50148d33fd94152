# SPDX-License-Identifier: Apache-2.0
"""The attacks: what each does, the defence that catches it, and how it is run with that defence on
and off.

on, off: options of the gate with the defence and without it; no off: nothing switches it off.
off_suffix: programs without the defence have this behind their names. Exits that refuse a candidate
are 10, 11, 13 and 14; a file that is no input is 65.
"""

from collections import namedtuple

Attack = namedtuple("Attack", "id group what defence level on off program baseline steps exits "
                              "off_suffix")

REFUSED = (10, 11, 13, 14)
OPEN = ["--isolate=no"]
ISOLATED = ["--isolate=require"]
CLOCK_OFF = ["--second-clock", "off", "--plausibility", "off"]
PLAUSIBLE_OFF = ["--plausibility", "off", "--second-clock", "off"]


def attack(name, group, what, defence, level, on, off, program=None, baseline="honest_worker",
           steps="gate", exits=REFUSED, off_suffix=""):
    return Attack(name, group, what, defence, level, on, off, program or name, baseline, steps,
                  exits, off_suffix)


def clock():
    def one(name, what, level="isolated", on=tuple(ISOLATED), **more):
        return attack(name, "clock", what, "second clock", level, list(on), OPEN + CLOCK_OFF,
                      **more)

    return [
        one("scaled_clock_worker", "its own clock_gettime() runs at 0.7 of the speed"),
        one("scaled_clock_stock", "the same in a program without perfgate::main",
            baseline="honest_stock"),
        one("patched_vdso_worker", "writes over the kernel's clock function in its memory"),
        one("patched_vdso_stock", "the same in a program without perfgate::main",
            baseline="honest_stock"),
        attack("rewrites_results", "clock", "writes other times into its result file",
               "second clock", "isolated", ISOLATED + ["--no-preload"],
               OPEN + CLOCK_OFF + ["--no-preload"], baseline="honest_stock"),
        one("foreign_fast", "a worker of its own reports the baseline's time for 30 % more",
            level="open", on=OPEN, program="foreign:HONEST,1"),
        one("foreign_faster", "the same, 30 % faster than the baseline",
            level="open", on=OPEN, program="foreign:0.7 * HONEST,1"),
        attack("foreign_impossible", "clock", "reports 1e-15 s an iteration", "plausible times",
               "open", OPEN, None, program="foreign:1e-15,1"),
        attack("foreign_contradiction", "clock", "reports totals that contradict its times",
               "plausible times", "open", OPEN, None, program="foreign:HONEST,0.5"),
    ]


def identity():
    def one(number, what, defence="isolation", level="isolated", on=tuple(ISOLATED), **more):
        return attack(f"identity_{number}", "identity", what, defence, level, list(on), OPEN, **more)

    return [
        one(1, "executes the baseline that lies beside its own folder"),
        one(2, "executes the baseline that the gate's arguments name"),
        one(3, "executes the program of the process that runs beside it"),
        one(4, "executes the accepted program of the gate's cache", steps="cached"),
        one(5, "renames a slow program over the baseline"),
        one(6, "writes a slow program over the baseline"),
        one(7, "renames the baseline over itself, once it was hashed"),
    ]


def neighbour():
    def one(number, what):
        return attack(f"neighbour_{number}", "neighbour", what, "isolation", "isolated", ISOLATED,
                      OPEN + CLOCK_OFF)

    return [
        one(1, "stops and continues the baseline all the time"),
        one(2, "attaches to the baseline like a debugger all the time"),
        one(3, "writes into the baseline's memory that it has more to do"),
        one(4, "sends the baseline to a core where it works itself"),
        one(5, "has the baseline wait behind its own work"),
        one(6, "works on the baseline's core whenever the baseline does"),
    ]


def gate():
    def one(number, what, steps="gate"):
        return attack(f"gate_{number}", "gate", what, "isolation", "isolated", ISOLATED,
                      OPEN, steps=steps)

    return [
        one(1, "makes the gate exit with 0 like a debugger"),
        one(2, "writes the end of the program into the gate's memory"),
        one(3, "writes over the verdict", steps="report"),
        one(4, "writes over the session", steps="decide"),
        one(5, "replaces perfgate for the next run", steps="twice"),
        one(6, "replaces the policy for the next run", steps="policy"),
    ]


def untimed():
    def clocked(number, what, **more):
        return attack(f"untimed_{number}", "untimed", what, "second clock", "isolated", ISOLATED,
                      OPEN + CLOCK_OFF, **more)

    def unchecked(number, what):
        return attack(f"untimed_{number}", "untimed", what, "unchecked speed-up", "open", OPEN,
                      OPEN + PLAUSIBLE_OFF)

    return [
        clocked(1, "works while the clock is paused"),
        clocked(2, "works before the loop"),
        unchecked(3, "works in the first iteration and keeps the answer"),
        unchecked(4, "keeps answers by the content of the input"),
        clocked(5, "hands work to a thread that ends after the loop"),
        clocked(6, "hands work to a process that ends after the loop"),
        clocked(7, "reports a time of its own", baseline="honest_manual"),
        unchecked(8, "uses no result, so that nothing is computed"),
        unchecked(9, "does one piece of work for ten iterations"),
    ]


def worker():
    def one(number, what, defence, off, **more):
        return attack(f"worker_{number}", "worker", what, defence, "isolated", ISOLATED, off,
                      **more)

    return [
        one(1, "reports that its loop went on for longer than asked", "iterations made alike",
            None),
        one(2, "does the rest of its work when it is told to end", "charged for its end",
            OPEN + CLOCK_OFF),
        one(3, "works between its answer and the next request", "stopped at its answer",
            OPEN + CLOCK_OFF),
        one(4, "has a process do the rest whose first thread has ended", "process tree", None),
        one(5, "lies in most launches and makes its waits noisy", "second clock, whole wall",
            OPEN + CLOCK_OFF, exits=REFUSED + (12,)),
    ]


def workload():
    def one(number, what, defence="promised result", off=tuple(OPEN), off_suffix="_plain",
            baseline="workload_0"):
        return attack(f"workload_{number}", "workload", what, defence, "open", OPEN, off,
                      baseline=baseline, off_suffix=off_suffix)

    return [
        one(1, "does nothing under the same name", off=OPEN + PLAUSIBLE_OFF),
        one(2, "takes a smaller input"),
        one(3, "computes in a narrower type"),
        one(4, "is quick only where it is measured"),
        one(5, "declares another workload", "declared workload"),
        one(6, "runs one thread under the name of two", "declared threads", off=None,
            baseline="workload_threads"),
        attack("guarded_constant", "workload", "returns what was right for another input",
               "guard with fresh inputs", "open", OPEN, OPEN + PLAUSIBLE_OFF, baseline="guarded",
               off_suffix="_plain"),
    ]


def noise():
    return [
        attack("noise_1", "noise", "is noisy within a round", "hide limit", "open", OPEN, None,
               exits=REFUSED + (12,)),
        attack("noise_2", "noise", "is noisy from process to process", "hide limit", "open", OPEN,
               None, exits=REFUSED + (12,)),
        attack("noise_3", "noise", "is slow until it was refused, then tries again", "ledger",
               "open", OPEN, OPEN, steps="again"),
        attack("other_suite", "noise", "tries again under another name of the suite", "ledger",
               "open", OPEN, OPEN, program="noise_3", steps="renamed"),
        attack("narrow_filter", "noise", "tries again with fewer cases", "ledger", "open", OPEN,
               OPEN, program="noise_3", steps="filtered"),
        attack("padded_byte", "noise", "tries again with one byte more", "isolation, keyed ledger",
               "isolated", ISOLATED, OPEN, program="noise_3", steps="padded"),
    ]


def roots():
    def one(name, what, defence, level, steps, exits=REFUSED, program="slower_worker"):
        return attack(name, "roots", what, defence, level, OPEN, OPEN, program=program, steps=steps,
                      exits=exits)

    return [
        one("chain_rewritten", "rewrites the ledger with right hashes", "key", "keyed", "chain",
            program="noise_3"),
        one("forged_verdict", "changes a verdict so that it agrees with itself", "key", "keyed",
            "forge"),
        one("foreign_verdict", "shows the verdict of another change", "key", "keyed", "foreign"),
        one("edited_exit", "changes the exit code in a verdict", "recomputed verdict", "open",
            "exit"),
        one("fifo", "gives a FIFO as policy", "regular files", "open", "fifo", (65,)),
        one("endless", "gives /dev/zero as policy", "regular files", "open", "zero", (65,)),
        one("huge", "gives a sparse file of 10 GB as verdict", "regular files", "open", "huge",
            (65,)),
        one("loop", "gives a symbolic link to itself as policy", "regular files", "open", "loop",
            (65,)),
    ]


def catalogue():
    return (clock() + identity() + neighbour() + gate() + untimed() + worker() + workload() + noise() +
            roots())
