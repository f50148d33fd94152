// SPDX-License-Identifier: Apache-2.0
#include "perfgate/ci/accept_file.h"

#include <algorithm>
#include <cstdio>
#include <optional>

#include "perfgate/base/json/json_reader.h"
#include "perfgate/base/text/percent.h"

namespace perfgate::ci {

struct AcceptFile {
  std::vector<Acceptance> accepted{};
};

template <class V, IsStruct<Acceptance> A>
void describe(V& v, A& a) {
  v("case", a.match, "glob on the whole case name");
  v("suite", a.suite, "only this suite; empty: any");
  v("bound", a.bound, "accepted slowdown", fraction(between(0, 10)));
  v("removed", a.removed, "the case may be gone, and decides nothing");
  v("reason", a.reason, "why, for the report");
  v("expires", a.expires, "last day, UTC");
}

template <class V, IsStruct<AcceptFile> F>
void describe(V& v, F& f) {
  v("accepted", f.accepted, "intended slowdowns");
}

namespace {

constexpr const char* kFormat = "perfgate-accept";
constexpr int kVersion = 1;

// "2027-03-31", and nothing else that sscanf would take.
bool LooksLikeADay(const std::string& text) {
  constexpr std::string_view kForm = "dddd-dd-dd";
  return std::equal(text.begin(), text.end(), kForm.begin(), kForm.end(), [](char c, char form) {
    return form == 'd' ? c >= '0' && c <= '9' : c == form;
  });
}

std::optional<std::chrono::sys_days> DayOf(const std::string& text) {
  int year = 0;
  unsigned month = 0;
  unsigned day = 0;
  constexpr int kFields = 3;
  if (!LooksLikeADay(text) ||
      std::sscanf(text.c_str(), "%4d-%2u-%2u", &year, &month, &day) != kFields) {
    return std::nullopt;
  }
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(month),
                                         std::chrono::day(day)};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date);
}

void RequireUsable(const Acceptance& entry, const std::string& place) {
  const auto refuse = [&](const std::string& problem) {
    throw Error(Exit::kData, place + problem);
  };
  if (entry.match.empty()) refuse("/case: is missing; expected a glob on case names");
  if (entry.reason.find_first_not_of(" \t\n") == std::string::npos) {
    refuse("/reason: is missing; say why the slowdown is intended");
  }
  if (!DayOf(entry.expires)) {
    refuse("/expires: is \"" + entry.expires + "\"; expected a last day such as 2027-03-31");
  }
  if (entry.removed && entry.bound > 0) {
    refuse(": has a bound and \"removed\": a case that is gone has no bound; give one of them");
  }
  if (!entry.removed && entry.bound <= 0) {
    refuse("/bound: is missing; expected the largest accepted slowdown, such as \"12%\"");
  }
}

std::string TextOf(const Acceptance& entry) {
  constexpr int kDigits = 3;
  const std::string what = entry.removed
                               ? " may be gone and decides nothing"
                               : " may become " + ShortPercent(entry.bound, kDigits) + " slower";
  return "accepted until " + entry.expires + ": " + entry.match + what + " (" + entry.reason + ")";
}

}  // namespace

std::vector<Acceptance> ReadAcceptances(std::string_view text, const std::string& where) {
  const auto file = json_io::read_file_object<AcceptFile>(text, where, kFormat, kVersion,
                                                          json_io::Author::kPerson);
  for (std::size_t i = 0; i < file.accepted.size(); ++i) {
    RequireUsable(file.accepted[i], where + ": /accepted/" + std::to_string(i));
  }
  return file.accepted;
}

AcceptedCases RulesOf(const std::vector<Acceptance>& acceptances, const std::string& suite,
                      std::chrono::sys_days today) {
  constexpr std::chrono::days kSoon(14);
  AcceptedCases result;
  for (const Acceptance& entry : acceptances) {
    if (!entry.suite.empty() && entry.suite != suite) continue;
    const std::optional<std::chrono::sys_days> last = DayOf(entry.expires);
    if (!last || *last < today) {
      result.notes.push_back("the acceptance of " + entry.match + " expired on " + entry.expires +
                             " and has no effect; remove it, or review it again");
      continue;
    }
    if (*last - today <= kSoon) {
      result.notes.push_back("the acceptance of " + entry.match + " expires on " + entry.expires);
    }
    CaseRule rule;
    rule.match = entry.match;
    if (entry.removed) {
      rule.gate = false;
    } else {
      rule.tolerance = entry.bound;
    }
    result.rules.push_back(rule);
    result.texts.push_back(TextOf(entry));
  }
  return result;
}

}  // namespace perfgate::ci
