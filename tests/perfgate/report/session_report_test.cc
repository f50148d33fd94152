// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/session_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "perfgate/evidence/conditions.h"
#include "tests/perfgate/evidence/sample_evidence.h"
#include "tests/perfgate/report/golden_report.h"

namespace perfgate::report {
namespace {

using testing::HasSubstr;
using testing::Not;

// Seven rounds of two cases and two arms; the counter is there in one case only.
Session sample_session() {
  Session session = sample::full_session();
  session.origins.clear();
  session.parts.clear();
  session.grade = "paired";
  session.cases.push_back(session.cases[0]);
  session.cases[1].name = "sort/n:16384";
  session.cases[1].iterations = 0;
  session.cases[1].work = {};
  session.faults.clear();
  const RoundInfo first = session.rounds[0];
  session.rounds.clear();
  for (int r = 0; r < 7; ++r) {
    RoundInfo round = first;
    round.index = r;
    round.cases.push_back(round.cases[0]);
    round.cases[1].case_index = 1;
    for (auto& arm : round.cases[1].values[0]) arm = {1.5e-8 + r * 1e-10, 1.6e-8 + r * 1e-10};
    for (auto& arm : round.cases[1].values[1]) arm = {NAN, NAN};
    session.rounds.push_back(round);
  }
  return session;
}

Session one_arm(Session session) {
  session.arms.pop_back();
  for (RoundInfo& round : session.rounds) {
    round.coin = 0;
    for (CaseRound& measured : round.cases) {
      for (auto& metric : measured.values) metric.pop_back();
    }
  }
  return session;
}

TEST(SessionReport, LooksAsAgreed) {
  Session session = sample_session();
  expect_golden("session_two_arms.txt", session_console_report(session));
  expect_golden("session_one_arm.txt", session_console_report(one_arm(session)));
  session.rounds.resize(3);
  session.complete = false;
  session.incomplete_reason = "the budget ended";
  session.faults = sample::full_session().faults;
  expect_golden("session_partial.txt", session_console_report(session));
  const std::vector<Session> sessions = {one_arm(sample_session()), session};
  expect_golden("sessions.md", session_markdown_report(sessions));
  expect_golden("session.md", session_markdown_report({sessions.data(), 1}));
  EXPECT_EQ(session_markdown_report({}), "");
}

std::string without_colors(std::string text) {
  for (std::size_t at = text.find('\x1b'); at != std::string::npos; at = text.find('\x1b', at)) {
    text.erase(at, text.find('m', at) + 1 - at);
  }
  return text;
}

TEST(SessionReport, ColorsMarkWhatWeakensTheEvidenceAndChangeNoText) {
  const ConsoleOptions with_color = {.color = true};
  Session session = sample_session();
  const std::string clean = session_console_report(session, with_color);
  EXPECT_EQ(without_colors(clean), session_console_report(session));
  EXPECT_TRUE(clean.starts_with("\x1b[1m")) << "the title stands out";
  EXPECT_THAT(clean, HasSubstr("  98.4 %")) << "seven rounds are enough";

  session.rounds.resize(3);
  session.complete = false;
  session.faults = sample::full_session().faults;
  const std::string partial = session_console_report(session, with_color);
  EXPECT_EQ(without_colors(partial), session_console_report(session));
  EXPECT_THAT(partial, HasSubstr("\x1b[33m75 %\x1b[0m"));
  EXPECT_THAT(partial, HasSubstr("\x1b[31mFault\x1b[0m "));
  EXPECT_THAT(partial, HasSubstr("\x1b[33mWarning\x1b[0m "));
}

TEST(SessionReport, EmptySessionsSaySo) {
  Session session = sample_session();
  session.cases.clear();
  session.rounds.clear();
  EXPECT_THAT(session_console_report(session), HasSubstr("No case was measured"));
  EXPECT_THAT(session_markdown_report({&session, 1}), HasSubstr("No case was measured"));
}

TEST(SessionReport, RandomSessionsFitAndArePrintable) {
  sample::Random random(18);
  for (int i = 0; i < 1000; ++i) {
    const Session session = sample::random_session(random);
    std::istringstream stream(session_console_report(session));
    for (std::string line; std::getline(stream, line);) {
      ASSERT_TRUE(line.size() <= ConsoleOptions().TableWidth() || line.find("  ") == line.npos)
          << line;
      for (const char c : line) ASSERT_TRUE(c >= 0x20 && c < 0x7f) << line;
    }
    EXPECT_FALSE(session_markdown_report({&session, 1}).empty());
  }
}

// A report of a session and the verdict on it say the same of its rounds: 3 and 4 involuntary
// switches have the median 3.5, which one printed as 3 and the other as 4.
TEST(SessionReport, ConditionsAreThoseOfTheVerdict) {
  Session session = sample_session();
  session.rounds.resize(2);
  session.rounds[0].conditions.involuntary_switches = 3;
  session.rounds[1].conditions.involuntary_switches = 4;
  const long typical = typical_conditions(session).involuntary_switches;
  EXPECT_EQ(typical, 4);
  EXPECT_THAT(session_console_report(session), HasSubstr(std::to_string(typical) + " involuntary"));
}

TEST(SessionReport, EveryCaseAppearsExactlyOnce) {
  Session session = sample_session();
  session.cases[0].work = {};  // its columns would leave less room for names
  const std::string text = session_console_report(session);
  for (const std::string name : {"sort/n:16384", "memcpy/bytes:1048576 [allocs]"}) {
    const std::size_t first = text.find(name);
    ASSERT_NE(first, std::string::npos) << name;
    EXPECT_EQ(text.find(name, first + 1), std::string::npos) << name;
  }
  EXPECT_THAT(text, Not(HasSubstr("sort/n:16384 [allocs]")));
}

}  // namespace
}  // namespace perfgate::report
