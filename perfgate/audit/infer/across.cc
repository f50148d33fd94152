// SPDX-License-Identifier: Apache-2.0
// The part of table_relations.h that looks at two tables at a time.
#include <algorithm>
#include <set>

#include "perfgate/audit/infer/candidates.h"
#include "perfgate/audit/infer/infer.h"
#include "perfgate/audit/infer/table_relations.h"
#include "perfgate/audit/read/words.h"

namespace perfgate::audit {
namespace {

using Key = std::vector<std::string>;

std::vector<std::size_t> key_columns(const Table& table) {
  std::vector<std::size_t> columns;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (is_key_column(table, c)) columns.push_back(c);
  }
  return columns;
}

Key labels_of(const Table& table, const std::vector<std::size_t>& columns) {
  Key labels;
  for (const std::size_t column : columns) labels.push_back(slug(table.columns[column].label));
  return labels;
}

Key key_of(const Table& table, const std::vector<std::size_t>& columns, std::size_t row) {
  Key key;
  for (const std::size_t column : columns) key.push_back(table.cell(row, column).text);
  return key;
}

// Rows by key; a key that stands twice identifies nothing.
std::map<Key, std::size_t> index_of(const Table& table, const std::vector<std::size_t>& columns) {
  std::map<Key, std::size_t> index;
  std::set<Key> twice;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const Key key = key_of(table, columns, row);
    if (std::any_of(key.begin(), key.end(),
                    [](const auto& part) { return words_of(part).empty(); })) {
      continue;
    }
    if (!index.emplace(key, row).second) twice.insert(key);
  }
  for (const Key& key : twice) index.erase(key);
  return index;
}

// The first table with the second one's columns beside it; rows that only one of them has stay
// without.
struct Joined {
  Table table;
  std::vector<std::size_t> own;
  std::vector<std::size_t> foreign;
  std::size_t matched = 0;
};

Joined join(const Table& first, const Table& second) {
  Joined joined{first, {}, {}, 0};
  const std::vector<std::size_t> keys = key_columns(first);
  const std::vector<std::size_t> others = key_columns(second);
  if (keys.empty() || labels_of(first, keys) != labels_of(second, others)) return joined;
  const std::map<Key, std::size_t> own = index_of(first, keys);
  const std::map<Key, std::size_t> index = index_of(second, others);
  for (const std::size_t column : numeric_columns(first)) joined.own.push_back(column);
  std::vector<std::size_t> numeric = numeric_columns(second);
  for (const std::size_t column : numeric) {
    joined.foreign.push_back(joined.table.columns.size());
    Column copy = second.columns[column];
    copy.label = second.id + ": " + copy.label;
    joined.table.columns.push_back(std::move(copy));
  }
  for (std::size_t row = 0; row < first.rows.size(); ++row) {
    const Key key = key_of(first, keys, row);
    const auto found = own.contains(key) ? index.find(key) : index.end();
    if (found != index.end()) ++joined.matched;
    for (const std::size_t column : numeric) {
      joined.table.rows[row].cells.push_back(
          found == index.end() ? Cell{} : second.cell(found->second, column));
    }
  }
  return joined;
}

void check_pair(const Table& first, const Table& second, AuditResult& result) {
  constexpr std::size_t kFewestRows = 3;
  const Joined joined = join(first, second);
  if (joined.matched < kFewestRows || joined.own.empty() || joined.foreign.empty()) return;
  for (const Inferred& found : infer_relations(joined.table, {joined.own, joined.foreign, true})) {
    if (found.support.holds.size() < kFewestRows) continue;
    ++result.checked.relations;
    for (const std::size_t row : found.broken) {
      Finding finding = at_cell(first, row, found.relation.out);
      finding.kind = Kind::kDataConflict;
      finding.severity = Severity::kHigh;
      finding.recomputed = range_text(*allowed_at(joined.table, found.relation, row),
                                      first.cell(row, found.relation.out).number);
      finding.explanation = formula(joined.table, found.relation) + " holds in " +
                            std::to_string(found.support.holds.size()) + " rows; here " +
                            with_numbers(joined.table, found.relation, row);
      result.findings.push_back(std::move(finding));
    }
  }
}

// Two files of one table.
void check_same(const Table& first, const Table& second, AuditResult& result) {
  const std::string files = first.file + " and " + second.file + " have the same table";
  if (first.rows.size() != second.rows.size() || first.columns.size() != second.columns.size()) {
    Finding finding = at_table(second);
    finding.kind = Kind::kDataConflict;
    finding.severity = Severity::kHigh;
    finding.published = std::to_string(second.rows.size()) + " rows";
    finding.recomputed = std::to_string(first.rows.size()) + " rows";
    finding.explanation = files + " with other rows or columns";
    result.findings.push_back(std::move(finding));
    return;
  }
  for (std::size_t row = 0; row < first.rows.size(); ++row) {
    for (std::size_t column = 0; column < first.columns.size(); ++column) {
      if (first.cell(row, column).text == second.cell(row, column).text) continue;
      Finding finding = at_cell(second, row, column);
      finding.kind = Kind::kDataConflict;
      finding.severity = Severity::kHigh;
      finding.recomputed = first.cell(row, column).text;
      finding.explanation = files + " with two values of one cell";
      result.findings.push_back(std::move(finding));
    }
  }
}

}  // namespace

void check_across(const std::vector<Table>& tables, AuditResult& result) {
  constexpr std::size_t kMostTables = 100;
  if (tables.size() > kMostTables) {
    result.notes.push_back("more than " + std::to_string(kMostTables) +
                           " tables: they were not compared with each other");
    return;
  }
  for (const Table& first : tables) {
    for (const Table& second : tables) {
      if (&first == &second) continue;
      if (first.id != second.id || first.file == second.file) {
        check_pair(first, second, result);
      } else if (&first < &second) {
        check_same(first, second, result);
      }
    }
  }
}

}  // namespace perfgate::audit
