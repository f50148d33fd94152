// SPDX-License-Identifier: Apache-2.0
#include "perfgate/study/task/task_file.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>

#include "perfgate/base/io/input_file.h"
#include "perfgate/base/json/json_reader.h"
#include "perfgate/evidence/files/input_kinds.h"
#include "perfgate/study/task/task_fields.h"

namespace perfgate::study {
namespace {

namespace fs = std::filesystem;

std::string InFolder(const std::string& folder, const std::string& path) {
  if (path.empty()) return path;
  return (fs::path(folder) / path).lexically_normal().string();
}

// A patch is a file that is there, or looks like one; anything else is a commit.
std::string AgentIn(const std::string& folder, const std::string& agent) {
  const std::string path = InFolder(folder, agent);
  const bool looks_like_file =
      agent.ends_with(".patch") || agent.ends_with(".diff") || agent.find('/') != std::string::npos;
  std::error_code failed;
  return looks_like_file || fs::is_regular_file(path, failed) ? path : agent;
}

void PlacePaths(const std::string& folder, Task& task) {
  task.repo = InFolder(folder, task.repo);
  task.policy = InFolder(folder, task.policy);
  task.overlay = InFolder(folder, task.overlay);
  for (std::string& agent : task.agents) agent = AgentIn(folder, agent);
  if (!task.arms) return;
  task.arms->baseline = InFolder(folder, task.arms->baseline);
  task.arms->human = InFolder(folder, task.arms->human);
  for (std::string& agent : task.arms->agents) agent = InFolder(folder, agent);
}

bool IsFolderName(const std::string& id) {
  constexpr std::size_t kLongest = 100;
  return !id.empty() && id.size() <= kLongest && id.front() != '.' && id.front() != '-' &&
         std::all_of(id.begin(), id.end(), [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '.' || c == '_' || c == '-';
         });
}

void CheckText(const JsonCursor& cursor, const std::string& text) {
  if (text.find('\0') != std::string::npos) cursor.fail("holds a zero byte");
}

void CheckCommits(const JsonCursor& cursor, const Task& task) {
  for (const std::string& text :
       {task.base, task.human, task.repo, task.bench, task.overlay, task.policy}) {
    CheckText(cursor, text);
    if (text.find('\n') != std::string::npos) cursor.fail("a commit or path has two lines");
  }
  for (const std::string& agent : task.agents) {
    if (agent.empty() || agent.find('\n') != std::string::npos) {
      cursor.fail("an agent is a patch file or a commit, on one line");
    }
  }
}

Task ReadTask(const JsonCursor& cursor, const Task& defaults, const std::string& folder) {
  Task task = defaults;
  json_io::ObjectReader reader(cursor, json_io::Author::kPerson);
  json_io::read_value(reader.require("id", kIdMeaning), task.id);
  describe(reader, task);
  reader.finish();
  if (!IsFolderName(task.id)) {
    cursor.at("id").fail(
        "a task is named by up to 100 letters, digits, '.', '_' and '-', and "
        "starts with a letter, a digit or '_'");
  }
  const std::string missing = MissingField(task);
  if (!missing.empty()) {
    cursor.fail("\"" + missing + "\" is missing, here and in the defaults");
  }
  CheckCommits(cursor, task);
  PlacePaths(folder, task);
  return task;
}

std::string LabelOf(const std::string& agent) {
  std::string label = fs::path(agent).stem().string();
  for (char& c : label) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '.' && c != '_') c = '-';
  }
  return label.empty() ? "agent" : label;
}

}  // namespace

std::vector<Task> TasksFromJson(std::string_view text, const std::string& where,
                                const std::string& folder) {
  const nlohmann::json document = parse_strict_json(text, where);
  const JsonCursor root(document, where);
  json_io::ObjectReader reader(root, json_io::Author::kPerson);
  json_io::read_header(reader, kTasksFormat, kTasksVersion);
  Task defaults;
  describe(reader, defaults);
  const JsonCursor list = reader.require("tasks", "list the tasks there");
  reader.finish();
  std::vector<Task> tasks;
  std::set<std::string> ids;
  for (std::size_t i = 0; i < list.size(); ++i) {
    tasks.push_back(ReadTask(list[i], defaults, folder));
    if (!ids.insert(tasks.back().id).second) {
      list[i].at("id").fail("another task is named \"" + tasks.back().id +
                            "\" too; give each task a name of its own");
    }
  }
  if (tasks.empty()) list.fail("there is no task");
  return tasks;
}

std::vector<Task> ReadTasks(const std::string& path) {
  const std::string folder = fs::absolute(path).parent_path().string();
  return TasksFromJson(ReadInputFile(path, kSettingsFile), path, folder);
}

std::string MissingField(const Task& task) {
  if (task.arms) {
    if (task.arms->baseline.empty()) return "arms/baseline";
    if (task.arms->human.empty()) return "arms/human";
    return task.arms->agents.empty() ? "arms/agents" : "";
  }
  if (task.repo.empty()) return "repo";
  if (task.base.empty()) return "base";
  if (task.human.empty()) return "human";
  if (task.agents.empty()) return "agents";
  if (task.build.empty()) return "build";
  return task.bench.empty() ? "bench" : "";
}

std::vector<std::string> AgentLabels(const Task& task) {
  std::vector<std::string> labels;
  std::set<std::string> taken = {"baseline", "human"};
  for (const std::string& agent : task.arms ? task.arms->agents : task.agents) {
    const std::string label = LabelOf(agent);
    std::string own = label;
    for (int n = 2; !taken.insert(own).second; ++n) own = label + "-" + std::to_string(n);
    labels.push_back(own);
  }
  return labels;
}

}  // namespace perfgate::study
