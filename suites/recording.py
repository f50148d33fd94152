# SPDX-License-Identifier: Apache-2.0
"""Result files of a script that times what Google Benchmark cannot, for `perfgate import`.

A round is a file in the format of Google Benchmark, with a row per case; what was run goes into a
manifest, so that a gate refuses to compare rounds of other prompts, models or counts of tokens.
"""

import hashlib
import json
import os
import pathlib
import subprocess
import time


def row(case, seconds):
    """One sample of a case; seconds > 0, since a time of 0 is refused at import."""
    return {"name": case, "run_name": case, "run_type": "iteration", "repetitions": 1,
            "repetition_index": 0, "threads": 1, "iterations": 1, "real_time": seconds * 1e3,
            "cpu_time": 0, "time_unit": "ms"}


def samples(case, seconds):
    """Repetitions within one round."""
    return [{**row(case, value), "repetitions": len(seconds), "repetition_index": index}
            for index, value in enumerate(seconds)]


def write_json(path, root):
    """The whole file or none of it."""
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    part.write_text(json.dumps(root, indent=1) + "\n", encoding="utf-8")
    part.replace(path)


def write_round(path, executable, context, rows):
    """context: names and values, which become the environment of the session."""
    head = {"date": time.strftime("%Y-%m-%dT%H:%M:%S%z"), "host_name": os.uname().nodename,
            "executable": str(executable), "num_cpus": os.cpu_count(),
            "library_build_type": "release"}
    write_json(path, {"context": {**head, **context}, "benchmarks": rows})


def write_manifest(path, cases, workload):
    """workload: names and values that two arms must have in common."""
    fields = [{"name": name, "value": str(value)} for name, value in workload.items()]
    write_json(path, {"format": "perfgate-manifest", "version": 1, "cases": list(cases),
                      "workload": fields})


def import_session(perfgate, rounds, manifest, arm, output):
    """Empty, or what `perfgate import` says against the files. manifest: a path, or None."""
    command = [perfgate, "import", *map(str, rounds), "--arm", arm, "--output", str(output)]
    if manifest:
        command += ["--manifest", str(manifest)]
    done = subprocess.run(command, capture_output=True, text=True,
                          check=False)
    return "" if done.returncode == 0 else (done.stderr or done.stdout).strip()


def model_digest(folder):
    """Of config.json and, by file, the size and header of the weights: which tensors of which types
    they are, and the seed of a model that `engine synth` made. Not of the weights themselves."""
    folder = pathlib.Path(folder)
    digest = hashlib.sha256((folder / "config.json").read_bytes())
    for path in sorted(folder.glob("*.safetensors")):
        with open(path, "rb") as file:
            length = file.read(8)
            header = file.read(min(int.from_bytes(length, "little"), 100_000_000))
        digest.update(f"{path.name} {path.stat().st_size} ".encode() + header)
    return digest.hexdigest()[:16]


def read_json(path):
    return json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
