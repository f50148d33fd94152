# SPDX-License-Identifier: Apache-2.0
"""The engine beside transformers: what is compared, and what is never a time.

usage: engine_peers_test.py SOURCE_FOLDER ENGINE PERFGATE

torch is not needed: its place is taken by arms that ask the engine and tell other times. The script
runs as a whole with the engine alone and, where torch and transformers are installed, with them,
without compilation.
"""
import contextlib
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

SOURCE, ENGINE, PERFGATE = (sys.argv.pop(1) for _ in range(3))
PEERS = os.path.join(SOURCE, "suites", "peers")
sys.dont_write_bytecode = True
sys.path.insert(0, PEERS)
import engine_peers  # noqa: E402
from lm import ours  # noqa: E402

TOKENS = 8


class Known:
    """Takes a per cent longer for every further request."""

    def __init__(self, name, tpot):
        self.name, self._tpot = name, tpot

    def describe(self):
        return {"known": "yes"}

    def ask(self, prompt, max_tokens):
        self._tpot *= 1.01
        return list(range(max_tokens)), {"ttft": 1e-3, "tpot": self._tpot,
                                         "full": 1e-3 + (max_tokens - 1) * self._tpot}


class Peer:
    """Answers as the engine does, but for what `spoil` does to the tokens."""

    name = "peer"

    def __init__(self, engine, spoil=lambda tokens: tokens):
        self._engine, self._spoil = engine, spoil

    def describe(self):
        return {"peer": "yes"}

    def ask(self, prompt, max_tokens):
        tokens, times = self._engine.ask(prompt, max_tokens)
        return self._spoil(tokens), times


class Comparison(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.scratch.name)
        for name, more in (("peaked", ["--peaked"]), ("plain", [])):
            subprocess.run([ENGINE, "synth", "--preset", "tiny", "--out", cls.folder / name, *more],
                           check=True, stdout=subprocess.DEVNULL)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def arguments(self, model, output, *more):
        words = ["engine_peers", "--engine", ENGINE, "--model", str(self.folder / model), "--output",
                 str(self.folder / output), "--rounds", "5", "--max-tokens", str(TOKENS),
                 "--prompt-tokens", "5", "--perfgate", PERFGATE, *more]
        with mock.patch.object(sys, "argv", words):
            return engine_peers.arguments()

    def measure(self, model, output, spoil, *more):
        """Exit code and output, of the engine beside a peer that asks one of its own."""
        args = self.arguments(model, output, *more)
        engines = [ours.Engine(ENGINE, args.model, ["--threads=1"]) for _ in range(2)]
        text = io.StringIO()
        try:
            with contextlib.redirect_stdout(text), contextlib.redirect_stderr(text):
                code = engine_peers.measure(args, [engines[0], Peer(engines[1], spoil)], "digest",
                                            1e6)
        finally:
            for engine in engines:
                engine.close()
        return code, text.getvalue()

    def test_arms_become_sessions_and_a_ratio(self):
        args = self.arguments("peaked", "good", "--ceiling", "10", "--samples", "2")
        shown = io.StringIO()
        with contextlib.redirect_stdout(shown):
            code = engine_peers.measure(args, [Known("engine", 2e-4), Known("peer", 6e-4)],
                                        "digest", 1e6)
        text = shown.getvalue()
        self.assertEqual(code, 0, text)
        lines = {line.split()[0]: line.split() for line in text.splitlines() if line.strip()}
        self.assertEqual(lines["engine"][3], "1.000")
        self.assertEqual(lines["peer"][3:6], ["3.000", "[3.000,", "3.000]"])
        self.assertEqual(lines["peer"][-3:], ["8", "of", "8"])
        self.assertEqual(float(lines["floor"][1]), 0.1)  # 1 MB at 10 GB/s, in ms
        for arm in ("engine", "peer"):
            session = json.loads((self.folder / "good" / f"{arm}.session.json").read_text("utf-8"))
            self.assertEqual(len(session["rounds"]), 5)
            names = [case["name"].rsplit(":", 1)[1] for case in session["cases"]]
            self.assertEqual(sorted(names), ["full", "tpot", "ttft"])
            self.assertEqual(len(session["rounds"][0]["cases"][0]["values"][0][0]), 2)
            workload = {f["name"]: f["value"] for f in session["cases"][0]["workload"]}
            self.assertEqual(workload["generated_tokens"], str(TOKENS))

    def test_a_peer_that_answers_alike_is_compared(self):
        code, text = self.measure("peaked", "alike", lambda tokens: tokens)
        self.assertEqual(code, 0, text)
        self.assertIn("8 of 8", text)

    def test_the_times_of_a_request_are_those_of_the_engine(self):
        engine = ours.Engine(ENGINE, str(self.folder / "plain"), ["--threads=1"])
        try:
            for _ in range(50):
                tokens, times = engine.ask([1, 2, 3], TOKENS)
                self.assertEqual(len(tokens), TOKENS)
                self.assertGreater(times["ttft"], 0)
                self.assertAlmostEqual(times["full"], times["ttft"] + (TOKENS - 1) * times["tpot"],
                                       delta=1e-9)
        finally:
            engine.close()

    def test_an_exact_answer_may_not_differ(self):
        code, text = self.measure("peaked", "wrong", lambda t: t[:3] + [t[3] ^ 1] + t[4:])
        self.assertEqual(code, engine_peers.FAILED, text)
        self.assertIn("peer: token 3 is not the engine's", text)
        self.assertFalse((self.folder / "wrong").exists())

    def test_nearly_tied_logits_may_part(self):
        code, text = self.measure("plain", "parts", lambda t: t[:3] + [t[3] ^ 1] + t[4:])
        self.assertEqual(code, 0, text)
        self.assertIn("3 of 8", text)

    def test_fewer_tokens_are_no_time(self):
        with self.assertRaisesRegex(ours.WrongAnswer, "peer: 7 tokens instead of 8"):
            self.measure("plain", "fewer", lambda t: t[:-1])

    def test_a_refusal_and_an_end_are_named(self):
        engine = ours.Engine(ENGINE, str(self.folder / "plain"), [])
        with self.assertRaisesRegex(ours.WrongAnswer, "refused with 400"):
            engine.ask([1], 100000)
        engine.close()
        with self.assertRaisesRegex(ours.WrongAnswer, "connection lost.*SIGKILL"):
            engine.ask([1], TOKENS)


class Script(unittest.TestCase):
    def script(self, *words):
        return subprocess.run([sys.executable, "-B", os.path.join(PEERS, "engine_peers.py"), *words],
                              capture_output=True, text=True, check=False)

    def test_usage(self):
        given = ["--engine", ENGINE, "--model", "m", "--output", "o"]
        for more, text in ((["--rounds", "0"], "--rounds"), (["--max-tokens", "1"], "2 or more"),
                           (["--arms", "eager,onnx"], "--arms"), (["--arms", ""], "expected none"),
                           (["--arms", "none,eager"], "--arms"), (["--ceiling", "0"], "above 0"),
                           (["--rounds", "600"], "--first-round"), (["--engine", "none"], "none")):
            done = self.script(*given, *more)
            self.assertEqual(done.returncode, 64, (more, done.stderr))
            self.assertIn(text, done.stderr)

    def alone(self, folder, *more):
        """The script with --arms none, where neither torch nor transformers can be imported."""
        broken = pathlib.Path(folder, "broken")
        broken.mkdir()
        for name in ("torch", "transformers"):
            (broken / f"{name}.py").write_text("raise SystemExit('imported')\n", "utf-8")
        model = os.path.join(folder, "odd")
        subprocess.run([ENGINE, "synth", "--preset", "odd", "--peaked", "--out", model], check=True,
                       stdout=subprocess.DEVNULL)
        words = ["--engine", ENGINE, "--model", model, "--output", folder, "--arms", "none",
                 "--rounds", "3", "--max-tokens", "4", "--ceiling", "10", "--perfgate", PERFGATE]
        return subprocess.run(
            [sys.executable, "-B", os.path.join(PEERS, "engine_peers.py"), *words, *more],
            env={**os.environ, "PYTHONPATH": str(broken)}, capture_output=True, text=True,
            check=False)

    def test_the_engine_alone_needs_no_torch(self):
        with tempfile.TemporaryDirectory() as folder:
            done = self.alone(folder)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            lines = {line.split()[0]: line.split() for line in done.stdout.splitlines()
                     if line.strip()}
            self.assertEqual(lines["engine"][-3:], ["4", "of", "4"])
            self.assertNotIn("transformers", done.stdout)
            megabytes = float(lines["floor"][2])  # in a tenth
            self.assertAlmostEqual(float(lines["floor"][1]), megabytes / 10, delta=0.006)
            session = json.loads(pathlib.Path(folder, "engine.session.json").read_text("utf-8"))
            self.assertEqual(len(session["rounds"]), 3)
            recorded = pathlib.Path(folder, "engine", "round_00.json").read_text("utf-8")
            self.assertIn(f"--threads={len(os.sched_getaffinity(0))}", recorded)

    def test_the_engine_alone_says_itself_that_it_cannot_start(self):
        with tempfile.TemporaryDirectory() as folder:
            done = self.alone(folder, "--", "--gemm=cublaslt")
        self.assertEqual(done.returncode, engine_peers.FAILED, done.stdout)
        self.assertIn("gemm=cublaslt needs device=cuda", done.stderr)

    def test_runs_or_says_what_is_missing(self):
        with tempfile.TemporaryDirectory() as folder:
            model = os.path.join(folder, "odd")
            subprocess.run([ENGINE, "synth", "--preset", "odd", "--peaked", "--out", model],
                           check=True, stdout=subprocess.DEVNULL)
            done = self.script("--engine", ENGINE, "--model", model, "--output", folder, "--arms",
                               "eager", "--rounds", "3", "--max-tokens", "4", "--threads", "1")
        try:
            import torch  # noqa: F401
            import transformers  # noqa: F401
        except ImportError:
            self.assertEqual(done.returncode, 77, done.stderr)
            self.assertIn("skipped", done.stdout)
            return
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("4 of 4", done.stdout)


if __name__ == "__main__":
    unittest.main()
