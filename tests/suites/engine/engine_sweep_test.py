#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which setting a sweep calls safe, and what it refuses.

usage: engine_sweep_test.py SOURCE_FOLDER ENGINE PERFGATE
"""
import contextlib
import io
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

SOURCE, ENGINE, PERFGATE = (sys.argv.pop(1) for _ in range(3))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(SOURCE, "suites", "engine"))
import engine_sweep  # noqa: E402


class Sweep(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.model = os.path.join(cls.folder.name, "tiny")
        subprocess.run([ENGINE, "synth", "--preset", "tiny", "--out", cls.model], check=True,
                       stdout=subprocess.DEVNULL)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def sweep(self, *more, values="0,1,2,4", option="prebuild"):
        """Exit code, standard output, standard error."""
        out, err = io.StringIO(), io.StringIO()
        self.output = tempfile.mkdtemp(dir=self.folder.name)
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                code = engine_sweep.main(["--engine", ENGINE, "--model", self.model, "--output",
                                          self.output, "--option", option, "--values", values,
                                          *more])
            except SystemExit as exit:
                code = exit.code
        return code, out.getvalue(), err.getvalue()

    def planted(self, first, *more, wobble=0.01):
        """Of an engine whose first hit takes first[value] times a warm request, more or less."""
        calls = {}

        def sample(args, value, prompt):
            calls[value] = calls.get(value, 0) + 1
            off = 1 + wobble * (-1) ** calls[value]
            return {"startup": 1.0, "first": first[value] * off * 2e-3, "warm": 2e-3}, [7]

        with mock.patch.object(engine_sweep, "sample", sample):
            return self.sweep("--rounds", "10", *more)

    def test_the_first_value_from_which_on_all_are_safe(self):
        code, out, _ = self.planted({"0": 9, "1": 1.3, "2": 1.01, "4": 1.0})
        self.assertEqual(code, 0)
        self.assertIn("Smallest safe setting: prebuild=2, at 5 %", out)

    def test_one_that_larger_ones_belie_is_not_safe(self):
        code, out, _ = self.planted({"0": 1, "1": 1, "2": 2, "4": 1})
        self.assertEqual(code, 0)
        self.assertIn("prebuild=4", out)

    def test_none_is_safe(self):
        code, out, _ = self.planted({"0": 9, "1": 2, "2": 1.2, "4": 1.07})
        self.assertEqual(code, engine_sweep.UNDECIDED)
        self.assertIn("No setting", out)

    def test_noise_is_not_safety(self):
        code, _, _ = self.planted(dict.fromkeys("0124", 1.0), wobble=0.3)
        self.assertEqual(code, engine_sweep.UNDECIDED)

    def test_two_rounds_say_nothing(self):
        code, out, _ = self.planted(dict.fromkeys("0124", 1.0), "--rounds", "2")
        self.assertEqual(code, engine_sweep.UNDECIDED)
        self.assertIn("too few rounds", out)

    def test_on_the_engine(self):
        code, out, err = self.sweep("--rounds", "3", "--tolerance", "1e9", "--same-tokens",
                                    "--", "--threads=1", values="8,32", option="chunk")
        self.assertEqual(code, 0, err)
        self.assertIn("chunk=8", out)
        rounds = sorted(map(str, pathlib.Path(self.output).glob("chunk_8/round_*.json")))
        self.assertEqual(len(rounds), 3)
        session = os.path.join(self.output, "session.json")
        subprocess.run([PERFGATE, "import", *rounds, "--output", session], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def test_fewer_or_other_tokens_are_no_time(self):
        for answers in ([[7] * 7] * 5, [[7] * 8] * 4 + [[7] * 7 + [8]]):
            engine = mock.Mock()
            engine.ask.side_effect = [(tokens, {"full": 1e-3}) for tokens in answers]
            engine.startup = 1.0
            with mock.patch.object(engine_sweep.ours, "Engine", return_value=engine):
                code, _, err = self.sweep("--rounds", "3")
            self.assertEqual(code, engine_sweep.FAILED)
            self.assertIn("tokens instead of 8", err)
            engine.close.assert_called()

    def test_a_refusal_is_no_time(self):
        code, _, err = self.sweep("--rounds", "3", "--", "--max_seq=34", values="8,32",
                                  option="chunk")
        self.assertEqual(code, engine_sweep.FAILED, err)
        self.assertIn("refused with 400", err)

    def test_an_engine_that_does_not_start_is_told(self):
        code, _, err = self.sweep("--rounds", "3", values="1,2", option="no_such_option")
        self.assertEqual(code, engine_sweep.INTERNAL)
        self.assertIn("exit code 64", err)

    def test_usage(self):
        for more, word in ((["--tolerance", "0"], "--tolerance"), (["--rounds", "0"], "--rounds"),
                           (["--max-tokens", "1"], "--max-tokens")):
            code, _, err = self.sweep(*more)
            self.assertEqual(code, engine_sweep.USAGE)
            self.assertIn(word, err)
        code, _, err = self.sweep(values="2,2")
        self.assertEqual(code, engine_sweep.USAGE)


if __name__ == "__main__":
    unittest.main()
