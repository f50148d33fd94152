#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of mutate.py that need no build."""
import os
import tempfile
import unittest

import mutate
from mutants import MUTANTS, Mutant


class List(unittest.TestCase):
    def test_every_planted_bug_fits_the_code(self):
        self.assertEqual(mutate.problems(mutate.ROOT, MUTANTS), [])

    def test_there_are_enough(self):
        self.assertGreaterEqual(len(MUTANTS), 30)
        for module in ("perfgate/stats/", "perfgate/verdict/"):
            self.assertGreaterEqual(sum(m.file.startswith(module) for m in MUTANTS), 10)

    def test_names_are_unique(self):
        self.assertEqual(len({m.name for m in MUTANTS}), len(MUTANTS))


class Planted(unittest.TestCase):
    def test_changes_the_one_place(self):
        self.assertEqual(mutate.planted("a < b", Mutant("n", "f", "<", "<=")), "a <= b")

    def test_refuses_a_place_that_is_gone_or_twice_or_unchanged(self):
        for text, replacement in (("a > b", "<="), ("a < b < c", "<="), ("a < b", "<")):
            with self.assertRaises(ValueError):
                mutate.planted(text, Mutant("n", "f", "<", replacement))


class Problems(unittest.TestCase):
    def test_missing_files_and_doubles_are_named(self):
        with tempfile.TemporaryDirectory() as folder:
            os.makedirs(os.path.join(folder, "p", "m", "room"))
            with open(os.path.join(folder, "p", "m", "room", "f.cc"), "w", encoding="utf-8") as file:
                file.write("a < b")
            good = Mutant("good", "p/m/f.cc", "<", "<=")
            self.assertEqual(mutate.problems(folder, [good]), [])
            self.assertEqual(mutate.located(folder, good).file, "p/m/room/f.cc")
            # The code has moved to another file.
            moved = Mutant("moved", "p/m/before.cc", "<", "<=")
            self.assertEqual(mutate.located(folder, moved).file, "p/m/room/f.cc")
            self.assertEqual(len(mutate.problems(folder, [good, good])), 1)
            self.assertEqual(len(mutate.problems(folder, [Mutant("gone", "p/m/g.cc", ">", "<=")])), 1)


if __name__ == "__main__":
    unittest.main()
