# SPDX-License-Identifier: Apache-2.0
"""What gpu_peers.py does without a GPU: which cases it takes, and files that perfgate imports.

usage: gpu_peers_test.py SOURCE_FOLDER PERFGATE [KERNELS_LIBRARY]
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

SOURCE, PERFGATE = sys.argv.pop(1), sys.argv.pop(1)
KERNELS = sys.argv.pop(1) if len(sys.argv) > 1 else None
PEERS = os.path.join(SOURCE, "suites", "peers")
sys.dont_write_bytecode = True
sys.path.insert(0, PEERS)
from gpu import cases, kernels_arm  # noqa: E402

NAMES = [
    "launch_floor/blocks:1/threads:32/mode:graph/cache:hot/manual_time",
    "rmsnorm/device:cpu/impl:vector/rows:256/cols:4096/dtype:f32",
    "gemv/device:cuda/impl:split/n:257/k:136/dtype:bf16/cache:cold/manual_time",
    "gemv/device:cuda/impl:vector/n:257/k:136/dtype:bf16/cache:cold/manual_time",
    "decode_attention/device:cuda/impl:split/length:17/heads:32/kv_heads:8/dim:64/dtype:bf16/"
    "batch:8/cache:cold/manual_time",
    "gemm/device:cuda/impl:cublaslt_first/m:8/n:16/k:32/dtype:bf16/cache:cold/manual_time",
    "gemm/device:cuda/impl:cublaslt/batch:2/m:8/n:16/k:32/dtype:bf16/cache:cold/manual_time",
    "rope_append/device:cuda/impl:vector/tokens:1/heads:32/kv_heads:8/dim:64/dtype:f32_to_bf16/"
    "cache:cold/manual_time",
    "convert/device:cuda/impl:vector/count:4097/dtype:f32_to_f8e4m3/cache:hot/manual_time",
    "decode_attention/device:cuda/impl:last_block/length:17/heads:32/kv_heads:8/dim:64/dtype:bf16/"
    "batch:8/cache:cold/manual_time",
]


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False)


class Choice(unittest.TestCase):
    def test_one_cold_case_per_shape_under_our_best_name(self):
        chosen = cases.choose(NAMES)
        self.assertEqual([case.name for case in chosen], [NAMES[3], NAMES[-1], NAMES[6], NAMES[7]])
        self.assertEqual([case.op for case in chosen],
                         ["gemv", "decode_attention", "gemm", "rope_append"])

    def test_bytes_follow_the_models_of_the_headers(self):
        sizes = [cases.bytes_of(case) for case in cases.choose(NAMES)]
        self.assertEqual(sizes[0], 257 * 136 * 2 + 4 * (257 + 136))
        self.assertEqual(sizes[1], 8 * 2 * (17 * 8 * 64 * 2 + 4 * 32 * 64))
        self.assertEqual(sizes[2], (8 * 32 + 2 * (16 * 32 + 8 * 16)) * 2)
        self.assertEqual(sizes[3], (2 * 2048 + 1024) * 4 + 1024 * 2 + 4 * 64)

    def test_sets_fill_the_cache_five_times_within_limits(self):
        case = cases.Case("copy/device:cuda/impl:vector/count:1048576/dtype:f32/cache:cold")
        self.assertEqual(cases.sets_for(case, 60 << 20), 45)  # one per call
        self.assertEqual(cases.sets_for(case, 80 << 20), 50)
        self.assertEqual(cases.sets_for(case, 1 << 40), cases.MOST_SETS)
        case = cases.Case("copy/device:cuda/impl:vector/count:134217728/dtype:f32/cache:cold")
        self.assertEqual(cases.sets_for(case, 50 << 20), cases.LEAST_SETS)

    def test_calls_follow_the_rule_of_our_cases(self):
        name = "copy/device:cuda/impl:vector/count:{}/dtype:f32/cache:cold"
        # 41,875,000 elements of 8 bytes moved take 100 us at 3.35 TB/s.
        self.assertEqual(cases.calls_for(cases.Case(name.format(41_875_000))), 1)
        self.assertEqual(cases.calls_for(cases.Case(name.format(41_874_999))), 2)
        self.assertEqual(cases.calls_for(cases.Case(name.format(1 << 23))), 10)
        self.assertEqual(cases.calls_for(cases.Case(name.format(1 << 20))), 45)
        self.assertEqual(cases.calls_for(cases.Case(name.format(1))), cases.MOST_CALLS)

    def test_ours_is_held_against_the_fastest_round_by_round(self):
        medians = {"perfgate": [2.0, 4.0, 3.0], "slow": [9.0, 9.0, 9.0], "quick": [2.0, 8.0, 2.0]}
        self.assertEqual(cases.against_fastest(medians), ("quick", 1.0, 0.5, 1.5))
        self.assertIsNone(cases.against_fastest({"perfgate": [1.0]}))
        self.assertIsNone(cases.against_fastest({"slow": [1.0]}))

    def test_a_name_without_the_keys_is_refused(self):
        with self.assertRaises(ValueError):
            cases.Case("sort/n:64")


class Files(unittest.TestCase):
    def session(self, folder, failed):
        for index in range(7):
            samples = [((2 + 0.01 * index) * 1e-6, 1e-6)] * 3
            rows = cases.rows_of(NAMES[3], samples, 64)
            if failed:
                rows.append(cases.failed_row(NAMES[6], "wrong", skipped=False))
            elif index == 0:
                rows.append(cases.failed_row(NAMES[6], "not offered", skipped=True))
            cases.write(os.path.join(folder, "triton", f"round_{index:02}.json"), "triton",
                        {"gpu": "Example"}, rows)
        files = [os.path.join(folder, "triton", f"round_{index:02}.json") for index in range(7)]
        output = os.path.join(folder, "triton.session.json")
        return run(PERFGATE, "import", *files, "--arm", "triton", "--output", output), output

    def test_rounds_become_a_session(self):
        with tempfile.TemporaryDirectory() as folder:
            done, output = self.session(folder, failed=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            with open(output, encoding="utf-8") as file:
                session = json.load(file)
            self.assertEqual(session["arms"][0]["label"], "triton")
            self.assertEqual(len(session["rounds"]), 7)
            self.assertEqual(session["cases"][0]["name"], NAMES[3])
            self.assertEqual(session["cases"][0]["time"], "manual")
            first = session["rounds"][0]["cases"][0]["values"][0][0]
            self.assertEqual([round(value * 1e9) for value in first], [2000] * 3)

    def test_a_wrong_result_is_a_failure(self):
        with tempfile.TemporaryDirectory() as folder:
            done, _ = self.session(folder, failed=True)
            self.assertEqual(done.returncode, 11, done.stdout + done.stderr)


class Script(unittest.TestCase):
    def script(self, *more):
        with tempfile.TemporaryDirectory() as folder:
            names = os.path.join(folder, "names.txt")
            with open(names, "w", encoding="utf-8") as file:
                file.write("\n".join(NAMES))
            return run(sys.executable, "-B", os.path.join(PEERS, "gpu_peers.py"), "--cases", names,
                       "--output", folder, *more)

    def test_lists_what_it_would_time(self):
        done = self.script("--list", "--filter", "^gem")
        self.assertEqual((done.returncode, done.stdout.split()), (0, [NAMES[3], NAMES[6]]))

    def test_nothing_to_time_is_an_error(self):
        self.assertEqual(self.script("--filter", "no_such_case").returncode, 1)

    def test_says_what_is_missing(self):
        try:
            import torch
            import triton  # noqa: F401
            if torch.cuda.is_available():
                self.skipTest("everything is there")
        except ImportError:
            pass
        done = self.script()
        self.assertEqual(done.returncode, 77)
        self.assertIn("skipped", done.stdout)


@unittest.skipUnless(KERNELS, "built without CUDA")
class Kernels(unittest.TestCase):
    def refusal(self, name, sets=2):
        with self.assertRaises(RuntimeError) as raised:
            kernels_arm.Library(KERNELS).bind(name, sets)
        return str(raised.exception)

    def test_an_unknown_case_is_refused_by_name(self):
        self.assertIn("sort/n:64: no such case", self.refusal("sort/n:64"))

    def test_a_case_needs_buffers(self):
        self.assertIn("at least one set", self.refusal(NAMES[3], 0))

    def test_a_known_case_needs_a_gpu(self):
        try:
            ours = kernels_arm.Library(KERNELS).bind(NAMES[3], 2)
        except RuntimeError as error:
            self.assertIn("cudaSetDevice", str(error))  # no device, no driver
            return
        with ours:
            with self.assertRaises(RuntimeError):
                ours.launch(2, None)
            ours.launch(1, None)
            self.assertEqual(ours.check(1), "")
            self.assertNotEqual(ours.check(0), "")  # not launched


if __name__ == "__main__":
    unittest.main()
