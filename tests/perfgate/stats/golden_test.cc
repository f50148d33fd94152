// SPDX-License-Identifier: Apache-2.0
// Golden cases of tests/data/stats: every file, every expected field.
//
// Each mode's checker ticks off the fields that it compared; a field that nobody compared, a mode
// that nobody knows and a folder with too few files are failures. So a new case cannot pass unread.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "perfgate/stats/design/planning.h"
#include "perfgate/stats/design/sequential_gate.h"
#include "perfgate/stats/design/stored.h"
#include "perfgate/stats/estimate/order_statistics.h"
#include "perfgate/stats/inference/max_t.h"
#include "perfgate/stats/inference/parity.h"
#include "tests/support/arguments.h"

namespace perfgate::stats {
namespace {

using nlohmann::json;

// Expected values are written with 12 significant digits.
constexpr double kTolerance = 1e-9;
constexpr std::size_t kCases = 22;

// The expected object of one case or part of it.
class Expected {
 public:
  Expected(const json& fields, std::string where) : fields_(fields), where_(std::move(where)) {}

  const json& operator[](const std::string& name) {
    read_.insert(name);
    EXPECT_TRUE(fields_.contains(name)) << where_ << ": no field " << name;
    return fields_.at(name);
  }
  bool has(const std::string& name) const { return fields_.contains(name); }
  std::string where(const std::string& name) const { return where_ + "." + name; }

  void number(const std::string& name, double actual) {
    const json& value = (*this)[name];
    if (value.is_null()) {
      EXPECT_TRUE(std::isnan(actual)) << where(name) << " is " << actual << ", expected none";
    } else {
      EXPECT_NEAR(actual, value.get<double>(), kTolerance) << where(name);
    }
  }
  void numbers(const std::string& name, const std::vector<double>& actual) {
    const json& values = (*this)[name];
    ASSERT_EQ(actual.size(), values.size()) << where(name);
    for (std::size_t i = 0; i < actual.size(); ++i) {
      EXPECT_NEAR(actual[i], values[i].get<double>(), kTolerance) << where(name) << "[" << i << "]";
    }
  }
  void text(const std::string& name, const std::string& actual) {
    EXPECT_EQ(actual, (*this)[name].get<std::string>()) << where(name);
  }
  void optional_rounds(const std::string& name, const std::optional<int>& actual) {
    const json& value = (*this)[name];
    EXPECT_EQ(actual.has_value(), !value.is_null()) << where(name);
    if (actual.has_value() && !value.is_null()) {
      EXPECT_EQ(*actual, value.get<int>()) << where(name);
    }
  }
  void all_read() const {
    for (const auto& [name, value] : fields_.items()) {
      EXPECT_TRUE(read_.contains(name)) << where_ << ": field " << name << " was never compared";
    }
  }

 private:
  const json& fields_;
  std::string where_;
  std::set<std::string> read_;
};

std::vector<double> vector_of(const json& values) { return values.get<std::vector<double>>(); }

Matrix matrix_of(const json& rows) {
  Matrix matrix(rows.size(), rows.at(0).size());
  for (std::size_t r = 0; r < matrix.rows; ++r) {
    for (std::size_t c = 0; c < matrix.cols; ++c) {
      matrix(r, c) = rows.at(r).at(c).get<double>();
    }
  }
  return matrix;
}

// "tol" is one number for all columns or one per column.
std::vector<double> taus_of(const json& input, std::size_t columns) {
  const json& tol = input.at("tol");
  std::vector<double> taus(columns);
  for (std::size_t c = 0; c < columns; ++c) {
    taus[c] = std::log1p(tol.is_array() ? tol.at(c).get<double>() : tol.get<double>());
  }
  return taus;
}

double nan_unless(bool valid, double value) {
  return valid ? value : std::numeric_limits<double>::quiet_NaN();
}

// The interval object of modes ci and sequential; `fixed_level` is set for the former.
void check_interval(Expected ci, std::span<const double> d, const Interval& interval,
                    double estimate, bool fixed_level) {
  ci.number("n", static_cast<double>(d.size()));
  ci.number("estimate", estimate);
  ci.number("lo", interval.lo);
  ci.number("hi", interval.hi);
  ci.number("attained", nan_unless(interval.valid, interval.attained));
  if (std::cmp_less(d.size(), kMinimumRounds)) {
    const Range range = min_max(d);
    ci.numbers("range", {range.lo, range.hi});
    ci.number("range_conf", range.confidence);
    ci.text("method", "range (too few rounds for an interval)");
    ci.number("conf", 0.95);
  } else if (fixed_level) {
    ci.text("method", "signed-rank sign-flip, exact");
    ci.number("conf", 0.95);
    EXPECT_GE(interval.attained, 0.95);
  } else {
    ci.number("nominal", 1.0 - 2.0 * sequential_level(static_cast<int>(d.size())));
  }
  ci.all_read();
}

void check_ci(const json& input, Expected& expected) {
  const std::vector<double> d = vector_of(input.at("d"));
  check_interval(Expected(expected["ci"], expected.where("ci")), d, signed_rank_interval(d, 0.025),
                 hodges_lehmann(d), true);
  for (const auto& [level, upper] : expected["upper"].items()) {
    EXPECT_NEAR(signed_rank_interval(d, std::stod(level)).hi, upper.get<double>(), kTolerance);
  }
  expected.number("noise_sd", noise_sd(d));
}

void check_gate(const json& input, Expected& expected) {
  Matrix x = matrix_of(input.at("d"));
  const std::vector<double> taus = taus_of(input, x.cols);
  for (std::size_t r = 0; r < x.rows; ++r) {
    for (std::size_t c = 0; c < x.cols; ++c) {
      x(r, c) -= taus[c];
    }
  }
  const MaxT result =
      max_t(x, 2.0, input.value("seed", std::uint64_t{1}), input.value("flips", kDefaultFlips));
  expected.numbers("z", result.z);
  expected.numbers("p_raw", result.p_raw);
  expected.numbers("p_single", result.p_single);
  expected.numbers("p_adj", result.p_adjusted);
  EXPECT_EQ(result.flips, expected["flips"].get<std::size_t>());
  EXPECT_EQ(result.exact, expected["exact"].get<bool>());
  if (!result.exact) {
    // Counts of sampled flips are written in full: they agree exactly or not at all.
    EXPECT_EQ(result.p_raw, vector_of(expected["p_raw"]));
    EXPECT_EQ(result.p_single, vector_of(expected["p_single"]));
    EXPECT_EQ(result.p_adjusted, vector_of(expected["p_adj"]));
  }
}

std::string name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::kPass:
      return "PASS";
    case Outcome::kFail:
      return "FAIL";
    case Outcome::kUndecided:
      return "INCONCLUSIVE";
  }
  return "?";
}

void check_plan(Expected plan, std::span<const double> d, double tau, double alpha) {
  const Plan actual = plan_column(d, tau, alpha);
  plan.number("noise_sd", actual.noise_sd);
  plan.number("mde_slowdown", actual.minimum_detectable);
  plan.number("passes_at_tol", actual.passes_at.value_or(std::numeric_limits<double>::quiet_NaN()));
  const auto about = [](const std::optional<RoundsForecast>& forecast) {
    return forecast ? std::optional<int>(forecast->about) : std::nullopt;
  };
  plan.optional_rounds("rounds_to_pass", about(actual.rounds_to_pass));
  plan.optional_rounds("rounds_to_fail", about(actual.rounds_to_fail));
  plan.all_read();
}

void check_sequential(const json& input, Expected& expected) {
  const Matrix d = matrix_of(input.at("d"));
  const std::vector<double> taus = taus_of(input, d.cols);
  const std::vector<Look> looks = default_looks();
  const GateRun run = run_gate(d, taus, looks);
  const auto undecided = static_cast<int>(
      std::count_if(run.columns.begin(), run.columns.end(),
                    [](const ColumnState& state) { return state.outcome == Outcome::kUndecided; }));
  expected.text("suite", name_of(run.suite));
  expected.number("rounds", run.rounds);
  const json& cases = expected["cases"];
  ASSERT_EQ(cases.size(), d.cols);
  for (std::size_t c = 0; c < d.cols; ++c) {
    const ColumnState& state = run.columns[c];
    const std::vector<double> column = d.column(c);
    const auto used = std::span(column).first(static_cast<std::size_t>(state.rounds));
    const std::string where = expected.where("cases[" + std::to_string(c) + "]");
    Expected one(cases[c], where);
    one.text("verdict", name_of(state.outcome));
    one.number("rounds", state.rounds);
    one.number("p_adj", state.p_adjusted);
    check_interval(Expected(one["ci"], where + ".ci"), used, state.interval, state.estimate, false);
    EXPECT_EQ(one.has("plan"), state.outcome == Outcome::kUndecided) << where;
    if (one.has("plan")) {
      check_plan(Expected(one["plan"], where + ".plan"), used, taus[c],
                 column_alpha(looks.back().alpha, undecided));
    }
    one.all_read();
  }
}

std::string name_of(ParityOutcome outcome) {
  switch (outcome) {
    case ParityOutcome::kMatch:
      return "MATCH";
    case ParityOutcome::kWin:
      return "WIN";
    case ParityOutcome::kLoss:
      return "LOSS";
    case ParityOutcome::kUnresolved:
      return "UNRESOLVED";
  }
  return "?";
}

void check_parity(const json& input, Expected& expected) {
  const Parity parity = parity_fixed(vector_of(input.at("d")), input.at("margin").get<double>());
  expected.text("verdict", name_of(parity.outcome));
  expected.number("estimate", parity.estimate);
  expected.numbers("ci90", {parity.match.lo, parity.match.hi});
  expected.numbers("ci95", {parity.superiority.lo, parity.superiority.hi});
  EXPECT_EQ(parity.non_inferior, expected["non_inferior"].get<bool>());
}

std::string name_of(StoredStrength strength, const std::string& none) {
  switch (strength) {
    case StoredStrength::kNone:
      return none;
    case StoredStrength::kAdvisory:
      return "ADVISORY";
    case StoredStrength::kSuspected:
      return "SUSPECT";
  }
  return "?";
}

void check_stored(const json& input, Expected& expected) {
  const Matrix base = matrix_of(input.at("base"));
  const Matrix cand = matrix_of(input.at("cand"));
  const Stored stored = compare_stored(base, cand, taus_of(input, base.cols));
  expected.number("K", static_cast<double>(stored.baseline_sessions));
  expected.number("k", static_cast<double>(stored.candidate_sessions));
  expected.number("permutations", stored.permutations);
  expected.number("min_p", stored.min_p);
  expected.number("df", static_cast<double>(base.rows + cand.rows) - 2.0);
  expected.text("strength", name_of(stored.strength, "NONE"));
  std::vector<double> p;
  std::vector<double> delta;
  const json& intervals = expected["pi95"];
  const json& verdicts = expected["verdict"];
  ASSERT_EQ(intervals.size(), stored.columns.size());
  ASSERT_EQ(verdicts.size(), stored.columns.size());
  for (std::size_t c = 0; c < stored.columns.size(); ++c) {
    const StoredColumn& column = stored.columns[c];
    p.push_back(column.p_adjusted);
    delta.push_back(column.delta);
    ASSERT_TRUE(column.interval);
    EXPECT_NEAR(column.interval->lo, intervals[c][0].get<double>(), kTolerance);
    EXPECT_NEAR(column.interval->hi, intervals[c][1].get<double>(), kTolerance);
    EXPECT_EQ(name_of(column.verdict, "NO_EVIDENCE"), verdicts[c].get<std::string>());
  }
  expected.numbers("p_adj", p);
  expected.numbers("delta", delta);
}

void check_rounds(const json& input, Expected& expected) {
  const double sd = input.at("sd").get<double>();
  const double alpha = input.at("alpha").get<double>();
  expected.optional_rounds("rounds", rounds_needed(sd, input.at("theta").get<double>(), alpha));
  expected.number("mde", detectable_distance(sd, input.at("n").get<int>(), alpha));
}

void check_words(const json& input, Expected& expected) {
  const json& words = expected["words"];
  ASSERT_EQ(words.size(), input.at("count").get<std::size_t>());
  for (std::size_t i = 0; i < words.size(); ++i) {
    EXPECT_EQ(splitmix64(input.at("seed").get<std::uint64_t>(), i),
              std::stoull(words[i].get<std::string>(), nullptr, 16));
  }
}

void check(const json& golden, const std::string& name) {
  const json& input = golden.at("input");
  const auto mode = input.at("mode").get<std::string>();
  Expected expected(golden.at("expected"), name);
  if (mode == "ci") {
    check_ci(input, expected);
  } else if (mode == "gate_once") {
    check_gate(input, expected);
  } else if (mode == "sequential") {
    check_sequential(input, expected);
  } else if (mode == "parity") {
    check_parity(input, expected);
  } else if (mode == "stored") {
    check_stored(input, expected);
  } else if (mode == "rounds_needed") {
    check_rounds(input, expected);
  } else if (mode == "flips") {
    check_words(input, expected);
  } else {
    ADD_FAILURE() << name << ": unknown mode " << mode;
  }
  expected.all_read();
}

TEST(Golden, EveryCaseAgrees) {
  const std::filesystem::path folder =
      std::filesystem::path(perfgate::test_support::SourceFolder()) / "tests" / "data" / "stats";
  std::size_t cases = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    // Recorded measurements are data for the calibration programs, not cases.
    if (entry.path().extension() != ".json" || name.starts_with("recorded_")) {
      continue;
    }
    SCOPED_TRACE(name);
    std::ifstream file(entry.path());
    check(json::parse(file), name);
    ++cases;
  }
  EXPECT_GE(cases, kCases);
}

}  // namespace
}  // namespace perfgate::stats
