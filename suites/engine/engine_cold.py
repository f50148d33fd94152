#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cold starts of the engine: a fresh process per sample, stage by stage.

    engine_cold.py --engine build/release/engine/engine --model MODEL --output cold
    perfgate import cold/round_*.json --output cold.session.json

Each sample starts `engine run` anew and takes the time of its stages from the record that it writes:
those of the start (config and header, device, weights, cache and tables), the first token, the
tokens after it. `process` is what the parent sees beside them: launch, dynamic linking, exit. The
stages of a sample add up to its total by construction.

The page cache is part of the case's name, and measured, not assumed: `warm` means that at least 95 %
of the model's pages were in memory when the process started, `dropped` that at most 5 % were. Files
are dropped by posix_fadvise, which needs no privileges and a file system on a disk; where pages
stay, the script stops rather than give the sample a name that is not true. Samples of both states
alternate, so that what the machine does in a minute happens to both.

The output is a file per round in the format of Google Benchmark, for `perfgate import`. A round has
one sample of each state: a process is the unit that repeats, so it is the unit of statistics.
"""

import argparse
import ctypes
import json
import mmap
import os
import pathlib
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import recording  # noqa: E402  (needs the path)

STATES = ("warm", "dropped")
WARM_SHARE, DROPPED_SHARE = 0.95, 0.05


def model_files(folder):
    return sorted(p for p in pathlib.Path(folder).iterdir() if p.is_file())


def resident_share(files):
    """The share of the files' pages that are in memory, by mincore(2)."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + 3 * [ctypes.c_int] + [ctypes.c_long]
    resident = total = 0
    for path in files:
        size = path.stat().st_size
        if size == 0:
            continue
        fd = os.open(path, os.O_RDONLY)
        address = libc.mmap(None, size, mmap.PROT_READ, mmap.MAP_SHARED, fd, 0)
        os.close(fd)
        if address in (None, ctypes.c_void_p(-1).value):
            raise OSError(ctypes.get_errno(), f"mmap {path}")
        pages = -(-size // mmap.PAGESIZE)
        states = (ctypes.c_ubyte * pages)()
        error = libc.mincore(ctypes.c_void_p(address), ctypes.c_size_t(size), states)
        libc.munmap(ctypes.c_void_p(address), ctypes.c_size_t(size))
        if error:
            raise OSError(ctypes.get_errno(), f"mincore {path}")
        resident += sum(state & 1 for state in states)
        total += pages
    return resident / total


def bring_to(state, files):
    for path in files:
        fd = os.open(path, os.O_RDONLY)
        if state == "warm":
            while os.read(fd, 1 << 24):
                pass
        else:
            os.fsync(fd)  # pages that are not yet on the disk cannot be dropped
            os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(fd)
    share = resident_share(files)
    if share < WARM_SHARE if state == "warm" else share > DROPPED_SHARE:
        sys.exit(
            f"engine_cold: the page cache cannot be brought to '{state}': {share:.0%} of the "
            f"model is in memory. Put it on a disk, and nothing else that maps it beside it."
        )


def sample(args, tokens):
    """Seconds by stage."""
    with tempfile.NamedTemporaryFile(suffix=".json") as record:
        command = [args.engine, "run", "--model", args.model, "--prompt-ids"]
        command += [",".join(map(str, tokens)), "--max-tokens", str(args.max_tokens)]
        command += ["--ignore-eos", "--json", record.name] + args.options
        start = time.perf_counter()
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        total = time.perf_counter() - start
        if done.returncode != 0:
            sys.exit(f"engine_cold: {done.stderr.decode(errors='replace').strip()}")
        run = json.load(open(record.name))
    request = run["requests"][0]
    if request["tokens"] != args.max_tokens:
        sys.exit(f"engine_cold: {request['tokens']} tokens instead of {args.max_tokens}")
    stages = {stage["stage"]: stage["s"] for stage in run["start"]}
    stages["first_token"] = request["ttft_s"]
    stages["further_tokens"] = request["full_s"] - request["ttft_s"]
    stages["process"] = total - sum(stages.values())
    stages["total"] = total
    return stages, run


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--engine", required=True, help="the engine executable")
    parser.add_argument("--model", required=True, help="model folder")
    parser.add_argument("--name", help="of the model, in case names [the folder's]")
    parser.add_argument("--output", required=True, help="folder for the files")
    parser.add_argument("--rounds", type=int, default=20, help="samples per state [20]")
    parser.add_argument("--states", nargs="+", choices=STATES, default=list(STATES))
    parser.add_argument("--prompt-tokens", type=int, default=32)
    parser.add_argument("--max-tokens", type=int, default=2)
    parser.add_argument("options", nargs="*", help="of the engine, behind --")
    args = parser.parse_args()

    files = model_files(args.model)
    name = args.name or pathlib.Path(args.model).name
    vocab = json.load(open(pathlib.Path(args.model) / "config.json"))["vocab_size"]
    tokens = [(7919 * i + 13) % vocab for i in range(args.prompt_tokens)]
    output = pathlib.Path(args.output)
    for index in range(args.rounds):
        rows, run = [], {}
        for state in args.states:
            bring_to(state, files)
            stages, run = sample(args, tokens)
            for stage, seconds in stages.items():
                case = f"engine_cold/model:{name}/page_cache:{state}/stage:{stage}"
                rows.append(recording.row(case, seconds))
        recording.write_round(output / f"round_{index:02}.json", args.engine,
                              {"prompt_tokens": args.prompt_tokens,
                               "generated_tokens": args.max_tokens, "engine_case": run["case"],
                               "logits_hash": run["requests"][0]["logits_hash"],
                               "header_digest": run["model"]["header_digest"]}, rows)


if __name__ == "__main__":
    main()
