# SPDX-License-Identifier: Apache-2.0
"""Background load that comes and goes: as many processes as cores, which spin and touch memory.

On for 1 to 4 seconds, off for 1 to 4 seconds, while at least one run wants it. Loads of concurrent
runs are one load: the machine never has more than one set of these processes. The processes end
by themselves when the one that started them is gone, however it ended.
"""

import contextlib
import os
import random
import subprocess
import sys
import threading
import time

MEMORY = 16 << 20  # bytes that one process copies around; beyond private caches


class BackgroundLoad:
    def __init__(self, seed, processes=None):
        self._rng = random.Random(f"{seed}:load")
        self._count = processes or os.cpu_count() or 1
        self._wanted = 0
        self._changed = threading.Condition()
        self._stopping = False
        self._intervals = []  # [start, end or None] on the monotonic clock
        self._thread = threading.Thread(target=self._loop, daemon=True)
        self._thread.start()

    @contextlib.contextmanager
    def wanted(self, wanted):
        """The load is there, on and off, while the body runs; nothing happens if not wanted."""
        with self._changed:
            self._wanted += bool(wanted)
            self._changed.notify_all()
        try:
            yield
        finally:
            with self._changed:
                self._wanted -= bool(wanted)
                self._changed.notify_all()

    def share(self, start, end):
        """Part of [start, end] (monotonic seconds) in which any load was on, whoever wanted it."""
        with self._changed:
            on = sum(max(0.0, min(end, end if stop is None else stop) - max(start, begin))
                     for begin, stop in self._intervals)
        return on / (end - start) if end > start else 0.0

    def close(self):
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
        self._thread.join()

    def _sleep(self, seconds):
        """Waits inside the condition; cut short when the load is no longer wanted."""
        end = time.monotonic() + seconds
        while not self._stopping and self._wanted and time.monotonic() < end:
            self._changed.wait(end - time.monotonic())

    def _loop(self):
        with self._changed:
            while not self._stopping:
                if not self._wanted:
                    self._changed.wait()
                    continue
                self._burst(self._rng.uniform(1, 4))
                self._sleep(self._rng.uniform(1, 4))

    def _burst(self, seconds):
        command = [sys.executable, os.path.abspath(__file__), str(os.getpid())]
        children = [subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True)
                    for _ in range(self._count)]
        self._intervals.append([time.monotonic(), None])
        try:
            self._sleep(seconds)
        finally:
            for child in children:
                child.kill()
            for child in children:
                child.wait()
            self._intervals[-1][1] = time.monotonic()


def spin(parent):
    """The load of one process, until `parent` is gone."""
    source, target = bytearray(MEMORY), bytearray(MEMORY)
    value = 1
    while os.getppid() == parent:
        for _ in range(4):
            target[:] = source
        for _ in range(100000):
            value = (value * 1103515245 + 12345) & 0xFFFFFFFF


if __name__ == "__main__":
    spin(int(sys.argv[1]))
