#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""house_check.py and names_check.py on small trees: in order, and with each thing that they must find."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

HOUSE = pathlib.Path(__file__).parent


def check(files, script="house_check.py"):
    """(exit code, output) of the check on a tree of these files; four rooms are always there."""
    everything = {f"{top}/a.h": "" for top in ("kernels", "engine/ops", "suites/cpu")}
    everything |= {"perfgate/base/error.h": "", "perfgate/cli/main.cc": '#include "perfgate/base/error.h"\n'}
    everything |= files
    with tempfile.TemporaryDirectory() as root:
        for name, text in everything.items():
            path = pathlib.Path(root, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        done = subprocess.run([sys.executable, "-B", HOUSE / script, root], capture_output=True, text=True)
        return done.returncode, done.stdout


class HouseCheck(unittest.TestCase):
    def test_a_house_in_order_passes(self):
        code, text = check({})
        self.assertEqual(code, 0, text)
        self.assertIn("0 upward includes, 0 units on cycles", text)

    def test_an_arrow_upwards_is_named(self):
        code, text = check({"perfgate/stats/mean.cc": '#include "perfgate/gate/gate.h"\n'})
        self.assertEqual(code, 1)
        self.assertIn("perfgate/stats/mean.cc: includes perfgate/gate/gate.h", text)

    def test_the_inner_room_counts(self):
        code, text = check({"engine/model/file.h": '#include "engine/serve/http.h"\n'})
        self.assertEqual(code, 1)
        self.assertIn("engine/model/file.h: includes engine/serve/http.h", text)

    def test_a_cycle_through_sources_is_found(self):
        code, text = check({"perfgate/store/a.h": "", "perfgate/store/a.cc": '#include "perfgate/store/b.h"\n',
                            "perfgate/store/b.h": '#include "perfgate/store/a.h"\n'})
        self.assertEqual(code, 1)
        self.assertIn("perfgate/store/a: on an include cycle", text)
        self.assertIn("2 units on cycles", text)

    def test_a_long_file_needs_a_reason(self):
        long = "//\n" * 301
        self.assertEqual(check({"perfgate/store/a.cc": long})[0], 1)
        self.assertEqual(check({"perfgate/store/a.cc": "// Long: a table.\n" + long})[0], 0)
        self.assertEqual(check({"perfgate/store/a.cc": "// Long: a table.\n" + "//\n" * 400})[0], 1)
        many = {f"perfgate/store/a{i}.cc": "// Long: a table.\n" + long for i in range(11)}
        self.assertIn("11 files of over 300 lines", check(many)[1])

    def test_a_full_folder_is_named(self):
        code, text = check({f"perfgate/store/a{i}.h": "" for i in range(26)})
        self.assertEqual(code, 1)
        self.assertIn("perfgate/store: 26 files side by side", text)


class NamesCheck(unittest.TestCase):
    HIDDEN = "namespace {\n\nint sum_of(%s) { return 1; }\n\n}  // namespace\n"

    def names(self, files):
        return check(files, "names_check.py")

    def test_hidden_functions_of_one_name_are_found_in_one_library(self):
        one, other = self.HIDDEN % "int", self.HIDDEN % "long"
        code, text = self.names({"perfgate/store/a.cc": one, "perfgate/store/deep/b.cc": other})
        self.assertEqual(code, 1)
        self.assertIn("sum_of: in an anonymous namespace, and again: perfgate/store/a.cc, perfgate/store/deep/b.cc", text)
        self.assertEqual(self.names({"perfgate/store/a.cc": one, "perfgate/gate/b.cc": other})[0], 0)

    def test_a_hidden_function_and_a_declared_one_of_its_name_are_found(self):
        files = {"perfgate/store/a.cc": self.HIDDEN % "int", "perfgate/store/b.h": "int sum_of(double);\n"}
        self.assertEqual(self.names(files)[0], 1)

    def test_overloads_in_the_open_are_none_of_its_business(self):
        files = {"perfgate/store/a.h": "int sum_of(int);\n", "perfgate/store/b.h": "int sum_of(double);\n"}
        self.assertEqual(self.names(files)[0], 0)


if __name__ == "__main__":
    unittest.main()
