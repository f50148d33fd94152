// SPDX-License-Identifier: Apache-2.0
#include "perfgate/study/task/task_plan.h"

#include <filesystem>
#include <functional>
#include <map>
#include <set>

#include "perfgate/base/error.h"
#include "perfgate/base/io/input_file.h"
#include "perfgate/base/sha256.h"
#include "perfgate/base/text/format_number.h"
#include "perfgate/base/text/shell_words.h"
#include "perfgate/evidence/files/input_kinds.h"
#include "perfgate/study/task/overlay.h"
#include "perfgate/study/task/preflight.h"
#include "perfgate/study/task/repository.h"
#include "perfgate/study/task/task_file.h"

namespace perfgate::study {
namespace {

namespace fs = std::filesystem;

constexpr InputKind kPatchOfAgent = {"patch", std::uint64_t{256} << 20, LastLink::kFollowed};

struct Repository {
  std::set<std::string> names{};
  std::map<std::string, std::string> commits{};
  std::string trouble{};
};

bool IsPatch(const std::string& agent) {
  std::error_code failed;
  return agent.find('/') != std::string::npos || agent.ends_with(".patch") ||
         agent.ends_with(".diff") || fs::is_regular_file(agent, failed);
}

std::map<std::string, Repository> AskRepositories(const std::vector<Task>& tasks,
                                                  const std::string& scratch) {
  std::map<std::string, Repository> found;
  for (const Task& task : tasks) {
    if (task.arms) continue;
    Repository& repository = found[task.repo];
    repository.names.insert({task.base, task.human});
    for (const std::string& agent : task.agents) {
      if (!IsPatch(agent)) repository.names.insert(agent);
    }
  }
  for (auto& [path, repository] : found) {
    try {
      repository.commits = ResolveCommits(path, repository.names, scratch);
    } catch (const Error& error) {
      repository.trouble = error.what();
    }
  }
  return found;
}

void Fail(ArmState status, const std::string& reason, ArmPlan& arm) {
  arm.trouble = status;
  arm.reason = reason;
}

void ResolveArm(const Repository& repository, const std::string& name, ArmPlan& arm) {
  const auto found = repository.commits.find(name);
  if (found != repository.commits.end()) {
    arm.commit = found->second;
  } else if (!repository.trouble.empty()) {
    Fail(ArmState::kUnknownCommit, repository.trouble, arm);
  } else {
    Fail(ArmState::kUnknownCommit,
         "git knows no commit " + name + " there; fetch it, or correct the name", arm);
  }
}

void TakePatch(const std::string& file, ArmPlan& arm) {
  arm.patch = file;
  try {
    arm.patch_bytes = sha256_digest(ReadInputFile(file, kPatchOfAgent));
  } catch (const Error& error) {
    if (arm.trouble == ArmState::kReady) Fail(ArmState::kPatchDoesNotApply, error.what(), arm);
  }
}

std::string DigestOfBuilt(const std::string& path) {
  std::error_code failed;
  if (!fs::is_regular_file(path, failed)) return "missing";
  constexpr InputKind kProgram = {"executable", std::uint64_t{16} << 30, LastLink::kFollowed};
  return sha256_digest(ReadInputFile(path, kProgram));
}

// All folders have names of one length.
std::string FolderName(std::size_t index) {
  constexpr std::size_t kDigits = 3;
  const std::string number = std::to_string(index);
  return "arm" + std::string(kDigits - std::min(kDigits, number.size()), '0') + number;
}

std::vector<ArmPlan> ArmsOf(const Task& task, const std::map<std::string, Repository>& found) {
  std::vector<ArmPlan> arms(2);
  arms[0].label = "baseline";
  arms[1].label = "human";
  for (const std::string& label : AgentLabels(task)) arms.push_back({.label = label});
  if (task.arms) {
    arms[0].executable = task.arms->baseline;
    arms[1].executable = task.arms->human;
    for (std::size_t i = 2; i < arms.size(); ++i) arms[i].executable = task.arms->agents[i - 2];
    for (ArmPlan& arm : arms) arm.patch_bytes = DigestOfBuilt(arm.executable);
  } else {
    const Repository& repository = found.at(task.repo);
    ResolveArm(repository, task.base, arms[0]);
    ResolveArm(repository, task.human, arms[1]);
    for (std::size_t i = 2; i < arms.size(); ++i) {
      const std::string& agent = task.agents[i - 2];
      ResolveArm(repository, IsPatch(agent) ? task.base : agent, arms[i]);
      if (IsPatch(agent)) TakePatch(agent, arms[i]);
    }
  }
  for (std::size_t i = 0; i < arms.size(); ++i) arms[i].folder = FolderName(i);
  return arms;
}

// What every arm of the task is made with.
std::vector<Input> CommonInputs(const Task& task) {
  return {{"build", task.build},
          {"test", task.test},
          {"bench", task.bench},
          {"arguments", ShellLine(task.arguments)},
          {"filter", task.filter},
          {"model", task.model},
          {"context", std::to_string(task.context.value_or(0))},
          {"limits", format_number(task.limits.build_s) + " " + format_number(task.limits.test_s) +
                         " " + format_number(task.limits.bench_s) + " " +
                         format_number(task.limits.memory_mib)}};
}

// Files that the task names. Where they cannot be read, that is its trouble.
void AddFiles(const char* name, const std::function<std::string()>& digest,
              std::vector<Input>& inputs, std::string& trouble) {
  try {
    inputs.push_back({name, digest()});
  } catch (const Error& error) {
    inputs.push_back({name, error.what()});
    trouble = error.what();
  }
}

TaskPlan PlanOf(const Task& task, const std::map<std::string, Repository>& found) {
  TaskPlan plan{.task = task, .arms = ArmsOf(task, found)};
  std::string trouble = TroubleInTask(task);
  plan.inputs = CommonInputs(task);
  if (!task.overlay.empty()) {
    AddFiles(
        "overlay", [&] { return DigestOfOverlay(task.overlay); }, plan.inputs, trouble);
  }
  if (!task.policy.empty()) {
    AddFiles(
        "policy", [&] { return sha256_digest(ReadInputFile(task.policy, kSettingsFile)); },
        plan.inputs, trouble);
  }
  std::string common;
  for (const Input& input : plan.inputs) common += input.name + "=" + input.value + "\n";
  for (ArmPlan& arm : plan.arms) {
    if (!trouble.empty() && arm.trouble == ArmState::kReady) {
      Fail(ArmState::kBadCommand, trouble, arm);
    }
    const std::string own = (arm.commit.empty() ? arm.reason : arm.commit) + " " + arm.patch_bytes;
    arm.inputs = sha256_digest(common + arm.label + "\n" + own + "\n" + arm.reason);
    plan.inputs.push_back({arm.label, own});
  }
  plan.inputs.push_back({"margin", format_number(task.margin)});
  plan.inputs.push_back({"rounds", std::to_string(task.rounds.value_or(0))});
  plan.inputs.push_back({"budget_s", format_number(task.budget_s.value_or(0))});
  // Newer than the rest: records without them go on to hold.
  if (task.slice_s) plan.inputs.push_back({"slice_s", format_number(*task.slice_s)});
  if (task.pairs) plan.inputs.push_back({"pairs", std::to_string(*task.pairs)});
  if (!task.primary.empty()) plan.inputs.push_back({"primary", task.primary});
  return plan;
}

}  // namespace

std::vector<TaskPlan> PlanTasks(const std::vector<Task>& tasks, const std::string& scratch) {
  const std::map<std::string, Repository> found = AskRepositories(tasks, scratch);
  std::vector<TaskPlan> plans;
  plans.reserve(tasks.size());
  for (const Task& task : tasks) plans.push_back(PlanOf(task, found));
  return plans;
}

}  // namespace perfgate::study
