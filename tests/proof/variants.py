# SPDX-License-Identifier: Apache-2.0
"""Builds of the proof suite that are slower in one case by a known amount.

A variant is the suite linked with another extra_units.cc: one constant differs, nothing else, and
`differing_bytes` checks that on the files. The compile and the link command are those of the build
tree, so a variant is what the build itself would have made.
"""

import hashlib
import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

OBJECT = "tests/proof/CMakeFiles/proof_suite.dir/extra_units.cc.o"
# The changed int, and a 20-byte build id where the linker adds one.
ALLOWED_BYTES = 4 + 20


class BuildError(Exception):
    """What is missing or wrong in the build tree, and what to do."""


def read_cases(path):
    """[(name, units)] in the order of extra_units[]."""
    pattern = re.compile(r'^PROOF_CASE\(\w+, "([^"]+)", (\d+)\)$')
    found = [pattern.match(line) for line in Path(path).read_text().splitlines()]
    return [(m.group(1), int(m.group(2))) for m in found if m]


def source_text(extra):
    return ("// SPDX-License-Identifier: Apache-2.0\nextern const int extra_units[];\n"
            f"const int extra_units[{len(extra)}] = {{{', '.join(map(str, extra))}}};\n")


def build_commands(build):
    """(compile, link, directory of each) as argument lists, from Ninja or Makefile build trees."""
    build = Path(build)
    if (build / "build.ninja").exists():
        def command(target):
            out = subprocess.run(["ninja", "-C", str(build), "-t", "commands", "-s", target],
                                 capture_output=True, text=True)
            lines = [line for line in out.stdout.splitlines() if not line.startswith("ninja:")]
            if out.returncode or not lines:
                raise BuildError(f"{build}: no rule for {target}: configure with PERFGATE_TESTS=ON")
            return [word for word in shlex.split(lines[-1]) if word not in (":", "&&")]
        return command(OBJECT), command("tests/proof/proof_suite"), build, build
    link = build / "tests/proof/CMakeFiles/proof_suite.dir/link.txt"
    database = build / "compile_commands.json"
    if not link.exists() or not database.exists():
        raise BuildError(f"{build} is no build tree of this project with tests (for Makefiles, "
                         "CMAKE_EXPORT_COMPILE_COMMANDS=ON is needed too): cmake --preset release")
    entry = next((e for e in json.loads(database.read_text())
                  if e["file"].endswith("tests/proof/extra_units.cc")), None)
    if entry is None:
        raise BuildError(f"{database} does not name tests/proof/extra_units.cc: configure again")
    return (shlex.split(entry["command"]), shlex.split(link.read_text()),
            Path(entry["directory"]), build / "tests/proof")


def retarget(command, values):
    """The command with the argument after each option of `values` replaced."""
    result = list(command)
    for option, value in values.items():
        if option in result:
            result[result.index(option) + 1] = str(value)
    return result


def differing_bytes(first, second):
    """Number of bytes in which two files differ; None where their sizes do."""
    a, b = Path(first).read_bytes(), Path(second).read_bytes()
    if len(a) != len(b):
        return None
    blocks = ((a[i:i + 4096], b[i:i + 4096]) for i in range(0, len(a), 4096))
    return sum(sum(x != y for x, y in zip(*pair)) for pair in blocks if pair[0] != pair[1])


def digest(path):
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


class Builder:
    """Compiles and links variants into `folder`, one directory per variant, each made once.

    perfgate: of which a variant also gets a folder of layouts, linked when a gate asks for them.
    """

    LAYOUTS = 40

    def __init__(self, build, folder, cases, perfgate=None):
        self.build, self.folder, self.cases = Path(build), Path(folder), cases
        self.perfgate = perfgate
        self._commands = None

    @staticmethod
    def layouts_of(made):
        """What a gate is given for a variant: its layouts where it has them."""
        folder = made.parent / "layouts"
        return folder if folder.exists() else made

    def base(self):
        return self._make("v00_00", [0] * len(self.cases))

    def variant(self, index, effect, extra):
        """The suite with `extra` more units (`effect` per cent) in case `index`; checked."""
        units = [0] * len(self.cases)
        units[index] = extra
        path = self._make(f"v{effect:02d}_{index:02d}", units)
        changed = differing_bytes(self.base(), path)
        if changed is None or not 0 < changed <= ALLOWED_BYTES:
            raise BuildError(f"{path} differs from the base build in more than one constant "
                             f"({changed} bytes): the build tree changed; use a new state folder")
        return path

    def _make(self, name, units):
        made = self.folder / name / "proof_suite"
        text = source_text(units)
        source = made.parent / "extra_units.cc"
        if made.exists() and source.exists() and source.read_text() == text:
            return made
        if self._commands is None:
            if not (self.build / "tests/proof/proof_suite").exists():
                raise BuildError(f"{self.build} has no tests/proof/proof_suite: "
                                 f"cmake --build {self.build} --target proof_suite")
            self._commands = build_commands(self.build)
        compile_command, link_command, compile_dir, link_dir = self._commands
        made.parent.mkdir(parents=True, exist_ok=True)
        # All variants are made in one place: debug information holds the path.
        place = (self.folder / "making").resolve()
        place.mkdir(exist_ok=True)
        (place / "extra_units.cc").write_text(text)
        object_file = str(place / "extra_units.cc.o")
        self._run(retarget(compile_command, {"-c": place / "extra_units.cc", "-o": object_file,
                                             "-MF": object_file + ".d"}), compile_dir)
        if sum(word.endswith("extra_units.cc.o") for word in link_command) != 1:
            raise BuildError("the link command of proof_suite does not name extra_units.cc.o")
        swapped = [object_file if word.endswith("extra_units.cc.o") else word
                   for word in link_command]
        self._run(retarget(swapped, {"-o": place / "proof_suite"}), link_dir)
        if self.perfgate:
            own = (made.parent / "extra_units.cc.o").resolve()
            shutil.copy2(object_file, own)
            linked = [str(own) if word == object_file else word for word in swapped]
            self._run([str(self.perfgate), "relink", "--later", "--count", str(self.LAYOUTS),
                       "--output", str((made.parent / "layouts").resolve()), "--",
                       *retarget(linked, {"-o": "proof_suite"})], link_dir)
        source.write_text(text)
        shutil.move(place / "proof_suite", made)
        return made

    @staticmethod
    def _run(command, directory):
        out = subprocess.run(command, cwd=directory, capture_output=True, text=True)
        if out.returncode:
            raise BuildError(f"{shlex.join(command)}\n{out.stderr[-2000:]}")


def read_injection(path, cases):
    """{effect in per cent: [(extra units, slowdown that they cause)] per case} and doubtful cases.

    From the output of calibrate_injection; BuildError where it belongs to another suite.
    """
    data = json.loads(Path(path).read_text())
    if [(c["name"], c["units"]) for c in data["cases"]] != cases:
        raise BuildError(f"{path} was made for other cases: remove it")
    table = {}
    for case in data["cases"]:
        for entry in case["effects"]:
            table.setdefault(round(entry["effect"] * 100), []).append(
                (entry["extra"], entry["expected"]))
    return table, [c["name"] for c in data["cases"] if not c["holds"]]
