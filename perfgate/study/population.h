// SPDX-License-Identifier: Apache-2.0
// population.h: a task as items of a population file, which `perfgate parity --from` reads.
#pragma once

#include <string>
#include <vector>

#include "perfgate/study/records.h"

namespace perfgate::study {

// One item for each agent: with one agent it is named as the task, with several "task:agent".
std::vector<std::string> PopulationItems(const TaskRecord& task);

}  // namespace perfgate::study
