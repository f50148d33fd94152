# SPDX-License-Identifier: Apache-2.0
"""Reading the case list and injections; making variants with a stand-in for the compiler."""

import json
import sys
import tempfile
import unittest
from pathlib import Path

import variants
from stand_ins import make_build_tree

CASES = variants.read_cases(Path(__file__).parent / "proof_cases.inc")


class Cases(unittest.TestCase):
    def test_all_lines_are_read(self):
        text = (Path(__file__).parent / "proof_cases.inc").read_text()
        self.assertEqual(len(CASES), text.count("\nPROOF_CASE("))
        self.assertEqual(len({name for name, _ in CASES}), len(CASES))
        self.assertTrue(all(units >= 1000 for _, units in CASES))

    def test_the_unchanged_build_has_no_extra_units(self):
        text = (Path(__file__).parent / "extra_units.cc").read_text()
        made = variants.source_text([0] * len(CASES))
        self.assertTrue("".join(text.split()).endswith("".join(made.splitlines()[-1].split())))


class Injection(unittest.TestCase):
    def write(self, data):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = Path(folder.name) / "injection.json"
        path.write_text(json.dumps(data))
        return path

    def test_reads_units_and_doubtful_cases(self):
        effects = [{"effect": e, "extra": round(1000 * e), "expected": e} for e in (0.03, 0.1)]
        cases = [{"name": n, "units": 1000, "effects": effects, "holds": n == "a"} for n in "ab"]
        path = self.write({"cases": cases})
        found, doubtful = variants.read_injection(path, [("a", 1000), ("b", 1000)])
        self.assertEqual(found, {3: [(30, 0.03)] * 2, 10: [(100, 0.1)] * 2})
        self.assertEqual(doubtful, ["b"])
        with self.assertRaises(variants.BuildError):
            variants.read_injection(path, [("a", 1000), ("b", 2000)])


class Building(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.build = make_build_tree(self.folder / "build", CASES, sys.executable)
        self.builder = variants.Builder(self.build, self.folder / "exe", CASES)

    def test_variant_has_the_units_and_little_else(self):
        base, slow = self.builder.base(), self.builder.variant(3, 5, 123)
        self.assertTrue(0 < variants.differing_bytes(base, slow) <= variants.ALLOWED_BYTES)
        self.assertIn("{0, 0, 0, 123, 0,", (slow.parent / "extra_units.cc").read_text())

    def test_made_once(self):
        first = self.builder.base().stat().st_mtime_ns
        again = variants.Builder(self.build, self.folder / "exe", CASES).base()
        self.assertEqual(again.stat().st_mtime_ns, first)

    def test_a_changed_tree_is_noticed(self):
        self.builder.base()
        linker = self.build / "linker.py"
        linker.write_text(linker.read_text().replace("stand-in", "other"))
        with self.assertRaisesRegex(variants.BuildError, "more than one constant"):
            self.builder.variant(3, 5, 123)

    def test_many_changed_bytes_are_noticed(self):
        linker = self.build / "linker.py"
        linker.write_text(linker.read_text().replace("# stand-in", "# " + "a" * 40))
        self.builder.base()
        linker.write_text(linker.read_text().replace("a" * 40, "b" * 40))
        with self.assertRaisesRegex(variants.BuildError, r"\(4[0-9] bytes\)"):
            self.builder.variant(3, 5, 123)

    def test_missing_builds_say_what_to_do(self):
        with self.assertRaisesRegex(variants.BuildError, "--target proof_suite"):
            variants.Builder(self.folder / "none", self.folder / "exe2", CASES).base()
        (self.build / "compile_commands.json").unlink()
        with self.assertRaisesRegex(variants.BuildError, "preset"):
            variants.Builder(self.build, self.folder / "exe3", CASES).base()

    def test_a_failing_compiler_is_reported(self):
        (self.build / "compiler.sh").write_text("echo no such flag >&2; exit 1\n")
        with self.assertRaisesRegex(variants.BuildError, "no such flag"):
            self.builder.base()


if __name__ == "__main__":
    unittest.main()
