// SPDX-License-Identifier: Apache-2.0
#include "perfgate/cli/parity_repository.h"

#include <algorithm>
#include <filesystem>
#include <thread>
#include <tuple>

#include "perfgate/base/os/interrupt.h"
#include "perfgate/base/text/duration.h"
#include "perfgate/base/text/fraction.h"
#include "perfgate/cli/options/outputs.h"
#include "perfgate/cli/options/progress_display.h"
#include "perfgate/study/study.h"
#include "perfgate/study/task/task_file.h"

namespace perfgate::cli {
namespace {

constexpr const char* kStudyGroup = "From a repository";

void ReadLimit(const std::string& text, const char* option, double& limit) {
  if (!text.empty()) limit = parse_duration_s(text, option);
}

// What a task file says of each task.
void RefuseOptionsOfTasks(const RepositoryOptions& options, const RepositoryArms& arms,
                          const MeasureOptions& measure) {
  const std::pair<const char*, bool> given[] = {{"--repo", !options.repo.empty()},
                                                {"--base", !options.base.empty()},
                                                {"--human", !arms.human.empty()},
                                                {"--agent", !arms.agents.empty()},
                                                {"--build", !options.build.empty()},
                                                {"--test", !options.test.empty()},
                                                {"--bench", !options.bench.empty()},
                                                {"--overlay", !options.overlay.empty()},
                                                {"--margin", !arms.margin.empty()},
                                                {"--primary", !arms.primary.empty()},
                                                {"--build-limit", !options.build_limit.empty()},
                                                {"--test-limit", !options.test_limit.empty()},
                                                {"--bench-limit", !options.bench_limit.empty()},
                                                {"--memory", options.memory_mib.has_value()},
                                                {"--policy", !measure.policy_file.empty()},
                                                {"--filter", !measure.filter.empty()},
                                                {"--budget", !measure.budget.empty()},
                                                {"--rounds", measure.rounds.has_value()},
                                                {"--slice", !measure.slice.empty()},
                                                {"--pairs", measure.pairs.has_value()}};
  for (const auto& [name, is_given] : given) {
    if (!is_given) continue;
    throw Error(Exit::kUsage,
                std::string(name) + " has no effect with --tasks: write it into the task file");
  }
}

// A study measures many sessions, and writes files of fixed names.
void RefuseOptionsOfOneSession(const MeasureOptions& measure) {
  const char* const policy = "write it into a policy file, and name that with --policy";
  const std::tuple<const char*, bool, const char*> given[] = {
      {"--json", !measure.json.empty(), "read results.json in the folder that --output names"},
      {"--markdown", !measure.markdown.empty(), "read report.md in the folder that --output names"},
      {"--session", !measure.session.empty(),
       "each task has AGENT.session.json in its folder below --output"},
      {"--suite", !measure.suite.empty(), "the suite has the name of the task"},
      {"--seed", !measure.seed.empty(), "every task draws a seed of its own and records it"},
      {"--count", !measure.count.empty(), policy},
      {"--layouts", !measure.layouts.empty(), policy},
      {"--unchanged-code", !measure.unchanged_code.empty(), policy},
      {"--reuse-layouts", measure.reuse_layouts, policy},
      {"--oversubscribe", measure.oversubscribe, policy},
      {"--suite-from", !measure.suite_from.empty(), "put the benchmark into the --overlay"}};
  for (const auto& [name, is_given, instead] : given) {
    if (!is_given) continue;
    throw Error(Exit::kUsage,
                std::string(name) + " has no effect on tasks of a repository: " + instead);
  }
}

std::string AbsolutePath(const std::string& path) {
  return path.empty() ? path : std::filesystem::absolute(path).lexically_normal().string();
}

study::Task TaskOf(const RepositoryOptions& options, const RepositoryArms& arms,
                   const MeasureOptions& measure) {
  study::Task task;
  task.id = "task";
  task.repo = options.repo;
  task.base = options.base;
  task.human = arms.human;
  task.agents = arms.agents;
  task.build = options.build;
  task.test = options.test;
  task.bench = options.bench;
  task.overlay = AbsolutePath(options.overlay);
  task.policy = AbsolutePath(measure.policy_file);
  task.primary = arms.primary;
  task.filter = measure.filter;
  task.rounds = measure.rounds;
  if (!measure.budget.empty()) task.budget_s = parse_duration_s(measure.budget, "--budget");
  if (!measure.slice.empty()) task.slice_s = parse_duration_s(measure.slice, "--slice");
  task.pairs = measure.pairs;
  if (!arms.margin.empty()) task.margin = parse_fraction(arms.margin, "--margin");
  ReadLimit(options.build_limit, "--build-limit", task.limits.build_s);
  ReadLimit(options.test_limit, "--test-limit", task.limits.test_s);
  ReadLimit(options.bench_limit, "--bench-limit", task.limits.bench_s);
  if (options.memory_mib) task.limits.memory_mib = *options.memory_mib;
  const std::string missing = study::MissingField(task);
  if (!missing.empty()) {
    const std::string option = missing == "agents" ? "agent" : missing;
    throw Error(Exit::kUsage, "--" + option +
                                  " is missing; --repo needs --base, --human, --agent, "
                                  "--build, --bench and --output");
  }
  return task;
}

}  // namespace

void AddRepositoryOptions(CLI::App& app, RepositoryOptions& options) {
  const auto text = [&](const char* name, std::string& value, const char* help) {
    app.add_option(name, value, help)->check(not_empty())->group(kStudyGroup);
  };
  text("--repo", options.repo,
       "Repository of git: --base and --human are commits of it, --agent a patch against --base or "
       "a commit");
  text("--base", options.base, "Commit that both changes start from");
  text("--build", options.build, "Command that builds; runs in a sandbox without network");
  text("--test", options.test, "Command that tests what was built");
  text("--bench", options.bench, "Executable that the build makes, relative to the source tree");
  text("--overlay", options.overlay,
       "Folder of files that take the place of every source tree's own, such as the benchmark");
  text("--tasks", options.tasks, "File of many such tasks (perfgate-parity-tasks)");
  text("--output", options.output,
       "Folder of records, logs and reports; the same command goes on there");
  text("--build-limit", options.build_limit, "Longest build [3600s]");
  text("--test-limit", options.test_limit, "Longest run of the tests [1800s]");
  text("--bench-limit", options.bench_limit, "Longest trial run of the benchmark [600s]");
  app.add_option("--memory", options.memory_mib, "Memory of a step, MiB [16384]")
      ->check(CLI::PositiveNumber)
      ->group(kStudyGroup);
  app.add_option("--jobs", options.jobs, "Arms that are built at once [number of cores]")
      ->check(CLI::PositiveNumber)
      ->group(kStudyGroup);
  app.add_flag("--keep", options.keep, "Keep the source trees of finished tasks")
      ->group(kStudyGroup);
}

Exit ParityOfRepository(const RepositoryOptions& options, const RepositoryArms& arms,
                        const MeasureOptions& measure) {
  RefuseOptionsOfOneSession(measure);
  if (options.output.empty()) throw Error(Exit::kUsage, "--output is missing; name a folder");
  study::StudyRequest request;
  if (options.tasks.empty()) {
    request.tasks.push_back(TaskOf(options, arms, measure));
  } else {
    RefuseOptionsOfTasks(options, arms, measure);
    request.tasks = study::ReadTasks(options.tasks);
  }
  request.output = std::filesystem::absolute(options.output).lexically_normal().string();
  request.jobs = static_cast<std::size_t>(
      options.jobs.value_or(static_cast<int>(std::max(1U, std::thread::hardware_concurrency()))));
  request.keep_trees = options.keep;
  MeasureOptions isolated = measure;
  if (isolated.isolate.empty()) isolated.isolate = "best";
  request.isolated = isolated.isolate != "no";
  const gate::MeasureRequest asked = MeasureRequestOf(isolated);
  request.measure.isolation = asked.isolation;
  request.measure.cpus = asked.cpus;
  request.measure.preload = asked.preload;
  const InterruptScope interrupts;
  study::StudyResult result;
  {
    ProgressDisplay display;
    result = study::RunStudy(request, display);
  }
  for (const std::string& line : result.lines) print(line + "\n");
  return result.exit;
}

}  // namespace perfgate::cli
