#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One comment on a pull request, kept up to date, whatever the API answers.

usage: comment_test.py PERFGATE BENCH
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from fake_api import FakeApi

PERFGATE, BENCH = sys.argv[1:3]
TOKEN = "secret-token-of-the-test"
KEPT = {name: value for name, value in os.environ.items() if not name.startswith(("GITHUB_", "CI_", "GITLAB_"))}


class Comment(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.verdict = str(cls.folder / "verdict.json")
        done = subprocess.run([PERFGATE, "gate", "--baseline", BENCH, "--candidate", BENCH, "--suite", "my",
                               "--change", "5", "--repository", "o/r", "--json", cls.verdict], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        (cls.folder / "token").write_text(TOKEN + "\n")

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def setUp(self):
        self.api = FakeApi()

    def post(self, *arguments, host="github", project="o/r", files=None, environment=None, token=None):
        command = [PERFGATE, "ci", "comment", *(files if files is not None else [self.verdict])]
        if environment is None:
            command += ["--host", host, "--api", self.api.url + ("/api/v4" if host == "gitlab" else ""), "--project", project]
        command += ["--token-file", "-" if token else str(self.folder / "token"), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, input=token, env=KEPT | (environment or {}), timeout=60)
        self.assertNotIn(TOKEN, done.stdout + done.stderr)
        return done

    def test_made_once_and_then_updated(self):
        done = self.post()
        self.assertEqual((done.returncode, self.api.methods()), (0, ["GET", "POST"]), done.stderr)
        self.assertIn("made comment 101 on o/r#5", done.stderr)
        self.assertEqual(self.api.calls[-1]["headers"]["Authorization"], "Bearer " + TOKEN)
        self.assertIn("Exit 0, pass", self.api.comments[0]["body"])
        self.assertIn("up to date", self.post().stderr)
        self.api.forget()
        done = self.post("--link", "https://example.org/run/1")
        self.assertIn("updated comment 101", done.stderr)
        self.assertEqual(self.api.methods(), ["GET", "PATCH"])
        self.assertEqual(len(self.api.comments), 1)
        self.assertIn("(https://example.org/run/1)", self.api.comments[0]["body"])

    def test_found_behind_hundreds_of_others_and_never_anybody_elses(self):
        self.post()
        mine = self.api.comments.pop()
        for i in range(230):
            self.api.add("somebody", mine["body"] if i % 2 else "hello")
        self.api.comments.append(mine)
        self.api.forget()
        self.post("--link", "https://example.org/2")
        self.assertEqual(self.api.methods(), ["GET", "GET", "GET", "PATCH"])
        self.assertNotIn("example.org/2", "".join(c["body"] for c in self.api.comments[:-1]))

    def test_a_comment_that_is_removed_meanwhile_is_made_again(self):
        self.post()
        self.api.forget()
        self.api.troubles = [None, None, (404, {})]
        done = self.post("--link", "https://example.org/3")
        self.assertEqual(self.api.methods(), ["GET", "PATCH", "POST"], done.stderr)

    def test_trouble_is_a_warning_and_the_exit_code_stays(self):
        for trouble, word, calls in (((403, {}), "permissions", 1), ((404, {}), "no such repository", 1),
                                     ((401, {}), "not valid", 1), ((422, {}), "refused", 1),
                                     ((302, {"Location": "http://127.0.0.1:1/"}), "refused", 1)):
            self.api.forget()
            self.api.troubles = [None, trouble]
            done = self.post("--patience", "0s")
            self.assertEqual((done.returncode, len(self.api.methods())), (0, calls), (trouble, done.stderr))
            self.assertIn("warning: no comment", done.stderr)
            self.assertIn(word, done.stderr)
        self.assertEqual(self.api.comments, [])

    def test_what_passes_is_tried_again(self):
        for trouble in ((429, {"Retry-After": "0"}), (403, {"Retry-After": "0"}), (500, {"Retry-After": "0"}),
                        (502, {"Retry-After": "0"}), (403, {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1"}), "hang up"):
            self.api.forget()
            self.api.comments.clear()
            self.api.troubles = [None, None, trouble]  # the user, the list, the comment itself
            done = self.post()
            self.assertEqual((done.returncode, self.api.methods()), (0, ["GET", "POST", "GET", "POST"]), (trouble, done.stderr))
            self.assertEqual(len(self.api.comments), 1)

    def test_patience_ends(self):
        self.api.troubles = [None] + [(429, {"Retry-After": "3600"})]
        done = self.post("--patience", "2s")
        self.assertEqual((done.returncode, self.api.methods()), (0, ["GET"]))
        self.assertIn("too many calls", done.stderr)
        self.api.forget()
        self.api.troubles = [(500, {"Retry-After": "0"})] * 9
        self.assertIn("in trouble", self.post().stderr)
        self.assertEqual(len(self.api.calls), 4)

    def test_nobody_listens(self):
        self.api.server.shutdown()
        self.api.server.server_close()
        done = self.post("--patience", "0s")
        self.assertEqual(done.returncode, 0)
        self.assertIn("no answer from 127.0.0.1", done.stderr)

    def test_a_verdict_that_fails_keeps_its_exit(self):
        self.api.troubles = [(500, {"Retry-After": "0"})] * 9
        failing = str(self.folder / "failing.json")
        slow = BENCH.replace("_once", "_twice")
        code = subprocess.run([PERFGATE, "gate", "--baseline", BENCH, "--candidate", slow, "--suite", "my", "--rounds", "10",
                               "--json", failing], capture_output=True).returncode
        self.assertEqual(code, 10)
        done = self.post("--keep-exit", "--number", "5", files=[failing])
        self.assertEqual(done.returncode, 10, done.stderr)
        self.assertIn("warning: no comment", done.stderr)
        self.api.forget()
        self.assertEqual(self.post("--number", "5", files=[failing]).returncode, 0)
        self.assertIn("**regression**", self.api.comments[0]["body"])

    def test_only_on_the_commit_that_was_judged(self):
        self.assertIn("made comment", self.post("--head-sha", "a" * 40).stderr)
        self.api.forget()
        done = self.post("--head-sha", "b" * 40)
        self.assertIn("nothing was posted", done.stderr)
        self.assertEqual(self.api.methods(), ["GET"])

    def test_gitlab(self):
        self.api.login, self.api.knows_user = "project_7_bot", True
        for project in ("7", "g/p"):
            self.api.forget()
            self.api.comments.clear()
            self.post(host="gitlab", project=project)
            done = self.post("--link", "https://example.org/4", host="gitlab", project=project)
            self.assertEqual(self.api.methods(), ["GET", "POST", "GET", "PUT"], done.stderr)
            self.assertEqual(self.api.calls[-1]["headers"]["PRIVATE-TOKEN"], TOKEN)
        self.api.knows_user = False
        self.assertIn("--author", self.post(host="gitlab", project="7").stderr)

    def test_certificates_are_checked(self):
        made = {}
        for name in ("localhost", "other.example"):
            made[name] = self.folder / f"{name}.pem"
            subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={name}", "-addext",
                            f"subjectAltName=DNS:{name}", "-keyout", made[name], "-out", self.folder / "certificate"],
                           check=True, capture_output=True)
            made[name].write_text(made[name].read_text() + (self.folder / "certificate").read_text())
        for server, trusted, done in (("localhost", "localhost", "made comment"), ("localhost", None, "TLS"),
                                      ("localhost", "other.example", "TLS"), ("other.example", "other.example", "TLS")):
            api = FakeApi("bot", knows_user=True, certificate=made[server])
            job = {"GITLAB_CI": "true", "CI_API_V4_URL": f"https://localhost:{api.server.server_port}/api/v4", "CI_PROJECT_ID": "7",
                   "CI_MERGE_REQUEST_IID": "5", **({"CI_SERVER_TLS_CA_FILE": str(made[trusted])} if trusted else {})}
            text = self.post("--patience", "0s", environment=job).stderr
            self.assertIn(done, text, (server, trusted))
            self.assertEqual(len(api.comments), 1 if done == "made comment" else 0)

    def test_a_job_of_github_actions_needs_no_options(self):
        job = {"GITHUB_ACTIONS": "true", "GITHUB_API_URL": self.api.url, "GITHUB_REPOSITORY": "o/r", "GITHUB_RUN_ID": "9",
               "GITHUB_REF": "refs/pull/5/merge", "GITHUB_SERVER_URL": "https://code.example"}
        done = self.post(environment=job, token=TOKEN)
        self.assertIn("made comment 101 on o/r#5", done.stderr)
        self.assertIn("https://code.example/o/r/actions/runs/9", self.api.comments[0]["body"])

    def test_no_verdict_is_said_in_the_same_comment(self):
        self.post()
        done = self.post("--none", "--name", "my", "--number", "5", files=[])
        self.assertIn("updated comment 101", done.stderr)
        self.assertIn("There is no verdict", self.api.comments[0]["body"])
        self.assertEqual(self.post("--none", files=[]).returncode, 64)

    def test_mistakes(self):
        for arguments, word in ((["--api", "http://example.org"], "in the clear"), (["--api", "example.org"], "https://"),
                                (["--project", "o/../r"], "OWNER/NAME"), (["--number", "5; rm"], "--number"),
                                (["--link", "javascript:x"], "--link"), (["--patience", "soon"], "--patience"),
                                (["--token-file", "/dev/null"], "/dev/null")):
            done = self.post(*arguments)
            self.assertIn(done.returncode, (64, 65) if arguments[0] != "--token-file" else (0, 64, 65), arguments)
            self.assertIn(word, done.stderr)
        self.assertEqual(self.api.calls, [])
        self.assertEqual(self.post(token=" \n").returncode, 64)
        self.assertEqual(self.post(token="two words").returncode, 64)
        self.assertEqual(self.post(files=["/nonexistent"]).returncode, 65)
        forged = self.folder / "forged.json"
        forged.write_text(pathlib.Path(self.verdict).read_text().replace('"exit": 0', '"exit": 10'))
        self.assertEqual(self.post(files=[str(forged)]).returncode, 14)
        self.assertEqual(self.api.calls, [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:], verbosity=1)
