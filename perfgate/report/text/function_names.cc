// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/text/function_names.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "perfgate/base/text/join.h"

namespace perfgate::report {
namespace {

constexpr std::string_view kAnonymous = "(anonymous namespace)::";
constexpr std::string_view kSeparator = ", ";

// Without anything that stands in brackets. Nothing where they do not match.
std::optional<std::string> without_brackets(std::string_view text) {
  std::string kept;
  std::string open;
  while (!text.empty()) {
    if (text.starts_with(kAnonymous)) {
      text.remove_prefix(kAnonymous.size());
      continue;
    }
    const char c = text.front();
    text.remove_prefix(1);
    if (c == '<' || c == '(') {
      open += c == '<' ? '>' : ')';
    } else if (c == '>' || c == ')') {
      if (open.empty() || open.back() != c) return std::nullopt;
      open.pop_back();
    } else if (open.empty()) {
      kept += c;
    }
  }
  if (!open.empty()) return std::nullopt;
  return kept;
}

// "void f const" is a function f.
std::string bare_name(std::string_view function) {
  if (function.ends_with(" const")) function.remove_suffix(std::string_view(" const").size());
  const std::size_t operator_at = function.find("operator");
  const std::size_t space = function.substr(0, operator_at).rfind(' ');
  if (space != std::string_view::npos) function.remove_prefix(space + 1);
  return std::string(function);
}

}  // namespace

std::string without_signatures(std::string_view functions) {
  const std::optional<std::string> bare = without_brackets(functions);
  if (!bare) return std::string(functions);
  std::vector<std::string> names;
  std::string_view rest = *bare;
  while (!rest.empty()) {
    const std::size_t end = rest.find(kSeparator);
    std::string name = bare_name(rest.substr(0, end));
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + kSeparator.size());
  }
  return Join(names);
}

}  // namespace perfgate::report
