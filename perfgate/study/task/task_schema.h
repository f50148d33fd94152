// SPDX-License-Identifier: Apache-2.0
// task_schema.h: the JSON schema of task files; docs/schema/ holds the result.
#pragma once

#include <string>

namespace perfgate::study {

// A schema cannot say that a task without a field takes that of the defaults.
std::string TaskFileSchema();

}  // namespace perfgate::study
