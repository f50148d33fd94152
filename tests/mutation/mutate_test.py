#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of mutate.py and definitions.py that need no build."""
import os
import tempfile
import unittest

import definitions
import mutate
from mutants import MUTANTS, Mutant


class Definitions(unittest.TestCase):
    def texts(self, source, name):
        return [source[b:e] for b, e in definitions.definitions_in(source, name)]

    def test_a_function_ends_with_its_body(self):
        self.assertEqual(self.texts("int f(int a) { if (a) { return 1; } return 2; }\nint g() {}",
                                    "f"),
                         ["f(int a) { if (a) { return 1; } return 2; }"])

    def test_overloads_and_methods_count_and_calls_and_declarations_do_not(self):
        source = ("int f(int);\n"
                  "int f(double x) { return f(int(x)) + o.f(1) + p->f(2); }\n"
                  "int C::f() const noexcept { return 1; }\n"
                  "auto f(char c) -> std::vector<int> { return {c}; }\n"
                  "int g() { if (f(1)) { return 1; } }\n")
        self.assertEqual([t.split(")")[0] for t in self.texts(source, "f")],
                         ["f(double x", "f(", "f(char c"])

    def test_a_constructor_has_initial_values(self):
        source = "C::C(int n) : n_(n), v_{1, {2}} { start(n); }\nvoid next() {}"
        self.assertEqual(self.texts(source, "C"),
                         ["C(int n) : n_(n), v_{1, {2}} { start(n); }"])

    def test_braces_in_comments_and_literals_are_none(self):
        source = ("int f() {  // }\n  /* } */ g(\"}\\\"}\", '}', R\"x(})x\", 1'000);\n"
                  "  return 1;\n}\nint h() {}")
        self.assertTrue(self.texts(source, "f")[0].endswith("return 1;\n}"))

    def test_constants_are_definitions_and_uses_of_them_are_not(self):
        source = ("constexpr int kA = 1;\nconstexpr Look kLooks[] = {{6, 1.0}, {10, 3.0}};\n"
                  "int f() { return kA == 2 ? g(kA) : kA; }\n")
        self.assertEqual(self.texts(source, "kA"), ["kA = 1"])
        self.assertEqual(self.texts(source, "kLooks"), ["kLooks[] = {{6, 1.0}, {10, 3.0}}"])


class List(unittest.TestCase):
    def test_every_planted_bug_fits_the_code(self):
        planted, wrong = mutate.locate(mutate.ROOT, MUTANTS)
        self.assertEqual(wrong, [])
        self.assertEqual(len(planted), len(MUTANTS))

    def test_there_are_enough(self):
        self.assertGreaterEqual(len(MUTANTS), 30)
        planted, _ = mutate.locate(mutate.ROOT, MUTANTS)
        for room in mutate.ROOMS:
            self.assertGreaterEqual(sum(mutate.room_of(p.file) == room for p in planted), 10)

    def test_names_are_unique(self):
        self.assertEqual(len({m.name for m in MUTANTS}), len(MUTANTS))


class Planting(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def put(self, name, text):
        path = os.path.join(self.folder.name, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        mutate.write(path, text)

    def changed(self, mutant):
        bug = mutate.located(self.folder.name, mutant)
        return mutate.with_bug(mutate.read(os.path.join(self.folder.name, bug.file)), bug)

    def test_changes_the_one_place_in_the_function_wherever_it_lives(self):
        self.put("perfgate/stats/a.cc", "bool g() { return a < b; }\n")
        for file in ("perfgate/verdict/x.cc", "perfgate/stats/design/y.h"):
            self.put(file, "bool f() { return a < b; }\n")
            self.assertEqual(self.changed(Mutant("n", "f", "a < b", "a <= b")),
                             "bool f() { return a <= b; }\n")
            os.remove(os.path.join(self.folder.name, file))

    def test_line_ends_are_blanks(self):
        self.put("perfgate/stats/a.cc", "bool f() {\n  return a <\n         b;\n}\n")
        self.assertIn("return a <= b;", self.changed(Mutant("n", "f", "a < b", "a <= b")))

    def test_refuses_a_place_that_is_gone_or_twice_or_unchanged(self):
        self.put("perfgate/stats/a.cc", "bool f() { return a < b; }\nbool g() { return a > b; }\n"
                                        "bool h() { return a < b < c; }\n")
        for function, replacement in (("g", "<="), ("h", "<="), ("f", "<"), ("none", "<=")):
            with self.assertRaises(ValueError):
                mutate.located(self.folder.name, Mutant("n", function, "<", replacement))

    def test_doubles_are_named(self):
        self.put("perfgate/stats/a.cc", "bool f() { return a < b; }\n")
        good = Mutant("good", "f", "<", "<=")
        again = Mutant("again", "f", "a < b", "a <= b")
        self.assertEqual(mutate.locate(self.folder.name, [good, again])[1], [])
        self.assertEqual(len(mutate.locate(self.folder.name, [good, good])[1]), 1)

    def test_bugs_of_one_file_come_together(self):
        bugs = [mutate.Planted(Mutant(n, "f", "<", "<="), file, 0, 1)
                for n, file in (("1", "a"), ("2", "b"), ("3", "a"))]
        self.assertEqual([[p.mutant.name for p in group] for group in mutate.by_file(bugs)],
                         [["1", "3"], ["2"]])


if __name__ == "__main__":
    unittest.main()
