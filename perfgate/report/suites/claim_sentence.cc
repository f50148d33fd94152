// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/suites/claim_sentence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "perfgate/report/parts/column_text.h"
#include "perfgate/report/parts/noise_text.h"
#include "perfgate/report/text/format.h"

namespace perfgate::report {
namespace {

std::string WordOf(std::string_view word) {
  std::string text(word);
  std::ranges::replace(text, '_', ' ');
  return text;
}

// "is 5.02 % slower", "was measured 3 B worse"; only times are slower or faster.
std::string ChangeText(const ColumnVerdict& column) {
  const double effect = column.effect.estimate;
  const std::string text = format_change(effect, column.metric);
  const bool time = column.metric.kind == Kind::kTime;
  const bool nothing = text.find_first_of("123456789") == std::string::npos;
  // What the interval does not bear out was only measured.
  const bool claimed = column.claim == Claim::kStrong || column.claim == Claim::kDirectional;
  const std::string verb = claimed ? "is " : "was measured ";
  if (nothing) return verb + "unchanged";
  const char* word = effect > 0 ? (time ? "slower" : "worse") : (time ? "faster" : "better");
  return verb + text.substr(1) + " " + word;
}

std::string EvidenceText(const ColumnVerdict& column) {
  std::string text;
  if (has_interval(column)) {
    text = "95 % interval " + format_change(column.effect.lo, column.metric) + " to " +
           format_change(column.effect.hi, column.metric);
  } else if (has_range(column)) {
    text = "no interval below 6 rounds; rounds from " +
           format_change(column.effect.range_lo, column.metric) + " to " +
           format_change(column.effect.range_hi, column.metric);
  } else {
    text = "no interval";
  }
  text += ", n = " + counted(column.rounds, "round");
  if (column.p_adjusted) {
    const std::string p = format_p(*column.p_adjusted);
    text += p.starts_with("<") ? ", p " + p : ", p = " + p;
  }
  return text + ", tolerance " + format_tolerance(column.tolerance, column.metric);
}

}  // namespace

std::string ClaimSentence(const ColumnVerdict& column) {
  const std::string name = column_name(column);
  const std::string verdict =
      WordOf(to_string(column.verdict)) + (column.gated ? "" : ", not gated");
  if (!std::isfinite(column.effect.estimate)) {
    return name + " was not measured: " + verdict +
           (column.reason.empty() ? "." : ", " + column.reason + ".");
  }
  std::string text = fmt::format("{} {} ({}): {}, claim {}", name, ChangeText(column),
                                 EvidenceText(column), verdict, WordOf(to_string(column.claim)));
  if (!column.reason.empty()) text += ", " + column.reason;
  return text + ".";
}

}  // namespace perfgate::report
