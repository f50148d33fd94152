// SPDX-License-Identifier: Apache-2.0
#include "perfgate/audit/read/table.h"

#include <algorithm>
#include <array>

#include "perfgate/audit/read/words.h"

namespace perfgate::audit {
namespace {

// "Latency (ms)", "latency [us]", "latency_ms": the unit of cells that print none.
std::string header_unit(std::string_view label) {
  constexpr std::array<std::string_view, 10> kUnits = {"ns",  "us",  "ms", "s",  "KiB",
                                                       "MiB", "GiB", "KB", "MB", "GB"};
  for (const std::string_view unit : kUnits) {
    for (const std::string& form :
         {"(" + std::string(unit) + ")", "[" + std::string(unit) + "]", ", " + std::string(unit)}) {
      if (label.ends_with(form)) return std::string(unit);
    }
    if (unit.size() == 2 && label.size() > 3 && label.ends_with("_" + std::string(unit))) {
      return std::string(unit);
    }
  }
  return {};
}

// A first column of items, commits or ids: "88693683" and "6e36" are names there, not numbers.
bool names_rows(const Table& table) {
  if (table.columns.empty()) return false;
  const std::vector<std::string> words = words_of(table.columns[0].label);
  return std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return word == "item" || word == "commit" || word == "id";
  });
}

}  // namespace

std::string Claim::text(const std::string& name) const {
  const auto found = fields.find(name);
  return found == fields.end() || found->second.empty() ? "" : found->second.front();
}

std::optional<std::size_t> find_column(const Table& table, const std::string& name) {
  const auto search = [&](auto matches) -> std::optional<std::size_t> {
    const auto found = std::find_if(table.columns.begin(), table.columns.end(), matches);
    if (found == table.columns.end()) return std::nullopt;
    return static_cast<std::size_t>(found - table.columns.begin());
  };
  if (auto column = search([&](const Column& c) { return c.key == name; })) return column;
  if (auto column = search([&](const Column& c) { return c.label == name; })) return column;
  return search([&](const Column& c) { return slug(c.label) == slug(name); });
}

std::optional<std::size_t> find_row(const Table& table, const std::string& label) {
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    if (!table.columns.empty() && table.cell(i, 0).text == label) return i;
  }
  return std::nullopt;
}

bool is_key_column(const Table& table, std::size_t column) {
  bool text = false;
  for (const Row& row : table.rows) {
    const CellKind kind = row.cells[column].kind;
    if (kind != CellKind::kText && kind != CellKind::kEmpty) return false;
    text = text || kind == CellKind::kText;
  }
  return text;
}

std::string row_label(const Table& table, std::size_t row) {
  return table.columns.empty() ? "" : table.cell(row, 0).text;
}

std::optional<int> stated_count(const Table& table, const std::string& fact) {
  const auto found = table.facts.find(fact);
  if (found == table.facts.end()) return std::nullopt;
  const int count = counted(trimmed(found->second));
  return count < 0 ? std::nullopt : std::optional<int>(count);
}

void finish_table(Table& table) {
  for (Row& row : table.rows) row.cells.resize(table.columns.size());
  if (names_rows(table)) {
    for (Row& row : table.rows) {
      if (row.cells[0].kind == CellKind::kNumber) row.cells[0].kind = CellKind::kText;
    }
  }
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const std::string unit = header_unit(table.columns[c].label);
    if (unit.empty()) continue;
    for (Row& row : table.rows) adopt_unit(row.cells[c], unit);
  }
}

std::string file_stem(const std::string& file) {
  const std::size_t slash = file.rfind('/');
  const std::string name = slash == std::string::npos ? file : file.substr(slash + 1);
  return name.substr(0, name.rfind('.'));
}

}  // namespace perfgate::audit
