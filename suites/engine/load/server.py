# SPDX-License-Identifier: Apache-2.0
"""A process of `engine serve` on a free port of the loopback interface."""

import select
import signal
import subprocess
import tempfile
import time


class ServerFailed(Exception):
    """The text says what happened, and the last thing that the server said."""


class Server:
    def __init__(self, engine, model, options, patience):
        self._errors, self._last_words = tempfile.TemporaryFile(), ""
        began = time.perf_counter()
        try:
            self._process = subprocess.Popen(
                [engine, "serve", "--model", model, "--port", "0", *options],
                stdout=subprocess.PIPE, stderr=self._errors)
        except OSError as error:
            self._errors.close()
            raise ServerFailed(f"cannot start {engine}: {error.strerror}") from error
        try:
            line = self._first_line(began + patience)
            if " healthy at http://" not in line:
                raise ServerFailed(self._what_happened("it is not healthy"))
            host, port = line.split(" healthy at http://")[1].split(",")[0].rsplit(":", 1)
            self.address = host, int(port)
        except BaseException:
            self.close()
            raise
        self.startup = time.perf_counter() - began  # from the launch to healthy

    def _first_line(self, deadline):
        line = b""
        while not line.endswith(b"\n"):
            left = deadline - time.perf_counter()
            if left <= 0 or not select.select([self._process.stdout], [], [], left)[0]:
                raise ServerFailed(self._what_happened("it is not healthy in time"))
            piece = self._process.stdout.read1(4096)
            if not piece:
                self._process.wait()
                break
            line += piece
        return line.decode(errors="replace")

    def _what_happened(self, what):
        code = self._process.poll()
        self._listen()
        if code is not None and code < 0:
            what = f"it was ended by {signal.Signals(-code).name}"
        elif code is not None:
            what = f"it ended with exit code {code}"
        return f"server: {what}" + (f": {self._last_words}" if self._last_words else "")

    def _listen(self):
        if not self._errors.closed:
            self._errors.seek(0)
            lines = self._errors.read().decode(errors="replace").strip().splitlines()
            self._last_words = lines[-1] if lines else ""

    def alive(self):
        return self._process.poll() is None

    def obituary(self, patience=1):
        """How it ended, empty where it lives: its connections end a moment before itself."""
        try:
            self._process.wait(patience)
        except subprocess.TimeoutExpired:
            return ""
        return self._what_happened("")

    def stop(self, patience=30):
        """SIGTERM must end it with exit code 0."""
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.communicate(timeout=patience)
        except subprocess.TimeoutExpired:
            self.kill()
            raise ServerFailed(f"server: SIGTERM did not end it within {patience} s") from None
        if self._process.returncode != 0:
            raise ServerFailed(self._what_happened(""))

    def kill(self):
        if self.alive():
            self._process.kill()
        self._process.communicate()

    def close(self):
        """Ends it, however it is. What it said last is kept for obituary()."""
        self.kill()
        self._listen()
        self._errors.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
