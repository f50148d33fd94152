# SPDX-License-Identifier: Apache-2.0
"""Runs `perfgate gate` (and anything else) as children that never outlive the proof."""

import contextlib
import json
import os
import signal
import subprocess
import threading
import time


class Interrupted(Exception):
    """The proof is being stopped; the run at hand is not recorded."""


class Children:
    """Starts processes, each in a group of its own, and can end them all from another thread."""

    def __init__(self):
        self._lock = threading.Lock()
        self._groups = set()
        self._stopped = False

    def run(self, command, timeout, output=None):
        """(exit code, standard output). Code None: timed out. Standard error goes to `output`."""
        with contextlib.ExitStack() as stack:
            errors = stack.enter_context(open(output, "ab")) if output else subprocess.DEVNULL
            with self._lock:
                if self._stopped:
                    raise Interrupted
                child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                         stderr=errors, start_new_session=True)
                self._groups.add(child.pid)
            try:
                out, _ = child.communicate(timeout=timeout)
                code = child.returncode
            except subprocess.TimeoutExpired:
                _end_group(child.pid)
                out, code = child.communicate()[0], None
            finally:
                with self._lock:
                    self._groups.discard(child.pid)
                _kill(child.pid, signal.SIGKILL)  # what a crashed gate left behind
            if self._stopped:
                raise Interrupted
            return code, out.decode("utf-8", "replace")

    def stop(self):
        """Ends all children; later calls of run() raise Interrupted."""
        with self._lock:
            self._stopped = True
            groups = list(self._groups)
        for group in groups:
            _end_group(group)


def _kill(group, number):
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def _end_group(group, patience=5.0):
    """Asks, then kills."""
    _kill(group, signal.SIGTERM)
    end = time.monotonic() + patience
    while time.monotonic() < end:
        try:
            os.killpg(group, 0)
        except (ProcessLookupError, PermissionError):
            return
        time.sleep(0.05)
    _kill(group, signal.SIGKILL)


def gate_command(perfgate, base, candidate, budget, verdict_file, is_aa):
    command = [str(perfgate), "gate", "--baseline", str(base), "--candidate", str(candidate),
               "--budget", budget, "--json", str(verdict_file)]
    return command + (["--aa", "--tolerance", "0"] if is_aa else [])


def read_verdict(path):
    """The parts of a verdict file that the proof needs, or None where it cannot be read."""
    try:
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
        timed = [c for c in data["columns"]
                 if c.get("metric", {}).get("name", "real_time") == "real_time"]
        fail_looks = [n for n, alpha in zip(data["schedule"]["looks"],
                                            data["schedule"]["look_alpha"]) if alpha > 0]
        rounds = max([c.get("rounds") or 0 for c in timed], default=0)
        return {
            "rounds": rounds,
            "case_rounds": {c["case_name"]: c.get("rounds") for c in timed},
            "could_fail": bool(fail_looks) and rounds >= min(fail_looks),
            "layout_rounds": data.get("layout_rounds", 0),
            "verdicts": {c["case_name"]: c["verdict"] for c in timed},
            "effects": {c["case_name"]: [c["effect"].get(k) for k in ("estimate", "lo", "hi")]
                        for c in timed},
            "noise_sd": {c["case_name"]: c.get("noise_sd") for c in timed},
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
