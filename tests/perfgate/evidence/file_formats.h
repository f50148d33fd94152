// SPDX-License-Identifier: Apache-2.0
// file_formats.h: what the typed suite of every_format_test.cc has to know of each file format.
//
// Draw and Full give values, Read and Write go through the file's text. MayBe tells which wrong
// types are none the less right; OutOfRange lists single values that are out of range.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "perfgate/evidence/files/files.h"
#include "tests/perfgate/evidence/sample_evidence.h"
#include "tests/perfgate/evidence/spoil_json.h"

namespace perfgate::sample {

using Edits = std::vector<std::pair<std::string, Json>>;
using Names = std::vector<std::string>;

inline constexpr const char* kFile = "f.json";

inline bool ends_with_any(const std::string& text, std::initializer_list<std::string_view> ends) {
  return std::any_of(ends.begin(), ends.end(),
                     [&](std::string_view end) { return text.ends_with(end); });
}

// Rules for cases leave out what they do not set.
inline bool is_optional_rule_field(const std::string& pointer, std::string_view rules) {
  return pointer.starts_with(rules) && !pointer.ends_with("/match");
}

inline void expect_same(double a, double b) {
  EXPECT_TRUE(a == b || (std::isnan(a) && std::isnan(b))) << a << " " << b;
}

struct SessionFormat {
  using Value = Session;
  static constexpr std::string_view kName = "session";
  static constexpr bool kWrittenByHand = false;
  static constexpr int kRandomEdits = 20000;

  static Value Full() { return full_session(); }
  static Value Draw(Random& random) { return random_session(random); }
  static std::string Write(const Value& value) { return session_to_json(value); }
  static Value Read(const std::string& text) { return session_from_json(text, kFile); }

  static void ExpectSame(const Value& a, const Value& b) {
    ASSERT_EQ(a.cases.size(), b.cases.size());
    for (std::size_t c = 0; c < b.cases.size(); ++c) {
      ASSERT_EQ(a.cases[c].name, b.cases[c].name);
      ASSERT_EQ(a.cases[c].iterations, b.cases[c].iterations);
    }
    ASSERT_EQ(a.wall_s, b.wall_s);
    ASSERT_EQ(a.metrics, b.metrics);
  }

  static Names LaterFields() {
    return {"/grade",
            "/parts",
            "/unstated",
            "/unknown_metrics",
            "/faults/0/metric",
            "/cases/0/result",
            "/cases/0/pairs",
            "/cases/0/warmup_slices",
            "/cases/0/wall_s",
            "/schedule/budget_s",
            "/confirmation/0/schedule/budget_s",
            "/confirmation/0/faults/0/metric"};
  }

  static bool MayBe(const std::string& pointer, const Json& other) {
    const bool is_slice_time = pointer.find("/slice_wall_s/") != std::string::npos ||
                               pointer.find("/slice_timed_s/") != std::string::npos;
    if (is_slice_time && (other.is_null() || pointer.ends_with("/1/1"))) {
      return other.is_null() || other.is_number();
    }
    const bool may_be_null = pointer.find("/rounds/0/cases/0/values/0/0/") != std::string::npos ||
                             pointer.find("/values/0/1/") != std::string::npos ||
                             pointer.find("/values/1/0/") != std::string::npos ||
                             pointer.find("/values/1/1/") != std::string::npos ||
                             pointer.find("/policy/cases/0/") != std::string::npos;
    if (other.is_null()) return may_be_null && !pointer.ends_with("/match");
    // The slice that is absent in the sample may hold a number as well.
    return pointer.ends_with("/rounds/0/cases/0/values/0/1/1") && other.is_number();
  }

  static Edits OutOfRange() {
    return {{"/id", "0011"},
            {"/id", "00112233445566778899AABBCCDDEEFF"},
            {"/schedule/seed", "0123456789abcdeg"},
            {"/wall_s", -1},
            {"/rounds/0/cases/0/slice_wall_s/0/0", -1},
            {"/cases/0/threads", 0},
            {"/cases/0/threads", 3000000000},
            {"/cases/0/iterations", -1},
            {"/cases/0/iterations", 18446744073709551615ULL},
            {"/cases/0/setup_share", 1.01},
            {"/rounds/0/coin", -1},
            {"/rounds/0/coin", 0.5},
            {"/rounds/0/cpus/0", -1},
            {"/rounds/0/cases/0/case_index", -1},
            {"/faults/0/round", -2},
            {"/faults/0/round", 18446744073709551615ULL},  // -1 in 64 bits
            {"/rounds/0/conditions/voluntary_switches", 18446744073709551615ULL},
            {"/faults/0/kind", "broken"},
            {"/arms/0/driver", "telepathy"},
            {"/policy/layouts", "sometimes"},
            {"/rounds/0/layouts", "17"},
            {"/confirmation/0/rounds/0/layouts/0", -1},
            {"/confirmation/0/wall_s", -1},
            {"/policy/alpha", 0},
            {"/policy/tolerance", "2%"},
            {"/schedule/look_alpha/1", 0.6}};
  }
};

struct VerdictFormat {
  using Value = SuiteVerdict;
  static constexpr std::string_view kName = "verdict";
  static constexpr bool kWrittenByHand = false;
  static constexpr int kRandomEdits = 3000;

  static Value Full() { return full_verdict(); }
  static Value Draw(Random& random) { return random_verdict(random); }
  static std::string Write(const Value& value) { return verdict_to_json(value); }
  static Value Read(const std::string& text) { return verdict_from_json(text, kFile); }

  static void ExpectSame(const Value& again, const Value& value) {
    ASSERT_EQ(again.exit, value.exit);
    ASSERT_EQ(again.columns.size(), value.columns.size());
    for (std::size_t c = 0; c < value.columns.size(); ++c) {
      const ColumnVerdict& a = again.columns[c];
      const ColumnVerdict& b = value.columns[c];
      ASSERT_EQ(a.case_name, b.case_name);
      ASSERT_EQ(a.verdict, b.verdict);
      ASSERT_EQ(a.claim, b.claim);
      ASSERT_EQ(a.p_adjusted, b.p_adjusted);
      ASSERT_EQ(a.rounds_to_pass, b.rounds_to_pass);
      expect_same(a.effect.lo, b.effect.lo);
      expect_same(a.effect.range_hi, b.effect.range_hi);
      expect_same(a.candidate, b.candidate);
    }
  }

  static Names LaterFields() { return {"/schedule/budget_s", "/jobs"}; }

  static bool MayBe(const std::string& pointer, const Json& other) {
    if (!other.is_null()) return false;
    if (is_optional_rule_field(pointer, "/policy/cases/0/")) return true;
    return pointer.starts_with("/columns/0/") &&
           ends_with_any(pointer,
                         {"/estimate", "/lo", "/hi", "/range_lo", "/range_hi", "/p_adjusted",
                          "/noise_sd", "/rounds_to_pass", "/rounds_to_fail", "/rounds_range_lo",
                          "/rounds_range_hi", "/detectable", "/baseline", "/candidate",
                          "/noise_ratio", "/noise_ratio_p", "/link_sd", "/layout_sd"});
  }

  static Edits OutOfRange() {
    return {{"/exit", 1},
            {"/exit", 10.5},
            {"/columns/0/verdict", "fine"},
            {"/columns/0/claim", "Strong"},
            {"/columns/0/p_adjusted", 1.5},
            {"/columns/0/rounds", -1},
            {"/columns/0/rounds_to_pass", -1},
            {"/columns/0/metric/kind", "speed"},
            {"/columns/0/effect/range_confidence", 2},
            {"/rounds", -1}};
  }
};

struct PolicyFormat {
  using Value = Policy;
  static constexpr std::string_view kName = "policy";
  static constexpr bool kWrittenByHand = true;
  static constexpr int kRandomEdits = 3000;

  static Value Full() { return full_policy(); }
  static Value Draw(Random& random) { return random_policy(random); }
  static std::string Write(const Value& value) { return policy_to_json(value); }
  static Value Read(const std::string& text) { return policy_from_json(text, kFile); }
  static void ExpectSame(const Value& a, const Value& b) {
    ASSERT_EQ(a.tolerance, b.tolerance);
    ASSERT_EQ(a.metrics, b.metrics);
    ASSERT_EQ(a.expected, b.expected);
  }
  static Names LaterFields() { return {}; }
  static bool MayBe(const std::string& pointer, const Json& other) {
    return other.is_null() && is_optional_rule_field(pointer, "/cases/0/");
  }

  static Edits OutOfRange() {
    return {{"/tolerance", -0.1}, {"/tolerance", "-2%"},   {"/tolerance", "two"},
            {"/alpha", 0},        {"/budget_s", "60s"},    {"/pairs", 0},
            {"/pairs", 1.5},      {"/filter", "("},        {"/cases/0/match", ""},
            {"/expected/0", ""},  {"/metrics/0/name", ""}, {"/metrics/0/direction", "down"}};
  }
};

struct CalibrationFormat {
  using Value = Calibration;
  static constexpr std::string_view kName = "calibration";
  static constexpr bool kWrittenByHand = false;
  static constexpr int kRandomEdits = 3000;

  static Value Full() { return full_calibration(); }
  static Value Draw(Random& random) { return random_calibration(random); }
  static std::string Write(const Value& value) { return calibration_to_json(value); }
  static Value Read(const std::string& text) { return calibration_from_json(text, kFile); }

  static void ExpectSame(const Value& a, const Value& b) {
    ASSERT_EQ(a.rounds, b.rounds);
    ASSERT_EQ(a.columns.size(), b.columns.size());
    for (std::size_t c = 0; c < b.columns.size(); ++c) {
      ASSERT_EQ(a.columns[c].d, b.columns[c].d);
      ASSERT_EQ(a.columns[c].case_name, b.columns[c].case_name);
      ASSERT_EQ(std::isnan(a.columns[c].pair_sd), std::isnan(b.columns[c].pair_sd));
    }
  }

  static Names LaterFields() { return {}; }

  static bool MayBe(const std::string& pointer, const Json& other) {
    if (!other.is_null()) return false;
    if (is_optional_rule_field(pointer, "/policy/cases/0/")) return true;
    return ends_with_any(pointer, {"/value", "/pair_sd", "/between_sd"});
  }

  static Edits OutOfRange() {
    return {{"/rounds", 0},
            {"/round_s", -1},
            {"/session_id", "xyz"},
            {"/seed", "0123"},
            {"/columns/0/round_sd", -0.1},
            {"/columns/0/pair_sd", -0.1},
            {"/columns/0/setup_share", 1.5},
            {"/columns/0/metric/kind", "speed"}};
  }
};

struct PlanFormat {
  using Value = SuitePlan;
  static constexpr std::string_view kName = "plan";
  static constexpr bool kWrittenByHand = false;
  static constexpr int kRandomEdits = 3000;

  static Value Full() { return full_plan(); }
  static Value Draw(Random& random) { return random_plan(random); }
  static std::string Write(const Value& value) { return plan_to_json(value); }
  static Value Read(const std::string& text) { return plan_from_json(text, kFile); }

  static void ExpectSame(const Value& a, const Value& b) {
    ASSERT_EQ(a.looks, b.looks);
    ASSERT_EQ(a.rules.size(), b.rules.size());
    ASSERT_EQ(a.columns.size(), b.columns.size());
    for (std::size_t c = 0; c < b.columns.size(); ++c) {
      ASSERT_EQ(a.columns[c].fail_share, b.columns[c].fail_share);
      ASSERT_EQ(a.columns[c].rounds_to_pass, b.columns[c].rounds_to_pass);
      ASSERT_EQ(a.columns[c].supported_tolerance, b.columns[c].supported_tolerance);
    }
  }

  static Names LaterFields() { return {}; }

  static bool MayBe(const std::string& pointer, const Json& other) {
    if (!other.is_null()) return false;
    if (is_optional_rule_field(pointer, "/policy/cases/0/")) return true;
    if (is_optional_rule_field(pointer, "/rules/0/")) return true;
    return pointer.starts_with("/columns/0/") &&
           ends_with_any(pointer, {"/value", "/rounds_to_pass", "/rounds_to_fail", "/fail_share",
                                   "/fail_rounds", "/detectable", "/supported_tolerance"});
  }

  static Edits OutOfRange() {
    return {{"/session_id", "xyz"},
            {"/power", 0.4},
            {"/power", 1.5},
            {"/slowdown", 0},
            {"/looks/0", 0},
            {"/look_alpha/0", 0.6},
            {"/pass_share", 1.5},
            {"/rounds", -1},
            {"/exit", 1},
            {"/columns/0/tolerance", -0.1},
            {"/columns/0/rounds_to_pass", -1},
            {"/columns/0/metric/direction", "down"}};
  }
};

struct ParityFormat {
  using Value = ParityVerdict;
  static constexpr std::string_view kName = "parity";
  static constexpr bool kWrittenByHand = false;
  static constexpr int kRandomEdits = 3000;

  static Value Full() { return full_parity(); }
  static Value Draw(Random& random) { return random_parity(random); }
  static std::string Write(const Value& value) { return parity_to_json(value); }
  static Value Read(const std::string& text) { return parity_from_json(text, kFile); }

  static void ExpectSame(const Value& a, const Value& b) {
    ASSERT_EQ(a.columns.size(), b.columns.size());
    for (std::size_t c = 0; c < b.columns.size(); ++c) {
      ASSERT_EQ(a.columns[c].outcome, b.columns[c].outcome);
      ASSERT_EQ(a.columns[c].vacuous, b.columns[c].vacuous);
      ASSERT_EQ(a.columns[c].p_win, b.columns[c].p_win);
    }
  }

  static Names LaterFields() { return {"/grade", "/schedule/budget_s"}; }

  static bool MayBe(const std::string& pointer, const Json& other) {
    if (!other.is_null()) return false;
    if (is_optional_rule_field(pointer, "/policy/cases/0/")) return true;
    return pointer.starts_with("/columns/0/") &&
           ends_with_any(pointer,
                         {"/vacuous", "/point_delta", "/p_win", "/p_loss", "/baseline", "/human",
                          "/agent", "/estimate", "/lo", "/hi", "/range_lo", "/range_hi"});
  }

  static Edits OutOfRange() {
    return {{"/exit", 1},
            {"/columns/0/outcome", "fine"},
            {"/columns/0/claim", "Strong"},
            {"/columns/0/point_rule", "draw"},
            {"/columns/0/margin", -0.1},
            {"/columns/0/p_win", 1.5},
            {"/columns/0/p_loss", -0.5},
            {"/columns/0/agent_human/rounds", -1},
            {"/columns/0/metric/kind", "speed"},
            {"/schedule/seed", "0123"}};
  }
};

// Version 2 of the parity format.
struct ParityAgentsFormat {
  using Value = ParityAgents;
  static constexpr std::string_view kName = "parity";
  static constexpr std::string_view kTestName = "parity_agents";
  static constexpr bool kWrittenByHand = false;
  static constexpr int kRandomEdits = 3000;

  static Value Full() { return full_parity_agents(); }
  static Value Draw(Random& random) { return random_parity_agents(random); }
  static std::string Write(const Value& value) { return parity_agents_to_json(value); }
  static Value Read(const std::string& text) { return parity_agents_from_json(text, kFile); }

  static void ExpectSame(const Value& a, const Value& b) {
    ASSERT_EQ(a.verdicts.size(), b.verdicts.size());
    for (std::size_t i = 0; i < b.verdicts.size(); ++i) {
      ASSERT_NO_FATAL_FAILURE(ParityFormat::ExpectSame(a.verdicts[i], b.verdicts[i]));
      ASSERT_EQ(a.together.agents[i].label, b.together.agents[i].label);
      ASSERT_EQ(a.together.claims[i].p_win, b.together.claims[i].p_win);
    }
  }

  static Names LaterFields() {
    Names names;
    for (const std::string& name : ParityFormat::LaterFields()) names.push_back(kVerdict + name);
    return names;
  }

  static bool MayBe(const std::string& pointer, const Json& other) {
    return pointer.starts_with(kVerdict) &&
           ParityFormat::MayBe(pointer.substr(std::string_view(kVerdict).size()), other);
  }

  static Edits OutOfRange() {
    Edits edits = {{"/exit", 1},
                   {"/agents/0/exit", 2},
                   {"/agents/0/wins", -1},
                   {"/agents/0/vacuous", 0.5},
                   {"/claims/0/p_win", 1.5},
                   {"/claims/0/p_loss", -0.5}};
    for (const auto& [pointer, value] : ParityFormat::OutOfRange()) {
      edits.emplace_back(kVerdict + pointer, value);
    }
    return edits;
  }

 private:
  static constexpr const char* kVerdict = "/verdicts/0";
};

struct RecordedFormat {
  using Value = RecordedSession;
  static constexpr std::string_view kName = "recorded";
  static constexpr bool kWrittenByHand = false;
  static constexpr int kRandomEdits = 3000;

  static Value Full() { return full_recorded(); }
  static Value Draw(Random& random) { return random_recorded(random); }
  static std::string Write(const Value& value) { return recorded_to_json(value); }
  static Value Read(const std::string& text) { return recorded_from_json(text, kFile); }

  static void ExpectSame(const Value& a, const Value& b) {
    ASSERT_EQ(a.rounds, b.rounds);
    ASSERT_EQ(a.metrics, b.metrics);
    ASSERT_EQ(a.cases.size(), b.cases.size());
    ASSERT_EQ(a.reference, b.reference);
  }

  static Names LaterFields() { return {}; }

  static bool MayBe(const std::string& pointer, const Json& other) {
    return other.is_null() && pointer.find("/values/") != std::string::npos &&
           std::count(pointer.begin(), pointer.end(), '/') == 5;
  }

  static Edits OutOfRange() {
    return {{"/id", "0011"},
            {"/slice_s", 0},
            {"/pairs", 0},
            {"/rounds", 0},
            {"/cases/0/threads", 0},
            {"/cases/0/iterations", -1},
            {"/executable/driver", "telepathy"},
            {"/metrics/0/kind", "speed"},
            {"/reference/0/0", 0}};
  }
};

// For the tests of one format: its full example as a document, and what its reader says.
template <class Format>
class FileTest : public testing::Test {
 protected:
  static Json full_document() { return Json::parse(Format::Write(Format::Full())); }
  static typename Format::Value read(const std::string& text) { return Format::Read(text); }
  static void read_and_drop(const std::string& text) { Format::Read(text); }
  static void expect_invalid(const Json& document, const std::string& pointer) {
    expect_contradiction(read_and_drop, document, std::string(kFile) + ": " + pointer);
  }
};

struct AlternativesFormat {
  using Value = AlternativesVerdict;
  static constexpr std::string_view kName = "comparison";
  static constexpr bool kWrittenByHand = false;
  static constexpr int kRandomEdits = 3000;

  static Value Full() { return full_alternatives(); }
  static Value Draw(Random& random) { return random_alternatives(random); }
  static std::string Write(const Value& value) { return alternatives_to_json(value); }
  static Value Read(const std::string& text) { return alternatives_from_json(text, kFile); }

  static void ExpectSame(const Value& a, const Value& b) {
    ASSERT_EQ(a.family, b.family);
    ASSERT_EQ(a.rows.size(), b.rows.size());
    for (std::size_t r = 0; r < b.rows.size(); ++r) {
      ASSERT_EQ(a.rows[r].pairs.size(), b.rows[r].pairs.size());
      ASSERT_EQ(a.rows[r].standings.size(), b.rows[r].standings.size());
      for (std::size_t i = 0; i < b.rows[r].standings.size(); ++i) {
        ASSERT_EQ(a.rows[r].standings[i].rank_hi, b.rows[r].standings[i].rank_hi);
        expect_same(a.rows[r].standings[i].over_reference.lo,
                    b.rows[r].standings[i].over_reference.lo);
      }
    }
  }

  static Names LaterFields() { return {"/schedule/budget_s"}; }

  static bool MayBe(const std::string& pointer, const Json& other) {
    if (!other.is_null()) return false;
    if (is_optional_rule_field(pointer, "/policy/cases/0/")) return true;
    const bool in_row = pointer.starts_with("/rows/") || pointer.starts_with("/overall/");
    return in_row && ends_with_any(pointer, {"/estimate", "/value", "/size"});
  }

  static Edits OutOfRange() {
    return {{"/exit", 1},
            {"/family", "cases"},
            {"/reference", -1},
            {"/confidence", 1.5},
            {"/rounds_needed", -1},
            {"/rows/0/standings/0/status", "fine"},
            {"/rows/0/standings/0/rank_lo", -1},
            {"/rows/0/standings/1/over_reference/lo", 0},
            {"/rows/0/pairs/0/speed_up/estimate", -1},
            {"/rows/0/pairs/0/rounds", -1},
            {"/metric/kind", "speed"}};
  }
};

struct FleetFormat {
  using Value = FleetPlan;
  static constexpr std::string_view kName = "fleet";
  static constexpr bool kWrittenByHand = false;
  static constexpr int kRandomEdits = 3000;

  static Value Full() { return full_fleet(); }
  static Value Draw(Random& random) { return random_fleet(random); }
  static std::string Write(const Value& value) { return fleet_to_json(value); }
  static Value Read(const std::string& text) { return fleet_from_json(text, kFile); }

  static void ExpectSame(const Value& a, const Value& b) {
    ASSERT_EQ(a.id, b.id);
    ASSERT_EQ(a.jobs, b.jobs);
    ASSERT_EQ(a.looks, b.looks);
    ASSERT_EQ(a.cases.size(), b.cases.size());
    for (std::size_t c = 0; c < b.cases.size(); ++c) {
      ASSERT_EQ(a.cases[c].name, b.cases[c].name);
      ASSERT_EQ(a.cases[c].job, b.cases[c].job);
    }
    ASSERT_EQ(DigestOfPlan(a), DigestOfPlan(b));
  }

  static Names LaterFields() { return {}; }
  static bool MayBe(const std::string& pointer, const Json& other) {
    return other.is_null() && is_optional_rule_field(pointer, "/policy/cases/0/");
  }

  static Edits OutOfRange() {
    return {{"/id", "0011"},        {"/jobs", 0},        {"/looks/0", 0},
            {"/look_alpha/0", 0.6}, {"/cases/0/job", 0}, {"/cases/0/round_s", -1},
            {"/policy/alpha", 0}};
  }
};

struct HistoryFormat {
  using Value = History;
  static constexpr std::string_view kName = "history";
  static constexpr bool kWrittenByHand = false;
  static constexpr int kRandomEdits = 3000;

  static Value Full() { return full_history(); }
  static Value Draw(Random& random) { return random_history(random); }
  static std::string Write(const Value& value) { return history_to_json(value); }
  static Value Read(const std::string& text) { return history_from_json(text, kFile); }

  static void ExpectSame(const Value& a, const Value& b) {
    ASSERT_EQ(a.series.size(), b.series.size());
    for (std::size_t s = 0; s < b.series.size(); ++s) {
      ASSERT_EQ(a.series[s].metric, b.series[s].metric);
      ASSERT_EQ(a.series[s].points.size(), b.series[s].points.size());
      ASSERT_EQ(a.series[s].changes.size(), b.series[s].changes.size());
      ASSERT_EQ(a.series[s].points.back().value, b.series[s].points.back().value);
    }
  }

  static Names LaterFields() { return {}; }
  static bool MayBe(const std::string&, const Json&) { return false; }

  static Edits OutOfRange() {
    return {{"/alpha", 0.6},
            {"/series_alpha", -0.1},
            {"/series/0/noise", -1},
            {"/series/0/changes/0/p", 2},
            {"/series/0/changes/0/index", -1},
            {"/series/0/metric/kind", "speed"}};
  }
};

struct BisectionFormat {
  using Value = Bisection;
  static constexpr std::string_view kName = "bisection";
  static constexpr bool kWrittenByHand = false;
  static constexpr int kRandomEdits = 3000;

  static Value Full() { return full_bisection(); }
  static Value Draw(Random& random) { return random_bisection(random); }
  static std::string Write(const Value& value) { return bisection_to_json(value); }
  static Value Read(const std::string& text) { return bisection_from_json(text, kFile); }

  static void ExpectSame(const Value& a, const Value& b) {
    ASSERT_EQ(a.commits.size(), b.commits.size());
    for (std::size_t c = 0; c < b.commits.size(); ++c) {
      ASSERT_EQ(a.commits[c].answer, b.commits[c].answer);
      expect_same(a.commits[c].estimate, b.commits[c].estimate);
    }
    ASSERT_EQ(a.tolerance, b.tolerance);
  }

  static Names LaterFields() { return {}; }
  static bool MayBe(const std::string& pointer, const Json& other) {
    if (!other.is_null()) return false;
    return is_optional_rule_field(pointer, "/policy/cases/0/") ||
           (pointer.starts_with("/commits/") &&
            ends_with_any(pointer, {"/estimate", "/lo", "/hi"}));
  }

  static Edits OutOfRange() {
    return {{"/tolerance", -0.1},
            {"/commits/0/answer", "perhaps"},
            {"/commits/0/rounds", -1},
            {"/policy/alpha", 0}};
  }
};

struct LayoutsFormat {
  using Value = LayoutSet;
  static constexpr std::string_view kName = "layouts";
  static constexpr bool kWrittenByHand = false;
  static constexpr int kRandomEdits = 3000;

  static Value Full() { return full_layouts(); }
  static Value Draw(Random& random) { return random_layouts(random); }
  static std::string Write(const Value& value) { return layouts_to_json(value); }
  static Value Read(const std::string& text) { return layouts_from_json(text, kFile); }

  static void ExpectSame(const Value& a, const Value& b) {
    ASSERT_EQ(a.objects, b.objects);
    ASSERT_EQ(a.command.arguments, b.command.arguments);
    ASSERT_EQ(a.layouts.size(), b.layouts.size());
    for (std::size_t i = 0; i < b.layouts.size(); ++i) {
      ASSERT_EQ(a.layouts[i].seed, b.layouts[i].seed);
      ASSERT_EQ(a.layouts[i].digest, b.layouts[i].digest);
    }
  }

  static Names LaterFields() { return {}; }
  static bool MayBe(const std::string&, const Json&) { return false; }

  static Edits OutOfRange() {
    return {{"/count", -1}, {"/linked/0/seed", -1}, {"/shuffling", "by hand"}};
  }
};

}  // namespace perfgate::sample
