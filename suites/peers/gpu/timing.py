# SPDX-License-Identifier: Apache-2.0
"""Times of calls with cold caches: rotated buffers, one CUDA graph, events around its replay."""
import time

import torch


class Refused(Exception):
    """The peer does not do this case: no failure."""


class Clock:
    def __init__(self):
        properties = torch.cuda.get_device_properties(0)
        self.l2_bytes = properties.L2_cache_size
        # Written between replays whose buffers do not fill the cache five times over.
        self._flush = torch.empty(2 * self.l2_bytes, dtype=torch.uint8, device="cuda")
        self._stream = torch.cuda.Stream()

    def capture(self, call, sets, calls):
        """A graph of `calls` calls on the sets in turn. Their outputs are kept, so that each call
        has its own, as each of its inputs is its own."""
        torch.cuda.synchronize()  # the sets were filled on another stream
        with torch.cuda.stream(self._stream), torch.no_grad():
            for data in sets[:3]:
                call(data)  # compiles, tunes, plans
        torch.cuda.synchronize()
        graph, outputs = torch.cuda.CUDAGraph(), []
        with torch.no_grad(), torch.cuda.graph(graph, stream=self._stream):
            for i in range(calls):
                outputs.append(call(sets[i % len(sets)]))
        torch.cuda.synchronize()
        return graph, outputs

    def warm_up(self, graph, seconds=0.2):
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            graph.replay()
            torch.cuda.synchronize()

    def sample(self, graph, calls, flush):
        """(device seconds, host seconds) of a call."""
        start, stop = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        with torch.cuda.stream(self._stream):
            if flush:
                self._flush.fill_(1)
            torch.cuda._sleep(400_000)  # the replay is queued by the time the device gets to it
            begin = time.process_time()
            start.record()
            graph.replay()
            stop.record()
            host = time.process_time() - begin
        torch.cuda.synchronize()
        return start.elapsed_time(stop) * 1e-3 / calls, max(host, 1e-9) / calls


def copy_ceiling(clock):
    """Bytes per second, read and written, of the device's own copy of 2 GiB."""
    x = torch.empty(1 << 29, dtype=torch.float32, device="cuda").uniform_(-1, 1)
    y = torch.empty_like(x)
    graph, _ = clock.capture(lambda pair: pair[1].copy_(pair[0]), [(x, y)], 1)
    clock.warm_up(graph)
    times = sorted(clock.sample(graph, 1, False)[0] for _ in range(15))
    return 2 * x.numel() * 4 / times[len(times) // 2]
