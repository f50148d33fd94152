// SPDX-License-Identifier: Apache-2.0
// preflight.h: what is wrong with a command can be seen before anything is built.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "perfgate/study/task/task.h"

namespace perfgate::study {

// Each of these returns what is wrong, as part of a sentence; empty: nothing is.

// A command for a shell: placeholders that nobody filled in, variables that nobody sets, quotes and
// brackets that are not closed.
std::string TroubleInShellCommand(std::string_view command);

// One argument that no shell sees.
std::string TroubleInArgument(std::string_view argument);

// A context length among the arguments that is above the one that the model states.
std::string TroubleWithContext(std::span<const std::string> arguments, std::int64_t stated);

// An option that the program's own help does not name. A help that names no option of the program's
// own, as that of a plain Google Benchmark, says nothing.
std::string TroubleWithOptions(std::span<const std::string> arguments, std::string_view help);

// All that can be checked of a task before it is built.
std::string TroubleInTask(const Task& task);

}  // namespace perfgate::study
