// SPDX-License-Identifier: Apache-2.0
#include "perfgate/audit/read/claim_text.h"

#include <algorithm>

#include "perfgate/audit/read/words.h"

namespace perfgate::audit {
namespace {

bool name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Where the value that begins at `begin` ends: before ", name=" outside brackets and quotes.
std::size_t value_end(std::string_view text, std::size_t begin) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = begin; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '[') ++depth;
    if (c == ']') --depth;
    if (c != ',' || depth > 0) continue;
    std::size_t at = i + 1;
    while (at < text.size() && text[at] == ' ') ++at;
    const std::size_t name = at;
    while (at < text.size() && name_char(text[at])) ++at;
    if (at > name && at < text.size() && text[at] == '=') return i;
  }
  return text.size();
}

std::string unquoted(std::string_view text) {
  text = trimmed(text);
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') {
    text = text.substr(1, text.size() - 2);
  }
  return std::string(text);
}

std::vector<std::string> list_items(std::string_view inside) {
  std::vector<std::string> items;
  std::size_t begin = 0;
  bool quoted = false;
  for (std::size_t i = 0; i <= inside.size(); ++i) {
    if (i < inside.size() && inside[i] == '"') quoted = !quoted;
    if (i < inside.size() && (quoted || inside[i] != ',')) continue;
    items.push_back(unquoted(inside.substr(begin, i - begin)));
    begin = i + 1;
  }
  return items;
}

}  // namespace

bool parse_claim(std::string_view text, Claim& claim) {
  text = trimmed(text);
  const std::size_t colon = text.find(": ");
  if (colon == std::string_view::npos || colon == 0 ||
      !std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(colon), name_char)) {
    return false;
  }
  claim.id = text.substr(0, colon);
  std::size_t at = colon + 2;
  while (at < text.size()) {
    while (at < text.size() && (text[at] == ' ' || text[at] == ',')) ++at;
    const std::size_t name = at;
    while (at < text.size() && name_char(text[at])) ++at;
    if (at == name || at >= text.size() || text[at] != '=') return false;
    const std::string key(text.substr(name, at - name));
    const std::size_t end = value_end(text, ++at);
    const std::string_view value = trimmed(text.substr(at, end - at));
    if (value.size() >= 2 && value.front() == '[' && value.back() == ']') {
      claim.fields[key] = list_items(value.substr(1, value.size() - 2));
    } else {
      claim.fields[key] = {unquoted(value)};
    }
    at = end;
  }
  return !claim.fields.empty();
}

bool parse_derived(std::string_view line, Derived& derived) {
  constexpr std::string_view kOpen = "<!--";
  constexpr std::string_view kShut = "-->";
  line = trimmed(line);
  if (!line.starts_with(kOpen) || !line.ends_with(kShut) ||
      line.size() < kOpen.size() + kShut.size()) {
    return false;
  }
  line.remove_prefix(kOpen.size());
  line.remove_suffix(kShut.size());
  Claim fields;
  if (!parse_claim(line, fields) || fields.id != "derived") return false;
  const auto list = [&](const char* name) {
    const auto found = fields.fields.find(name);
    return found == fields.fields.end() ? std::vector<std::string>() : found->second;
  };
  derived.op = fields.text("op");
  derived.out = fields.text("out");
  derived.args = list("args");
  derived.rows = list("rows");
  derived.row = fields.text("row");
  derived.of = list("of");
  derived.columns = list("columns");
  derived.column = fields.text("column");
  derived.num = fields.text("num");
  derived.den = fields.text("den");
  derived.exact = fields.text("exact") == "true";
  return true;
}

}  // namespace perfgate::audit
