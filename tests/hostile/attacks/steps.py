# SPDX-License-Identifier: Apache-2.0
"""How one attack is run: the folder, the gate, and what follows it."""

import json
import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

LIMIT_S = 60
ATTEMPT_S = 2.2  # noise_3 takes what comes later for another attempt
HERE = Path(__file__).resolve().parent


class Unavailable(Exception):
    """What the attack needs is not there."""


class Run:
    def __init__(self, folder, perfgate, programs, rounds):
        self.folder, self.programs, self.rounds, self.log = folder, programs, rounds, ""
        for name in ("baseline", "candidate", "cache"):
            (folder / name).mkdir()
        self.perfgate = folder / "perfgate"
        shutil.copy(perfgate, self.perfgate)
        for library in perfgate.parent.glob("libperfgate_*.so"):
            shutil.copy(library, folder)
        self.candidate = folder / "candidate" / "bench"
        self.verdict, self.session = folder / "verdict.json", folder / "session.json"
        self.key = folder / "key"
        self.key.write_bytes(os.urandom(32))
        self.key.chmod(0o600)

    def program(self, name, place):
        if name.startswith("foreign:"):
            text = (HERE / "clock" / "foreign_worker.py").read_text(encoding="utf-8")
            text = text.replace("HONEST = 2e-6", f"HONEST = {self.honest_s()!r}")
            text = text.replace("CLAIM, TOTAL = HONEST, 1", "CLAIM, TOTAL = " + name[8:])
            place.write_text(text, encoding="utf-8")
            place.chmod(0o755)
            return
        source = self.programs / name
        if not source.exists():
            raise Unavailable("not built")
        shutil.copy(source, place)

    def honest_s(self):
        """Seconds that the baseline takes for an iteration."""
        out = subprocess.run([self.folder / "baseline" / "bench", "--benchmark_format=json"],
                             capture_output=True, check=True, text=True).stdout
        return json.loads(out)["benchmarks"][0]["real_time"] * 1e-9

    def command(self, words):
        process = subprocess.Popen([str(word) for word in words], cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   start_new_session=True)
        try:
            out, err = process.communicate(timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return "hung"
        self.log += f"$ {' '.join(map(str, words))}\n{out}{err}exit {process.returncode}\n"
        if process.returncode == 65 and "this machine lacks" in err:
            raise Unavailable("no isolation here")
        return process.returncode

    def gate(self, options, more=()):
        self.verdict.unlink(missing_ok=True)
        self.session.unlink(missing_ok=True)
        words = [self.perfgate, "gate", "--baseline", self.folder / "baseline/bench",
                 "--candidate", self.candidate, "--json", self.verdict, "--session", self.session,
                 "--slice", "3ms", "--pairs", "3", "--hot-code", "off", "--layouts", "off",
                 *options, *more]
        if "--policy" not in words:
            words += ["--rounds", str(self.rounds)]
        return self.command(words)

    def play(self, one, options, defended):
        suffix = "" if defended else one.off_suffix
        self.program(one.baseline + suffix, self.folder / "baseline" / "bench")
        shutil.copy(self.folder / "baseline" / "bench", self.folder / "cache" / "accepted")
        self.program(one.program + suffix, self.candidate)
        return getattr(self, "play_" + one.steps)(options, defended)

    def play_gate(self, options, _defended):
        return self.gate(options)

    play_cached = play_gate

    def read_verdict(self, more=()):
        """What somebody concludes who has the verdict from perfgate report."""
        code = self.command([self.perfgate, "report", *more, self.verdict])
        return code or json.loads(self.verdict.read_text(encoding="utf-8"))["exit"]

    def settle(self):
        """Lets what the candidate left behind do its work."""
        time.sleep(0.5)

    def play_report(self, options, _defended):
        self.gate(options)
        self.settle()
        return self.read_verdict()

    def play_decide(self, options, _defended):
        """The session that a gate left is judged again."""
        self.gate(options)
        self.settle()
        code = self.command([self.perfgate, "report", "--decide", self.session])
        judged = re.findall(r"\bExit (\d+),", self.log.rpartition("\n$ ")[2].replace("\n", " "))
        return code or int(judged[-1])

    def play_twice(self, options, _defended):
        self.gate(options)
        return self.gate(options)

    def play_policy(self, options, _defended):
        policy = self.folder / "policy.json"
        policy.write_text('{"format": "perfgate-policy", "version": 1, "tolerance": 0.02, '
                          '"rounds": 24}', encoding="utf-8")
        self.gate(options, ["--policy", policy])
        return self.gate(options, ["--policy", policy])

    def retry(self, options, defended, first, second):
        """Two gates with a ledger between them that remembers, or without one."""
        ledger = ["--ledger", self.folder / "ledger"] if defended else []
        self.gate(options, [*ledger, *first])
        time.sleep(ATTEMPT_S)
        return self.gate(options, [*ledger, *second])

    def play_again(self, options, defended):
        return self.retry(options, defended, [], [])

    def play_renamed(self, options, defended):
        return self.retry(options, defended, ["--suite", "work"], ["--suite", "work2"])

    def play_filtered(self, options, defended):
        return self.retry(options, defended, [], ["--filter", "^work$"])

    def keyed(self, defended, change="7"):
        more = ["--ledger", self.folder / "ledger", "--suite", "work"]
        return more + (["--key", self.key, "--change", change,
                        "--repository", "attacks"] if defended else [])

    def play_padded(self, options, defended):
        self.gate(options, self.keyed(defended))
        time.sleep(ATTEMPT_S)
        with self.candidate.open("ab") as file:
            file.write(b"\0")
        return self.gate(options, self.keyed(defended))

    def play_chain(self, options, defended):
        self.gate(options, self.keyed(defended))
        time.sleep(ATTEMPT_S)
        # An empty chain has right hashes.
        for file in sorted((self.folder / "ledger").iterdir()):
            if file.suffix == ".jsonl":
                file.write_text("", encoding="utf-8")
        return self.gate(options, self.keyed(defended))

    def forged(self):
        text = re.sub(r'"exit":\s*10', '"exit": 0', self.verdict.read_text(encoding="utf-8"))
        text = text.replace('"1 regression"', '"1 no_regression"')
        for name, value in (("lo", -0.001), ("estimate", 0.0), ("hi", 0.001)):
            text = re.sub(rf'"{name}":\s*[-+.0-9e]+', f'"{name}": {value}', text)
        self.verdict.write_text(text.replace('"regression"', '"no_regression"'), encoding="utf-8")

    def play_forge(self, options, defended):
        key = ["--key", self.key] if defended else []
        change = ["--change", "7", "--repository", "attacks"] if defended else []
        self.gate(options, key + change)
        self.forged()
        return self.read_verdict(key)

    def play_exit(self, options, defended):
        self.gate(options)
        text = self.verdict.read_text(encoding="utf-8")
        self.verdict.write_text(re.sub(r'"exit":\s*10', '"exit": 0', text), encoding="utf-8")
        if not defended:  # a reader that believes the file
            return json.loads(self.verdict.read_text(encoding="utf-8"))["exit"]
        return self.read_verdict()

    def play_foreign(self, options, defended):
        key = ["--key", self.key] if defended else []
        self.program("honest_worker", self.candidate)
        change = ["--change", "6", "--repository", "attacks"] if defended else []
        self.gate([*options, "--aa"], key + change)
        return self.read_verdict([*key, *(["--change", "7"] if defended else [])])

    def play_fifo(self, options, _defended):
        os.mkfifo(self.folder / "policy.json")
        return self.gate(options, ["--policy", self.folder / "policy.json"])

    def play_zero(self, options, _defended):
        return self.gate(options, ["--policy", "/dev/zero"])

    def play_loop(self, options, _defended):
        (self.folder / "policy.json").symlink_to(self.folder / "policy.json")
        return self.gate(options, ["--policy", self.folder / "policy.json"])

    def play_huge(self, _options, _defended):
        with self.verdict.open("wb") as file:
            file.truncate(10 << 30)
        return self.command([self.perfgate, "report", self.verdict])

    def sweep(self):
        """Ends whatever runs a program of this folder."""
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                target = os.readlink(entry / "exe")
            except OSError:
                continue
            if target.startswith(str(self.folder) + "/"):
                os.kill(int(entry.name), signal.SIGKILL)
