# SPDX-License-Identifier: Apache-2.0
"""Times of calls with cold caches: rotated buffers, events around one call or a graph of several."""
import ctypes
import time

import torch


TRIES = 10
NOT_SUPPORTED = 801  # the driver's CUDA_ERROR_NOT_SUPPORTED: a device without such lines


class Refused(Exception):
    """The peer does not do this case: no failure."""


class Single:
    """One call after another. Results are kept until their set comes again, so that each call has
    its own output, as each of its inputs is its own."""

    cycles_to_queue = 2_000_000  # 1 ms: a chain of several eager kernels takes the host that long

    def __init__(self, call, sets):
        self._call, self._sets = call, sets
        self._results = [None] * len(sets)
        self._next = 0

    def replay(self):
        self._results[self._next] = self._call(self._sets[self._next])
        self._next = (self._next + 1) % len(self._sets)


class Graph:
    cycles_to_queue = 400_000

    def __init__(self, call, sets, calls, stream):
        self._graph, self._results = torch.cuda.CUDAGraph(), []
        with torch.no_grad(), torch.cuda.graph(self._graph, stream=stream):
            for i in range(calls):
                self._results.append(call(sets[i % len(sets)]))
        torch.cuda.synchronize()

    def replay(self):
        self._graph.replay()


class Clock:
    def __init__(self):
        properties = torch.cuda.get_device_properties(0)
        self.l2_bytes = properties.L2_cache_size
        # Read before every sample: what is needed is not in the cache then, and no line of the sample
        # before is written back at the cost of this one. Lines loaded with L2::evict_last, which
        # PyTorch's compiled kernels may do, stay all the same until they are reset.
        self._driver = ctypes.CDLL("libcuda.so.1")
        self.late = 0  # samples that could not be queued ahead in any of TRIES
        self._other = torch.zeros(2 * self.l2_bytes // 4, device="cuda")
        self._stream = torch.cuda.Stream()

    def prepare(self, call, sets, calls):
        """What replay() of a sample does: one call, or a graph of `calls` on the sets in turn."""
        torch.cuda.synchronize()  # the sets were filled on another stream
        with torch.cuda.stream(self._stream), torch.no_grad():
            for data in sets[:3]:
                call(data)  # compiles, tunes, plans
        torch.cuda.synchronize()
        return Single(call, sets) if calls == 1 else Graph(call, sets, calls, self._stream)

    def warm_up(self, sample, seconds=0.2):
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            with torch.cuda.stream(self._stream), torch.no_grad():
                sample.replay()
            torch.cuda.synchronize()

    def time(self, sample, calls):
        """(device seconds, host seconds) of a call. A sample that the device began before all of it
        was queued, because the host was busy elsewhere, is taken again, at most TRIES times."""
        for _ in range(TRIES):
            device, host, queued = self._sample(sample)
            if queued:
                break
        else:
            self.late += 1
        return device / calls, max(host, 1e-9) / calls

    def _sample(self, sample):
        start, stop = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        with torch.cuda.stream(self._stream), torch.no_grad():
            status = self._driver.cuCtxResetPersistingL2Cache()
            if status not in (0, NOT_SUPPORTED):
                raise RuntimeError(f"cuCtxResetPersistingL2Cache: error {status}")
            self._other.sum()
            torch.cuda._sleep(sample.cycles_to_queue)
            begin = time.process_time()
            start.record()
            sample.replay()
            stop.record()
            host = time.process_time() - begin
            queued = not start.query()
        torch.cuda.synchronize()
        return start.elapsed_time(stop) * 1e-3, host, queued


def copy_ceiling(clock):
    """Bytes per second, read and written, of the device's own copy of 2 GiB."""
    x = torch.empty(1 << 29, dtype=torch.float32, device="cuda").uniform_(-1, 1)
    y = torch.empty_like(x)
    copy = clock.prepare(lambda pair: pair[1].copy_(pair[0]), [(x, y)], 1)
    clock.warm_up(copy)
    times = sorted(clock.time(copy, 1)[0] for _ in range(15))
    return 2 * x.numel() * 4 / times[len(times) // 2]
