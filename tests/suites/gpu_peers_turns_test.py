# SPDX-License-Identifier: Apache-2.0
"""How gpu_peers.py takes samples and lets arms take turns, with as much of PyTorch as that needs.

usage: gpu_peers_turns_test.py SOURCE_FOLDER
"""
import contextlib
import importlib
import io
import os
import sys
import unittest
import unittest.mock

SOURCE = sys.argv.pop(1)
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(SOURCE, "suites", "peers"))
import gpu_peers  # noqa: E402
from gpu import cases  # noqa: E402

CASE = cases.Case("gemv/device:cuda/impl:vector/n:257/k:136/dtype:bf16/cache:cold/manual_time")


class FakeTorch:
    """`late` says of each sample whether the device began it before all was queued, `status` what
    the driver says to resetting persisting lines."""

    def __init__(self, late=(), status=0):
        self.late, self.status, self.resets = iter(late), status, 0
        self.cuda = self._dynamo = self
        self.Event = lambda enable_timing: self
        self.stream = lambda _: contextlib.nullcontext()
        self.no_grad = contextlib.nullcontext
        self.zeros = lambda *_, **__: self
        self.Stream = self.sum = self.record = self.synchronize = self.reset = lambda: None
        self._sleep = lambda cycles: None

    def get_device_properties(self, _):
        return unittest.mock.Mock(L2_cache_size=1 << 20)

    def cuCtxResetPersistingL2Cache(self):
        self.resets += 1
        return self.status

    def query(self):
        self.was_late = next(self.late)
        return self.was_late

    def elapsed_time(self, _):
        return 9.0 if self.was_late else 2.0  # ms


class Samples(unittest.TestCase):
    def sample(self, *args):
        """(clock, what timing.py says of itself, the fake, device seconds of one of four calls)"""
        fake = FakeTorch(*args)
        with unittest.mock.patch.dict(sys.modules, {"torch": fake}), \
             unittest.mock.patch("ctypes.CDLL", lambda _: fake):
            sys.modules.pop("gpu.timing", None)
            timing = importlib.import_module("gpu.timing")
            try:
                clock = timing.Clock()
                device, _ = clock.time(unittest.mock.Mock(cycles_to_queue=1), 4)
                return clock, timing, fake, device
            finally:
                sys.modules.pop("gpu.timing", None)

    def test_one_that_began_before_it_was_queued_is_taken_again(self):
        clock, _, fake, device = self.sample([True, True, False, True])
        self.assertAlmostEqual(device, 2e-3 / 4)
        self.assertEqual(fake.resets, 3, "before every sample")
        self.assertEqual(clock.late, 0)

    def test_a_host_that_is_always_late_is_counted(self):
        clock, timing, fake, device = self.sample([True] * 100)
        self.assertAlmostEqual(device, 9e-3 / 4)
        self.assertEqual(fake.resets, timing.TRIES)
        self.assertEqual(clock.late, 1)

    def test_a_device_without_persisting_lines_will_do(self):
        self.assertAlmostEqual(self.sample([False], 801)[3], 2e-3 / 4)
        with self.assertRaisesRegex(RuntimeError, "error 999"):
            self.sample([False], 999)


class FakeClock:
    """Samples are functions; every call of one takes what it returns."""

    l2_bytes, late = 1 << 20, 0

    def prepare(self, call, sets, calls):
        call(sets[0])
        return lambda: call(sets[0])

    def warm_up(self, sample):
        sample()

    def time(self, sample, calls):
        return sample(), 1e-6


class FakeKernels:
    """A library kernels_arm: `refusal` of a case, and what is `wrong` with its results."""

    def __init__(self, refusal="", wrong=""):
        self.refusal, self.wrong, self.bound = refusal, wrong, 0

    def bind(self, name, sets):
        if self.refusal:
            raise RuntimeError(self.refusal)
        self.bound += 1
        return self

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.bound -= 1

    def launch(self, index, stream):
        return 1e-6

    def check(self, index):
        return self.wrong


class Turns(unittest.TestCase):
    def measure(self, library, peer=lambda data: 2e-6):
        """(results, what was printed) of three rounds of CASE with one peer."""
        fake = FakeTorch()
        fake.current_stream = lambda: unittest.mock.Mock(cuda_stream=7)
        op = unittest.mock.Mock()
        op.make = lambda case, first: object()
        op.peers = lambda case: {"peer": peer}
        ops = unittest.mock.Mock(OPS={"gemv": lambda: op}, wrong=lambda case, difference: "")
        modules = {"torch": fake, "gpu.torch_ops": ops, "gpu.triton_kernels": unittest.mock.Mock()}
        package = importlib.import_module("gpu")
        options = unittest.mock.Mock(rounds=3, samples=5, arms="")
        results = gpu_peers.Results(options, {})
        printed = io.StringIO()
        with unittest.mock.patch.dict(sys.modules, modules), \
             unittest.mock.patch.multiple(package, create=True, torch_ops=ops,
                                          triton_kernels=modules["gpu.triton_kernels"]), \
             contextlib.redirect_stdout(printed):
            gpu_peers.measure(CASE, options, library, FakeClock(), results)
        return results, printed.getvalue()

    def test_ours_and_the_peer_have_a_row_per_sample_and_a_ratio(self):
        library = FakeKernels()
        results, printed = self.measure(library)
        for arm, seconds in (("perfgate", 1e-6), ("peer", 2e-6)):
            self.assertEqual(sorted(results.rows[arm]), [0, 1, 2])
            for rows in results.rows[arm].values():
                self.assertEqual([row["real_time"] for row in rows], [seconds * 1e9] * 5)
        self.assertRegex(printed, r"perfgate / peer +gemv/.* 0\.5000 \[0\.5000, 0\.5000\] over rounds")
        self.assertEqual(library.bound, 0, "its buffers are gone")
        self.assertEqual(results.wrong, 0)

    def test_a_wrong_result_of_ours_is_a_failure_in_every_round(self):
        library = FakeKernels(wrong="17 elements differ")
        results, printed = self.measure(library)
        self.assertEqual(results.wrong, 1)
        self.assertEqual([rows[0]["error_message"] for rows in results.rows["perfgate"].values()],
                         ["17 elements differ"] * 3)
        self.assertEqual(sorted(results.rows["peer"]), [0, 1, 2])
        self.assertNotIn("perfgate / peer", printed)
        self.assertEqual(library.bound, 0)

    def test_a_case_that_ours_cannot_do_is_a_skip(self):
        results, printed = self.measure(FakeKernels(refusal="needs a later compute capability"))
        self.assertEqual(results.wrong, 0)
        self.assertTrue(results.rows["perfgate"][0][0]["skipped"])
        self.assertIn("skipped: RuntimeError: needs a later compute capability", printed)

    def test_buffers_go_where_a_sample_throws(self):
        def peer(data):
            peer.calls = getattr(peer, "calls", 0) + 1
            if peer.calls > 6:
                raise MemoryError
            return 2e-6
        library = FakeKernels()
        with self.assertRaises(MemoryError):
            self.measure(library, peer)
        self.assertEqual(library.bound, 0)

    def test_without_the_library_only_the_peers_run(self):
        self.assertEqual(sorted(self.measure(None)[0].rows), ["peer"])


if __name__ == "__main__":
    unittest.main(verbosity=0)
