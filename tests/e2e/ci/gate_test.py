#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""perfgate ci on scratch repositories: base, builds, files of the trusted revision, exit codes.

usage: gate_test.py PERFGATE
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from scratch import BENCH, CMAKE, KEPT, MAKE, SLOW, USUAL, WORK, git

PERFGATE = os.path.abspath(sys.argv[1])


class Gate(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        (cls.folder / "bench.cc").write_text(BENCH)
        subprocess.run(["g++", "-O1", "-c", "bench.cc", "-o", "bench.o"], cwd=cls.folder, check=True)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def setUp(self):
        self.repo = self.folder / self.id().rsplit(".", 1)[1]
        self.repo.mkdir()
        git(self.repo, "init", "-q", "-b", "main")
        shutil.copy(self.folder / "bench.o", self.repo)
        (self.repo / "lib").mkdir()
        self.write("lib/work.cc", WORK % USUAL)
        self.write("build.sh", MAKE)
        self.base = self.commit("base")

    def write(self, name, text):
        (self.repo / name).parent.mkdir(parents=True, exist_ok=True)
        (self.repo / name).write_text(text if isinstance(text, str) else json.dumps(text))

    def commit(self, message):
        git(self.repo, "add", "-A")
        git(self.repo, "commit", "-qm", message)
        return git(self.repo, "rev-parse", "HEAD")

    def branch(self, steps=SLOW):
        git(self.repo, "checkout", "-q", "-b", "feature")
        self.write("lib/work.cc", WORK % steps)
        return self.commit("change")

    def ci(self, *arguments, exit_code, build=True, environment=None):
        command = [PERFGATE, "ci", *(["--build", "sh build.sh", "--bench", "out/bench"] if build else []), "--rounds", "10",
                   *arguments]
        done = subprocess.run(command, cwd=self.repo, capture_output=True, text=True, env=KEPT | (environment or {}), timeout=280)
        self.assertEqual(done.returncode, exit_code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def verdict(self):
        return json.loads((self.repo / "perfgate-ci" / "verdict.json").read_text())

    def accept(self, **entry):
        self.write("perf/accept.json", {"format": "perfgate-accept", "version": 1,
                                        "accepted": [{"case": "chain", "reason": "meant so", **entry}]})

    def test_slowed_unchanged_and_cached(self):
        head = self.branch()
        page = self.folder / "page.md"
        text = self.ci(exit_code=10, environment={"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(page),
                                                  "GITHUB_BASE_REF": "main", "GITHUB_REF": "refs/pull/5/merge",
                                                  "GITHUB_REPOSITORY": "o/r"})
        self.assertIn(f"base {self.base[:12]}, merge base with main", text)
        self.assertIn("building the base", text)
        verdict = self.verdict()
        self.assertEqual((verdict["exit"], verdict["change"], verdict["repository"], verdict["trusted_commit"], verdict["suite"]),
                         (10, "5", "o/r", self.base, "bench"))
        self.assertEqual(verdict["trust"]["level"], "isolated")
        self.assertIn("**regression**", page.read_text())
        self.assertEqual(page.read_text().strip(), (self.repo / "perfgate-ci" / "report.md").read_text().strip())
        self.assertEqual(git(self.repo, "status", "--porcelain"), "")
        # An unchanged one: another comment, the same code. The base is there already.
        git(self.repo, "checkout", "-q", "-b", "other", self.base)
        self.write("lib/work.cc", WORK % USUAL + "// a remark\n")
        self.commit("a remark")
        text = self.ci(exit_code=0)
        self.assertIn("the base is built already", text)
        self.assertTrue(self.verdict()["identical"])
        # A revision by name, the working tree as it is, and a base that was tampered with.
        self.assertIn("regression", self.ci("--head", head, "--tolerance", "5%", exit_code=10))
        self.write("lib/work.cc", "no C++\n")
        text = self.ci(exit_code=11)
        self.assertIn("the change does not build", text)
        self.assertIn("work.cc:1", text)
        self.assertFalse((self.repo / "perfgate-ci" / "verdict.json").exists())
        (self.repo / "perfgate-ci/base/src/out/bench").write_text("#!/bin/sh\n")
        self.write("lib/work.cc", WORK % USUAL)
        self.assertIn("building the base", self.ci(exit_code=0))

    def test_accept_file_counts_at_the_trusted_revision_alone(self):
        self.accept(bound="60%", expires="2999-12-31")
        self.commit("accepted on main")
        self.branch()
        text = self.ci("--accept", "perf/accept.json", exit_code=0)
        self.assertIn("accepted until 2999-12-31: chain may become 60 % slower (meant so)", text)
        self.assertEqual(self.verdict()["columns"][0]["verdict"], "no_regression")
        # The same words in the change itself, or too old, excuse nothing.
        self.accept(bound="900%", expires="2999-12-31")
        self.commit("accepts itself")
        self.ci("--accept", "perf/accept.json", "--trusted", self.base, exit_code=10)
        git(self.repo, "checkout", "-q", "-b", "later", "main")
        self.accept(bound="60%", expires="2020-01-31")
        trusted = self.commit("expired")
        git(self.repo, "checkout", "-q", "feature")
        text = self.ci("--accept", "perf/accept.json", "--trusted", trusted, exit_code=10)
        self.assertIn("the acceptance of chain expired on 2020-01-31", text)
        git(self.repo, "checkout", "-q", "later")
        self.accept(bound="60%")
        trusted = self.commit("broken")
        text = self.ci("--accept", "perf/accept.json", "--trusted", trusted, exit_code=65)
        self.assertIn("/accepted/0/expires", text)

    def test_policy_of_the_trusted_revision(self):
        policy = {"format": "perfgate-policy", "version": 1, "tolerance": "80%"}
        self.write("perf/policy.json", policy)
        self.commit("policy")
        self.branch()
        self.write("perf/policy.json", policy | {"tolerance": "1%"})
        self.ci("--policy", "perf/policy.json", exit_code=0)
        self.assertEqual(self.verdict()["policy"]["tolerance"], 0.8)
        self.assertIn("there is no perf/policy.json", self.ci("--policy", "perf/policy.json", "--trusted", self.base, exit_code=10))

    def test_bases_that_cannot_be_compared_with(self):
        git(self.repo, "checkout", "-q", "-b", "feature")
        self.write("build.sh", MAKE.replace("out", "other"))
        self.commit("moved")
        text = self.ci("--bench", "other/bench", exit_code=0)
        self.assertIn("every case is new", text)
        self.assertIn("chain  new", text)
        self.assertIn("the change lost the benchmark", self.ci(exit_code=13))
        self.assertIn("no benchmark in base and change", self.ci("--bench", "nowhere", exit_code=65))
        git(self.repo, "checkout", "-q", "main")
        self.write("lib/work.cc", "broken")
        self.commit("broken")
        self.write("lib/work.cc", WORK % USUAL)
        self.commit("mended")
        text = self.ci(exit_code=13)
        self.assertIn("the base does not build", text)
        git(self.repo, "clone", "-q", "--depth", "1", f"file://{self.repo}", str(self.repo / "shallow"))
        done = subprocess.run([PERFGATE, "ci", "--build", "true", "--bench", "x"], cwd=self.repo / "shallow", env=KEPT,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 65)
        self.assertIn("--unshallow", done.stderr)

    def test_a_build_reaches_its_own_folder_only(self):
        git(self.repo, "checkout", "-q", "-b", "feature")
        attack = f"cp /bin/true {self.repo}/perfgate-ci/base/src/out/bench; touch {self.folder}/was_here; true\n"
        self.write("build.sh", MAKE + attack)
        self.commit("attack")
        self.ci(exit_code=0)
        self.assertFalse((self.folder / "was_here").exists())
        text = self.ci("--isolate=no", exit_code=14)
        self.assertIn("was changed while the change was built", text)

    def test_suite_from_a_trusted_commit(self):
        git(self.repo, "checkout", "-q", "-b", "feature")
        self.write("lib/work.cc", WORK % SLOW)
        self.write("build.sh", MAKE.replace("lib/work.cc", "fast.cc"))  # measures another source
        self.write("fast.cc", WORK % 100)
        self.commit("cheats")
        self.ci("--isolate=no", "--unchecked-speedup", "0", exit_code=0)
        self.ci("--suite-from", self.base, "--library", "lib", exit_code=10)
        self.assertEqual(self.verdict()["trust"]["level"], "reviewed_suite")
        self.assertIn("belong together", self.ci("--library", "lib", exit_code=64))

    def test_data_of_the_trusted_revision(self):
        self.write("check.cc", """#include <cstdlib>
#include <cstdio>
struct Check { Check() { FILE* file = std::fopen(std::getenv("WORDS"), "r"); int c = file ? std::fgetc(file) : 'x';
  if (c != 'b') { std::printf("found %c\\n", c); std::exit(3); } } } check;
""")
        self.write("build.sh", MAKE.replace("work.o bench.o", "work.o check.cc bench.o"))
        self.write("data/words.txt", "base\n")
        self.commit("data")
        self.branch()
        self.write("data/words.txt", "own\n")
        self.ci("--env", "WORDS={data}/data/words.txt", "--data", "data", exit_code=10)
        self.assertIn("needs --data", self.ci("--env", "WORDS={data}/words.txt", exit_code=64))
        self.assertIn("--data nowhere", self.ci("--data", "nowhere", exit_code=65))

    def test_cmake_targets(self):
        self.write("CMakeLists.txt", CMAKE)
        self.write("bench.cc", BENCH)
        with_target = self.commit("suite")
        git(self.repo, "checkout", "-q", "-b", "feature")
        self.write("README", "words\n")
        self.commit("words")
        text = self.ci("--target", "scratch_bench", build=False, exit_code=0)
        self.assertIn("same executable", text)
        self.assertEqual(self.verdict()["suite"], "scratch_bench")
        text = self.ci("--target", "scratch_bench", "--base", with_target + "~1", build=False, exit_code=0)
        self.assertIn("every case is new", text)

    def test_mistakes(self):
        for arguments, word, code in (([], "name what to build", 64), (["--target", "x", "--build", "y"], "name what", 64),
                                      (["--build", "y"], "--bench", 64), (["--target", "x", "--base", "nonsense"], "--base", 64),
                                      (["--target", "x", "--repo", "/"], "no working tree", 65),
                                      (["--target", "x", "--policy"], "--policy", 64),
                                      (["--build", "true", "--bench", "/bin/true"], "from the top", 64)):
            done = subprocess.run([PERFGATE, "ci", *arguments], cwd=self.repo, env=KEPT, capture_output=True, text=True)
            self.assertEqual(done.returncode, code, (arguments, done.stderr))
            self.assertIn(word, done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:], verbosity=1)
