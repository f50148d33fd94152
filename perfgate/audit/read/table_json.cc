// SPDX-License-Identifier: Apache-2.0
#include "perfgate/audit/read/table_json.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "perfgate/base/json/json_cursor.h"

namespace perfgate::audit {
namespace {

using nlohmann::json;

// Empty where the field is absent.
std::string text_at(const JsonCursor& object, std::string_view key) {
  const auto value = object.find(key);
  return value ? json_text(value->json()) : "";
}

std::vector<std::string> text_list(const json& value) {
  std::vector<std::string> list;
  if (value.is_array()) {
    for (const json& item : value) list.push_back(json_text(item));
  } else if (!value.is_null()) {
    list.push_back(json_text(value));
  }
  return list;
}

std::vector<std::string> list_at(const JsonCursor& object, std::string_view key) {
  const auto value = object.find(key);
  return value ? text_list(value->json()) : std::vector<std::string>();
}

std::vector<JsonCursor> elements_at(const JsonCursor& object, std::string_view key) {
  const auto list = object.find(key);
  return list ? list->elements() : std::vector<JsonCursor>();
}

bool equal(double a, double b) {
  return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

// What the cell's own value fields say, where they are not what its text says.
std::string disagreement(const json& object, const Cell& cell) {
  const auto differs = [&](const char* name, double printed) {
    const auto found = object.find(name);
    return found != object.end() && found->is_number() && !equal(found->get<double>(), printed);
  };
  const auto stated = [&](const char* name) {
    return std::string(name) + " " + object.at(name).dump();
  };
  switch (cell.kind) {
    case CellKind::kNumber:
      if (differs("value", cell.number.value)) return stated("value");
      if (cell.has_stdev && differs("stdev", cell.stdev.value)) return stated("stdev");
      if (!cell.number.unit.empty() && object.contains("unit") && object["unit"].is_string() &&
          object["unit"] != cell.number.unit) {
        return stated("unit");
      }
      return {};
    case CellKind::kInterval:
      if (differs("lo", cell.low.value)) return stated("lo");
      if (differs("hi", cell.high.value)) return stated("hi");
      return {};
    case CellKind::kCounts:
      if (differs("wins", cell.wins)) return stated("wins");
      if (differs("losses", cell.losses)) return stated("losses");
      if (differs("ties", cell.ties)) return stated("ties");
      return {};
    default:
      return object.contains("value") && object["value"].is_number() ? stated("value") : "";
  }
}

Cell read_cell(const JsonCursor& cursor) {
  const json& value = cursor.json();
  if (!value.is_object()) return parse_cell(json_text(value));
  const auto stated = cursor.find("unit");
  const std::string unit = stated && stated->json().is_string() ? stated->text() : "";
  const auto text = value.find("text");
  if (text != value.end() && text->is_string()) {
    Cell cell = parse_cell(text->get<std::string>());
    adopt_unit(cell, unit);
    return cell;
  }
  const std::string number =
      json_text(cursor.at("value", R"(expected a cell with "text" or "value")").json());
  return parse_cell(unit.empty() ? number : number + " " + unit);
}

Column read_column(const JsonCursor& value) {
  Column column;
  column.key = value.at("key").text();
  column.label = text_at(value, "label");
  if (column.label.empty()) column.label = column.key;
  const std::string better = text_at(value, "better");
  if (better == "lower") column.better = Better::kLower;
  if (better == "higher") column.better = Better::kHigher;
  return column;
}

Derived read_derived(const JsonCursor& value) {
  Derived derived;
  derived.op = value.at("op").text();
  derived.out = text_at(value, "out");
  derived.args = list_at(value, "args");
  derived.rows = list_at(value, "rows");
  derived.row = text_at(value, "row");
  derived.of = list_at(value, "of");
  derived.columns = list_at(value, "columns");
  derived.column = text_at(value, "column");
  derived.num = text_at(value, "num");
  derived.den = text_at(value, "den");
  derived.exact = value.has("exact") && value.at("exact").boolean();
  derived.pointer = value.pointer();
  return derived;
}

Claim read_claim(const JsonCursor& value, std::size_t number) {
  value.require_object();
  Claim claim;
  claim.pointer = value.pointer();
  for (const auto& [name, field] : value.json().items()) claim.fields[name] = text_list(field);
  claim.id = claim.has("id") ? claim.text("id") : "c" + std::to_string(number);
  return claim;
}

void read_columns(const JsonCursor& document, Table& table, std::set<std::string>& keys) {
  for (const JsonCursor& column : document.at("columns").elements()) {
    table.columns.push_back(read_column(column));
    const std::string& key = table.columns.back().key;
    if (!keys.insert(key).second) {
      column.invalid("the column key \"" + key + "\" appears twice, so cells cannot be told apart");
    }
  }
}

Row read_row(const JsonCursor& value, const Table& table, const std::set<std::string>& keys) {
  value.require_object();
  for (const auto& [key, cell] : value.json().items()) {
    if (!keys.contains(key)) {
      value.at(key).fail("no column has this key; expected one of \"columns\"");
    }
  }
  Row row;
  for (const Column& column : table.columns) {
    row.cells.push_back(value.has(column.key) ? read_cell(value.at(column.key)) : Cell{});
  }
  return row;
}

void find_disagreements(const json& row, std::size_t index, const Table& table,
                        std::vector<Finding>& findings) {
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const auto cell = row.find(table.columns[c].key);
    if (cell == row.end() || !cell->is_object() || !cell->contains("text")) continue;
    const std::string stated = disagreement(*cell, table.cell(index, c));
    if (stated.empty()) continue;
    Finding finding = at_cell(table, index, c);
    finding.kind = Kind::kDataConflict;
    finding.severity = Severity::kHigh;
    finding.recomputed = stated;
    finding.explanation = "the cell's text and its " + stated + " are two values for one cell";
    findings.push_back(std::move(finding));
  }
}

}  // namespace

std::string json_text(const json& value) {
  if (value.is_null()) return "";
  return value.is_string() ? value.get<std::string>() : value.dump();
}

Table read_table_json(const json& json_document, const std::string& file,
                      std::vector<Finding>& findings) {
  const JsonCursor document(json_document, file);
  Table table;
  table.json = true;
  table.file = file;
  table.id = text_at(document, "id");
  if (table.id.empty()) table.id = file_stem(file);
  table.title = text_at(document, "title");
  for (const auto& [name, value] : json_document.items()) {
    if (value.is_primitive()) table.facts[name] = json_text(value);
  }
  std::set<std::string> keys;
  read_columns(document, table, keys);
  const JsonCursor rows = document.at("rows");
  for (const JsonCursor& row : rows.elements()) table.rows.push_back(read_row(row, table, keys));
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    find_disagreements(rows.json()[i], i, table, findings);
  }
  for (const JsonCursor& derived : elements_at(document, "derived")) {
    table.derived.push_back(read_derived(derived));
  }
  for (const JsonCursor& claim : elements_at(document, "claims")) {
    table.claims.push_back(read_claim(claim, table.claims.size() + 1));
  }
  finish_table(table);
  return table;
}

bool is_record_list(const json& document) {
  return document.is_array() && !document.empty() &&
         std::all_of(document.begin(), document.end(), [](const json& record) {
           return record.is_object() && std::all_of(record.begin(), record.end(),
                                                    [](const json& v) { return v.is_primitive(); });
         });
}

Table read_record_list(const json& document, const std::string& file) {
  Table table;
  table.json = true;
  table.file = file;
  table.id = file_stem(file);
  table.rows_pointer.clear();
  std::set<std::string> keys;
  for (const json& record : document) {
    for (const auto& [key, value] : record.items()) keys.insert(key);
  }
  for (const std::string& key : keys) table.columns.push_back({key, key, Better::kUnknown});
  for (const json& record : document) {
    Row row;
    for (const std::string& key : keys) {
      row.cells.push_back(record.contains(key) ? parse_cell(json_text(record[key])) : Cell{});
    }
    table.rows.push_back(std::move(row));
  }
  finish_table(table);
  return table;
}

}  // namespace perfgate::audit
