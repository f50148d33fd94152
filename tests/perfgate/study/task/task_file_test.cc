// SPDX-License-Identifier: Apache-2.0
#include "perfgate/study/task/task_file.h"

#include <gtest/gtest.h>

#include "perfgate/base/error.h"

namespace perfgate::study {
namespace {

std::string FileWith(const std::string& defaults, const std::string& tasks) {
  return R"({"format": "perfgate-parity-tasks", "version": 1, )" + defaults + R"("tasks": [)" +
         tasks + "]}";
}

constexpr const char* kDefaults =
    R"("repo": "r", "base": "b", "human": "h", "build": "make", "bench": "x", )";

std::string RefusalOf(const std::string& text) {
  try {
    TasksFromJson(text, "tasks.json", "/f");
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), Exit::kData) << error.what();
    return error.what();
  }
  return "";
}

TEST(TaskFile, TasksReplaceDefaults) {
  const auto tasks = TasksFromJson(FileWith(kDefaults, R"({"id": "a", "agents": ["p/a.patch"]},
               {"id": "b", "agents": ["deadbeef"], "repo": "/abs", "margin": "3%",
                "limits": {"build_s": 7}})"),
                                   "tasks.json", "/f");
  ASSERT_EQ(tasks.size(), 2U);
  EXPECT_EQ(tasks[0].repo, "/f/r");
  EXPECT_EQ(tasks[0].agents, std::vector<std::string>{"/f/p/a.patch"});
  EXPECT_DOUBLE_EQ(tasks[0].margin, 0.05);
  EXPECT_EQ(tasks[1].repo, "/abs");
  EXPECT_EQ(tasks[1].agents, std::vector<std::string>{"deadbeef"});
  EXPECT_DOUBLE_EQ(tasks[1].margin, 0.03);
  EXPECT_DOUBLE_EQ(tasks[1].limits.build_s, 7);
  EXPECT_DOUBLE_EQ(tasks[1].limits.test_s, Limits().test_s);
}

TEST(TaskFile, RefusalsNameThePlace) {
  const std::string agent = R"("agents": ["a.patch"])";
  const std::pair<std::string, const char*> kRefusals[] = {
      {FileWith(kDefaults, R"({"id": "a"})"), "/tasks/0: \"agents\" is missing"},
      {FileWith(kDefaults, "{" + agent + "}"), "/tasks/0"},
      {FileWith(kDefaults, R"({"id": "../a", )" + agent + "}"), "/tasks/0/id"},
      {FileWith(kDefaults, R"({"id": ".a", )" + agent + "}"), "/tasks/0/id"},
      {FileWith(kDefaults, R"({"id": "a", )" + agent + R"(}, {"id": "a", )" + agent + "}"),
       "/tasks/1/id: another task"},
      {FileWith(kDefaults, R"({"id": "a", "agent": 1, )" + agent + "}"), "did you mean \"agents\""},
      {FileWith(kDefaults, R"({"id": "a", "limits": {"build_s": 0}, )" + agent + "}"),
       "/tasks/0/limits/build_s"},
      {FileWith(kDefaults, R"({"id": "a", "margin": 5, )" + agent + "}"), "/tasks/0/margin"},
      {FileWith(kDefaults, ""), "/tasks: there is no task"},
      {R"({"format": "perfgate-parity-tasks", "version": 2, "tasks": []})", "version"},
      {"[", "tasks.json"},
  };
  for (const auto& [text, part] : kRefusals) {
    EXPECT_NE(RefusalOf(text).find(part), std::string::npos) << text << "\n" << RefusalOf(text);
  }
}

TEST(TaskFile, BuiltArmsNeedNoRepository) {
  const auto tasks = TasksFromJson(
      FileWith("",
               R"({"id": "a", "arms": {"baseline": "b", "human": "h", "agents": ["x", "y/x"]}})"),
      "tasks.json", "/f");
  EXPECT_EQ(tasks[0].arms->baseline, "/f/b");
  EXPECT_EQ(AgentLabels(tasks[0]), (std::vector<std::string>{"x", "x-2"}));
}

TEST(TaskFile, LabelsAreNamesOfFiles) {
  Task task;
  task.agents = {"/a/human.patch", "/b/my agent.diff", "deadbeef"};
  EXPECT_EQ(AgentLabels(task), (std::vector<std::string>{"human-2", "my-agent", "deadbeef"}));
}

}  // namespace
}  // namespace perfgate::study
