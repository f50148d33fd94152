// SPDX-License-Identifier: Apache-2.0
#include "perfgate/audit/read/table_json.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "perfgate/base/error.h"

namespace perfgate::audit {
namespace {

using nlohmann::json;

[[noreturn]] void refuse(const std::string& file, const std::string& pointer,
                         const std::string& problem) {
  throw Error(Exit::kData, file + ": " + (pointer.empty() ? "/" : pointer) + ": " + problem);
}

const json& member(const json& object, const std::string& file, const std::string& pointer,
                   const char* name, json::value_t type) {
  const auto found = object.find(name);
  if (found == object.end() || found->type() != type) {
    refuse(file, pointer + "/" + name,
           std::string("expected ") + json(type).type_name() + ", found " +
               (found == object.end() ? "nothing" : found->type_name()));
  }
  return *found;
}

std::string optional_text(const json& object, const char* name) {
  const auto found = object.find(name);
  return found == object.end() ? "" : json_text(*found);
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

std::vector<std::string> optional_list(const json& object, const char* name) {
  const auto found = object.find(name);
  return found == object.end() ? std::vector<std::string>{} : text_list(*found);
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

Cell read_cell(const json& value, const std::string& file, const std::string& pointer) {
  if (!value.is_object()) return parse_cell(json_text(value));
  const auto text = value.find("text");
  if (text != value.end() && text->is_string()) {
    Cell cell = parse_cell(text->get<std::string>());
    const auto unit = value.find("unit");
    if (unit != value.end() && unit->is_string()) adopt_unit(cell, unit->get<std::string>());
    return cell;
  }
  const auto number = value.find("value");
  if (number == value.end()) refuse(file, pointer, "expected a cell with \"text\" or \"value\"");
  return parse_cell(json_text(*number) + (value.contains("unit") && value["unit"].is_string()
                                              ? " " + value["unit"].get<std::string>()
                                              : ""));
}

Column read_column(const json& value, const std::string& file, const std::string& pointer) {
  if (!value.is_object()) refuse(file, pointer, "expected an object with \"key\"");
  Column column;
  column.key = member(value, file, pointer, "key", json::value_t::string).get<std::string>();
  column.label = optional_text(value, "label");
  if (column.label.empty()) column.label = column.key;
  const std::string better = optional_text(value, "better");
  if (better == "lower") column.better = Better::kLower;
  if (better == "higher") column.better = Better::kHigher;
  return column;
}

Derived read_derived(const json& value, const std::string& file, const std::string& pointer) {
  if (!value.is_object()) refuse(file, pointer, "expected an object with \"op\"");
  Derived derived;
  derived.op = member(value, file, pointer, "op", json::value_t::string).get<std::string>();
  derived.out = optional_text(value, "out");
  derived.args = optional_list(value, "args");
  derived.rows = optional_list(value, "rows");
  derived.row = optional_text(value, "row");
  derived.of = optional_list(value, "of");
  derived.columns = optional_list(value, "columns");
  derived.column = optional_text(value, "column");
  derived.num = optional_text(value, "num");
  derived.den = optional_text(value, "den");
  derived.pointer = pointer;
  return derived;
}

Claim read_claim(const json& value, const std::string& file, const std::string& pointer,
                 std::size_t index) {
  if (!value.is_object()) refuse(file, pointer, "expected an object");
  Claim claim;
  claim.pointer = pointer;
  for (const auto& [name, field] : value.items()) claim.fields[name] = text_list(field);
  claim.id = claim.has("id") ? claim.text("id") : "c" + std::to_string(index + 1);
  return claim;
}

}  // namespace

std::string json_text(const json& value) {
  if (value.is_null()) return "";
  return value.is_string() ? value.get<std::string>() : value.dump();
}

Table read_table_json(const json& document, const std::string& file,
                      std::vector<Finding>& findings) {
  Table table;
  table.json = true;
  table.file = file;
  table.id = optional_text(document, "id");
  if (table.id.empty()) table.id = file_stem(file);
  table.title = optional_text(document, "title");
  for (const auto& [name, value] : document.items()) {
    if (value.is_primitive()) table.facts[name] = json_text(value);
  }
  const json& columns = member(document, file, "", "columns", json::value_t::array);
  std::set<std::string> keys;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::string pointer = "/columns/" + std::to_string(i);
    table.columns.push_back(read_column(columns[i], file, pointer));
    if (!keys.insert(table.columns.back().key).second) {
      throw Error(Exit::kInvalid, file + ": " + pointer + ": the column key \"" +
                                      table.columns.back().key +
                                      "\" appears twice, so cells cannot be told apart");
    }
  }
  const json& rows = member(document, file, "", "rows", json::value_t::array);
  std::vector<std::pair<std::size_t, std::string>> disagreements;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string pointer = "/rows/" + std::to_string(i);
    if (!rows[i].is_object()) refuse(file, pointer, "expected an object of cells");
    for (const auto& [key, value] : rows[i].items()) {
      if (keys.count(key) == 0) {
        refuse(file, pointer + "/" + key, "no column has this key; expected one of \"columns\"");
      }
    }
    Row row;
    for (const Column& column : table.columns) {
      const auto cell = rows[i].find(column.key);
      row.cells.push_back(
          cell == rows[i].end() ? Cell{} : read_cell(*cell, file, pointer + "/" + column.key));
    }
    table.rows.push_back(std::move(row));
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const auto cell = rows[i].find(table.columns[c].key);
      if (cell == rows[i].end() || !cell->is_object() || !cell->contains("text")) continue;
      const std::string stated = disagreement(*cell, table.cell(i, c));
      if (stated.empty()) continue;
      Finding finding = at_cell(table, i, c);
      finding.kind = Kind::kDataConflict;
      finding.severity = Severity::kHigh;
      finding.recomputed = stated;
      finding.explanation = "the cell's text and its " + stated + " are two values for one cell";
      findings.push_back(std::move(finding));
    }
  }
  const json none = json::array();
  const auto list = [&](const char* name) -> const json& {
    if (!document.contains(name) || document[name].is_null()) return none;
    return member(document, file, "", name, json::value_t::array);
  };
  const json& derived = list("derived");
  for (std::size_t i = 0; i < derived.size(); ++i) {
    table.derived.push_back(read_derived(derived[i], file, "/derived/" + std::to_string(i)));
  }
  const json& claims = list("claims");
  for (std::size_t i = 0; i < claims.size(); ++i) {
    table.claims.push_back(read_claim(claims[i], file, "/claims/" + std::to_string(i), i));
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
