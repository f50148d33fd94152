// SPDX-License-Identifier: Apache-2.0
// task_file.h: what is to be compared: a repository, three states of it or more, and how to build,
// test and measure each.
//
// A task file (`perfgate-parity-tasks`, version 1) has defaults at its top and a list of tasks,
// each of which may replace any of them. Paths are relative to the folder of the file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "perfgate/study/task/task.h"

namespace perfgate::study {

// Error(kData) with the JSON pointer for what cannot be read, for a task that lacks something, for
// an id that is no name of a folder, and for two tasks of one id.
std::vector<Task> TasksFromJson(std::string_view text, const std::string& where,
                                const std::string& folder);
std::vector<Task> ReadTasks(const std::string& path);

// What the task lacks to be run, as "build"; empty: nothing. Of a command line as of a file.
std::string MissingField(const Task& task);

// One label for each agent, from the names of files and commits; no two are equal.
std::vector<std::string> AgentLabels(const Task& task);

}  // namespace perfgate::study
