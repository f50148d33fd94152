# SPDX-License-Identifier: Apache-2.0
"""prove.py from start to table with stand-ins: a whole proof, interruption, crash, bad input."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import stand_ins
import variants

HERE = Path(__file__).resolve().parent
CASES = variants.read_cases(HERE / "proof_cases.inc")


class Proof(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.state = self.folder / "state"
        self.build = stand_ins.make_build_tree(self.folder / "build", CASES, sys.executable)
        self.state.mkdir()
        (self.state / "injection.json").write_text(json.dumps(stand_ins.injection(CASES)))

    def command(self, *more, **gate):
        perfgate = stand_ins.make_perfgate(self.folder / "perfgate", CASES, sys.executable, **gate)
        return [sys.executable, "-B", str(HERE / "prove.py"), "--build", str(self.build),
                "--perfgate", str(perfgate), "--state", str(self.state), "--aa-runs", "14",
                "--per-effect", "3", *more]

    def prove(self, *more, **gate):
        return subprocess.run(self.command(*more, **gate), capture_output=True, text=True,
                              timeout=100)

    def records(self):
        path = self.state / "runs.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def test_whole_proof_in_two_parts(self):
        first = self.prove("--limit", "5")
        self.assertEqual(first.returncode, 0, first.stderr)
        self.assertEqual(len(self.records()), 5)
        self.assertFalse((self.state / "calibration.json").exists())
        second = self.prove()
        self.assertEqual(second.returncode, 0, second.stderr)
        records = self.records()
        self.assertEqual(len(records), 14 + 9)
        self.assertEqual(len({r["id"] for r in records}), len(records))
        self.assertTrue(all(r["kind"] == "aa" for r in records[:12]))
        for record in records:
            self.assertEqual(record["exit"], 0 if record["kind"] == "aa" else 10)
            self.assertEqual(record["peers"], {"rank_sum": [], "moved_5": [], "bootstrap": []})
        self.assertIn("| all | 0/14 |", second.stdout)
        self.assertIn("| 5 % | 3/3 |", second.stdout)
        self.assertIn((self.state / "table.md").read_text().strip(), second.stdout)
        check = self.prove("--check")
        self.assertEqual(check.returncode, 1)
        self.assertIn("at least 17 of 3", check.stderr)

    def test_a_crashing_gate_is_recorded_and_the_proof_goes_on(self):
        out = self.prove("--no-peers", crash=True)
        self.assertEqual(out.returncode, 0, out.stderr)
        codes = [r["exit"] for r in self.records() if r["kind"] == "aa"]
        self.assertEqual(codes, [-signal.SIGABRT] * 14)
        self.assertIn("| all | 14/14 |", out.stdout)

    def test_an_interruption_leaves_no_process_and_no_half_record(self):
        with subprocess.Popen(self.command(seconds=30), stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, start_new_session=True) as proof:
            self.addCleanup(self.kill_leftovers, proof)
            end = time.monotonic() + 60
            while not self.gates() and time.monotonic() < end:
                time.sleep(0.05)
            os.kill(proof.pid, signal.SIGINT)
            try:
                proof.communicate(timeout=60)
            except subprocess.TimeoutExpired:
                proof.kill()  # a proof that ignores the signal must not outlive the test
                raise
        self.assertEqual(proof.returncode, 130)
        self.assertEqual(self.gates(), [])
        self.assertEqual(self.records(), [])

    def kill_leftovers(self, proof):
        if proof.poll() is None:
            proof.kill()
        for pid in self.gates():
            os.kill(int(pid), signal.SIGKILL)

    def gates(self):
        """Processes that mention this test's folder, other than prove.py itself."""
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    words = (entry / "cmdline").read_bytes().decode().split("\0")
                except OSError:
                    continue
                if any(w == str(self.state / "bin/perfgate") for w in words):
                    found.append(entry.name)
        return found

    def test_bad_input_says_what_to_do(self):
        out = subprocess.run([sys.executable, "-B", str(HERE / "prove.py"), "--build", "/nowhere",
                              "--state", str(self.state)], capture_output=True, text=True)
        self.assertEqual(out.returncode, 2)
        self.assertIn("no perfgate at /nowhere", out.stderr)
        self.assertEqual(self.prove("--limit", "0").returncode, 0)
        changed = self.prove("--seed", "2")
        self.assertEqual(changed.returncode, 2)
        self.assertIn("seed was 1, now 2", changed.stderr)


if __name__ == "__main__":
    unittest.main()
