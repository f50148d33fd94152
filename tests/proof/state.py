# SPDX-License-Identifier: Apache-2.0
"""The state folder of a proof: what was planned, with which files, and what is done.

plan.json (configuration, frozen), calibration.json (noise per case, frozen), injection.json,
runs.jsonl (one line per finished run), verdicts/, exe/, bin/perfgate, log.txt, table.md.
"""

import fcntl
import json
import os
import tempfile
from pathlib import Path


class StateError(Exception):
    """The folder cannot be used, and what to do."""


def write_atomically(path, text):
    with tempfile.NamedTemporaryFile("w", dir=Path(path).parent, delete=False,
                                     encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(file.name, path)


class State:
    def __init__(self, folder):
        self.folder = Path(folder).resolve()
        for name in ("", "verdicts", "exe", "bin"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        self._lock_file = None

    def path(self, *parts):
        return self.folder.joinpath(*parts)

    def lock(self):
        """One proof at a time in one folder; the lock ends with the process."""
        self._lock_file = open(self.path("lock"), "w", encoding="utf-8")
        try:
            fcntl.flock(self._lock_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._lock_file.close()
            raise StateError(f"{self.folder} is in use by another proof") from error

    def unlock(self):
        self._lock_file.close()

    def freeze(self, config):
        """Stores `config` the first time; later, everything but the command line must agree."""
        path = self.path("plan.json")
        if not path.exists():
            write_atomically(path, json.dumps(config, indent=1) + "\n")
            return config
        stored = json.loads(path.read_text(encoding="utf-8"))
        for key, value in config.items():
            if key not in ("command", "cpu") and stored.get(key) != value:
                raise StateError(f"{path}: {key} was {stored.get(key)!r}, now {value!r}: one state "
                                 "folder holds one experiment; use a new one")
        return stored

    def config(self):
        path = self.path("plan.json")
        if not path.exists():
            raise StateError(f"{self.folder} holds no proof yet")
        return json.loads(path.read_text(encoding="utf-8"))

    def calibration(self):
        path = self.path("calibration.json")
        return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None

    def freeze_calibration(self, noise):
        write_atomically(self.path("calibration.json"), json.dumps(noise, indent=1) + "\n")

    def records(self):
        """Finished runs; a last line that an interruption cut off is not one."""
        path = self.path("runs.jsonl")
        if not path.exists():
            return []
        found = {}
        for line in path.read_text(encoding="utf-8").split("\n"):
            try:
                record = json.loads(line)
                found.setdefault(record["id"], record)
            except (ValueError, KeyError, TypeError):
                continue
        return list(found.values())

    def append(self, record):
        with open(self.path("runs.jsonl"), "ab+") as file:
            file.seek(0, os.SEEK_END)
            if file.tell() > 0:
                file.seek(-1, os.SEEK_END)
                if file.read(1) != b"\n":
                    file.write(b"\n")
            file.write(json.dumps(record).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
