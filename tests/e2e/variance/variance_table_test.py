# SPDX-License-Identifier: Apache-2.0
"""The variance table with a stand-in worker: protocol, designs and arithmetic."""

import random
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import variance_table
import worker

HERE = Path(__file__).resolve().parent

# Two cases. `launchy` is slower in every second launch, by 1.25 / 0.8; `steady` never varies.
STAND_IN = """import json, os, socket, sys
s = socket.socket(fileno=int(sys.argv[1].split("=")[1]))
lines = s.makefile("r")
with open(sys.argv[0] + ".launches", "a") as launches:
    launches.write("x")
factor = (0.8, 1.25)[os.path.getsize(sys.argv[0] + ".launches") % 2]
def say(m): s.sendall(json.dumps(m).encode() + b"\\n")
say({"perfgate": 1, "oldest": OLDEST})
for line in lines:
    q = json.loads(line)
    if q["do"] == "list":
        say({"ok": "list", "cases": [{"name": "steady"}, {"name": "launchy"}]})
    elif q["do"] == "slice":
        if q["case"] > 1: say({"error": "protocol", "message": "no such case"})
        else: say({"ok": "slice", "real_s": 5e-6 * (factor if q["case"] else 1)})
    elif q["do"] == "quit":
        say({"ok": "quit"})
        break
"""


class Table(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "stand_in"
        self.make(1)

    def make(self, oldest):
        self.path.write_text(f"#!{sys.executable}\nOLDEST = {oldest}\n{STAND_IN}")
        self.path.chmod(0o755)

    def test_calibrates_to_the_slice(self):
        with worker.Worker(self.path) as one:
            self.assertEqual(one.cases(), ["steady", "launchy"])
            self.assertEqual(one.calibrate(0, 0.01), 2000)
            with self.assertRaisesRegex(worker.WorkerError, "no such case"):
                one.slice(7, 1)

    def test_designs_see_what_differs_between_launches(self):
        plan = {0: 10, 1: 10}
        for ratios in (variance_table.serial(self.path, plan, 3, [1, 0]),
                       variance_table.alternated(self.path, plan, 4, [0, 1], None)):
            self.assertEqual(ratios[0], 0)
            self.assertAlmostEqual(ratios[1], -0.44628710)  # log(0.8 / 1.25): second over first

    def test_whole_table(self):
        out = subprocess.run(
            [sys.executable, "-B", str(HERE / "variance_table.py"), str(self.path), "--pairs", "3",
             "--slices", "2", "--cases", "steady", "launchy"], capture_output=True, text=True)
        self.assertEqual(out.returncode, 0, out.stderr)
        self.assertIn("| steady | 0.00 % (0.00 %) | 0.00 % (0.00 %) | 0.00 % (0.00 %) | - | - |",
                      out.stdout)
        self.assertIn("3 pairs per design, 2 slices", out.stdout)

    def test_what_is_no_worker_is_named(self):
        for path, cases, message in (("/bin/true", "steady", "perfgate::main"),
                                     (self.path, "other", "no case other")):
            out = subprocess.run([sys.executable, "-B", str(HERE / "variance_table.py"), str(path),
                                  "--cases", cases], capture_output=True, text=True)
            self.assertEqual(out.returncode, 2)
            self.assertIn(message, out.stderr)
        self.make(2)
        with self.assertRaisesRegex(worker.WorkerError, "protocol 2"):
            worker.Worker(self.path)


class Arithmetic(unittest.TestCase):
    def test_robust_sd_is_the_sd_of_normal_values_and_ignores_outliers(self):
        rng = random.Random(1)
        values = [rng.gauss(3, 2) for _ in range(4001)]
        self.assertAlmostEqual(variance_table.robust_sd(values), 2, delta=0.15)
        self.assertAlmostEqual(variance_table.robust_sd([*values, 1e9]), 2, delta=0.15)

    def test_quotients_of_standard_deviations(self):
        logs = {"serial": {"a": [-0.08, 0.08]}, "unpinned": {"a": [-0.02, 0.02]},
                "same core": {"a": [-0.01, 0.01]}}
        line = variance_table.render(logs, ["a"]).splitlines()[-1]
        self.assertTrue(line.startswith("| a | 11.31 % (11.86 %) | 2.83 %"), line)
        self.assertTrue(line.endswith("| 8.0 | 2.0 |"), line)


if __name__ == "__main__":
    unittest.main()
