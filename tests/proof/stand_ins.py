# SPDX-License-Identifier: Apache-2.0
"""For tests: a build tree, a benchmark suite and a perfgate that answer in milliseconds.

The stand-in gate knows by the candidate's contents whether a case was slowed.
"""

import json
import shlex
from pathlib import Path

# Called as: -o OBJECT -c SOURCE.
COMPILER = """cp "$4" "$2"
"""

# The "executable": a script of constant size whose last line holds the slowed case and its units.
LINKER = """import os, re, sys
a = sys.argv
source = next(w for w in a if w.endswith("extra_units.cc.o"))
units = [int(u) for u in re.search(r"{(.*)}", open(source).read()).group(1).split(",")]
slowed = next((i for i, u in enumerate(units) if u), 0)
out = a[a.index("-o") + 1]
with open(out, "w") as file:
    file.write(f"#!{sys.executable}\\n# stand-in\\n")
    file.write(open(os.path.join(os.path.dirname(a[0]), "suite.py")).read())
    file.write(f"\\n# {slowed:03d} {max(units):06d}\\n")
os.chmod(out, 0o755)
"""

SUITE = """import json
rows = [{"name": n, "run_name": n, "run_type": "iteration", "real_time": 1 + 0.001 * i}
        for n in NAMES for i in range(10)]
print(json.dumps({"benchmarks": rows}))
"""

PERFGATE = """import json, os, sys, time
a = sys.argv
slowed, units = open(a[a.index("--candidate") + 1]).read().split("\\n")[-2].split()[1:]
slowed, units = int(slowed), int(units)
is_aa = "--aa" in a
assert is_aa == (units == 0) and is_aa == ("--tolerance" in a)
time.sleep(SECONDS)
if CRASH and is_aa:
    os.abort()
columns = [{"case_name": n, "metric": {"name": "real_time"}, "rounds": 10, "noise_sd": 0.004,
            "verdict": "regression" if units and i == slowed else "no_regression",
            "effect": {"estimate": 0.0, "lo": 0.0, "hi": 0.2}} for i, n in enumerate(NAMES)]
with open(a[a.index("--json") + 1], "w") as file:
    json.dump({"columns": columns, "schedule": {"looks": [6, 10], "look_alpha": [0, 0.01]}}, file)
sys.exit(10 if units else 0)
"""


def make_build_tree(folder, cases, python):
    """A Makefile-like tree with commands for proof_suite; returns its path."""
    folder = Path(folder)
    target = folder / "tests/proof/CMakeFiles/proof_suite.dir"
    target.mkdir(parents=True)
    (folder / "tests/proof/proof_suite").touch()
    names = f"NAMES = {[name for name, _ in cases]!r}\n"
    (folder / "compiler.sh").write_text(COMPILER)
    (folder / "linker.py").write_text(LINKER)
    (folder / "suite.py").write_text(names + SUITE)
    (target / "link.txt").write_text(shlex.join(
        [python, "-IS", str(folder / "linker.py"),
         "CMakeFiles/proof_suite.dir/extra_units.cc.o", "-o", "proof_suite"]))
    (folder / "compile_commands.json").write_text(json.dumps([{
        "directory": str(folder), "file": "/somewhere/tests/proof/extra_units.cc",
        "command": shlex.join(["sh", str(folder / "compiler.sh"), "-o", "x.o", "-c", "x.cc"])}]))
    return folder


def make_perfgate(path, cases, python, seconds=0.0, crash=False):
    """A gate that takes `seconds`, finds every slowed case, and may crash in A/A runs."""
    text = f"#!{python}\nNAMES = {[name for name, _ in cases]!r}\nSECONDS = {seconds}\n"
    Path(path).write_text(text + f"CRASH = {crash}\n" + PERFGATE)
    Path(path).chmod(0o755)
    return path


def injection(cases):
    """What calibrate_injection would print for perfectly proportional cases."""
    return {"cases": [{"name": name, "units": units, "holds": True, "effects": [
        {"effect": e, "extra": round(units * e), "expected": e} for e in (0.03, 0.05, 0.1)]}
        for name, units in cases]}
