// SPDX-License-Identifier: Apache-2.0
// One derived number of the published tables is changed by more than rounding, at random; the audit
// has to find it, in the JSON (where relations are declared) and in the Markdown (where they are
// not). What counts as more than rounding is computed here, from the corners of the operands.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <set>

#include "perfgate/base/io/read_file.h"
#include "tests/perfgate/audit/fixtures.h"

namespace perfgate::audit {
namespace {

using fixtures::json;

struct Bounds {
  double lo = INFINITY;
  double hi = -INFINITY;
};

struct Operand {
  double value;
  double half;
};

// Extremes of an expression over the corners of its operands: no interval arithmetic.
Bounds over_corners(const std::vector<Operand>& operands,
                    const std::function<double(const std::vector<double>&)>& result) {
  Bounds bounds;
  std::vector<double> values(operands.size());
  for (std::size_t corner = 0; corner < (std::size_t{1} << operands.size()); ++corner) {
    for (std::size_t i = 0; i < operands.size(); ++i) {
      values[i] = operands[i].value + (((corner >> i) & 1U) != 0 ? 1 : -1) * operands[i].half;
    }
    bounds.lo = std::min(bounds.lo, result(values));
    bounds.hi = std::max(bounds.hi, result(values));
  }
  return bounds;
}

double ratio(const std::vector<double>& v) { return v[0] / v[1]; }
double difference(const std::vector<double>& v) { return v[0] - v[1]; }
double sum(const std::vector<double>& v) {
  double total = 0;
  for (const double value : v) total += value;
  return total;
}
double mean(const std::vector<double>& v) { return sum(v) / static_cast<double>(v.size()); }

bool is_number(const json& cell) { return cell.contains("decimals") && cell.contains("value"); }

Operand operand(const json& cell) {
  return {cell["value"], 0.5 * std::pow(10.0, -cell["decimals"].get<int>())};
}

int decimals_of(const std::string& text) {
  const std::size_t point = text.find('.');
  return point == std::string::npos ? 0 : static_cast<int>(text.size() - point - 1);
}

// One printed number that follows from others.
struct Target {
  std::string file;
  std::size_t row = 0;
  std::string column;  // empty for claims
  std::size_t claim = 0;
  std::string text;  // the number alone
  double value = 0;
  int decimals = 0;
  std::vector<Bounds> allowed;
};

std::string first_cell(const json& table, const json& row) {
  return row[table["columns"][0]["key"].get<std::string>()]["text"];
}

const json& row_called(const json& table, const std::string& label) {
  for (const json& row : table["rows"]) {
    if (first_cell(table, row) == label) return row;
  }
  throw std::logic_error("no row " + label);
}

void bounds_of_cell(const json& table, const json& row, const std::string& column,
                    std::vector<Bounds>& bounds) {
  for (const json& derived : table["derived"]) {
    const std::string op = derived["op"];
    std::vector<Operand> operands;
    if (op == "mean_of_rows") {
      const auto& columns = derived["columns"];
      if (derived["row"] != first_cell(table, row) ||
          std::find(columns.begin(), columns.end(), column) == columns.end()) {
        continue;
      }
      for (const json& label : derived["of"])
        operands.push_back(operand(row_called(table, label)[column]));
      bounds.push_back(over_corners(operands, mean));
    } else if (op == "ratio_of_rows") {
      if (derived["row"] != first_cell(table, row) || derived["column"] != column) continue;
      for (const char* side : {"num", "den"}) {
        operands.push_back(operand(row_called(table, derived[side])[column]));
      }
      bounds.push_back(over_corners(operands, ratio));
    } else if (op == "ratio_to_row") {
      const std::string of = derived["of"];
      if (derived["out"] != column) continue;
      operands = {operand(row[of]), operand(row_called(table, derived["row"])[of])};
      bounds.push_back(over_corners(operands, ratio));
    } else {
      if (derived["out"] != column) continue;
      if (derived.contains("rows")) {
        const auto& rows = derived["rows"];
        if (std::find(rows.begin(), rows.end(), first_cell(table, row)) == rows.end()) continue;
      }
      bool numbers = true;
      for (const json& arg : derived["args"]) {
        const json& cell = row[arg.get<std::string>()];
        numbers = numbers && is_number(cell);
        if (numbers) operands.push_back(operand(cell));
      }
      if (!numbers) continue;
      bounds.push_back(over_corners(operands, op == "ratio"  ? ratio
                                              : op == "diff" ? difference
                                              : op == "mean" ? mean
                                                             : sum));
    }
  }
}

std::string number_in(const std::string& text) {
  const std::size_t begin = text.find_first_of("0123456789");
  const std::size_t end = text.find_first_not_of("0123456789.", begin);
  const bool minus = begin > 0 && text[begin - 1] == '-';
  return (minus ? "-" : "") + text.substr(begin, end - begin);
}

std::vector<Target> all_targets() {
  std::vector<Target> targets;
  for (const std::string& file : fixtures::table_files(".json")) {
    const json table = json::parse(read_file_text(fixtures::path_of(file)));
    for (std::size_t i = 0; i < table["rows"].size(); ++i) {
      for (const json& column : table["columns"]) {
        const std::string key = column["key"];
        const json& cell = table["rows"][i][key];
        if (!is_number(cell)) continue;
        Target target{file, i, key, 0, number_in(cell["text"]), cell["value"], cell["decimals"],
                      {}};
        bounds_of_cell(table, table["rows"][i], key, target.allowed);
        if (!target.allowed.empty()) targets.push_back(target);
      }
    }
    for (std::size_t i = 0; i < table["claims"].size(); ++i) {
      const json& claim = table["claims"][i];
      if (!claim.contains("op") || claim["op"] != "ratio") continue;
      std::vector<Operand> operands;
      for (const std::string arg : claim["args"]) {
        operands.push_back({std::stod(arg), 0.5 * std::pow(10.0, -decimals_of(arg))});
      }
      const std::string value = claim["value"];
      targets.push_back({file,
                         0,
                         "",
                         i,
                         value,
                         std::stod(value),
                         decimals_of(value),
                         {over_corners(operands, ratio)}});
    }
  }
  return targets;
}

std::string printed(double value, int decimals) {
  std::array<char, 64> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.*f", decimals, value);
  return buffer.data();
}

using Random = std::mt19937_64;

// Slips that happen: digits exchanged or mistyped, a stale value, a factor, a lost sign.
std::string mutated(const Target& target, Random& random) {
  std::string text = target.text;
  const auto pick = [&](std::size_t count) { return random() % count; };
  switch (pick(5)) {
    case 0: {
      constexpr std::array kFactors = {0.5, 0.8, 0.9, 0.95, 1.02, 1.05, 1.1, 1.3, 2.0, 10.0};
      return printed(target.value * kFactors[pick(kFactors.size())], target.decimals);
    }
    case 1:
    case 2: {
      const std::size_t at = pick(text.size());
      if (text[at] >= '0' && text[at] <= '9') text[at] = static_cast<char>('0' + pick(10));
      return text;
    }
    case 3: {
      const std::size_t at = pick(text.size() - 1);
      if (text[at] != '.' && text[at + 1] != '.' && text[at] != '-')
        std::swap(text[at], text[at + 1]);
      return text;
    }
    default: {
      const double steps = static_cast<double>(2 + pick(30)) * (pick(2) == 0 ? 1 : -1);
      return printed(target.value + steps * std::pow(10.0, -target.decimals), target.decimals);
    }
  }
}

bool beyond_rounding(const Target& target, const std::string& text) {
  const double value = std::stod(text);
  const double half = 0.5 * std::pow(10.0, -target.decimals);
  return std::any_of(target.allowed.begin(), target.allowed.end(), [&](const Bounds& bounds) {
    return value < bounds.lo - half * 1.000001 || value > bounds.hi + half * 1.000001;
  });
}

std::string in_json(const Target& target, const std::string& text) {
  json table = json::parse(read_file_text(fixtures::path_of(target.file)));
  if (target.column.empty()) {
    table["claims"][target.claim]["value"] = text;
  } else {
    json& cell = table["rows"][target.row][target.column];
    std::string whole = cell["text"];
    whole.replace(whole.find(target.text), target.text.size(), text);
    cell["text"] = whole;
    cell["value"] = std::stod(text);
  }
  return table.dump(1);
}

std::size_t offset_of_line(const std::string& text, int line) {
  std::size_t at = 0;
  for (int i = 1; i < line; ++i) at = text.find('\n', at) + 1;
  return at;
}

// The cell's own line, and in it the cell: other cells may print the same digits.
std::string in_markdown(const Target& target, const std::string& text) {
  const std::string file = target.file.substr(0, target.file.size() - 4) + "md";
  std::string source = read_file_text(fixtures::path_of(file));
  std::vector<Finding> ignored;
  const Table table = read_markdown(source, file, ignored).tables.at(0);
  const json original = json::parse(read_file_text(fixtures::path_of(target.file)));
  if (target.column.empty()) {
    const std::size_t line = offset_of_line(source, table.claims.at(target.claim).line);
    const std::string value = "value=" + target.text;
    source.replace(source.find(value, line), value.size(), "value=" + text);
    return source;
  }
  std::size_t at = offset_of_line(source, table.rows.at(target.row).line);
  if (source[at] == '|') ++at;
  for (const json& column : original["columns"]) {
    if (column["key"] == target.column) break;
    at = source.find('|', at) + 1;
  }
  return source.replace(source.find(target.text, at), target.text.size(), text);
}

using Key = std::tuple<int, std::string, std::string, std::string, std::string>;

std::set<Key> keys_of(const std::string& file, const std::string& text) {
  AuditInput input;
  read_audit_text(file, text, input);
  std::set<Key> keys;
  for (const Finding& finding : audit(input).findings) {
    keys.insert({finding.row, finding.column, finding.claim, std::string(word_of(finding.kind)),
                 finding.recomputed});
  }
  return keys;
}

struct Score {
  int found = 0;
  int in_place = 0;
  std::string missed;
};

Score score(const std::string& ending, int count, std::uint64_t seed) {
  const std::vector<Target> targets = all_targets();
  EXPECT_GE(targets.size(), 70U);
  Random random(seed);
  Score result;
  for (int tried = 0; tried < count;) {
    const Target& target = targets[random() % targets.size()];
    const std::string text = mutated(target, random);
    if (text == target.text || !beyond_rounding(target, text)) continue;
    ++tried;
    const std::string file = target.file.substr(0, target.file.size() - 5) + ending;
    const std::set<Key> before = keys_of(file, read_file_text(fixtures::path_of(file)));
    const std::string changed =
        ending == ".json" ? in_json(target, text) : in_markdown(target, text);
    bool found = false;
    bool in_place = false;
    for (const Key& key : keys_of(file, changed)) {
      if (before.count(key) != 0) continue;
      found = true;
      in_place = in_place ||
                 (target.column.empty() ? std::get<2>(key) == "c" + std::to_string(target.claim + 1)
                                        : std::get<0>(key) == static_cast<int>(target.row) + 1);
    }
    result.found += found ? 1 : 0;
    result.in_place += in_place ? 1 : 0;
    if (!found) {
      result.missed += file + " row " + std::to_string(target.row + 1) + " " + target.column +
                       ": " + target.text + " -> " + text + "\n";
    }
  }
  return result;
}

constexpr int kMutations = 500;
constexpr int kAtLeast = 475;

TEST(Mutations, AreFoundWhereRelationsAreDeclared) {
  const Score result = score(".json", kMutations, 20260304);
  EXPECT_GE(result.found, kAtLeast) << result.missed;
  EXPECT_GE(result.in_place, kAtLeast);
  RecordProperty("found", result.found);
}

TEST(Mutations, AreFoundWhereRelationsMustBeInferred) {
  const Score result = score(".md", kMutations, 20260305);
  EXPECT_GE(result.found, kAtLeast) << result.missed;
  EXPECT_GE(result.in_place, kAtLeast);
  RecordProperty("found", result.found);
}

}  // namespace
}  // namespace perfgate::audit
