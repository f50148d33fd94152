// SPDX-License-Identifier: Apache-2.0
#include "perfgate/cli/parity_repository.h"

#include <algorithm>
#include <filesystem>
#include <thread>

#include "perfgate/base/os/interrupt.h"
#include "perfgate/base/text/duration.h"
#include "perfgate/base/text/fraction.h"
#include "perfgate/cli/options/outputs.h"
#include "perfgate/cli/options/progress_display.h"
#include "perfgate/study/study.h"

namespace perfgate::cli {
namespace {

constexpr const char* kStudyGroup = "From a repository";

void ReadLimit(const std::string& text, const char* option, double& limit) {
  if (!text.empty()) limit = parse_duration_s(text, option);
}

void RequireNoTasks(const RepositoryOptions& options, const std::vector<std::string>& agents,
                    const std::string& human, const std::string& margin) {
  const std::pair<const char*, bool> given[] = {
      {"--repo", !options.repo.empty()},   {"--base", !options.base.empty()},
      {"--human", !human.empty()},         {"--agent", !agents.empty()},
      {"--build", !options.build.empty()}, {"--test", !options.test.empty()},
      {"--bench", !options.bench.empty()}, {"--margin", !margin.empty()}};
  for (const auto& [name, is_given] : given) {
    if (is_given) {
      throw Error(Exit::kUsage, std::string(name) +
                                    " has no effect with --tasks: write it into the "
                                    "task file");
    }
  }
}

study::Task TaskOf(const RepositoryOptions& options, const std::vector<std::string>& agents,
                   const std::string& human, const std::string& margin,
                   const MeasureOptions& measure) {
  study::Task task;
  task.id = "task";
  task.repo = options.repo;
  task.base = options.base;
  task.human = human;
  task.agents = agents;
  task.build = options.build;
  task.test = options.test;
  task.bench = options.bench;
  task.filter = measure.filter;
  task.rounds = measure.rounds;
  if (!measure.budget.empty()) task.budget_s = parse_duration_s(measure.budget, "--budget");
  if (!margin.empty()) task.margin = parse_fraction(margin, "--margin");
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

Exit ParityOfRepository(const RepositoryOptions& options, const std::vector<std::string>& agents,
                        const std::string& human, const std::string& margin,
                        const MeasureOptions& measure) {
  if (options.output.empty()) throw Error(Exit::kUsage, "--output is missing; name a folder");
  study::StudyRequest request;
  if (options.tasks.empty()) {
    request.tasks.push_back(TaskOf(options, agents, human, margin, measure));
  } else {
    RequireNoTasks(options, agents, human, margin);
    request.tasks = study::ReadTasks(options.tasks);
  }
  request.output = std::filesystem::absolute(options.output).lexically_normal().string();
  request.jobs = static_cast<std::size_t>(
      options.jobs.value_or(static_cast<int>(std::max(1U, std::thread::hardware_concurrency()))));
  request.keep_trees = options.keep;
  MeasureOptions isolated = measure;
  if (isolated.isolate.empty()) isolated.isolate = "best";
  request.isolated = isolated.isolate != "no";
  request.isolation = MeasureRequestOf(isolated).isolation;
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
