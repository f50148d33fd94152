// SPDX-License-Identifier: Apache-2.0
#include "perfgate/audit/check/claim_wording.h"

#include <algorithm>
#include <array>
#include <span>

#include "perfgate/audit/check/table_checks.h"
#include "perfgate/audit/infer/candidates.h"
#include "perfgate/audit/read/words.h"
#include "perfgate/base/text/join.h"

namespace perfgate::audit {
namespace {

Finding claim_finding(const Table& table, const Claim& claim, Kind kind, Severity severity,
                      std::string published, std::string recomputed, std::string explanation) {
  return found(at_claim(table, claim), kind, severity, std::move(published), std::move(recomputed),
               std::move(explanation));
}

std::string all_words(const Claim& claim) {
  std::string text;
  for (const char* name : {"class", "verdict", "value", "metric"}) {
    text += claim.text(name) + " ";
  }
  return text;
}

// An effect is claimed for the whole table: no row's interval may hold "no difference".
bool check_effect(const Table& table, const Claim& claim, AuditResult& result) {
  const std::string words =
      claim.text("class") + " " + claim.text("verdict") + " " + claim.text("value");
  if (claim.has("op") || !claims_effect(words)) return false;
  bool any = false;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const double none = no_effect(table, c);
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      const Cell& cell = table.cell(row, c);
      if (cell.kind != CellKind::kInterval && !cell.has_interval) continue;
      any = true;
      if (cell.low.value > none || cell.high.value < none) continue;
      Finding finding = at_cell(table, row, c);
      finding.kind = Kind::kCi;
      finding.severity = Severity::kHigh;
      finding.recomputed = "interval includes " + number_text(none, 0.5);
      finding.explanation = "claim " + claim.id + " says \"" + claim.text("value") +
                            "\", which an interval with no effect in it does not support";
      result.findings.push_back(std::move(finding));
    }
  }
  return any;
}

bool check_stability(const Table& table, const Claim& claim, AuditResult& result) {
  constexpr std::array<std::string_view, 6> kWords = {"stable",       "stability",  "consistent",
                                                      "reproducible", "repeatable", "robust"};
  const std::vector<std::string> words = words_of(all_words(claim));
  if (std::none_of(words.begin(), words.end(), [&](const std::string& word) {
        return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
      })) {
    return false;
  }
  if (!has_dispersion(table) && !claim.has("stdev")) {
    const std::optional<int> runs = stated_count(table, "runs");
    result.findings.push_back(claim_finding(
        table, claim, Kind::kClaimSupport, Severity::kLow, claim.text("value"),
        "no dispersion given" + (runs ? " for " + std::to_string(*runs) + " runs" : std::string()),
        "stability cannot be seen in means alone"));
  }
  return true;
}

// Parts per step against the smallest printed total that can hold them.
bool check_dominant(const Table& table, const Claim& claim, AuditResult& result) {
  constexpr double kSmallRest = 1.0 / 3;
  if (!claim.has("value") || !mentions(claim.text("metric"), "dominant")) return false;
  std::vector<std::size_t> parts;
  bool per_step = true;
  for (const std::string& name : claim.fields.at("value")) {
    const std::optional<std::size_t> column = find_column(table, name);
    if (!column) return false;
    parts.push_back(*column);
    per_step = per_step && lower(name).find("step") != std::string::npos;
  }
  const std::optional<int> tokens = stated_count(table, "tokens");
  // The first token comes from the prompt, every further one from a step.
  const double steps = per_step && tokens && *tokens > 1 ? *tokens - 1 : 1;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    double sum = 0;
    for (const std::size_t part : parts) {
      const Cell& cell = table.cell(row, part);
      if (cell.kind != CellKind::kNumber) return false;
      sum += cell.number.value * cell.number.scale * steps;
    }
    const PrintedNumber* whole = nullptr;
    for (const std::size_t column : numeric_columns(table)) {
      const Cell& cell = table.cell(row, column);
      if (cell.kind != CellKind::kNumber ||
          std::find(parts.begin(), parts.end(), column) != parts.end() ||
          cell.number.dimension != table.cell(row, parts[0]).number.dimension ||
          cell.number.value * cell.number.scale < sum) {
        continue;
      }
      if (whole == nullptr || cell.number.value * cell.number.scale < whole->value * whole->scale) {
        whole = &cell.number;
      }
    }
    if (whole == nullptr) return false;
    const double rest = 1 - sum / (whole->value * whole->scale);
    if (rest <= kSmallRest) continue;
    result.findings.push_back(claim_finding(
        table, claim, Kind::kClaimSupport, Severity::kLow,
        std::to_string(parts.size()) + " dominant stages",
        number_text(sum / whole->scale, 0.5) + " of " +
            number_text(whole->value, whole->half_unit) + " " + whole->unit + ": " +
            number_text(100 * rest, 0.5) + "% not attributed",
        row_label(table, row) + ": the named parts" +
            (steps > 1 ? " times " + number_text(steps, 0.5) + " steps" : std::string()) +
            " leave too much of the whole"));
    return true;
  }
  return true;
}

bool printed_in(const std::string& text, std::span<const Table> tables) {
  PrintedNumber wanted;
  if (!parse_printed_number(text, wanted)) return true;
  for (const Table& table : tables) {
    for (const Row& row : table.rows) {
      for (const Cell& cell : row.cells) {
        if (cell.kind == CellKind::kNumber && cell.number.value == wanted.value) return true;
      }
    }
  }
  return false;
}

// A claim about this table whose operands are not all in it has kept an old value, or the table
// has.
bool check_operands(const Table& table, const Claim& claim, AuditResult& result) {
  if (!claim.has("op") || !claim.has("args")) return false;
  std::string absent;
  std::size_t missing = 0;
  for (const std::string& arg : claim.fields.at("args")) {
    if (printed_in(arg, std::span(&table, 1))) continue;
    ++missing;
    AppendItem(absent, arg);
  }
  if (missing == 0 || missing == claim.fields.at("args").size()) return false;
  result.findings.push_back(claim_finding(
      table, claim, Kind::kDataConflict, Severity::kMedium, "operand " + absent, "not in the table",
      "the claim's other operand is in the table, this one is not"));
  return true;
}

// "improved" from two numbers that no audited table has: nothing says what they were measured on.
bool check_origin(const Table& table, const Claim& claim, const std::vector<Table>& tables,
                  AuditResult& result) {
  if (!claim.has("op") || !claim.has("args") || !claims_effect(all_words(claim))) return false;
  std::string numbers;
  for (const std::string& arg : claim.fields.at("args")) {
    if (printed_in(arg, tables)) return true;
    numbers += (numbers.empty() ? "" : " to ") + arg;
  }
  std::string own;
  const std::vector<std::string> metric = words_of(claim.text("metric"));
  for (std::size_t c = 1; c < table.columns.size() && !metric.empty(); ++c) {
    if (slug(table.columns[c].label) != metric.front()) continue;
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      for (const std::string& word : metric) {
        if (word != metric.front() && mentions(row_label(table, row), word)) {
          own = "; the table has " + table.cell(row, c).text + " for " + row_label(table, row);
        }
      }
    }
  }
  result.findings.push_back(claim_finding(
      table, claim, Kind::kComparability, Severity::kLow, claim.text("verdict") + " " + numbers,
      "operands in no table" + own,
      "neither value is published with its conditions, so nothing says that they compare"));
  return true;
}

}  // namespace

bool has_dispersion(const Table& table) {
  return std::any_of(table.rows.begin(), table.rows.end(), [](const Row& row) {
    return std::any_of(row.cells.begin(), row.cells.end(), [](const Cell& cell) {
      return cell.has_stdev || cell.has_interval || cell.kind == CellKind::kInterval;
    });
  });
}

bool check_claim_wording(const Table& table, const Claim& claim, const std::vector<Table>& tables,
                         AuditResult& result) {
  const bool effect = check_effect(table, claim, result);
  const bool stability = check_stability(table, claim, result);
  const bool dominant = check_dominant(table, claim, result);
  const bool origin = check_origin(table, claim, tables, result);
  const bool operands = check_operands(table, claim, result);
  const bool winner = check_winner_claim(table, claim, result);
  return effect || stability || dominant || origin || operands || winner;
}

}  // namespace perfgate::audit
