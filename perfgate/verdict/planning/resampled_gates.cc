// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/planning/resampled_gates.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>

#include "perfgate/stats/estimate/preconditions.h"
#include "perfgate/stats/inference/sign_flips.h"
#include "perfgate/stats/inference/signed_rank.h"
#include "perfgate/stats/resample/parallel.h"
#include "perfgate/verdict/gate/gate.h"

namespace perfgate::inline verdict {
namespace {

using Columns = std::vector<std::vector<double>>;
using States = std::vector<stats::ColumnState>;

// The drawn round and its sign for every round of one gate.
struct Draw {
  std::size_t round;
  double sign;
};

std::vector<Draw> draw_rounds(std::size_t recorded, int rounds, std::uint64_t seed,
                              std::size_t gate) {
  const std::uint64_t stream = stats::splitmix64(seed, gate);
  std::vector<Draw> draws;
  for (int r = 0; r < rounds; ++r) {
    const auto i = static_cast<std::uint64_t>(r);
    const std::size_t round = stats::bounded(stats::splitmix64(stream, 2 * i), recorded);
    const bool negated = (stats::splitmix64(stream, 2 * i + 1) >> 63) != 0;
    draws.push_back({round, negated ? -1.0 : 1.0});
  }
  return draws;
}

std::vector<double> drawn(const std::vector<double>& d, const std::vector<Draw>& draws) {
  std::vector<double> result;
  result.reserve(draws.size());
  for (const Draw& draw : draws) result.push_back(draw.sign * d[draw.round]);
  return result;
}

Columns drawn_columns(const GateModel& model, std::uint64_t seed, std::size_t gate) {
  const std::vector<Draw> draws =
      draw_rounds(model.d.front().size(), model.looks.back().rounds, seed, gate);
  Columns columns;
  for (const std::vector<double>& d : model.d) columns.push_back(drawn(d, draws));
  return columns;
}

// The states after every look; fewer where all columns were decided before.
std::vector<States> trace_gate(const GateModel& model, const Columns& d) {
  std::vector<States> trace;
  States states(model.rules.size());
  for (const stats::Look& look : model.looks) {
    const bool open = std::any_of(states.begin(), states.end(), [](const auto& state) {
      return state.outcome == stats::Outcome::kUndecided;
    });
    if (!open) break;
    stats::apply_look(look, model.rules, d, states);
    trace.push_back(states);
  }
  return trace;
}

double suite_wall_s(const GateModel& model, const States& states) {
  // Cases without a gated column leave at the first look.
  std::vector<int> rounds(model.case_s.size(), model.looks.front().rounds);
  int last = 0;
  for (std::size_t c = 0; c < states.size(); ++c) {
    int& of_case = rounds[model.case_of[c]];
    of_case = std::max(of_case, states[c].rounds);
    last = std::max(last, states[c].rounds);
  }
  double wall_s = model.start_s + last * model.launch_s;
  for (std::size_t i = 0; i < rounds.size(); ++i) wall_s += rounds[i] * model.case_s[i];
  return wall_s;
}

void require_model(const GateModel& model) {
  stats::require(model.d.size() == model.rules.size() && model.case_of.size() == model.d.size(),
                 "resampled gates: one rule and case per column");
  for (const std::vector<double>& d : model.d) {
    stats::require(!d.empty() && d.size() == model.d.front().size(),
                   "resampled gates: every column needs the same rounds, at least one");
    stats::require_finite(d, "resampled gates");
  }
}

bool is_empty(const GateModel& model) { return model.looks.empty() || model.d.empty(); }

// How column c fares when it is slower, in a gate whose other columns have this trace. d: the drawn
// rounds of all columns, c already shifted.
stats::ColumnState slowed_state(const GateModel& model, const std::vector<States>& trace,
                                const Columns& d, std::size_t c) {
  stats::ColumnState own;
  for (std::size_t k = 0; k < model.looks.size(); ++k) {
    States states(model.rules.size());
    if (model.looks[k].alpha <= 0) {  // nothing is tested together: the others do not matter
      for (stats::ColumnState& state : states) state.outcome = stats::Outcome::kPass;
    } else if (k > 0) {
      states = trace[std::min(k, trace.size()) - 1];
    }
    states[c] = own;
    stats::apply_look(model.looks[k], model.rules, d, states);
    own = states[c];
    if (own.outcome != stats::Outcome::kUndecided) break;
  }
  return own;
}

}  // namespace

GateModel gate_model(const Calibration& calibration, const Policy& policy,
                     const std::vector<stats::Look>& looks) {
  GateModel model;
  const int slices = policy.pairs + policy.warmup_slices;
  std::map<std::string, std::size_t> cases;
  for (std::size_t c = 0; c < calibration.columns.size(); ++c) {
    const CalibratedColumn& column = calibration.columns[c];
    const auto [found, added] = cases.emplace(column.case_name, model.case_s.size());
    if (added) model.case_s.push_back(slices * column.pair_s);
    const ColumnPolicy rule = column_policy(policy, column.case_name, column.metric);
    if (!rule.gate) continue;
    Column gated;
    gated.tolerance = rule.tolerance;
    model.columns.push_back(c);
    model.rules.push_back(column_rule(gated, column.metric));
    model.d.push_back(column.d);
    model.case_of.push_back(found->second);
  }
  model.launch_s = calibration.launch_s;
  model.start_s = calibration.start_s;
  for (const stats::Look& look : looks) {
    if (look.rounds >= stats::kMinimumRounds) model.looks.push_back(look);
  }
  return model;
}

int affordable_gates(std::size_t columns) {
  constexpr std::size_t kWanted = 1000;
  constexpr std::size_t kColumns = 40'000;  // columns of all gates together
  constexpr std::size_t kLeast = 50;
  return static_cast<int>(
      std::clamp(kColumns / std::max<std::size_t>(1, columns), kLeast, kWanted));
}

UnchangedGates resample_unchanged(const GateModel& model, int gates, std::uint64_t seed) {
  require_model(model);
  UnchangedGates result;
  result.column_passed.assign(model.rules.size(), 0);
  result.column_failed.assign(model.rules.size(), 0);
  result.column_rounds.assign(model.rules.size(), 0.0);
  if (is_empty(model) || gates <= 0) return result;
  std::vector<States> ends(static_cast<std::size_t>(gates));
  stats::parallel_for(ends.size(), 0, [&](std::size_t g) {
    ends[g] = trace_gate(model, drawn_columns(model, seed, g)).back();
  });
  result.gates = gates;
  for (const States& states : ends) {
    const stats::Outcome suite = stats::suite_outcome(states);
    result.failed += suite == stats::Outcome::kFail ? 1 : 0;
    result.passed += suite == stats::Outcome::kPass ? 1 : 0;
    int rounds = 0;
    for (std::size_t c = 0; c < states.size(); ++c) {
      result.column_passed[c] += states[c].outcome == stats::Outcome::kPass ? 1 : 0;
      result.column_failed[c] += states[c].outcome == stats::Outcome::kFail ? 1 : 0;
      result.column_rounds[c] += states[c].rounds;
      rounds = std::max(rounds, states[c].rounds);
    }
    result.rounds += rounds;
    result.wall_s.push_back(suite_wall_s(model, states));
  }
  result.rounds /= gates;
  for (double& rounds : result.column_rounds) rounds /= gates;
  std::sort(result.wall_s.begin(), result.wall_s.end());
  return result;
}

std::vector<SlowedGates> resample_slowed(const GateModel& model, const std::vector<double>& shift,
                                         int gates, std::uint64_t seed) {
  require_model(model);
  stats::require(shift.size() == model.rules.size(), "resample_slowed: one shift per column");
  std::vector<SlowedGates> result(shift.size());
  if (is_empty(model) || gates <= 0) return result;
  std::vector<States> ends(static_cast<std::size_t>(gates));
  stats::parallel_for(ends.size(), 0, [&](std::size_t g) {
    Columns d = drawn_columns(model, seed, g);
    const std::vector<States> trace = trace_gate(model, d);
    ends[g].resize(shift.size());
    for (std::size_t c = 0; c < shift.size(); ++c) {
      if (!std::isfinite(shift[c])) continue;
      const std::vector<double> unchanged = d[c];
      for (double& value : d[c]) value += shift[c];
      ends[g][c] = slowed_state(model, trace, d, c);
      d[c] = unchanged;
    }
  });
  for (const States& states : ends) {
    for (std::size_t c = 0; c < states.size(); ++c) {
      result[c].found += states[c].outcome == stats::Outcome::kFail ? 1 : 0;
      result[c].rounds += states[c].rounds;
    }
  }
  for (SlowedGates& slowed : result) slowed.rounds /= gates;
  return result;
}

double passing_tau(const GateModel& model, std::size_t column, double power, int gates,
                   std::uint64_t seed) {
  require_model(model);
  stats::require(column < model.d.size() && power > 0 && power <= 1 && gates >= 1,
                 "passing_tau: no such column, power or number of gates");
  if (model.looks.empty()) return std::numeric_limits<double>::infinity();
  std::vector<stats::SignedRankCutoff> cutoffs;
  for (const stats::Look& look : model.looks) {
    cutoffs.push_back(stats::signed_rank_cutoff(look.rounds, stats::sequential_level(look.rounds)));
  }
  std::vector<double> bounds(static_cast<std::size_t>(gates));
  stats::parallel_for(bounds.size(), 0, [&](std::size_t g) {
    const std::vector<double> d = drawn(
        model.d[column], draw_rounds(model.d[column].size(), model.looks.back().rounds, seed, g));
    double least = std::numeric_limits<double>::infinity();
    for (const stats::SignedRankCutoff& cutoff : cutoffs) {
      const auto n = static_cast<std::size_t>(cutoff.n);
      least = std::min(least, stats::signed_rank_interval(std::span(d).first(n), cutoff).hi);
    }
    bounds[g] = least;
  });
  std::sort(bounds.begin(), bounds.end());
  const auto needed = static_cast<std::size_t>(std::ceil(power * gates));
  return bounds[std::max<std::size_t>(1, needed) - 1];
}

}  // namespace perfgate::inline verdict
