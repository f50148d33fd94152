#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The workflow files of ci/, run step by step in a clean tree against a fake API.

usage: workflow_test.py PERFGATE
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import yaml
from fake_api import FakeApi
from job_runner import KIT, GitHubJob, gitlab_jobs, path_with, run_gitlab_job
from scratch import BENCH, KEPT, MAKE, SLOW, USUAL, WORK, git

PERFGATE = sys.argv[1]
INPUTS = {"build": "sh build.sh", "bench": "out/bench", "suite": "scratch", "options": "--rounds 10 --tolerance '5%'"}


class Workflow(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.path = path_with(cls.folder / "bin", PERFGATE)
        cls.origin = cls.folder / "origin"
        cls.origin.mkdir()
        git(cls.origin, "init", "-q", "-b", "main")
        (cls.origin / "lib").mkdir()
        for name, text in (("bench.cc", BENCH), ("lib/work.cc", WORK % USUAL), ("build.sh", MAKE)):
            (cls.origin / name).write_text(text)
        subprocess.run(["g++", "-O1", "-c", "bench.cc", "-o", "bench.o"], cwd=cls.origin, check=True)
        cls.base = cls.commit("base")
        git(cls.origin, "checkout", "-q", "-b", "slow")
        (cls.origin / "lib/work.cc").write_text(WORK % SLOW)
        cls.head = cls.commit("slow")
        git(cls.origin, "checkout", "-q", "-b", "broken", "main")
        (cls.origin / "lib/work.cc").write_text("no C++\n")
        cls.broken = cls.commit("broken")
        git(cls.origin, "checkout", "-q", "main")

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    @classmethod
    def commit(cls, message):
        git(cls.origin, "add", "-A")
        git(cls.origin, "commit", "-qm", message)
        return git(cls.origin, "rev-parse", "HEAD")

    def setUp(self):
        self.api = FakeApi()
        self.work = self.folder / self.id().rsplit(".", 1)[1]
        self.artifacts = self.work / "artifacts"

    def checkout(self, name, commit):
        """As CI systems do: a clone, and the commit without a branch; GitHub merges it into its target."""
        tree = self.work / name
        git(self.folder, "clone", "-q", str(self.origin), str(tree))
        git(tree, "checkout", "-q", "--detach", "main")
        git(tree, "merge", "-q", "--no-ff", "-m", "merge", commit)
        return tree

    def github(self, commit, **inputs):
        workflow = yaml.safe_load((KIT / "github" / "perfgate.yml").read_text())
        self.assertEqual(workflow["permissions"], {"contents": "read"})
        self.assertEqual(list(workflow[True]), ["pull_request"])  # YAML 1.1 reads `on` as true
        job = workflow["jobs"]["gate"]
        job["steps"][1]["with"] = INPUTS | inputs
        variables = {"GITHUB_REF": "refs/pull/5/merge", "GITHUB_BASE_REF": "main", "GITHUB_REPOSITORY": "o/r"}
        runner = GitHubJob(self.work / "gate", self.checkout("tree", commit), self.path, variables,
                           {"event": {"pull_request": {"number": 5}}, "token": "read-only"}, self.artifacts)
        return runner.run(job), runner

    def github_comment(self, head, pull_requests=()):
        workflow = yaml.safe_load((KIT / "github" / "perfgate-comment.yml").read_text())
        self.assertEqual(workflow["permissions"], {})
        job = workflow["jobs"]["comment"]
        self.assertEqual(job["permissions"], {"actions": "read", "pull-requests": "write"})
        self.assertFalse([step for step in job["steps"] if "checkout" in step.get("uses", "")])
        (self.work / "empty").mkdir()
        run = {"event": "pull_request", "head_sha": head, "id": 9, "html_url": "https://code.example/run/9",
               "pull_requests": list(pull_requests)}
        variables = {"GITHUB_REF": "refs/heads/main", "GITHUB_REPOSITORY": "o/r", "GITHUB_API_URL": self.api.url}
        runner = GitHubJob(self.work / "comment", self.work / "empty", self.path, variables,
                           {"event": {"workflow_run": run}, "token": "may-write"}, self.artifacts)
        return runner.run(job), runner

    def test_github_slowed(self):
        code, runner = self.github(self.head)
        self.assertEqual(code, 10, runner.output)
        self.assertEqual(runner.context["steps"]["gate"]["outputs"]["exit"], "10")
        self.assertIn("**regression**", (self.work / "gate" / "github_step_summary").read_text())
        kept = {file.name for file in (self.artifacts / "perfgate").iterdir()}
        self.assertLessEqual({"verdict.json", "session.json", "report.md", "base.log", "head.log"}, kept)
        verdict = json.loads((self.artifacts / "perfgate" / "verdict.json").read_text())
        self.assertEqual((verdict["change"], verdict["trust"]["level"], verdict["policy"]["tolerance"]), ("5", "isolated", 0.05))
        # The second job, for a fork, whose number GitHub does not say.
        self.api.head = self.head
        code, runner = self.github_comment(self.head)
        self.assertEqual((code, len(self.api.comments)), (0, 1), runner.output)
        body = self.api.comments[0]["body"]
        self.assertIn("**regression**", body)
        self.assertIn("https://code.example/run/9", body)
        self.assertEqual({call["headers"]["Authorization"] for call in self.api.calls}, {"Bearer may-write"})

    def test_github_verdict_of_another_commit_is_not_posted(self):
        code, runner = self.github(self.head)
        self.api.head = self.base
        code, runner = self.github_comment(self.head)
        self.assertEqual((code, self.api.comments), (0, []), runner.output)
        self.assertIn("nothing was posted", runner.output)

    def test_github_no_verdict(self):
        code, runner = self.github(self.broken)
        self.assertEqual(code, 11, runner.output)
        self.assertIn("work.cc:1", (self.work / "gate" / "github_step_summary").read_text())
        self.api.head = self.broken
        code, runner = self.github_comment(self.broken, [{"number": 5}])
        self.assertEqual(code, 0, runner.output)
        self.assertIn("There is no verdict", self.api.comments[0]["body"])

    def test_github_mistakes(self):
        code, runner = self.github(self.head, options="--tolerance '5%")
        self.assertEqual(code, 64)
        self.assertIn("a quote is not closed", runner.output)

    def test_gitlab(self):
        self.api.login, self.api.knows_user, self.api.head = "project_7_bot", True, self.head
        _, jobs = gitlab_jobs(INPUTS | {"options": "--rounds 10"})
        tree = self.checkout("tree", self.head)
        variables = {"CI_MERGE_REQUEST_IID": "5", "CI_MERGE_REQUEST_PROJECT_ID": "7", "CI_MERGE_REQUEST_DIFF_BASE_SHA": self.base,
                     "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main", "CI_API_V4_URL": self.api.url + "/api/v4",
                     "CI_COMMIT_SHA": self.head, "CI_JOB_URL": "https://lab.example/job/1"}
        done = run_gitlab_job(jobs["perfgate:gate"], tree, self.path, variables)
        self.assertEqual(done.returncode, 10, done.stdout + done.stderr)
        self.assertEqual(self.api.calls, [])
        for pattern in jobs["perfgate:gate"]["artifacts"]["paths"]:
            self.assertTrue(list(tree.glob(pattern)), pattern)
        comment = jobs["perfgate:comment"]
        self.assertEqual(comment["variables"]["GIT_STRATEGY"], "none")
        done = run_gitlab_job(comment, tree, self.path, variables)
        self.assertIn("nothing is posted", done.stdout)
        token = self.work / "token"
        token.write_text("may-write")
        for trouble, made in ((None, 1), ((500, {"Retry-After": "0"}), 1), ((403, {}), 1)):
            self.api.troubles = [trouble] * 4
            done = run_gitlab_job(comment, tree, self.path, variables | {"PERFGATE_TOKEN": str(token)})
            self.assertEqual((done.returncode, len(self.api.comments)), (0, made), done.stderr)
        self.assertIn("**regression**", self.api.comments[0]["body"])

    def test_schemas_of_the_hosts(self):
        check = shutil.which("check-jsonschema", path=KEPT["PATH"])
        if not check:
            self.skipTest("check-jsonschema, a package of Python, is not installed")
        body, _ = gitlab_jobs(INPUTS)
        (self.work).mkdir()
        (self.work / "gitlab.yml").write_text(body)
        github = KIT / "github"
        for schema, files in (("github-actions", [github / "action.yml", github / "comment" / "action.yml"]),
                              ("github-workflows", [github / "perfgate.yml", github / "perfgate-comment.yml"]),
                              ("gitlab-ci", [self.work / "gitlab.yml"])):
            done = subprocess.run([check, "--builtin-schema", f"vendor.{schema}", *files], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout)
        linter = shutil.which("actionlint", path=KEPT["PATH"])
        if linter:
            subprocess.run([linter, github / "perfgate.yml", github / "perfgate-comment.yml"], check=True)

    def test_scripts(self):
        shellcheck = shutil.which("shellcheck")
        if not shellcheck:
            self.skipTest("shellcheck is not installed")
        scripts = [str(file.relative_to(KIT.parent)) for file in sorted((KIT / "github").rglob("*.sh"))]
        subprocess.run([shellcheck, "-x", "-P", ".", *scripts], cwd=KIT.parent, check=True)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:], verbosity=1)
