# SPDX-License-Identifier: Apache-2.0
"""Tables reach their block and nothing else changes; every disagreement is an error."""

import contextlib
import io
import pathlib
import stat
import tempfile
import unittest

import write_tables

TEXT = """# Title

Words before.

<!-- table: one -->
| a |
| --- |
| old |
<!-- end of table -->

Words between | with a pipe.
<!-- table: two -->
| to be filled |
<!-- end of table -->
Last line without newline"""

ONE = "<!-- table: one -->\n| a |\n| --- |\n| new |\n<!-- end of table -->\n"
TWO = "<!-- table: two -->\n| b |\n| --- |\n| 2 |\n| 3 |\n<!-- end of table -->\n"
FINAL = (TEXT.replace("| old |", "| new |")
         .replace("| to be filled |", "| b |\n| --- |\n| 2 |\n| 3 |"))


class WriteTables(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.document = self.folder / "statistics.md"
        self.document.write_text(TEXT, "utf-8")
        self.build = self.folder / "build"
        (self.build / "tests" / "calibration").mkdir(parents=True)

    def program(self, name, output, code=0):
        path = self.build / "tests" / "calibration" / f"calibration_{name}"
        path.write_text(f"#!/bin/sh\ncat <<'END'\n{output}END\nexit {code}\n", "utf-8")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    def run_it(self, *arguments):
        self.errors = io.StringIO()
        with contextlib.redirect_stderr(self.errors):
            return write_tables.main([*map(str, arguments), "--document", str(self.document)])

    def text(self):
        return self.document.read_text("utf-8")

    def expect_error(self, word, *arguments, unchanged=True):
        self.assertEqual(self.run_it(*arguments), 1)
        self.assertIn(word, self.errors.getvalue())
        if unchanged:
            self.assertEqual(self.text(), TEXT)

    def test_all_programs(self):
        self.program("x", "chatter\n" + ONE)
        self.program("y", TWO)
        self.assertEqual(self.run_it(self.build), 0)
        self.assertEqual(self.text(), FINAL)
        self.assertEqual(self.run_it(self.build, "--check"), 0)

    def test_one_program_leaves_the_other_block(self):
        self.program("x", ONE)
        self.program("y", "broken", code=3)
        self.assertEqual(self.run_it(self.build, "x"), 0)
        self.assertEqual(self.text(), TEXT.replace("| old |", "| new |"))

    def test_two_tables_of_one_program(self):
        self.program("x", ONE + "between\n" + TWO)
        self.assertEqual(self.run_it(self.build), 0)
        self.assertEqual(self.text(), FINAL)

    def test_check_finds_a_difference_and_writes_nothing(self):
        self.program("x", ONE + TWO)
        self.expect_error("table one differs", self.build, "--check")
        self.assertIn("+| new |", self.errors.getvalue())
        self.assertIn("-| old |", self.errors.getvalue())

    def test_unknown_table(self):
        self.program("x", ONE + TWO.replace("two", "three"))
        self.expect_error("three", self.build, "x", "--check")
        self.expect_error("three", self.build, "x", unchanged=False)
        self.assertNotIn("three", self.text())

    def test_missing_table_counts_only_when_all_ran(self):
        self.program("x", ONE)
        self.assertEqual(self.run_it(self.build, "x"), 0)
        self.expect_error("no program prints table two", self.build, unchanged=False)
        self.expect_error("no program prints table two", self.build, "--check", unchanged=False)
        self.assertEqual(self.run_it(self.build, "--check", "--skip", "two"), 0)

    def test_skip_must_name_a_table(self):
        self.program("x", ONE + TWO)
        self.expect_error("three", self.build, "--skip", "three")

    def test_saved_output(self):
        saved = self.folder / "saved.txt"
        saved.write_text(ONE + TWO, "utf-8")
        self.assertEqual(self.run_it("--from", saved), 0)
        self.assertEqual(self.text(), FINAL)

    def test_failures_change_nothing(self):
        self.expect_error("no calibration program", self.build)
        self.expect_error("calibration_x does not exist", self.build, "x")
        self.program("x", ONE, code=1)
        self.expect_error("ended with 1", self.build)
        self.program("x", "nothing\n")
        self.expect_error("printed no table", self.build)
        self.program("x", ONE + ONE)
        self.expect_error("a second table one", self.build)
        self.program("x", ONE)
        self.program("y", ONE)
        self.expect_error("printed before", self.build)
        self.expect_error("missing.txt", "--from", self.folder / "missing.txt")

    def test_malformed_text(self):
        for text, word in ((ONE.replace(write_tables.END, ""), "table one has no end"),
                           (write_tables.END + "\n", "an end without a table"),
                           ("<!-- table: a -->\n" + ONE, "table a has no end")):
            with self.assertRaisesRegex(write_tables.Mistake, word):
                write_tables.tables_in(text, "text")

    def test_needs_a_source(self):
        with self.assertRaises(SystemExit):
            self.run_it("--check")


class Document(unittest.TestCase):
    """docs/statistics.md itself: blocks are well formed and filled."""

    def test_blocks(self):
        blocks = write_tables.tables_in(write_tables.DOCUMENT.read_text("utf-8"), "statistics.md")
        self.assertIn("coverage_default", blocks)
        for name, lines in blocks.items():
            with self.subTest(name):
                self.assertGreaterEqual(len(lines), 3)
                self.assertRegex(lines[1], r"^\|( --- \|)+$")
                cells = {len(line.split(" | ")) for line in lines}
                self.assertEqual(len(cells), 1, "rows of different length")


if __name__ == "__main__":
    unittest.main()
