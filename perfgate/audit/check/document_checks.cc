// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>

#include "perfgate/audit/check/table_checks.h"
#include "perfgate/audit/check/text_numbers.h"
#include "perfgate/audit/read/printed_number.h"
#include "perfgate/audit/read/words.h"

namespace perfgate::audit {
namespace {

// The whole number that ends before `end`; its first character comes back in `begin`.
bool number_before(std::string_view text, std::size_t end, std::size_t& begin) {
  begin = end;
  while (begin > 0 && is_digit(text[begin - 1])) --begin;
  return begin < end && end - begin <= 9 &&
         (begin == 0 ||
          (text[begin - 1] != '.' && text[begin - 1] != ',' && text[begin - 1] != '/'));
}

bool number_after(std::string_view text, std::size_t begin, std::size_t& end) {
  end = begin;
  while (end < text.size() && is_digit(text[end])) ++end;
  return begin < end && end - begin <= 9;
}

// "12/20 (60%)", "12 of 20 (60.0 %)": the share against its two counts.
void check_share(std::string_view text, std::size_t sign, std::size_t after, Finding place,
                 AuditResult& result) {
  std::size_t begin = 0;
  std::size_t end = 0;
  if (!number_before(text, sign, begin) || !number_after(text, after, end)) return;
  if (end + 1 >= text.size() || text.substr(end, 2) != " (") return;
  const std::size_t shut = text.find(')', end);
  if (shut == std::string_view::npos) return;
  PrintedNumber share;
  if (!parse_printed_number(text.substr(end + 2, shut - end - 2), share) || share.unit != "%") {
    return;
  }
  const double part = std::stod(std::string(text.substr(begin, sign - begin)));
  const double whole = std::stod(std::string(text.substr(after, end - after)));
  ++result.checked.cells_derived;
  if (whole <= 0) return;
  const double exact = 100 * part / whole;
  if (touch({exact, exact}, range_of(share))) return;
  place.kind = Kind::kArithmetic;
  place.severity = Severity::kHigh;
  place.published = text.substr(begin, shut + 1 - begin);
  place.recomputed = number_text(exact, share.half_unit / 10) + " %";
  place.explanation = "the share does not follow from its two counts";
  result.findings.push_back(std::move(place));
}

void check_shares(std::string_view text, const Finding& place, AuditResult& result) {
  for (std::size_t at = text.find('/'); at != std::string_view::npos; at = text.find('/', at + 1)) {
    check_share(text, at, at + 1, place, result);
  }
  constexpr std::string_view kOf = " of ";
  for (std::size_t at = text.find(kOf); at != std::string_view::npos; at = text.find(kOf, at + 1)) {
    check_share(text, at, at + kOf.size(), place, result);
  }
}

}  // namespace

void check_document(const MarkdownDocument& document, AuditResult& result) {
  for (const CountedList& list : document.lists) {
    if (list.stated == list.items) continue;
    Finding finding;
    finding.file = document.file;
    finding.line = list.line;
    finding.field = "heading";
    finding.kind = Kind::kListVsHeading;
    finding.severity = Severity::kHigh;
    finding.published = list.heading;
    finding.recomputed = std::to_string(list.items) + " items";
    finding.explanation = "the list under the heading has another length than it says";
    result.findings.push_back(std::move(finding));
  }
  // Lists that count their items divide them up: an item in two of them is counted twice.
  std::map<std::string, const CountedList*> first;
  for (const CountedList& list : document.lists) {
    for (const std::string& name : list.names) {
      const auto [other, fresh] = first.emplace(name, &list);
      if (fresh || name.empty()) continue;
      Finding finding;
      finding.file = document.file;
      finding.line = list.line;
      finding.field = name;
      finding.kind = Kind::kClassification;
      finding.severity = Severity::kMedium;
      finding.published = list.heading;
      finding.recomputed = "also in " + other->second->heading;
      finding.explanation = "\"" + name + "\" stands twice in lists that count their items";
      result.findings.push_back(std::move(finding));
    }
  }
  const bool binomial =
      std::any_of(document.prose.begin(), document.prose.end(),
                  [](const Line& line) { return names_exact_binomial(line.text); });
  const auto check_text = [&](std::string_view text, const Finding& place) {
    check_shares(text, place, result);
    check_text_sums(text, place, result);
    if (binomial) check_binomial(text, place, result);
  };
  for (const Line& line : document.prose) {
    Finding place;
    place.file = document.file;
    place.line = line.number;
    place.field = "text";
    check_text(line.text, place);
  }
  for (const Table& table : document.tables) {
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      for (std::size_t c = 0; c < table.columns.size(); ++c) {
        check_text(table.cell(row, c).text, at_cell(table, row, c));
      }
    }
  }
}

}  // namespace perfgate::audit
