#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""From a repository to verdicts: a task file over a repository that is made here, with agents of every fate.

usage: parity_study_test.py PERFGATE [--isolate=no]
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

PERFGATE = sys.argv[1]
OPTIONS = sys.argv[2:]
ISOLATED = "--isolate=no" not in OPTIONS
BENCH = """#include <benchmark/benchmark.h>
unsigned long work(unsigned long);
static void chain(benchmark::State& state) {
  unsigned long value = 1;
  for (auto _ : state) benchmark::DoNotOptimize(value = work(value));
}
BENCHMARK(chain);
BENCHMARK_MAIN();
"""
WORK = """// %s
unsigned long work(unsigned long value) {
  unsigned long steps = %s;
  for (unsigned long i = 0; i < steps; ++i) {
    value = value * 6364136223846793005UL + 1442695040888963407UL;
    __asm__ volatile("" : "+r"(value));
  }
  for (unsigned long i = steps; i < 8000; ++i) value ^= i & 0;
  return value + (8000 - steps) * 0;
}
"""
# The result has to be that of `steps` rounds for the sum that the test knows: here it is a constant.
TEST = """#include <cstdio>
unsigned long work(unsigned long);
int main() {
  const bool right = work(1) != 1;
  std::printf("[==========] 1 tests from 1 test suites ran.\\n%s\\n", right ? "[  PASSED  ]" : "[  FAILED  ] work");
  return right ? 0 : 1;
}
"""
BUILD = """sh extra.sh && g++ -O2 -c work.cc -o work.o && g++ work.o bench.o -lbenchmark -lpthread -o bench &&
g++ -O1 work.o test.cc -o test"""
failures = []


def check(what, found, expected):
    if found != expected:
        failures.append(f"{what}: found {found}, expected {expected}")


def git(repo, *arguments):
    return subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@t", "-C", str(repo), *arguments], check=True,
                          capture_output=True, text=True).stdout


def make_repository(folder):
    """The repository, the commits of base and human, and a patch for each agent."""
    repo = folder / "repo"
    repo.mkdir()
    (repo / "bench.cc").write_text(BENCH)
    subprocess.run(["g++", "-O2", "-c", "bench.cc", "-o", "bench.o"], cwd=repo, check=True)
    (repo / "test.cc").write_text(TEST)
    (repo / "extra.sh").write_text("true\n")
    (repo / "work.cc").write_text(WORK % ("base", 4000))
    git(repo, "init", "-q")
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "base")
    base = git(repo, "rev-parse", "HEAD").strip()

    def commit(edit):
        git(repo, "checkout", "-q", base)
        edit()
        git(repo, "add", "-A")
        git(repo, "commit", "-qm", "change")
        return git(repo, "rev-parse", "HEAD").strip(), git(repo, "diff", "--binary", base, "HEAD")

    def work(note, steps):
        return lambda: (repo / "work.cc").write_text(WORK % (note, steps))

    def extra(text):
        return lambda: (repo / "extra.sh").write_text(text)

    human, human_patch = commit(work("human", 2000))
    pad = 'extern const char kept[] = "p";\n'
    outside = folder / "outside"
    edits = {
        "equal": lambda: (repo / "work.cc").write_text(WORK % ("equal", 2000) + pad),
        "faster": work("faster", 1000),
        "slower": work("slower", 3500),
        "wrong": lambda: (repo / "work.cc").write_text("unsigned long work(unsigned long v) { return v; }\n"),
        "no_build": lambda: (repo / "work.cc").write_text("unsigned long missing(unsigned long);\n"
                                                          "unsigned long work(unsigned long v) { return missing(v); }\n"),
        "crash": lambda: (repo / "work.cc").write_text(
            "unsigned long work(unsigned long v) { static int n = 0; if (++n > 1) __builtin_trap(); return v + 2; }\n"),
        "hang": lambda: (repo / "work.cc").write_text(
            "#include <unistd.h>\nunsigned long work(unsigned long v) { static int n = 0; if (++n > 1) sleep(99); return v + 2; }\n"),
        "memory": lambda: (repo / "work.cc").write_text(
            "#include <cstdlib>\n#include <cstring>\n#include <unistd.h>\nunsigned long work(unsigned long v) { static int n = 0;\n"
            "  if (++n > 1) for (;;) { std::memset(std::malloc(1 << 24), 1, 1 << 24); usleep(1000); } return v + 2; }\n"),
        "late_memory": lambda: (repo / "work.cc").write_text(
            "#include <cstdlib>\n#include <cstring>\n#include <fstream>\n#include <string>\n"
            "bool is_trial() { std::ifstream file(\"/proc/self/cmdline\"); std::string words; std::getline(file, words);\n"
            "  return words.find(\"benchmark_min_time\") != std::string::npos; }\n"
            "unsigned long work(unsigned long v) { static int n = 0; static const bool measured = !is_trial();\n"
            "  if (measured && ++n > 9) for (;;) std::memset(std::malloc(1 << 24), 1, 1 << 24);\n"
            "  for (volatile int i = 0; i < 999; i = i + 1) {} return v + 2; }\n"),
        "greedy_build": extra("python3 -c 'x = []\nimport time\nwhile True: x.append(bytearray(1 << 24)); time.sleep(0.001)'\n"),
        "slow_build": extra("sleep 60\n"),
        "no_tests": lambda: (repo / "test.cc").write_text('#include <cstdio>\nint main() { std::puts("No tests were found!!!"); }\n'),
        "no_bench": lambda: ((repo / "extra.sh").write_text("true\n"), (repo / "bench.cc").unlink(), (repo / "bench.o").unlink()),
        "writer": extra(f"echo got out > {outside}; mkdir -p {outside.parent}/made && echo x > {outside} 2>/dev/null; true\n"),
        "network": extra("python3 -c 'import socket; socket.create_connection((\"1.1.1.1\", 53), 2)'\n"),
        "survivor": extra("(setsid sleep 4321 &) ; true\n"),
    }
    patches = folder / "patches"
    patches.mkdir()
    (patches / "same.patch").write_text(human_patch)
    for name, edit in edits.items():
        (patches / f"{name}.patch").write_text(commit(edit)[1])
    (patches / "damaged.patch").write_text((patches / "no_bench.patch").read_text().rstrip() + "\n")
    (patches / "elsewhere.patch").write_text(human_patch.replace("4000", "4001"))
    commits = {"base": base, "human": human, "faster": commit(edits["faster"])[0], "no_build": commit(edits["no_build"])[0]}
    git(repo, "checkout", "-q", base)
    overlay = folder / "overlay"
    overlay.mkdir()
    (overlay / "test.cc").write_text(TEST)
    built = folder / "built"
    built.mkdir()
    for arm, steps in (("baseline", 4000), ("human", 2000), ("agent", 1000)):
        (built / "work.cc").write_text(WORK % (arm, steps))
        subprocess.run(["g++", "-O2", "work.cc", "../repo/bench.o", "-lbenchmark", "-lpthread", "-o", arm], cwd=built, check=True)
    return repo, commits


FATES = {  # the agent's status, its outcome, and the task's exit
    "equal": ("measured", "match", 0), "faster": ("measured", "win", 0), "slower": ("measured", "loss", 10),
    "wrong": ("tests_failed", "failed", 11), "no_build": ("build_failed", "failed", 11), "crash": ("crash", "failed", 11),
    "hang": ("timeout", "failed", 11), "memory": ("out_of_memory", "failed", 11), "late_memory": ("out_of_memory", "failed", 11),
    "greedy_build": ("build_out_of_memory", "failed", 11), "slow_build": ("build_timeout", "failed", 11),
    "no_tests": ("no_tests_ran", "failed", 11), "no_bench": ("build_failed", "failed", 11),
    "network": ("build_failed", "failed", 11), "elsewhere": ("patch_does_not_apply", "failed", 11),
    "damaged": ("patch_does_not_apply", "failed", 11), "same": ("identical", "invalid", 14), "writer": ("measured", None, None),
    "survivor": (None, None, None),
}
OTHERS = {  # tasks of their own kinds
    "built": ("measured", "win", 0), "no_base": ("measured", "win", 0), "overlaid": ("identical", "invalid", 14),
    "no_overlay": ("bad_command", "not_comparable", 65),
}
if not ISOLATED:  # they would do what they try
    for fate in ("writer", "network"):
        del FATES[fate]


def task_file(folder, commits):
    # The one that writes outside and the one that leaves a process are judged by what is left.
    tasks = [{"id": name, "agents": [f"patches/{name}.patch"]} for name in FATES]
    for task in tasks:
        if task["id"] in ("writer", "survivor"):
            task.update(human=commits["base"], bench="nothing")
    tasks += [{"id": "unknown", "human": "0" * 40, "agents": ["patches/equal.patch"]},
              {"id": "no_repo", "repo": "patches", "agents": ["patches/equal.patch"]},
              {"id": "placeholder", "build": "make <MODEL>", "agents": ["patches/equal.patch"]},
              {"id": "built", "arms": {"baseline": "built/baseline", "human": "built/human", "agents": ["built/agent"]}},
              {"id": "no_base", "base": commits["no_build"], "agents": [commits["faster"]]},
              {"id": "overlaid", "agents": ["patches/no_tests.patch"], "overlay": "overlay"},
              {"id": "no_overlay", "agents": ["patches/equal.patch"], "overlay": "missing"}]
    path = folder / "tasks.json"
    path.write_text(json.dumps({
        "format": "perfgate-parity-tasks", "version": 1, "repo": "repo", "base": commits["base"], "human": commits["human"], "build": BUILD,
        "test": "./test", "bench": "bench", "rounds": 24, "margin": "10%",
        "limits": {"build_s": 8, "test_s": 3, "bench_s": 3, "memory_mib": 600}, "tasks": tasks}))
    return path


def run(tasks, output, *more):
    return subprocess.run([PERFGATE, "parity", "--tasks", str(tasks), "--output", str(output), *OPTIONS, *more], capture_output=True,
                          text=True)


def run_and_kill(tasks, output, when):
    """SIGKILL once `when` holds; whether it came to that."""
    with subprocess.Popen([PERFGATE, "parity", "--tasks", str(tasks), "--output", str(output), *OPTIONS], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as process:
        while process.poll() is None:
            if when():
                process.send_signal(signal.SIGKILL)
                process.wait()
                return True
            time.sleep(0.02)
    return False


def processes_with(text):
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if text in (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace"):
                    found.append(entry.name)
            except OSError:
                pass
    return [pid for pid in found if pid != str(os.getpid())]


def check_options(tasks, output):
    """What has no effect is refused, with what to do instead."""
    for option, instead in (("--json", "results.json"), ("--session", "AGENT.session.json"), ("--markdown", "report.md"),
                            ("--rounds", "task file"), ("--overlay", "task file"), ("--memory", "task file"),
                            ("--suite", "name of the task"), ("--skip-list", "--from")):
        refused = run(tasks, output, option, "7")
        check(f"exit with {option}", refused.returncode, 64)
        check(f"{option} says {instead}: {refused.stderr}", instead in refused.stderr, True)


def check_counts(results, counts):
    """The counts of the summary are those of the tasks."""
    agents = [agent for task in results.values() for agent in task["agents"]]
    check("tasks that are counted", (counts["tasks"], counts["agents"]), (len(results), len(agents)))
    check("outcomes add up", sum(counts["outcomes"].values()), len(agents))
    arms = [arm for task in results.values() for arm in task["arms"]]
    check("statuses add up", sum(sum(roles.values()) for roles in counts["arms"].values()), len(arms))
    for status, roles in counts["arms"].items():
        check(f"count of {status}", sum(roles.values()), sum(arm["status"] == status for arm in arms))


def main(folder):
    repo, commits = make_repository(folder)
    tasks, output = task_file(folder, commits), folder / "out"
    os.environ["TMPDIR"] = str(folder / "tmp")
    (folder / "tmp").mkdir()
    check_options(tasks, output)
    count = lambda pattern: len(list(output.glob(pattern)))
    check("killed while it builds", run_and_kill(tasks, output, lambda: count("*/arm*/arm.json") >= 3), True)
    time.sleep(0.3)
    check("left after the first kill", processes_with(str(output)), [])
    check("killed while it measures", run_and_kill(tasks, output, lambda: count("*/task.json") >= 2), True)
    kept = {p: p.read_bytes() for p in output.glob("*/task.json")}
    finished = run(tasks, output)
    for path, text in kept.items():
        check(f"{path.parent.name} is not measured again", path.read_bytes() == text, True)
    check("exit of all tasks", finished.returncode, 65)
    document = json.loads((output / "results.json").read_text())
    results = {t["id"]: t for t in document["tasks"]}
    check_counts(results, document["counts"])
    for name, (status, outcome, code) in {**FATES, **OTHERS}.items():
        task = results[name]
        agent = (task["arms"][2]["status"], task["agents"][0]["outcome"], task["exit"])
        if name in ("writer", "survivor"):
            check(name, agent, ("benchmark_missing", "not_comparable", 13))
        elif agent != ("measured", "unresolved", 12) or status != "measured":  # noise may leave it open, and never turns it
            check(f"{name} ({task['arms'][2]['reason']})", agent, (status, outcome, code))
    for name, status in (("unknown", "unknown_commit"), ("no_repo", "unknown_commit"), ("placeholder", "bad_command")):
        check(name, (results[name]["arms"][1]["status"], results[name]["exit"]), (status, 65))
    check("the baseline that does not build", results["no_base"]["arms"][0]["status"], "build_failed")
    check("level of trust", results["faster"]["agents"][0]["trust"] == "open", not ISOLATED)
    check("temporary folders that are left", sorted(p.name for p in (folder / "tmp").iterdir()), [])
    audit = subprocess.run([PERFGATE, "audit", str(output / "report.md")], capture_output=True, text=True)
    check(f"audit of the report ({audit.stdout})", (audit.returncode, "no findings" in audit.stdout), (0, True))
    check("telling line", results["no_build"]["arms"][2]["lines"][0]["kind"], "undefined_reference")
    check("written outside", ((folder / "outside").exists(), (folder / "made").exists()), (False, False))
    check("survivors", processes_with("sleep 4321"), [])
    check("lines on the console", len(finished.stdout.splitlines()), len(results) + 1)
    files = {n: (output / n).read_bytes() for n in ("report.md", "results.json", "population.json")}
    measured = {p: p.stat().st_mtime_ns for p in output.glob("*/task.json")}
    again = run(tasks, output)
    check("nothing is measured again", {p: p.stat().st_mtime_ns for p in output.glob("*/task.json")}, measured)
    check("the same lines again", again.stdout == finished.stdout, True)
    for name, text in files.items():
        check(f"the same {name} again", (output / name).read_bytes() == text, True)
    published = subprocess.run([PERFGATE, "parity", "--from", str(output / "population.json")], capture_output=True, text=True)
    check(f"population ({published.stderr})", published.returncode, 11)
    check("warnings about the population", "warning" in (published.stdout + published.stderr).lower(), False)

    document = json.loads(tasks.read_text())
    document["tasks"] = [t for t in document["tasks"] if t["id"] == "wrong"]
    document["tasks"][0]["agents"] = ["patches/no_build.patch"]
    tasks.write_text(json.dumps(document))
    run(tasks, output)
    changed = json.loads((output / "results.json").read_text())["tasks"][0]
    check("a changed task", (changed["agents"][0]["reason"].split(":")[1], changed["changes"][0]["before"]),
          (" build_failed", "wrong failed"))
    document["tasks"].append(document["tasks"][0])
    tasks.write_text(json.dumps(document))
    check("two tasks of one name", run(tasks, output).returncode, 65)
    check("another folder", run(tasks, folder / "repo").returncode, 65)
    print(finished.stderr[-3000:] if failures else "", *failures, finished.stdout if failures else "", sep="\n")
    return bool(failures)


with tempfile.TemporaryDirectory() as name:
    sys.exit(main(pathlib.Path(name)))
