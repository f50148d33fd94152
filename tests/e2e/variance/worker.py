# SPDX-License-Identifier: Apache-2.0
"""A client of the worker protocol (docs/protocol.md): launches a suite and asks for slices."""

import json
import os
import socket
import subprocess


class WorkerError(Exception):
    """What the executable did that a worker does not do."""


class Worker:
    """One launch of a benchmark executable that links perfgate::main."""

    def __init__(self, executable, cpus=None):
        """cpus: cores to pin to; None leaves placement to the system."""
        own, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        with its:
            self._process = subprocess.Popen(
                [str(executable), f"--perfgate_worker={its.fileno()}"],
                pass_fds=[its.fileno()], stdin=subprocess.DEVNULL)
        if cpus is not None:
            os.sched_setaffinity(self._process.pid, cpus)
        self._socket = own
        self._lines = own.makefile("r", encoding="utf-8")
        try:
            hello = self._read()
            if hello.get("oldest", 2) > 1:
                raise WorkerError(f"{executable} speaks protocol {hello.get('oldest')} or newer, "
                                  "not 1")
        except WorkerError:
            self.close()
            raise

    def _read(self):
        line = self._lines.readline()
        if not line:
            raise WorkerError("the worker went away: does the executable link perfgate::main?")
        return json.loads(line)

    def ask(self, request):
        self._socket.sendall(json.dumps(request).encode() + b"\n")
        reply = self._read()
        if "error" in reply:
            raise WorkerError(f"{request}: {reply.get('message', reply['error'])}")
        return reply

    def cases(self):
        """Names, in the order of their numbers."""
        return [case["name"] for case in self.ask({"do": "list"})["cases"]]

    def slice(self, case, iterations):
        """Seconds per iteration of one slice."""
        return self.ask({"do": "slice", "case": case, "iterations": iterations})["real_s"]

    def calibrate(self, case, seconds):
        """Iterations that take about `seconds`."""
        iterations = 1
        while (spent := self.slice(case, iterations) * iterations) < seconds / 4:
            iterations *= 2 if spent <= 0 else max(2, min(100, int(seconds / 2 / spent)))
        return max(1, round(iterations * seconds / spent))

    def quit(self):
        try:
            self.ask({"do": "quit"})
        finally:
            self.close()

    def close(self):
        """Ends the worker however it is doing: it leaves at the end of its socket."""
        self._lines.close()
        self._socket.close()
        try:
            self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
