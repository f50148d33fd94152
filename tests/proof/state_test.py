# SPDX-License-Identifier: Apache-2.0
"""A state folder survives interruption and refuses to mix experiments."""

import tempfile
import unittest

from state import State, StateError

CONFIG = {"seed": 1, "base": "ab", "command": "first"}


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.state = State(folder.name)

    def test_records_come_back_in_order(self):
        self.assertEqual(self.state.records(), [])
        for i in range(3):
            self.state.append({"id": f"aa-{i}", "exit": i})
        self.assertEqual([r["exit"] for r in self.state.records()], [0, 1, 2])

    def test_a_cut_off_line_is_not_a_run_and_does_not_spoil_the_next(self):
        self.state.append({"id": "a", "exit": 0})
        with open(self.state.path("runs.jsonl"), "ab") as file:
            file.write(b'{"id": "b", "ex')
        self.assertEqual([r["id"] for r in self.state.records()], ["a"])
        self.state.append({"id": "c", "exit": 0})
        self.assertEqual([r["id"] for r in self.state.records()], ["a", "c"])

    def test_the_first_record_of_a_run_stands(self):
        self.state.append({"id": "a", "exit": 10})
        self.state.append({"id": "a", "exit": 0})
        self.assertEqual(self.state.records(), [{"id": "a", "exit": 10}])

    def test_configuration_is_frozen_except_for_the_command_line(self):
        self.state.freeze(CONFIG)
        self.assertEqual(self.state.freeze({**CONFIG, "command": "second"})["command"], "first")
        for key, value in (("seed", 2), ("base", "cd")):
            with self.assertRaisesRegex(StateError, key):
                self.state.freeze({**CONFIG, key: value})

    def test_calibration_round_trip(self):
        self.assertIsNone(self.state.calibration())
        self.state.freeze_calibration({"a": 0.01, "b": None})
        self.assertEqual(self.state.calibration(), {"a": 0.01, "b": None})

    def test_one_proof_at_a_time(self):
        self.state.lock()
        self.addCleanup(self.state.unlock)
        with self.assertRaises(StateError):
            State(self.state.folder).lock()


if __name__ == "__main__":
    unittest.main()
