// SPDX-License-Identifier: Apache-2.0
#include "perfgate/study/study.h"

#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <filesystem>
#include <map>
#include <mutex>
#include <thread>

#include "perfgate/base/error.h"
#include "perfgate/base/io/atomic_file.h"
#include "perfgate/base/os/interrupt.h"
#include "perfgate/base/os/unique_fd.h"
#include "perfgate/base/os/waiting.h"
#include "perfgate/base/text/join.h"
#include "perfgate/study/arm/prepare_arm.h"
#include "perfgate/study/outcomes.h"
#include "perfgate/study/task/task_plan.h"

namespace perfgate::study {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMarker = "study.lock";

// Ours alone until it is closed.
UniqueFd OpenOutput(const std::string& output) {
  std::error_code failed;
  const fs::path marker = fs::path(output) / kMarker;
  if (fs::exists(output, failed) && !fs::exists(marker, failed) &&
      (!fs::is_directory(output, failed) || !fs::is_empty(output, failed))) {
    throw Error(Exit::kData, output + " holds something else than a study; name a new folder");
  }
  fs::create_directories(output);
  UniqueFd lock(::open(marker.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (!lock || ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
    throw Error(Exit::kData, "another perfgate works in " + output + "; wait for it to end");
  }
  return lock;
}

std::string TaskFile(const StudyRequest& request, const std::string& id, const char* name) {
  return (fs::path(request.output) / id / name).string();
}

bool IsFinished(const TaskRecord& record, const TaskPlan& plan) {
  return record.inputs == plan.inputs &&
         std::none_of(record.arms.begin(), record.arms.end(),
                      [](const ArmRecord& arm) { return arm.status == ArmState::kSetUpFailed; });
}

// What a killed run was writing.
void RemoveUnfinished(const fs::path& folder) {
  std::error_code failed;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, failed)) {
    if (entry.path().filename().string().find(".tmp-") != std::string::npos) {
      fs::remove(entry.path(), failed);
    }
  }
}

// A finished record that no longer holds waits beside its successor until that is written.
void SetAside(const StudyRequest& request, const std::string& id) {
  const std::string file = TaskFile(request, id, "task.json");
  std::error_code failed;
  if (fs::exists(file, failed)) fs::rename(file, TaskFile(request, id, "previous.json"));
}

std::vector<Change> ChangesSince(const TaskRecord& previous, const std::vector<Input>& inputs) {
  std::map<std::string, std::string> before;
  std::map<std::string, std::string> now;
  for (const Input& input : previous.inputs) before[input.name] = input.value;
  for (const Input& input : inputs) now[input.name] = input.value;
  Change change{.before = OutcomesOf(previous)};
  for (const auto& [name, value] : now) {
    if (!before.contains(name) || before[name] != value) change.changed.push_back(name);
  }
  for (const auto& [name, value] : before) {
    if (!now.contains(name)) change.changed.push_back(name);
  }
  std::vector<Change> changes = previous.changes;
  if (!change.changed.empty()) changes.push_back(std::move(change));
  return changes;
}

struct ArmJob {
  std::size_t task = 0;
  std::size_t arm = 0;
};

// Builds and tests the arms of some tasks, several at once.
std::vector<std::vector<ArmRecord>> PrepareAll(const StudyRequest& request,
                                               const std::vector<const TaskPlan*>& plans,
                                               const Boxes& boxes) {
  std::vector<std::vector<ArmRecord>> records;
  std::vector<ArmJob> jobs;
  for (std::size_t t = 0; t < plans.size(); ++t) {
    records.emplace_back(plans[t]->arms.size());
    for (std::size_t a = 0; a < plans[t]->arms.size(); ++a) jobs.push_back({t, a});
  }
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr trouble;
  const auto work = [&] {
    for (std::size_t i = next++; i < jobs.size(); i = next++) {
      const auto& [t, a] = jobs[i];
      const std::string folder = TaskFile(request, plans[t]->task.id, "");
      try {
        records[t][a] = PrepareArm(plans[t]->task, plans[t]->arms[a], folder, boxes);
      } catch (...) {
        const std::lock_guard lock(mutex);
        trouble = std::current_exception();
        next = jobs.size();
      }
    }
  };
  {
    std::vector<std::jthread> threads;
    const std::size_t count =
        std::clamp<std::size_t>(request.jobs, 1, std::max<std::size_t>(1, jobs.size()));
    for (std::size_t i = 0; i < count; ++i) threads.emplace_back(work);
  }
  if (trouble) std::rethrow_exception(trouble);
  return records;
}

void MeasureReady(const StudyRequest& request, const TaskPlan& plan, gate::GateDisplay& display,
                  TaskRecord& record) {
  const std::string folder = TaskFile(request, plan.task.id, "");
  MeasuredArms ready{.no_baseline = WhyNoBaseline(record.arms[0]),
                     .human = ExecutableOf(record.arms[1], folder)};
  if (ready.no_baseline.empty()) ready.baseline = ExecutableOf(record.arms[0], folder);
  for (std::size_t i = 2; i < record.arms.size(); ++i) {
    record.agents.push_back(WithoutMeasuring(record.arms, record.arms[i]));
    if (!record.agents.back().label.empty()) continue;
    ready.agents.push_back({record.arms[i].label, ExecutableOf(record.arms[i], folder)});
  }
  const std::vector<AgentRecord> measured = MeasureArms(
      plan.task, ready, fs::path(folder).parent_path().string(), request.measure, display);
  std::size_t next = 0;
  for (std::size_t i = 0; i < record.agents.size(); ++i) {
    if (!record.agents[i].label.empty()) continue;
    record.agents[i] = measured[next++];
    MarkMeasured(record.agents[i], record.arms[i + 2]);
    if (record.arms[i + 2].status == ArmState::kReady) continue;
    record.arms[1].status = ArmState::kMeasured;
    if (ready.no_baseline.empty()) record.arms[0].status = ArmState::kMeasured;
  }
}

TaskRecord FinishTask(const StudyRequest& request, const TaskPlan& plan,
                      std::vector<ArmRecord> arms, gate::GateDisplay& display) {
  TaskRecord record{.id = plan.task.id, .model = plan.task.model, .inputs = plan.inputs};
  record.arms = std::move(arms);
  MarkIdentical(record.arms);
  MeasureReady(request, plan, display, record);
  record.exit = Exit::kPass;
  for (const AgentRecord& agent : record.agents) {
    if (SeverityOfExit(agent.exit) < SeverityOfExit(record.exit)) record.exit = agent.exit;
  }
  const std::string previous = TaskFile(request, plan.task.id, "previous.json");
  if (const auto before = FindTask(previous)) record.changes = ChangesSince(*before, plan.inputs);
  WriteTask(TaskFile(request, plan.task.id, "task.json"), record);
  std::error_code failed;
  fs::remove(previous, failed);
  for (const ArmPlan& arm : plan.arms) {
    if (request.keep_trees) continue;
    for (const char* part : {"src", "out"}) {
      fs::remove_all(fs::path(TaskFile(request, plan.task.id, "")) / arm.folder / part, failed);
    }
  }
  return record;
}

std::string TimeLeft(double seconds) {
  constexpr double kMinute = 60;
  constexpr double kHour = 3600;
  if (seconds < 2 * kMinute) return std::to_string(static_cast<long>(seconds)) + " s";
  if (seconds < 2 * kHour) return std::to_string(static_cast<long>(seconds / kMinute)) + " min";
  return std::to_string(static_cast<long>(seconds / kHour)) + " h";
}

void SayProgress(std::size_t done, std::size_t all, std::size_t open, double spent_s,
                 std::size_t done_now, const TaskRecord& record, gate::GateDisplay& display) {
  std::string text = "perfgate: " + record.id + ": " + OutcomesOf(record) + "; " +
                     std::to_string(done) + " of " + std::to_string(all) + " tasks done";
  if (open > 0) {
    text += ", about " +
            TimeLeft(spent_s / static_cast<double>(done_now) * static_cast<double>(open)) + " left";
  }
  display.Say(text);
}

std::string ConditionsOf(const Boxes& boxes) {
  const std::string how =
      boxes.isolated ? "Builds and tests ran in a sandbox." : "Nothing was isolated.";
  const bool together = boxes.isolated && boxes.abilities.groups.limits_memory;
  return how + (together ? " Memory was limited for all processes of an arm together."
                         : " While an arm was measured, memory was limited for each of its "
                           "processes (RLIMIT_DATA), as no control groups are to be had here.");
}

}  // namespace

StudyResult RunStudy(const StudyRequest& request, gate::GateDisplay& display) {
  const UniqueFd lock = OpenOutput(request.output);
  RemoveUnfinished(request.output);
  const Boxes boxes = FindBoxes(request.isolated);
  const std::vector<TaskPlan> plans =
      PlanTasks(request.tasks, (fs::path(request.output) / "names.tmp-").string());
  std::vector<const TaskPlan*> open;
  for (const TaskPlan& plan : plans) {
    const auto known = FindTask(TaskFile(request, plan.task.id, "task.json"));
    if (known && IsFinished(*known, plan)) continue;
    fs::create_directories(TaskFile(request, plan.task.id, ""));
    RemoveUnfinished(TaskFile(request, plan.task.id, ""));
    if (known) SetAside(request, plan.task.id);
    open.push_back(&plan);
  }
  const auto start = Clock::now();
  const std::size_t together = 4 * std::max<std::size_t>(1, request.jobs);
  for (std::size_t first = 0; first < open.size(); first += together) {
    const std::size_t last = std::min(first + together, open.size());
    const std::vector<const TaskPlan*> some(open.begin() + static_cast<std::ptrdiff_t>(first),
                                            open.begin() + static_cast<std::ptrdiff_t>(last));
    display.Say("perfgate: building " + std::to_string(some.size()) + " of " +
                std::to_string(plans.size()) + " tasks");
    std::vector<std::vector<ArmRecord>> arms = PrepareAll(request, some, boxes);
    for (std::size_t i = 0; i < some.size(); ++i) {
      const TaskRecord record = FinishTask(request, *some[i], std::move(arms[i]), display);
      const std::size_t now = first + i + 1;
      SayProgress(plans.size() - open.size() + now, plans.size(), open.size() - now,
                  seconds_since(start), now, record, display);
    }
  }
  return WriteSummary(request.tasks, request.output, ConditionsOf(boxes));
}

}  // namespace perfgate::study
