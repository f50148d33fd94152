// SPDX-License-Identifier: Apache-2.0
#include "perfgate/gtest/matchers.h"

#include <cmath>
#include <cstdio>
#include <ostream>
#include <vector>

#include "perfgate/evidence/policy.h"

namespace perfgate {
namespace {

std::string_view exit_word(Exit exit) {
  switch (exit) {
    case Exit::kPass:
      return "pass";
    case Exit::kRegression:
      return "regression";
    case Exit::kFailed:
      return "candidate failed";
    case Exit::kInconclusive:
      return "inconclusive";
    case Exit::kNotComparable:
      return "not comparable";
    case Exit::kInvalid:
      return "invalid evidence";
    case Exit::kSuspected:
      return "suspected";
    case Exit::kUsage:
      return "usage";
    case Exit::kData:
      return "bad input data";
    case Exit::kInternal:
      return "internal error";
    case Exit::kSkipped:
      return "skipped";
  }
  return "unknown";
}

// "+5.21 %" for times and rates, "+3 bytes" for the others.
std::string effect_text(double value, const Metric& metric) {
  char text[64];
  if (is_relative(metric.kind)) {
    std::snprintf(text, sizeof text, "%+.2f %%", value * 100);
    return text;
  }
  std::snprintf(text, sizeof text, "%+.4g ", value);
  return text + metric.unit;
}

void print_columns(const std::vector<const ColumnVerdict*>& columns, std::ostream& out) {
  constexpr std::size_t kShown = 20;  // the worst come first in a verdict
  for (std::size_t i = 0; i < columns.size() && i < kShown; ++i) {
    out << "\n    ";
    PrintTo(*columns[i], &out);
  }
  if (columns.size() > kShown) {
    out << "\n    and " << columns.size() - kShown << " more";
  }
}

bool has_passed(Verdict verdict) {
  return verdict == Verdict::kNoRegression || verdict == Verdict::kImprovement;
}

std::vector<const ColumnVerdict*> not_passed(const std::vector<ColumnVerdict>& columns) {
  std::vector<const ColumnVerdict*> result;
  for (const ColumnVerdict& column : columns) {
    if (!has_passed(column.verdict)) result.push_back(&column);
  }
  return result;
}

}  // namespace

void PrintTo(Exit exit, std::ostream* out) {
  *out << static_cast<int>(exit) << " (" << exit_word(exit) << ")";
}

void PrintTo(Verdict verdict, std::ostream* out) { *out << to_string(verdict); }

void PrintTo(const ColumnVerdict& column, std::ostream* out) {
  *out << column.case_name << " " << column.metric.name << ": " << to_string(column.verdict);
  if (!column.reason.empty()) {
    *out << " (" << column.reason << ")";
  }
  if (std::isfinite(column.effect.estimate)) {
    *out << ", " << effect_text(column.effect.estimate, column.metric);
  }
  if (std::isfinite(column.effect.lo) && std::isfinite(column.effect.hi)) {
    *out << ", CI95 [" << effect_text(column.effect.lo, column.metric) << ", "
         << effect_text(column.effect.hi, column.metric) << "]";
  } else if (std::isfinite(column.effect.range_lo) && std::isfinite(column.effect.range_hi)) {
    *out << ", min..max " << effect_text(column.effect.range_lo, column.metric) << ".."
         << effect_text(column.effect.range_hi, column.metric);
  }
  *out << ", tolerance " << effect_text(column.tolerance, column.metric) << ", " << column.rounds
       << " rounds";
  if (!column.gated) {
    *out << ", not gated";
  }
}

void PrintTo(const SuiteVerdict& suite, std::ostream* out) {
  *out << "verdict";
  if (!suite.suite.empty()) {
    *out << " of suite " << suite.suite;
  }
  *out << ", exit ";
  PrintTo(suite.exit, out);
  *out << ": " << (suite.summary.empty() ? "no summary" : suite.summary);
  const std::vector<const ColumnVerdict*> telling = not_passed(suite.columns);
  print_columns(telling, *out);
  if (const std::size_t passed = suite.columns.size() - telling.size(); passed > 0) {
    *out << "\n    and " << passed << " that passed";
  }
}

namespace testing {
namespace {

class ExitMatcher : public ::testing::MatcherInterface<const SuiteVerdict&> {
 public:
  explicit ExitMatcher(Exit exit) : exit_(exit) {}

  bool MatchAndExplain(const SuiteVerdict& suite,
                       ::testing::MatchResultListener* listener) const override {
    *listener << "whose exit is " << ::testing::PrintToString(suite.exit);
    return suite.exit == exit_;
  }
  void DescribeTo(std::ostream* out) const override {
    *out << "is a verdict with exit ";
    PrintTo(exit_, out);
  }
  void DescribeNegationTo(std::ostream* out) const override {
    *out << "is a verdict with another exit than ";
    PrintTo(exit_, out);
  }

 private:
  Exit exit_;
};

class ColumnMatcher : public ::testing::MatcherInterface<const SuiteVerdict&> {
 public:
  ColumnMatcher(std::string_view case_name, std::string_view metric, Verdict verdict)
      : case_name_(case_name), metric_(metric), verdict_(verdict) {}

  bool MatchAndExplain(const SuiteVerdict& suite,
                       ::testing::MatchResultListener* listener) const override {
    for (const ColumnVerdict& column : suite.columns) {
      if (column.case_name == case_name_ && column.metric.name == metric_) {
        *listener << "which has " << ::testing::PrintToString(column);
        return column.verdict == verdict_;
      }
    }
    *listener << "which has no " << metric_ << " of case " << case_name_ << " among its "
              << suite.columns.size() << " columns";
    return false;
  }
  void DescribeTo(std::ostream* out) const override {
    *out << "has verdict " << to_string(verdict_) << " in " << metric_ << " of case " << case_name_;
  }
  void DescribeNegationTo(std::ostream* out) const override {
    *out << "does not have verdict " << to_string(verdict_) << " in " << metric_ << " of case "
         << case_name_;
  }

 private:
  std::string case_name_;
  std::string metric_;
  Verdict verdict_;
};

class NoRegressionMatcher : public ::testing::MatcherInterface<const SuiteVerdict&> {
 public:
  explicit NoRegressionMatcher(std::string_view glob) : glob_(glob) {}

  bool MatchAndExplain(const SuiteVerdict& suite,
                       ::testing::MatchResultListener* listener) const override {
    std::size_t matching = 0;
    std::vector<const ColumnVerdict*> unclean;
    for (const ColumnVerdict& column : suite.columns) {
      if (!column.gated || !glob_match(glob_, column.case_name)) {
        continue;
      }
      ++matching;
      if (!has_passed(column.verdict)) unclean.push_back(&column);
    }
    if (matching == 0) {
      *listener << "none of whose " << suite.columns.size() << " columns is gated and matches";
      return false;
    }
    if (unclean.empty()) {
      *listener << "all " << matching << " of whose matching columns exclude a regression";
      return true;
    }
    *listener << unclean.size() << " of whose " << matching
              << " matching columns do not exclude a regression:";
    if (listener->stream() != nullptr) {
      print_columns(unclean, *listener->stream());
    }
    return false;
  }
  void DescribeTo(std::ostream* out) const override {
    *out << "excludes a regression in every gated case that matches \"" << glob_ << "\"";
  }
  void DescribeNegationTo(std::ostream* out) const override {
    *out << "does not exclude a regression in some gated case that matches \"" << glob_ << "\"";
  }

 private:
  std::string glob_;
};

}  // namespace

::testing::Matcher<const SuiteVerdict&> Passes() { return HasExit(Exit::kPass); }

::testing::Matcher<const SuiteVerdict&> HasExit(Exit exit) {
  return ::testing::MakeMatcher(new ExitMatcher(exit));
}

::testing::Matcher<const SuiteVerdict&> HasVerdict(std::string_view case_name, Verdict verdict,
                                                   std::string_view metric) {
  return ::testing::MakeMatcher(new ColumnMatcher(case_name, metric, verdict));
}

::testing::Matcher<const SuiteVerdict&> NoRegressionIn(std::string_view glob) {
  return ::testing::MakeMatcher(new NoRegressionMatcher(glob));
}

}  // namespace testing
}  // namespace perfgate
