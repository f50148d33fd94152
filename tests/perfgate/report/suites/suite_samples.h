// SPDX-License-Identifier: Apache-2.0
// suite_samples.h: a suite with verdict and session whose numbers can be computed by hand.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "perfgate/report/suites/reported_suite.h"
#include "perfgate/verdict/gate/suite_verdict.h"
#include "tests/perfgate/report/report_samples.h"

namespace perfgate::sample {

inline std::vector<ArmInfo> two_arms(const std::string& baseline, const std::string& candidate) {
  std::vector<ArmInfo> arms(2);
  arms[0].label = "baseline";
  arms[0].path = baseline;
  arms[1].label = "candidate";
  arms[1].path = candidate;
  return arms;
}

// Per case and round the log of candidate/baseline; every case has one slice pair a round, and the
// baseline takes 1 us.
inline Session session_of_logs(const std::vector<std::vector<double>>& logs) {
  Session session;
  session.id = std::string(32, 'a');
  session.suite = "sort";
  session.complete = true;
  session.metrics = {Metric{}};
  session.arms = two_arms("old/bench", "new/bench");
  std::size_t most = 0;
  for (std::size_t c = 0; c < logs.size(); ++c) {
    session.cases.emplace_back().name = "case/" + std::to_string(c);
    most = std::max(most, logs[c].size());
  }
  for (std::size_t r = 0; r < most; ++r) {
    RoundInfo round;
    round.index = static_cast<int>(r);
    round.started_s = static_cast<double>(r);
    round.wall_s = 0.5;
    for (std::size_t c = 0; c < logs.size(); ++c) {
      if (r >= logs[c].size()) continue;
      CaseRound measured;
      measured.case_index = c;
      measured.values = {{{1e-6}, {1e-6 * std::exp(logs[c][r])}}};
      round.cases.push_back(measured);
    }
    session.rounds.push_back(round);
  }
  return session;
}

inline report::ReportedSuite suite_of_logs(const std::vector<std::vector<double>>& logs) {
  report::ReportedSuite suite;
  suite.title = "sort";
  suite.session = session_of_logs(logs);
  suite.verdict = verdict_without_columns();
  suite.verdict->session_id = suite.session->id;
  suite.verdict->arms = suite.session->arms;
  for (std::size_t c = 0; c < logs.size(); ++c) {
    double sum = 0;
    for (const double log : logs[c]) sum += log;
    suite.verdict->columns.push_back(measured_column(
        suite.session->cases[c].name.c_str(), Verdict::kNoRegression, Claim::kNoiseDominated,
        std::expm1(sum / static_cast<double>(logs[c].size())), 0.01,
        static_cast<int>(logs[c].size())));
  }
  return suite;
}

// Names that break a form which does not escape them.
inline std::vector<std::string> hostile_names() {
  return {"<script>alert(1)</script>", "a&b\"c'd", "50%_done$#{x}~^\\begin{verbatim}",
          "]]>\n::error::x%0A",
          "\xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D/\xD9\x85\xD8\xB1\xD8\xAD\xD8\xA8\xD8\xA7",  // Hebrew,
                                                                                        // Arabic
          "\xE2\x80\xAE"
          "evil",                                               // turns the text around
          "\xF0\x9F\x9A\x80/\xF0\x9F\x87\xA9\xF0\x9F\x87\xAA",  // a rocket and a flag
          std::string("nul\0bell\a\x1b[31m", 13), "bad\xFF\xC0\xAFutf8", "=cmd|' /C calc'!A0",
          std::string(500, 'x'), "", " "};
}

inline SuiteVerdict hostile_verdict() {
  SuiteVerdict verdict = verdict_without_columns();
  verdict.exit = Exit::kRegression;
  verdict.summary = "13 regression";
  for (const std::string& name : hostile_names()) {
    verdict.columns.push_back(
        measured_column(name.c_str(), Verdict::kRegression, Claim::kStrong, 0.05, 0.01, 10));
    verdict.columns.back().case_name = name;
    verdict.columns.back().reason = name;
  }
  verdict.suite = hostile_names()[0];
  return verdict;
}

}  // namespace perfgate::sample
