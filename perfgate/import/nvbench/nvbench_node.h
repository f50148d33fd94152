// SPDX-License-Identifier: Apache-2.0
// nvbench_node.h: NVBench's way to write JSON: lists of named values, and numbers as text so that
// no reader rounds them.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace perfgate::import::nvbench {

// A JSON value and where it stands.
struct Node {
  const nlohmann::json* value = nullptr;
  std::string where;    // of the file
  std::string pointer;  // "/benchmarks/0/states/1"

  std::string place() const { return where + ": " + pointer; }
};

// A member that is absent, or null as an empty list is written, is none.
std::optional<Node> member(const Node& node, const std::string& key);
std::vector<Node> elements(const std::optional<Node>& node);
std::string required_text(const Node& node, const std::string& key);

// {"name":..,"type":..,"value":<text>} lists by name. Error(kInvalid) for a name that stands twice.
std::map<std::string, std::string> named_values(const std::optional<Node>& list);

// The summaries of a state by tag, each a list of named values.
using Summaries = std::map<std::string, std::map<std::string, std::string>>;
Summaries read_summaries(const Node& state);
const std::string* find_value(const Summaries& summaries, const std::string& tag,
                              const std::string& name = "value");

// NaN for "nan" and "inf", which the tool writes for spreads that do not exist.
double number_of(const std::string& text, const std::string& where);
std::int64_t count_of(const std::string& text, const std::string& where);

}  // namespace perfgate::import::nvbench
