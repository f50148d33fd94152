// SPDX-License-Identifier: Apache-2.0
#include "perfgate/import/nvbench/nvbench_node.h"

#include <cmath>

#include "perfgate/base/error.h"
#include "perfgate/base/text/number_text.h"
#include "perfgate/import/serving/serving_json.h"

namespace perfgate::import::nvbench {

std::optional<Node> member(const Node& node, const std::string& key) {
  if (!node.value->is_object()) {
    refuse_value(node.where, node.pointer.empty() ? "/" : node.pointer, "an object", *node.value);
  }
  const auto found = node.value->find(key);
  if (found == node.value->end() || found->is_null()) return std::nullopt;
  return Node{&*found, node.where, node.pointer + "/" + key};
}

std::vector<Node> elements(const std::optional<Node>& node) {
  std::vector<Node> list;
  if (!node) return list;
  if (!node->value->is_array()) refuse_value(node->where, node->pointer, "a list", *node->value);
  for (std::size_t i = 0; i < node->value->size(); ++i) {
    list.push_back({&(*node->value)[i], node->where, node->pointer + "/" + std::to_string(i)});
  }
  return list;
}

std::string required_text(const Node& node, const std::string& key) {
  const auto value = member(node, key);
  if (!value) {
    throw Error(Exit::kData, node.place() + "/" + key + ": this field is missing; expected text");
  }
  if (!value->value->is_string()) {
    refuse_value(value->where, value->pointer, "text", *value->value);
  }
  return value->value->get<std::string>();
}

std::map<std::string, std::string> named_values(const std::optional<Node>& list) {
  std::map<std::string, std::string> values;
  for (const Node& node : elements(list)) {
    const std::string name = required_text(node, "name");
    if (!values.emplace(name, required_text(node, "value")).second) {
      throw Error(Exit::kInvalid, node.place() + ": \"" + name + "\" appears twice in one list");
    }
  }
  return values;
}

Summaries read_summaries(const Node& state) {
  Summaries summaries;
  for (const Node& node : elements(member(state, "summaries"))) {
    const std::string tag = required_text(node, "tag");
    if (!summaries.emplace(tag, named_values(member(node, "data"))).second) {
      throw Error(Exit::kInvalid, node.place() + ": the summary \"" + tag + "\" appears twice");
    }
  }
  return summaries;
}

const std::string* find_value(const Summaries& summaries, const std::string& tag,
                              const std::string& name) {
  const auto summary = summaries.find(tag);
  if (summary == summaries.end()) return nullptr;
  const auto value = summary->second.find(name);
  return value == summary->second.end() ? nullptr : &value->second;
}

double number_of(const std::string& text, const std::string& where) {
  if (text == "nan" || text == "-nan" || text == "inf" || text == "-inf") return std::nan("");
  const auto number = leading_number(text);
  if (!number || !number->second.empty()) refuse_value(where, "value", "a number as text", text);
  return number->first;
}

std::int64_t count_of(const std::string& text, const std::string& where) {
  const double number = number_of(text, where);
  if (!(number >= 0 && number <= 1e12 && number == std::floor(number))) {
    refuse_value(where, "value", "a count as text", text);
  }
  return static_cast<std::int64_t>(number);
}

}  // namespace perfgate::import::nvbench
