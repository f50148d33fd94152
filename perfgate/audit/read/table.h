// SPDX-License-Identifier: Apache-2.0
// table.h: a published table with what is said about it, whatever file it came from.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "perfgate/audit/read/cell.h"

namespace perfgate::audit {

enum class Better { kUnknown, kLower, kHigher };

struct Column {
  std::string key;  // of JSON; the label of Markdown
  std::string label;
  Better better = Better::kUnknown;
};

struct Row {
  std::vector<Cell> cells;  // one per column
  int line = 0;             // Markdown
};

// "These cells follow from those", as the file states it.
struct Derived {
  std::string op;
  std::string out;                // a column, for operations per row
  std::vector<std::string> args;  // columns
  std::vector<std::string> rows;  // labels of the rows it is limited to
  std::string row;                // label of the row that is derived, or referred to
  std::vector<std::string> of;    // rows or the column that it is derived from
  std::vector<std::string> columns;
  std::string column, num, den;
  bool exact = false;  // whole numbers are counts, not rounded
  std::string pointer;
};

// A statement published with the table; field values as text.
struct Claim {
  std::string id;
  std::map<std::string, std::vector<std::string>> fields;
  std::string pointer;
  int line = 0;

  bool has(const std::string& name) const { return fields.contains(name); }
  // The only or first value, empty where there is none.
  std::string text(const std::string& name) const;
};

struct Table {
  std::string file;
  std::string id;  // file name without ending where the file states none
  std::string title;
  int line = 0;  // of the header, Markdown
  bool json = false;
  std::string rows_pointer = "/rows";
  std::map<std::string, std::string> facts;  // runs, seeds, tokens, date, ...
  std::vector<Column> columns;
  std::vector<Row> rows;
  std::vector<Derived> derived;
  std::vector<Claim> claims;

  const Cell& cell(std::size_t row, std::size_t column) const { return rows[row].cells[column]; }
};

// By key, then by label, then by the label's slug.
std::optional<std::size_t> find_column(const Table& table, const std::string& name);
// By the text of the first column.
std::optional<std::size_t> find_row(const Table& table, const std::string& label);

// Whether every cell that says anything is text: such columns name rows.
bool is_key_column(const Table& table, std::size_t column);
std::string row_label(const Table& table, std::size_t row);

// A stated count such as runs or tokens.
std::optional<int> stated_count(const Table& table, const std::string& fact);

// Fills short rows, brings units from headers such as "Latency (ms)" into the cells.
void finish_table(Table& table);

// "dir/name.md" -> "name".
std::string file_stem(const std::string& file);

}  // namespace perfgate::audit
