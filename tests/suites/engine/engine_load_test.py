# SPDX-License-Identifier: Apache-2.0
"""Load on the engine: real answers are timed and imported, and no wrong one is ever a time.

usage: engine_load_test.py SOURCE_FOLDER ENGINE PERFGATE

Nothing here depends on the speed of the machine: slow servers are slow by sleeping.
"""
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

SOURCE, ENGINE, PERFGATE = (sys.argv.pop(1) for _ in range(3))
SUITES = os.path.join(SOURCE, "suites", "engine")
sys.dont_write_bytecode = True
sys.path.insert(0, SUITES)
from load import summary  # noqa: E402

# Stands in for `engine serve`; what it does wrong is its last argument.
FAKE = '''#!{python}
import http.server, json, os, sys, time
mode = sys.argv[-1]
class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *args):
        pass
    def do_POST(self):
        wanted = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        Handler.answered += 1
        if mode == "refuses" and Handler.answered > 3:
            body = json.dumps({{"error": {{"message": "the queue is full"}}}}).encode()
            self.send_response(503)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
            return
        self.send_response(200)
        self.end_headers()
        n = wanted["max_tokens"] + (mode == "more") - (mode == "fewer")
        for i in range(n):
            if mode == "dies" and Handler.answered > 3 and i == 2:
                os._exit(9)
            if mode == "hangs" and Handler.answered > 3 and i == 2:
                time.sleep(60)
            time.sleep(0.05 if mode == "slow" else 0.004)
            self.event({{"choices": [{{"token_ids": [i]}}]}})
        counted = n + (mode == "miscounts")
        if mode == "cut":
            return
        self.event({{"choices": [], "usage": {{"prompt_tokens": len(wanted["prompt"]),
                                             "completion_tokens": counted}}}})
        self.wfile.write(b"data: [DONE]\\n\\n")
    def event(self, data):
        self.wfile.write(b"data: " + json.dumps(data).encode() + b"\\n\\n")
Handler.answered = 0
if mode == "unhealthy":
    sys.exit("fake: nothing works")
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(f"engine: healthy at http://127.0.0.1:{{server.server_port}}, model fake", flush=True)
import signal
signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
server.serve_forever()
'''


class Statistics(unittest.TestCase):
    def test_percentiles_are_the_smallest_value_that_so_many_do_not_exceed(self):
        draw = random.Random(3)
        for n in (1, 2, 19, 20, 21, 99, 100, 101, 200, 1000):
            values = [draw.random() for _ in range(n)]
            for percent in (50, 95, 99):
                expected = min(v for v in values
                               if 100 * sum(w <= v for w in values) >= percent * n)
                self.assertEqual(summary.nearest_rank(values, percent), expected, (n, percent))

    def test_tails_need_values(self):
        self.assertEqual(set(summary.summary([1.0] * 19)), {"n", "mean", "p50"})
        self.assertEqual(set(summary.summary([1.0] * 20)), {"n", "mean", "p50", "p95"})
        self.assertEqual(set(summary.summary([1.0] * 100)), {"n", "mean", "p50", "p95", "p99"})
        self.assertEqual(summary.summary([]), {"n": 0})

    def test_quantiles_of_t_are_those_of_tables(self):
        for freedom, expected in ((1, 12.7062), (2, 4.30265), (3, 3.18245), (4, 2.77645),
                                  (9, 2.26216), (10, 2.22814), (30, 2.04227), (120, 1.97993)):
            self.assertAlmostEqual(summary.t_quantile(0.95, freedom), expected, 4)

    def test_the_interval_covers_the_middle_of_lognormal_runs(self):
        # 95 % of 2000 is 1900 with a standard deviation of 9.7.
        draw, covered = random.Random(5), 0
        for _ in range(2000):
            _, low, high = summary.interval([math.exp(draw.gauss(1, 0.5)) for _ in range(5)])
            covered += low <= math.exp(1) <= high
        self.assertLess(abs(covered - 1900), 40)

    def test_two_runs_have_no_interval(self):
        self.assertIsNone(summary.interval([1.0, 2.0]))


class Load(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.scratch.name)
        cls.model = cls.folder / "tiny"
        subprocess.run([ENGINE, "synth", "--preset", "tiny", "--out", cls.model], check=True,
                       stdout=subprocess.DEVNULL)
        cls.fake = cls.folder / "fake.py"
        cls.fake.write_text(FAKE.format(python=sys.executable), encoding="utf-8")
        cls.fake.chmod(0o755)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def load(self, engine, *more, output="load", options=()):
        return subprocess.run(
            [sys.executable, "-B", os.path.join(SUITES, "engine_load.py"), "--engine", engine,
             "--model", self.model, "--output", self.folder / output, "--rate", "100",
             "--requests", "8", "--runs", "1", "--prompt-tokens", "4,16", "--max-tokens", "3,9",
             "--perfgate", PERFGATE, *more, "--", *options],
            capture_output=True, text=True, check=False)

    def fails(self, mode, *texts, more=()):
        done = self.load(self.fake, *more, output=mode, options=[mode])
        self.assertEqual(done.returncode, 11, done.stdout + done.stderr)
        for text in texts:
            self.assertIn(text, done.stderr)
        self.assertFalse((self.folder / mode).exists(), "a failed load leaves files")

    def session(self, name):
        return json.loads((self.folder / name / "engine.session.json").read_text("utf-8"))

    def test_the_engine_under_load_becomes_a_session_of_runs(self):
        # Room for all requests: a machine that serves fewer than 400 a second must refuse none.
        done = self.load(ENGINE, "--runs", "3", "--requests", "100", "--rate", "400",
                         output="real", options=["--threads=1", "--batch=3", "--queue=128"])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertNotIn("Warning", done.stdout)
        session = self.session("real")
        self.assertEqual(len(session["rounds"]), 3)
        names = [case["name"] for case in session["cases"]]
        for metric in ("ttft", "full"):
            for part in ("mean", "p50", "p95", "p99"):
                self.assertIn(f"engine_load/model:tiny/rate:400/metric:{metric}_{part}", names)
        workload = {field["name"]: field["value"] for field in session["cases"][0]["workload"]}
        self.assertEqual(workload["generated_tokens"], "3,9")
        # What is printed is the percentile of what all runs had: between those of the single runs.
        values = {}
        for row in range(3):
            file = self.folder / "real" / "engine" / f"round_{row:02}.json"
            for entry in json.loads(file.read_text("utf-8"))["benchmarks"]:
                values.setdefault(entry["name"].rsplit(":", 1)[1], []).append(entry["real_time"])
        printed = next(line.split() for line in done.stdout.splitlines()
                       if line.startswith("full "))
        self.assertEqual(int(printed[1]), 300)
        self.assertLessEqual(min(values["full_p99"]), float(printed[5]) + 1e-3)
        self.assertGreaterEqual(max(values["full_p99"]), float(printed[5]) - 1e-3)
        shown = subprocess.run([PERFGATE, "report", self.folder / "real" / "engine.session.json"],
                               capture_output=True, text=True, check=False)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertIn("ttft_p99", shown.stdout)

    def test_a_slower_server_is_found_by_the_gate_and_other_answers_are_not_compared(self):
        for output, mode, runs, tokens in (("old", "good", 7, "5"), ("new", "slow", 3, "5"),
                                           ("other", "good", 3, "6")):
            done = self.load(self.fake, "--runs", str(runs), "--max-tokens", tokens,
                             "--warmup", "1", "--requests", "4", output=output, options=[mode])
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

        def gate(candidate):
            return subprocess.run(
                [PERFGATE, "gate", "--baseline", self.folder / "old" / "engine.session.json",
                 "--candidate", self.folder / candidate / "engine.session.json",
                 "--allow", "environment_mismatch"], capture_output=True, text=True, check=False)
        slower = gate("new")
        self.assertEqual(slower.returncode, 15, slower.stdout + slower.stderr)
        self.assertIn("suspected", slower.stdout)
        other = gate("other")
        self.assertEqual(other.returncode, 13, other.stdout + other.stderr)
        self.assertIn("token_budget_mismatch", other.stdout)

    def test_two_arms_take_turns(self):
        done = self.load(self.fake, "--runs", "3", "--requests", "3", "--max-tokens", "5", "--warmup",
                         "1", "--other-options", "slow", output="two", options=["good"])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        order = [line.split(":")[0] for line in done.stdout.splitlines() if "healthy" in line]
        self.assertEqual(sorted(order),
                         [f"{arm}, run {i}" for arm in ("engine", "other") for i in range(3)])
        self.assertEqual([name[-1] for name in order], list("001122"))
        ratios = done.stdout.split("other / engine")[1]
        full = next(line for line in ratios.splitlines() if line.startswith("full "))
        self.assertGreater(float(full.split()[6]), 1, full)  # p50: it sleeps twelve times as long
        for arm, mode in (("engine", "good"), ("other", "slow")):
            session = json.loads((self.folder / "two" / f"{arm}.session.json").read_text("utf-8"))
            self.assertEqual(len(session["rounds"]), 3)
            options = {f["name"]: f["value"] for f in session["environment"]}
            self.assertIn(mode, options.values())

    def test_wrong_answers_are_no_times(self):
        self.fails("fewer", "8 tokens instead of 9")
        self.fails("more", "10 tokens instead of 9")
        self.fails("miscounts", "9 tokens came, the server counts 10")
        self.fails("cut", "the stream ended after 9 tokens without [DONE]")

    def test_refusals_are_named(self):
        self.fails("refuses", "run 0: ", "refused with 503", "the queue is full")

    def test_a_server_that_dies_is_named(self):
        self.fails("dies", "run 0: ", "server: it ended with exit code 9")

    def test_a_server_that_hangs_is_named(self):
        self.fails("hangs", "no answer within 4 s", more=["--timeout", "4"])

    def test_a_server_that_does_not_start_is_named(self):
        self.fails("unhealthy", "run 0: server: it ended with exit code 1: fake: nothing works")

    def test_the_engine_refuses_what_does_not_fit(self):
        done = self.load(ENGINE, "--max-tokens", "600", output="long")
        self.assertEqual(done.returncode, 11, done.stdout + done.stderr)
        self.assertIn("refused with 400", done.stderr)
        done = self.load(ENGINE, output="options", options=["--threads=many"])
        self.assertEqual(done.returncode, 11, done.stdout + done.stderr)
        self.assertIn("threads=many", done.stderr)

    def test_usage(self):
        for more, text in ((["--rate", "0"], "above 0"), (["--rate", "nan"], "above 0"),
                           (["--rate", "inf"], "above 0"), (["--rate", "fast"], "--rate"),
                           (["--requests", "0"], "from 1 on"), (["--max-tokens", "3,"], "--max"),
                           (["--arm", "other"], "second arm"),
                           (["--other-engine", "/no/such/file"], "no executable"),
                           (["--perfgate", "/no/such/file"], "no executable")):
            done = self.load(self.fake, *more, output="usage", options=["good"])
            self.assertEqual(done.returncode, 64, (more, done.stderr))
            self.assertIn(text, done.stderr)
        done = self.load(self.fake, "--model", str(self.folder), options=["good"])
        self.assertEqual(done.returncode, 65, done.stderr)


if __name__ == "__main__":
    unittest.main()
