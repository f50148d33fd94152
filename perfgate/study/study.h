// SPDX-License-Identifier: Apache-2.0
// study.h: many tasks, from repositories to verdicts, resumable.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "perfgate/gate/display.h"
#include "perfgate/study/measure_arms.h"
#include "perfgate/study/summary.h"
#include "perfgate/study/task/task.h"

namespace perfgate::study {

struct StudyRequest {
  std::vector<Task> tasks{};
  std::string output{};
  std::size_t jobs = 1;  // arms that are built at once
  bool isolated = true;
  bool keep_trees = false;         // source trees of finished tasks stay
  gate::MeasureRequest measure{};  // of every session: isolation, cores, preloading
};

// Every task that is not finished is built, tested and measured; finished ones are taken from their
// records. Writes population.json, results.json and report.md. Error(kData) where the output folder
// holds something else or another run works in it.
StudyResult RunStudy(const StudyRequest& request, gate::GateDisplay& display);

}  // namespace perfgate::study
