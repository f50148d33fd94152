# SPDX-License-Identifier: Apache-2.0
"""The load is there when wanted, gone when not, and never outlives the one that wanted it."""

import os
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

import background_load

HERE = Path(__file__).resolve().parent
SCRIPT = str(HERE / "background_load.py")


def load_processes(parent):
    """Ids of the load processes that `parent` started."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes().decode().split("\0")
            except OSError:
                continue
            if SCRIPT in words and str(parent) in words:
                found.append(int(entry.name))
    return found


def eventually(condition, seconds=20):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    return condition()


class Load(unittest.TestCase):
    def test_on_while_wanted_by_anyone_and_never_twice(self):
        load = background_load.BackgroundLoad(1, processes=2)
        self.addCleanup(load.close)
        start = time.monotonic()
        with load.wanted(False):
            time.sleep(0.1)
            self.assertEqual(load_processes(os.getpid()), [])
        self.assertEqual(load.share(start, time.monotonic()), 0)
        with load.wanted(True):
            with load.wanted(True):
                self.assertTrue(eventually(lambda: len(load_processes(os.getpid())) == 2))
            self.assertLessEqual(len(load_processes(os.getpid())), 2)
            share = load.share(start, time.monotonic())
            self.assertTrue(0 < share < 1, share)
        self.assertTrue(eventually(lambda: not load_processes(os.getpid())))
        self.assertGreater(load.share(start, time.monotonic()), 0)

    def test_share_is_the_overlap_of_intervals(self):
        load = background_load.BackgroundLoad(1, processes=1)
        self.addCleanup(load.close)
        load._intervals = [[10, 12], [14, 15], [18, None]]
        for start, end, share in ((10, 20, 0.5), (0, 10, 0), (11, 12, 1), (14.5, 18, 1 / 7),
                                  (19, 21, 1), (5, 5, 0)):
            self.assertAlmostEqual(load.share(start, end), share)

    def test_comes_and_goes(self):
        load = background_load.BackgroundLoad(1, processes=1)
        self.addCleanup(load.close)
        with load.wanted(True):
            self.assertTrue(eventually(lambda: load_processes(os.getpid())))
            self.assertTrue(eventually(lambda: not load_processes(os.getpid())))
            self.assertTrue(eventually(lambda: load_processes(os.getpid())))

    def test_ends_when_the_parent_is_killed(self):
        code = ("import sys, time; sys.path.insert(0, sys.argv[1])\n"
                "import background_load\n"
                "with background_load.BackgroundLoad(1, 2).wanted(True): time.sleep(60)\n")
        with subprocess.Popen([sys.executable, "-B", "-c", code, str(HERE)]) as parent:
            try:
                self.assertTrue(eventually(lambda: len(load_processes(parent.pid)) == 2))
            finally:
                os.kill(parent.pid, signal.SIGKILL)
        self.assertTrue(eventually(lambda: not load_processes(parent.pid)))


if __name__ == "__main__":
    unittest.main()
