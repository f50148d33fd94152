// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/parts/column_text.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include "perfgate/base/text/join.h"
#include "perfgate/report/parts/noise_text.h"
#include "perfgate/report/text/format.h"
#include "perfgate/report/text/function_names.h"

namespace perfgate::report {
namespace {

constexpr int kManyRounds = 1000;

std::string range_text(const ColumnVerdict& column) {
  if (!column.rounds_range_lo) return "";
  const std::string from = " (" + std::to_string(*column.rounds_range_lo);
  if (!column.rounds_range_hi) return from + " or more)";
  if (*column.rounds_range_hi > kManyRounds) return from + " to over 1000)";
  return from + " to " + std::to_string(*column.rounds_range_hi) + ")";
}

// The nearer of the two ways out.
std::string more_rounds_text(const ColumnVerdict& column) {
  std::optional<int> rounds = column.rounds_to_pass;
  if (column.rounds_to_fail) {
    rounds = std::min(rounds.value_or(*column.rounds_to_fail), *column.rounds_to_fail);
  }
  if (!rounds) return "";
  if (*rounds > kManyRounds) return "more than 1000 more rounds";
  return "about " + std::to_string(*rounds) + (*rounds == 1 ? " more round" : " more rounds") +
         range_text(column);
}

// The tolerance that a column gets where no rule names it.
double usual_tolerance(const ColumnVerdict& column, const Policy& policy) {
  return is_relative(column.metric.kind) ? policy.tolerance : 0;
}

// "code changed: f, g" with short names. Other texts name no functions, or give a reason.
std::string hot_code_text(const std::string& hot_code) {
  constexpr std::string_view kChanged = "code changed: ";
  if (!hot_code.starts_with(kChanged)) return hot_code;
  return std::string(kChanged) +
         without_signatures(std::string_view(hot_code).substr(kChanged.size()));
}

// "code changed: f and 2 more"
std::string brief_hot_code_text(const std::string& hot_code) {
  std::string text = hot_code_text(hot_code);
  const std::size_t end = text.find(", ");
  if (end == std::string::npos || !text.starts_with("code changed: ")) return text;
  std::size_t more = 0;
  for (std::size_t at = end; at != std::string::npos; at = text.find(", ", at + 1)) ++more;
  return text.substr(0, end) + " and " + std::to_string(more) + " more";
}

std::string tolerance_text(const ColumnVerdict& column, const Policy& policy) {
  if (!column.gated || column.tolerance == usual_tolerance(column, policy)) return "";
  return "tolerance " + format_tolerance(column.tolerance, column.metric);
}

}  // namespace

TableUnit UnitOf(std::span<const ColumnVerdict> columns) {
  std::vector<double> seconds;
  for (const ColumnVerdict& column : columns) {
    if (column.metric.kind != Kind::kTime || column.metric.unit != "s") continue;
    seconds.push_back(column.baseline);
    seconds.push_back(column.candidate);
  }
  return UnitOfTimes(seconds);
}

void append_note(std::string& note, const std::string& part) {
  if (!part.empty()) AppendItem(note, part, "; ");
}

std::string claim_text(int rounds, Claim claim) {
  const bool says_nothing = rounds == 0 || claim == Claim::kNoiseDominated;
  return says_nothing ? "" : std::string(to_string(claim));
}

std::string column_name(const ColumnVerdict& column) {
  return case_and_metric(column.case_name, column.metric);
}

bool has_interval(const ColumnVerdict& column) {
  return std::isfinite(column.effect.lo) && std::isfinite(column.effect.hi);
}

bool has_range(const ColumnVerdict& column) {
  return !has_interval(column) && std::isfinite(column.effect.range_lo) &&
         std::isfinite(column.effect.range_hi);
}

std::string interval_text(const ColumnVerdict& column) {
  const Metric& metric = column.metric;
  if (has_interval(column)) {
    return "[" + format_change_number(column.effect.lo, metric) + ", " +
           format_change_number(column.effect.hi, metric) + "]";
  }
  if (!has_range(column)) return "-";
  std::string range = format_change_number(column.effect.range_lo, metric) + ".." +
                      format_change_number(column.effect.range_hi, metric);
  // One round has no confidence at all, and the two ends are one number.
  if (column.effect.range_confidence <= 0) return range;
  return range + " (" + format_share(column.effect.range_confidence) + ")";
}

std::string interval_label(std::span<const ColumnVerdict> columns) {
  const bool intervals = std::any_of(columns.begin(), columns.end(), has_interval);
  const bool ranges = std::any_of(columns.begin(), columns.end(), has_range);
  if (intervals && ranges) return "CI95 or min..max";
  if (intervals) return "CI95";
  return ranges ? "min..max" : "";
}

std::string interval_legend(std::span<const ColumnVerdict> columns) {
  std::string text;
  if (std::any_of(columns.begin(), columns.end(), has_interval)) {
    text = "CI95, valid after early stopping.";
  }
  if (std::any_of(columns.begin(), columns.end(), has_range)) {
    text += text.empty() ? "" : " ";
    text += "Below 6 rounds: min..max of the rounds and the exact confidence of that range.";
  }
  return text;
}

std::string note_text(const ColumnVerdict& column, const Policy& policy) {
  std::string note;
  append_note(note, column.reason);
  if (column.verdict == Verdict::kRegression && column.p_adjusted) {
    append_note(note, "p " + format_p(*column.p_adjusted));
  }
  if (column.verdict == Verdict::kInconclusive) {
    append_note(note, more_rounds_text(column));
    append_note(note, column.noise_unstable ? "unstable noise" : "");
    if (has_interval(column)) {
      append_note(note, "could hide up to " + format_change(column.effect.hi, column.metric));
    }
  }
  append_note(note, hot_code_text(column.hot_code));
  append_note(note, tolerance_text(column, policy));
  return note;
}

std::string brief_note_text(const ColumnVerdict& column, const Policy& policy) {
  std::string note;
  append_note(note, column.reason);
  append_note(note, brief_hot_code_text(column.hot_code));
  append_note(note, tolerance_text(column, policy));
  return note;
}

}  // namespace perfgate::report
