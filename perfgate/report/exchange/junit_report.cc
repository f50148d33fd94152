// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/exchange/junit_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "perfgate/report/exchange/findings.h"
#include "perfgate/report/parts/column_text.h"
#include "perfgate/report/parts/context_lines.h"
#include "perfgate/report/suites/claim_sentence.h"
#include "perfgate/report/suites/gate_command.h"
#include "perfgate/report/text/markup.h"

namespace perfgate::report {
namespace {

enum class Outcome { kPassed, kFailure, kError, kSkipped };

struct JunitTest {
  std::string name;
  double seconds = 0;
  Outcome outcome = Outcome::kPassed;
  std::string type{};
  std::string message{};
};

Outcome OutcomeOf(const ColumnVerdict& column, const SuiteVerdict& verdict) {
  if (column.verdict == Verdict::kSkipped || column.verdict == Verdict::kNew) {
    return Outcome::kSkipped;
  }
  if (SeverityOf(column, verdict) != Severity::kError) return Outcome::kPassed;
  const bool error = column.verdict == Verdict::kInvalid || column.verdict == Verdict::kFailed ||
                     column.verdict == Verdict::kNotComparable;
  return error ? Outcome::kError : Outcome::kFailure;
}

std::vector<JunitTest> TestsOf(const std::string& title, const SuiteVerdict& verdict) {
  std::vector<JunitTest> tests;
  for (const ColumnVerdict& column : verdict.columns) {
    const bool timed = column.metric.kind == Kind::kTime && column.metric.unit == "s" &&
                       std::isfinite(column.candidate);
    tests.push_back({.name = column_name(column),
                     .seconds = timed ? column.candidate : 0,
                     .outcome = OutcomeOf(column, verdict),
                     .type = std::string(to_string(column.verdict)),
                     .message = ClaimSentence(column)});
  }
  for (const Finding& finding : FindingsOf(title, verdict, {})) {
    if (!finding.case_name.empty() || finding.rule != "suite") continue;
    tests.push_back({.name = title,
                     .outcome = Outcome::kError,
                     .type = finding.rule,
                     .message = finding.message});
  }
  return tests;
}

std::string Attribute(const char* name, std::string_view value) {
  return fmt::format(" {}=\"{}\"", name, MarkupText(value));
}

std::string TestText(const std::string& suite, const JunitTest& test) {
  std::string text = "    <testcase" + Attribute("name", test.name) +
                     Attribute("classname", suite) + fmt::format(" time=\"{:.9f}\">", test.seconds);
  const std::string message = MarkupText(test.message);
  const auto with_type = [&](const char* element) {
    return fmt::format(R"(<{0} message="{1}" type="{2}">{1}</{0}>)", element, message, test.type);
  };
  switch (test.outcome) {
    case Outcome::kPassed:
      break;  // its sentence is in the output of the suite: the schema has no room here
    case Outcome::kFailure:
      text += with_type("failure");
      break;
    case Outcome::kError:
      text += with_type("error");
      break;
    case Outcome::kSkipped:
      text += "<skipped message=\"" + message + "\"/>";
      break;
  }
  return text + "</testcase>\n";
}

std::string PropertyText(const std::string& name, const std::string& value) {
  return "      <property" + Attribute("name", name) + Attribute("value", value) + "/>\n";
}

std::string PropertiesText(const SuiteVerdict& verdict) {
  std::string text = "    <properties>\n" +
                     PropertyText("exit", std::to_string(static_cast<int>(verdict.exit))) +
                     PropertyText("session_id", verdict.session_id) +
                     PropertyText("command", GateCommandOf(verdict));
  for (const Fact& fact : verdict_facts(verdict)) text += PropertyText(fact.label, fact.value);
  return text + "    </properties>\n";
}

// "2026-11-24T23:43:15Z" without its zone, which the schema has no room for.
std::string Timestamp(const std::string& started) {
  constexpr std::size_t kLength = std::string_view("2026-11-24T23:43:15").size();
  return started.size() < kLength ? "1970-01-01T00:00:00" : started.substr(0, kLength);
}

std::string JunitSuiteText(const ReportedSuite& suite, std::size_t id) {
  const SuiteVerdict& verdict = *suite.verdict;
  const std::vector<JunitTest> tests = TestsOf(suite.title, verdict);
  const auto count = [&](Outcome outcome) {
    return std::ranges::count(tests, outcome, &JunitTest::outcome);
  };
  const std::string host = verdict.machine.hostname;
  std::string text =
      "  <testsuite" + Attribute("name", suite.title.empty() ? "perfgate" : suite.title) +
      Attribute("package", "perfgate") +
      fmt::format(R"( id="{}" tests="{}" failures="{}" errors="{}" skipped="{}" time="{:.3f}")", id,
                  tests.size(), count(Outcome::kFailure), count(Outcome::kError),
                  count(Outcome::kSkipped), verdict.wall_s) +
      Attribute("timestamp", Timestamp(verdict.started)) +
      Attribute("hostname", host.empty() ? "localhost" : host) + ">\n" + PropertiesText(verdict);
  for (const JunitTest& test : tests) text += TestText(suite.title, test);
  text += "    <system-out>" + MarkupText(verdict.summary) + "\n";
  for (const JunitTest& test : tests) {
    if (test.outcome == Outcome::kPassed) text += MarkupText(test.message) + "\n";
  }
  return text + "</system-out>\n    <system-err></system-err>\n  </testsuite>\n";
}

}  // namespace

std::string JunitReport(std::span<const ReportedSuite> suites) {
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  std::size_t id = 0;
  for (const ReportedSuite& suite : suites) {
    if (suite.verdict) text += JunitSuiteText(suite, id++);
  }
  return text + "</testsuites>\n";
}

}  // namespace perfgate::report
