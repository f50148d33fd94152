#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the steps of workflow files as a CI system does: a clean environment, their own variables, shell steps in order.

Actions of others are played: checkout is a clone, artifacts are copies of files.
"""
import glob
import os
import pathlib
import re
import shutil
import subprocess

import yaml

KIT = pathlib.Path(__file__).resolve().parents[3] / "ci"


def expand(text, context):
    """${{ a.b.c }} as the context says; what it does not know is empty, as GitHub has it."""
    def value(found):
        at = context
        for name in re.findall(r"[\w-]+", found[1]):
            at = at[int(name)] if isinstance(at, list) and int(name) < len(at) else at.get(name, "") if isinstance(at, dict) else ""
        return str(at)
    return re.sub(r"\$\{\{\s*([\w.\[\]-]+)\s*\}\}", value, str(text))


class GitHubJob:
    def __init__(self, folder, tree, path, variables, github, artifacts):
        self.folder, self.tree, self.artifacts, self.output = folder, tree, artifacts, ""
        folder.mkdir(parents=True, exist_ok=True)
        self.files = {name: folder / name.lower() for name in ("GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_STEP_SUMMARY")}
        for file in self.files.values():
            file.touch()
        self.variables = {"PATH": path, "HOME": str(folder), "RUNNER_TEMP": str(folder), "GITHUB_ACTIONS": "true", "CI": "true",
                          **{name: str(file) for name, file in self.files.items()}, **variables}
        self.context = {"github": github, "steps": {}}

    def run(self, job):
        """Exit code of the job; steps with if: always() run after a failure, too."""
        code = 0
        for step in job["steps"]:
            code = self.step(step, self.context, code) or code
        return code

    def step(self, step, context, code):
        if code and step.get("if") != "always()":
            return 0
        given = {name: expand(value, context) for name, value in step.get("with", {}).items()}
        uses = step.get("uses", "")
        if uses.startswith("OWNER/perfgate/"):
            return self.action(KIT / re.match(r"OWNER/perfgate/ci/([\w/]+)@", uses)[1], given)
        if uses.startswith("actions/"):
            return self.play(uses, given)
        environment = self.variables | {name: expand(value, context) for name, value in step.get("env", {}).items()}
        done = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", expand(step["run"], context)],
                              cwd=self.tree, env=environment, capture_output=True, text=True, timeout=280)
        self.output += done.stdout + done.stderr
        if "id" in step:
            lines = self.files["GITHUB_OUTPUT"].read_text().split()
            context["steps"][step["id"]] = {"outputs": dict(line.split("=", 1) for line in lines)}
        return done.returncode

    def action(self, folder, given):
        action = yaml.safe_load((folder / "action.yml").read_text())
        unknown = given.keys() - action["inputs"].keys()
        assert not unknown, f"{folder}: no such input: {unknown}"
        context = {"github": self.context["github"] | {"action_path": str(folder)}, "steps": self.context["steps"]}
        context["inputs"] = {name: given.get(name) or expand(about.get("default", ""), context)
                             for name, about in action["inputs"].items()}
        code = 0
        for step in action["runs"]["steps"]:
            code = self.step(step, context, code) or code
        return code

    def play(self, uses, given):
        if uses.startswith("actions/upload-artifact@"):
            kept = self.artifacts / given["name"]
            kept.mkdir(parents=True)
            for pattern in given["path"].split():
                for file in glob.glob(pattern, root_dir=self.tree):
                    shutil.copy(self.tree / file, kept)
        elif uses.startswith("actions/download-artifact@"):
            if (self.artifacts / given["name"]).exists():
                shutil.copytree(self.artifacts / given["name"], self.tree / given["path"])
        else:
            assert uses.startswith("actions/checkout@"), uses
            assert given["fetch-depth"] == "0" and given["persist-credentials"] == "False", given
        return 0


def gitlab_jobs(inputs):
    """The jobs of ci/gitlab/perfgate.yml with these inputs."""
    head, body = (KIT / "gitlab" / "perfgate.yml").read_text().split("\n---\n")
    known = yaml.safe_load(head)["spec"]["inputs"]
    assert inputs.keys() <= known.keys()
    for name, about in known.items():
        body = body.replace(f"$[[ inputs.{name} ]]", inputs.get(name, about["default"]))
    assert "$[[" not in body
    return body, yaml.safe_load(body)


def run_gitlab_job(job, tree, path, variables):
    environment = {"PATH": path, "HOME": str(tree), "GITLAB_CI": "true", "CI": "true", **variables, **job["variables"]}
    return subprocess.run(["sh", "-e", "-c", "\n".join(job["script"])], cwd=tree, env=environment, capture_output=True, text=True,
                          timeout=280)


def path_with(folder, perfgate):
    """A PATH whose first folder has nothing but perfgate."""
    folder.mkdir()
    (folder / "perfgate").write_text(f'#!/bin/sh\nexec {os.path.abspath(perfgate)} "$@"\n')
    (folder / "perfgate").chmod(0o755)
    return f"{folder}:/usr/local/bin:/usr/bin:/bin"
