#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# A worker of its own that speaks the protocol (perfgate-worker-protocol:1). An iteration takes 1.3
# times HONEST seconds, those of the baseline; it reports CLAIM, and TOTAL times what the whole
# should be.
import json
import socket
import sys
import time

HONEST = 2e-6
CLAIM, TOTAL = HONEST, 1
fd = next(int(word.split("=")[1]) for word in sys.argv if word.startswith("--perfgate_worker="))
gate = socket.socket(fileno=fd)
lines = gate.makefile("rw", encoding="utf-8", newline="\n")


def answer(value):
    lines.write(json.dumps(value) + "\n")
    lines.flush()


answer({"perfgate": 1, "oldest": 1, "library": "1.7.1",
        "build": {"compiler": "", "optimized": True, "assertions": False, "sanitizer": ""}})
for line in lines:
    asked = json.loads(line)
    if asked["do"] == "list":
        answer({"ok": "list",
                "cases": [{"name": "work", "threads": 1, "time": "real", "fixed_iterations": 0}],
                "metrics": [{"name": "real_time", "unit": "s", "direction": "lower",
                             "kind": "time"}]})
    elif asked["do"] == "slice":
        count = asked["iterations"]
        end = time.monotonic() + 1.3 * HONEST * count
        while time.monotonic() < end:
            pass
        jitter = 1 + 0.004 * (time.monotonic_ns() % 1000 / 1000 - 0.5)
        claim = CLAIM * jitter
        answer({"ok": "slice", "case": asked["case"], "iterations": count, "real_s": claim,
                "cpu_s": claim, "total_s": claim * count * TOTAL, "wall_s": claim * count * TOTAL,
                "counters": {}, "nonce": asked.get("nonce", "")})
    else:
        answer({"ok": "quit"})
        break
