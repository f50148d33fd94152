// SPDX-License-Identifier: Apache-2.0
// summary.h: the records of all tasks as a population, as results and as a report.
#pragma once

#include <string>
#include <vector>

#include "perfgate/base/error.h"
#include "perfgate/study/task/task.h"

namespace perfgate::study {

struct StudyResult {
  Exit exit = Exit::kPass;
  std::vector<std::string> lines{};  // one for each agent of each task, then a sum
};

// Reads one record after the other and writes population.json, results.json and report.md.
// conditions: a sentence on how all arms were run.
StudyResult WriteSummary(const std::vector<Task>& tasks, const std::string& output,
                         const std::string& conditions);

}  // namespace perfgate::study
