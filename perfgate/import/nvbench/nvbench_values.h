// SPDX-License-Identifier: Apache-2.0
// nvbench_values.h: NVBench's way to write JSON: lists of named values, and numbers as text so that
// no reader rounds them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "perfgate/base/json/json_cursor.h"

namespace perfgate::import::nvbench {

// A list that is absent, or null as an empty list is written, has none.
std::vector<JsonCursor> elements(const std::optional<JsonCursor>& list);

// {"name":..,"type":..,"value":<text>} lists by name. Error(kInvalid) for a name that stands twice.
std::map<std::string, std::string> named_values(const std::optional<JsonCursor>& list);

// The summaries of a state by tag, each a list of named values.
using Summaries = std::map<std::string, std::map<std::string, std::string>>;
Summaries read_summaries(const JsonCursor& state);
const std::string* find_value(const Summaries& summaries, const std::string& tag,
                              const std::string& name = "value");

// NaN for "nan" and "inf", which the tool writes for spreads that do not exist.
double number_of(const std::string& text, const std::string& where);
std::int64_t count_of(const std::string& text, const std::string& where);

}  // namespace perfgate::import::nvbench
