// SPDX-License-Identifier: Apache-2.0
#include "perfgate/import/nvbench/nvbench_values.h"

#include <cmath>

#include "perfgate/base/error.h"
#include "perfgate/base/json/json_text.h"
#include "perfgate/base/text/number_text.h"

namespace perfgate::import::nvbench {
namespace {

[[noreturn]] void refuse_text(const std::string& where, const char* expected,
                              const std::string& text) {
  throw Error(Exit::kData,
              where + ": value: expected " + expected + ", found " + json_io::Quoted(text));
}

}  // namespace

std::vector<JsonCursor> elements(const std::optional<JsonCursor>& list) {
  return list ? list->elements() : std::vector<JsonCursor>();
}

std::map<std::string, std::string> named_values(const std::optional<JsonCursor>& list) {
  std::map<std::string, std::string> values;
  for (const JsonCursor& node : elements(list)) {
    const std::string name = node.at("name").text();
    if (!values.emplace(name, node.at("value").text()).second) {
      node.invalid("\"" + name + "\" appears twice in one list");
    }
  }
  return values;
}

Summaries read_summaries(const JsonCursor& state) {
  Summaries summaries;
  for (const JsonCursor& node : elements(state.find("summaries"))) {
    const std::string tag = node.at("tag").text();
    if (!summaries.emplace(tag, named_values(node.find("data"))).second) {
      node.invalid("the summary \"" + tag + "\" appears twice");
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
  if (!number || !number->second.empty()) refuse_text(where, "a number as text", text);
  return number->first;
}

std::int64_t count_of(const std::string& text, const std::string& where) {
  const double number = number_of(text, where);
  if (!(number >= 0 && number <= 1e12 && number == std::floor(number))) {
    refuse_text(where, "a count as text", text);
  }
  return static_cast<std::int64_t>(number);
}

}  // namespace perfgate::import::nvbench
