// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/parity/parity_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "perfgate/report/parity/parity_agents_report.h"
#include "perfgate/report/text/text.h"
#include "perfgate/verdict/parity/parity_agents.h"
#include "perfgate/verdict/parity/parity_exit.h"
#include "tests/perfgate/evidence/sample_evidence.h"
#include "tests/perfgate/report/golden_report.h"

namespace perfgate::report {
namespace {

using testing::HasSubstr;
using testing::Not;

ParityPair pair_of(ParityStatus status, double estimate, double half_width, int rounds) {
  ParityPair pair;
  pair.status = status;
  pair.rounds = rounds;
  pair.effect.estimate = estimate;
  pair.effect.lo = estimate - half_width;
  pair.effect.hi = estimate + half_width;
  return pair;
}

ParityColumn column_of(const std::string& name, ParityStatus outcome, Claim claim, double agent,
                       double human) {
  ParityColumn column;
  column.case_name = name;
  column.primary = true;
  column.primary_why = "time_of_the_case";
  column.margin = 0.05;
  column.outcome = outcome;
  column.claim = claim;
  column.agent_human = pair_of(outcome, agent, 0.01, 10);
  column.human_baseline = pair_of(ParityStatus::kWin, human, 0.01, 10);
  column.agent_baseline = pair_of(ParityStatus::kWin, agent + human, 0.01, 10);
  column.point_delta = -agent;
  column.human = 42e-6;
  column.agent = column.human * (1 + agent);
  column.point_rule = agent > 0.05    ? PointRule::kLoss
                      : agent < -0.05 ? PointRule::kWin
                                      : PointRule::kMatch;
  column.p_win = column.p_loss = 0.01;
  return column;
}

// Every outcome, a conflict, a broken baseline and names of any length.
ParityVerdict all_outcomes() {
  ParityVerdict verdict = sample::full_parity();
  verdict.grade = "paired";
  verdict.policy = Policy{};
  verdict.policy.tolerance = 0.05;
  verdict.policy.overrides = {"margin 0.03 -> 0.05 (command line)"};
  verdict.schedule.replayed = false;
  verdict.columns.clear();
  const auto refused = [&](const char* name, ParityStatus outcome, const char* reason) {
    ParityColumn column;
    column.case_name = name;
    column.primary = true;
    column.primary_why = "the case as a whole";
    column.margin = 0.05;
    column.outcome = outcome;
    column.claim = Claim::kInvalid;
    column.reason = reason;
    verdict.columns.push_back(column);
  };
  refused("sort/n:1", ParityStatus::kInvalid, "bad_value: agent: real_time is not finite");
  refused("sort/n:2", ParityStatus::kFailed, "crashed: agent: killed by signal 11");
  verdict.columns.push_back(column_of("sort/n:16384/distribution:already_sorted/type:uint64_t",
                                      ParityStatus::kLoss, Claim::kStrong, 0.2, -0.3));
  refused("sort/n:3", ParityStatus::kNotComparable, "timeout: human: no answer in 10 s");
  refused("sort/n:4", ParityStatus::kMissing, "absent: agent: the executable has no such case");
  verdict.columns.push_back(
      column_of("sort/n:5", ParityStatus::kUnresolved, Claim::kNoiseDominated, 0.001, -0.3));
  verdict.columns.push_back(
      column_of("sort/n:6", ParityStatus::kMatch, Claim::kParity, 0.01, -0.3));
  verdict.columns.back().vacuous = false;
  verdict.columns.push_back(
      column_of("sort/n:7", ParityStatus::kMatch, Claim::kParity, 0.01, 0.001));
  verdict.columns.back().vacuous = true;
  verdict.columns.push_back(column_of("sort/n:8", ParityStatus::kMatch, Claim::kParity, 0.01, 0));
  verdict.columns.back().human_baseline = ParityPair{ParityStatus::kNotComparable, 0, {}, "x"};
  verdict.columns.back().agent_baseline = verdict.columns.back().human_baseline;
  verdict.columns.back().reason = "baseline: crashed: baseline: killed by signal 6";
  verdict.columns.push_back(column_of("sort/n:9", ParityStatus::kWin, Claim::kStrong, -0.2, -0.3));
  verdict.columns.back().margin = 0.1;
  verdict.columns.push_back(column_of("sort/n:9", ParityStatus::kLoss, Claim::kStrong, 0.2, -0.3));
  verdict.columns.back().primary = false;
  verdict.columns.back().metric = {.name = "allocs", .unit = "1", .kind = Kind::kCount};
  verdict.columns.back().margin = 0;
  verdict.columns.back().point_rule = PointRule::kNone;
  verdict.conflicts = {"sort/n:9: real_time (primary) says win, allocs says loss"};
  verdict.exit = parity_exit(verdict.columns);
  verdict.summary = parity_summary(verdict.columns);
  return verdict;
}

TEST(ParityReport, ArmsMeasuredApartAreNotCalledPaired) {
  ParityVerdict verdict = all_outcomes();
  verdict.grade = "imported";
  verdict.schedule.looks.clear();
  for (const std::string& text :
       {parity_console_report(verdict), parity_markdown_report(verdict)}) {
    EXPECT_NE(text.find("evidence: imported"), std::string::npos);
    EXPECT_NE(text.find("at most directional"), std::string::npos);
    EXPECT_EQ(text.find("paired"), std::string::npos);
    EXPECT_EQ(text.find("early"), std::string::npos);
  }
}

TEST(ParityReport, Golden) {
  const ParityVerdict verdict = all_outcomes();
  expect_golden("parity.txt", parity_console_report(verdict));
  expect_golden("parity.md", parity_markdown_report(verdict));
  std::istringstream lines(parity_console_report(verdict));
  for (std::string line; std::getline(lines, line);)
    EXPECT_LE(line.size(), ConsoleOptions().TableWidth()) << line;
}

TEST(ParityReport, ColoursOnlyWhenAsked) {
  EXPECT_THAT(parity_console_report(all_outcomes(), {.color = true}), HasSubstr("\x1b[31m"));
  EXPECT_THAT(parity_console_report(all_outcomes()), Not(HasSubstr("\x1b")));
}

TEST(ParityReport, SaysWhenNothingWasCompared) {
  ParityVerdict verdict = all_outcomes();
  verdict.columns.clear();
  verdict.conflicts.clear();
  verdict.exit = Exit::kNotComparable;
  verdict.summary = parity_summary(verdict.columns);
  verdict.complete = false;
  const std::string text = parity_console_report(verdict);
  EXPECT_THAT(text, HasSubstr("no gated case. Exit 13"));
  EXPECT_THAT(text, HasSubstr("interrupted"));
}

ParityVerdict only_columns(ParityVerdict verdict, const std::string& agent, std::size_t first,
                           std::size_t count) {
  verdict.arms.back().label = agent;
  verdict.columns =
      std::vector<ParityColumn>(verdict.columns.begin() + static_cast<long>(first),
                                verdict.columns.begin() + static_cast<long>(first + count));
  verdict.exit = parity_exit(verdict.columns);
  verdict.summary = parity_summary(verdict.columns);
  return verdict;
}

// The first failed and lost, the second won what the adjustment leaves.
ParityAgents two_agents() {
  ParityAgents agents;
  agents.verdicts = {only_columns(all_outcomes(), "agent", 1, 2),
                     only_columns(all_outcomes(), "opus", 6, 4)};
  agents.together = TogetherOf(
      agents.verdicts,
      {{"agent", agents.verdicts[0].columns[1].case_name, 1, 0.2}, {"opus", "sort/n:9", 0.01, 1}});
  return agents;
}

TEST(ParityAgentsReport, Golden) {
  const std::string text = AgentsConsoleReport(two_agents());
  expect_golden("parity_agents.txt", text);
  expect_golden("parity_agents.md", AgentsMarkdownReport(two_agents()));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    EXPECT_LE(line.size(), ConsoleOptions().TableWidth()) << line;
}

TEST(ParityAgentsReport, OfOneAgentIsThatOfParity) {
  const ParityAgents one{{}, {all_outcomes()}};
  EXPECT_EQ(AgentsConsoleReport(one), parity_console_report(all_outcomes()));
  EXPECT_EQ(AgentsMarkdownReport(one), parity_markdown_report(all_outcomes()));
}

TEST(ParityAgentsReport, ALineInNumbersForEachAgent) {
  const std::string text = AgentsConsoleReport(two_agents());
  EXPECT_THAT(text, HasSubstr("agent: 2 cases: 0 win, 0 match, 1 loss, 1 failed, 0 unresolved. "
                              "Exit 11"));
  EXPECT_THAT(text, HasSubstr("opus: wins 1 of 4 ["));
  EXPECT_THAT(text, HasSubstr("losses 0 of 2 [")) << "p = 0.2 is no claim";
  EXPECT_THAT(text, HasSubstr("All agents: exit 11"));
}

}  // namespace
}  // namespace perfgate::report
