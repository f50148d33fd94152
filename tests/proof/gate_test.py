# SPDX-License-Identifier: Apache-2.0
"""Children never outlive their run, and a broken verdict file is a missing one."""

import json
import os
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

import gate

# Prints the pid of a grandchild that ignores SIGTERM, then waits.
FAMILY = ("import os, signal, subprocess, sys, time\n"
          "code = 'import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN);'\n"
          "code += 'print(1, flush=True); time.sleep(60)'\n"
          "child = subprocess.Popen([sys.executable, '-c', code], stdout=subprocess.PIPE)\n"
          "child.stdout.readline()\n"
          "open(sys.argv[1], 'w').write(str(child.pid))\n"
          "time.sleep(float(sys.argv[2]))\n")


def is_alive(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state != "Z"


class Running(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.pid_file = os.path.join(folder.name, "pid")
        self.children = gate.Children()

    def family(self, seconds):
        return [sys.executable, "-c", FAMILY, self.pid_file, str(seconds)]

    def assert_grandchild_is_gone(self):
        pid = int(Path(self.pid_file).read_text())
        end = time.monotonic() + 10
        while is_alive(pid) and time.monotonic() < end:
            time.sleep(0.02)
        self.assertFalse(is_alive(pid))

    def test_code_and_output(self):
        command = [sys.executable, "-c", "print('x'); raise SystemExit(12)"]
        code, out = self.children.run(command, 60)
        self.assertEqual((code, out), (12, "x\n"))

    def test_a_signal_is_a_negative_code(self):
        command = [sys.executable, "-c", "import os; os.kill(os.getpid(), 9)"]
        code, _ = self.children.run(command, 60)
        self.assertEqual(code, -9)

    def test_what_a_run_leaves_behind_is_killed(self):
        self.assertEqual(self.children.run(self.family(0), 60)[0], 0)
        self.assert_grandchild_is_gone()

    def test_time_out(self):
        original, gate._end_group.__defaults__ = gate._end_group.__defaults__, (0.2,)
        self.addCleanup(setattr, gate._end_group, "__defaults__", original)
        self.assertIsNone(self.children.run(self.family(60), 3)[0])
        self.assert_grandchild_is_gone()

    def test_stop_ends_runs_and_refuses_new_ones(self):
        original, gate._end_group.__defaults__ = gate._end_group.__defaults__, (0.2,)
        self.addCleanup(setattr, gate._end_group, "__defaults__", original)
        seen = []

        def run():
            try:
                self.children.run(self.family(60), 60)
            except gate.Interrupted:
                seen.append("interrupted")

        thread = threading.Thread(target=run)
        thread.start()
        while not os.path.exists(self.pid_file) or not Path(self.pid_file).read_text():
            time.sleep(0.01)
        self.children.stop()
        thread.join(20)
        self.assertEqual(seen, ["interrupted"])
        self.assert_grandchild_is_gone()
        with self.assertRaises(gate.Interrupted):
            self.children.run([sys.executable, "-c", ""], 60)


class Verdicts(unittest.TestCase):
    GOOD = {"schedule": {"looks": [6, 10], "look_alpha": [0, 0.003]}, "columns": [
        {"case_name": "a", "metric": {"name": "real_time"}, "verdict": "regression", "rounds": 10,
         "effect": {"estimate": 0.05, "lo": 0.04, "hi": None}, "noise_sd": 0.01},
        {"case_name": "a", "metric": {"name": "bytes"}, "verdict": "no_regression", "rounds": 10,
         "effect": {}, "noise_sd": None}]}

    def read(self, data):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            file.write(data if isinstance(data, str) else json.dumps(data))
            file.flush()
            return gate.read_verdict(file.name)

    def test_times_are_read_and_other_metrics_are_not(self):
        self.assertEqual(self.read(self.GOOD), {
            "rounds": 10, "case_rounds": {"a": 10}, "could_fail": True, "layout_rounds": 0,
            "verdicts": {"a": "regression"},
            "effects": {"a": [0.05, 0.04, None]}, "noise_sd": {"a": 0.01}})

    def test_a_run_that_ended_before_its_first_fail_look_could_not_fail(self):
        for rounds in (6, 9):
            data = json.loads(json.dumps(self.GOOD))
            data["columns"][0]["rounds"] = rounds
            self.assertFalse(self.read(data)["could_fail"])
        self.assertFalse(self.read({**self.GOOD, "schedule": {"looks": [6], "look_alpha": [0]}})
                         ["could_fail"])

    def test_broken_files_are_missing_verdicts(self):
        for broken in ("", "{", "[]", "{}", '{"columns": [1]}', '{"columns": null}'):
            self.assertIsNone(self.read(broken), broken)
        self.assertIsNone(gate.read_verdict("/nonexistent"))


if __name__ == "__main__":
    unittest.main()
