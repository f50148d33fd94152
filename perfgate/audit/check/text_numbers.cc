// SPDX-License-Identifier: Apache-2.0
#include "perfgate/audit/check/text_numbers.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "perfgate/audit/read/printed_number.h"
#include "perfgate/audit/read/words.h"
#include "perfgate/stats/estimate/proportion.h"

namespace perfgate::audit {
namespace {

constexpr std::size_t kMostDigits = 9;

std::optional<std::uint64_t> whole(std::string_view text) {
  if (text.empty() || text.size() > kMostDigits ||
      !std::all_of(text.begin(), text.end(), is_digit)) {
    return std::nullopt;
  }
  return std::stoull(std::string(text));
}

// The number of a term, "three-way 13": words that start with a letter, then a whole number. A term
// with an operator or with another number in it is none.
std::optional<std::uint64_t> term_of(std::string_view text) {
  const std::size_t begin = text.find_last_of(":;,.()=");
  if (begin != std::string_view::npos) text.remove_prefix(begin + 1);
  text = trimmed(text);
  const std::size_t blank = text.find_last_of(' ');
  if (blank == std::string_view::npos) return whole(text);
  for (std::size_t at = 0; at < blank; at = std::min(text.find(' ', at), blank) + 1) {
    const char c = text[at];
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))) return std::nullopt;
  }
  return whole(text.substr(blank + 1));
}

// Digits in front of `end`, or behind `begin`.
std::string_view digits_before(std::string_view text, std::size_t end) {
  std::size_t begin = end;
  while (begin > 0 && is_digit(text[begin - 1])) --begin;
  return text.substr(begin, end - begin);
}

std::string_view digits_from(std::string_view text, std::size_t begin) {
  std::size_t end = begin;
  while (end < text.size() && is_digit(text[end])) ++end;
  return text.substr(begin, end - begin);
}

Range interval_end(const PrintedNumber& number) {
  return {number.value - number.half_unit, number.value + number.half_unit};
}

struct Proportion {
  std::uint64_t successes = 0;
  std::uint64_t trials = 0;
  std::string_view counts;    // "5/33"
  std::string_view interval;  // "5.1, 31.9"
};

// What stands around the slash at `slash`: none unless it is "k/n (s %) [lo, hi]". Brackets may be
// escaped as Markdown does.
std::optional<Proportion> proportion_at(std::string_view text, std::size_t slash) {
  const std::string_view k = digits_before(text, slash);
  const std::string_view n = digits_from(text, slash + 1);
  const auto successes = whole(k);
  const auto trials = whole(n);
  if (!successes || !trials || *trials == 0 || *successes > *trials) return std::nullopt;
  std::size_t at = slash + 1 + n.size();
  if (text.substr(at, 2) != " (") return std::nullopt;
  const std::size_t shut = text.find(')', at);
  if (shut == std::string_view::npos || text[shut - 1] != '%') return std::nullopt;
  at = shut + 1;
  if (text.substr(at, 1) != " ") return std::nullopt;
  ++at;
  if (text.substr(at, 1) == "\\") ++at;
  if (text.substr(at, 1) != "[") return std::nullopt;
  const std::size_t end = text.find(']', at);
  if (end == std::string_view::npos) return std::nullopt;
  std::string_view inside = text.substr(at + 1, end - at - 1);
  if (inside.ends_with('\\')) inside.remove_suffix(1);
  return Proportion{*successes, *trials, text.substr(slash - k.size(), k.size() + 1 + n.size()),
                    inside};
}

void check_proportion(const Proportion& proportion, Finding place, AuditResult& result) {
  const std::size_t comma = proportion.interval.find(", ");
  PrintedNumber low;
  PrintedNumber high;
  if (comma == std::string_view::npos ||
      !parse_printed_number(proportion.interval.substr(0, comma), low) ||
      !parse_printed_number(proportion.interval.substr(comma + 2), high)) {
    return;
  }
  ++result.checked.cells_derived;
  const auto exact = stats::clopper_pearson(proportion.successes, proportion.trials);
  const Range lo{100 * exact.lo, 100 * exact.lo};
  const Range hi{100 * exact.hi, 100 * exact.hi};
  if (touch(lo, interval_end(low)) && touch(hi, interval_end(high))) return;
  place.kind = Kind::kCi;
  place.severity = Severity::kHigh;
  place.published = std::string(proportion.counts) + " [" + std::string(proportion.interval) + "]";
  place.recomputed =
      "[" + number_text(lo.lo, low.half_unit) + ", " + number_text(hi.lo, high.half_unit) + "] %";
  place.explanation = "not the exact binomial interval at 95 % of these counts";
  result.findings.push_back(std::move(place));
}

// The chain of terms that ends at the equals sign: the sum of their numbers; none where a term has
// no whole number at its end.
std::optional<std::uint64_t> sum_before(std::string_view text, std::size_t equals) {
  std::uint64_t sum = 0;
  std::string_view rest = text.substr(0, equals);
  for (std::size_t terms = 1;; ++terms) {
    const std::size_t plus = rest.rfind(" + ");
    const auto number = term_of(plus == std::string_view::npos ? rest : rest.substr(plus + 3));
    if (!number) return std::nullopt;
    sum += *number;
    const std::size_t other = rest.find_last_of(":;,.()=*/");
    // A colon, a bracket or another operation ends the chain.
    if (plus == std::string_view::npos || (other != std::string_view::npos && other > plus)) {
      // "n = 3" is no sum; ": win 3 = 3" is one of a single term.
      const std::size_t colon = rest.rfind(": ");
      const bool named = colon != std::string_view::npos && colon == other &&
                         trimmed(rest.substr(colon + 1)).find(' ') != std::string_view::npos;
      return terms < 2 && !named ? std::nullopt : std::optional(sum);
    }
    rest = rest.substr(0, plus);
  }
}

}  // namespace

bool names_exact_binomial(std::string_view text) {
  return lower(text).find("exact binomial 95 %") != std::string::npos;
}

void check_text_sums(std::string_view text, const Finding& place, AuditResult& result) {
  constexpr std::string_view kEquals = " = ";
  for (std::size_t at = text.find(kEquals); at != std::string_view::npos;
       at = text.find(kEquals, at + 1)) {
    const std::string_view printed = digits_from(text, at + kEquals.size());
    const std::size_t end = at + kEquals.size() + printed.size();
    // "= 3.5" and "= 3 x 2" are something else.
    const bool ends =
        end == text.size() || ((text[end] == '.' || text[end] == ',' || text[end] == ';' ||
                                text[end] == ')' || text[end] == ':') &&
                               (end + 1 == text.size() || !is_digit(text[end + 1])));
    const auto total = whole(printed);
    const auto sum = sum_before(text, at);
    if (!ends || !total || !sum) continue;
    ++result.checked.cells_derived;
    if (*sum == *total) continue;
    Finding finding = place;
    finding.kind = Kind::kTotal;
    finding.severity = Severity::kHigh;
    finding.published = text.substr(0, end);
    finding.recomputed = std::to_string(*sum);
    finding.explanation = "the terms do not add up to the printed sum";
    result.findings.push_back(std::move(finding));
  }
}

void check_binomial(std::string_view text, const Finding& place, AuditResult& result) {
  for (std::size_t at = text.find('/'); at != std::string_view::npos; at = text.find('/', at + 1)) {
    if (const auto proportion = proportion_at(text, at)) {
      check_proportion(*proportion, place, result);
    }
  }
}

}  // namespace perfgate::audit
