// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/planning/calibration.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

#include "perfgate/base/error.h"
#include "perfgate/evidence/conditions.h"
#include "perfgate/stats/design/planning.h"
#include "perfgate/stats/design/two_stage.h"
#include "perfgate/stats/estimate/order_statistics.h"
#include "perfgate/verdict/faults.h"
#include "perfgate/verdict/gate/gate.h"

namespace perfgate::inline verdict {
namespace {

double six_digits(double value) {
  if (!std::isfinite(value) || value == 0) return value == 0 ? 0 : value;
  std::array<char, 32> text = {};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value,
                                          std::chars_format::scientific, 5);
  double rounded = value;
  std::from_chars(text.data(), end, rounded);
  return rounded;
}

// A log ratio to one part in a million; anything else to six digits.
double rounded_statistic(double d, const Metric& metric) {
  constexpr double kParts = 1e6;
  if (!is_relative(metric.kind)) return six_digits(d);
  const double rounded = std::nearbyint(d * kParts) / kParts;
  return rounded == 0 ? 0 : rounded;  // no -0
}

void require_aa(const Session& session) {
  if (session.arms.size() != 2 || session.arms[0].digest != session.arms[1].digest) {
    throw Error(Exit::kInvalid,
                "a calibration needs a session of two arms of one executable; these are " +
                    (session.arms.size() == 2 ? std::string("two executables")
                                              : std::to_string(session.arms.size()) + " arm(s)"));
  }
}

std::map<std::size_t, std::vector<Fault>> faults_by_case(const Session& session) {
  std::map<std::size_t, std::vector<Fault>> faults;
  for (const Fault& fault : session.faults) faults[fault.case_index].push_back(fault);
  return faults;
}

// Leading rounds that hold every one of these cases.
int whole_rounds(const Session& session, const std::set<std::size_t>& sound) {
  int rounds = 0;
  for (const RoundInfo& round : session.rounds) {
    std::set<std::size_t> held;
    for (const CaseRound& measured : round.cases) {
      if (sound.contains(measured.case_index)) held.insert(measured.case_index);
    }
    if (held.size() != sound.size()) break;
    ++rounds;
  }
  return rounds;
}

// Wall seconds of a slice: its timed part as measured, or as calibrated where the time that is
// gated is not the wall's, and the set-up that calibration saw.
double slice_wall_s(const Session& session, std::size_t c, int rounds) {
  constexpr double kMostSetup = 0.999;
  const CaseInfo& info = session.cases[c];
  const double setup = std::min(info.setup_share, kMostSetup);
  const double setup_s = info.slice_s * setup / (1 - setup);
  if (info.time != "real" || info.iterations == 0) return info.slice_s + setup_s;
  std::vector<double> times;
  for (int r = 0; r < rounds; ++r) {
    for (const CaseRound& measured : session.rounds[static_cast<std::size_t>(r)].cases) {
      if (measured.case_index != c) continue;
      for (const std::vector<double>& arm : measured.values.front()) {
        std::copy_if(arm.begin(), arm.end(), std::back_inserter(times),
                     [](double value) { return std::isfinite(value); });
      }
    }
  }
  const double timed_s =
      times.empty() ? info.slice_s : stats::median(times) * static_cast<double>(info.iterations);
  return timed_s + setup_s;
}

struct Costs {
  double round_s = 0;
  double launch_s = 0;
  std::vector<double> pair_s;  // per case; 0 for those that are not sound
};

Costs costs_of(const Session& session, const std::set<std::size_t>& sound, int rounds) {
  const int slices = session.policy.pairs + session.policy.warmup_slices;
  Costs costs;
  costs.pair_s.assign(session.cases.size(), 0.0);
  double expected = 0;
  for (const std::size_t c : sound) {
    costs.pair_s[c] = 2 * slice_wall_s(session, c, rounds);
    expected += slices * costs.pair_s[c];
  }
  std::vector<double> walls;
  walls.reserve(static_cast<std::size_t>(rounds));
  for (int r = 0; r < rounds; ++r) {
    walls.push_back(session.rounds[static_cast<std::size_t>(r)].wall_s);
  }
  costs.round_s = stats::median(walls);
  const bool per_suite = session.arms[0].driver == DriverKind::kProcessPerSuite;
  if (expected > costs.round_s && expected > 0) {
    for (double& pair : costs.pair_s) pair *= costs.round_s / expected;
  } else if (per_suite) {
    const double share = (costs.round_s - expected) / slices / static_cast<double>(sound.size());
    for (const std::size_t c : sound) costs.pair_s[c] += share;
  } else {
    costs.launch_s = costs.round_s - expected;
  }
  return costs;
}

// The pairs of every round of one case and metric, as the statistic of a round with one pair.
std::vector<std::vector<double>> pair_ratios(const Session& session, const Column& column,
                                             int rounds) {
  std::vector<std::vector<double>> result;
  const Metric& metric = session.metrics[column.metric_index];
  for (const RoundInfo& round : session.rounds) {
    if (round.index >= rounds) break;
    for (const CaseRound& measured : round.cases) {
      if (measured.case_index != column.case_index) continue;
      const auto& arms = measured.values[column.metric_index];
      std::vector<double>& pairs = result.emplace_back();
      for (std::size_t i = 0; i < std::min(arms[0].size(), arms[1].size()); ++i) {
        const double d = round_statistic(std::span(arms[0]).subspan(i, 1),
                                         std::span(arms[1]).subspan(i, 1), metric);
        if (std::isfinite(d)) pairs.push_back(d);
      }
    }
  }
  return result;
}

CalibratedColumn calibrated(const Session& session, const Column& column, int rounds,
                            double pair_s) {
  const Metric& metric = session.metrics[column.metric_index];
  const CaseInfo& info = session.cases[column.case_index];
  CalibratedColumn result;
  result.case_name = info.name;
  result.metric = metric;
  result.iterations = info.iterations;
  result.slice_s = six_digits(info.slice_s);
  result.setup_share = six_digits(info.setup_share);
  result.pair_s = six_digits(pair_s);
  std::vector<double> values = column.baseline;
  values.insert(values.end(), column.candidate.begin(), column.candidate.end());
  result.value = six_digits(stats::median(values));
  for (const double d : column.d) result.d.push_back(rounded_statistic(d, metric));
  result.round_sd = six_digits(stats::noise_sd(result.d));
  result.sample_sd = six_digits(stats::sample_sd(result.d));
  if (session.policy.pairs >= 2) {
    const double within = stats::pair_sd(pair_ratios(session, column, rounds));
    result.pair_sd = six_digits(within);
    result.between_sd =
        six_digits(stats::split_noise(result.round_sd, within, session.policy.pairs).between);
  }
  return result;
}

RoundConditions rounded(RoundConditions conditions) {
  for (double* value :
       {&conditions.steal_share, &conditions.foreign_share, &conditions.load, &conditions.mhz}) {
    *value = six_digits(*value);
  }
  return conditions;
}

void require_enough(int rounds, std::size_t sound) {
  if (sound == 0) {
    throw Error(Exit::kInconclusive,
                "no case could be calibrated: each one failed or skips itself");
  }
  if (rounds < kLeastCalibrationRounds) {
    throw Error(Exit::kInconclusive,
                "only " + std::to_string(rounds) +
                    " round(s) hold every case, and a calibration needs 6 (20 to say much): raise "
                    "--budget or --rounds, or narrow --filter");
  }
}

// What the session says of where and how it was measured.
Calibration heading(const Session& session, const Policy& gate_policy) {
  Calibration result;
  result.session_id = session.id;
  result.tool = session.tool;
  result.started = session.started;
  result.suite = session.suite;
  result.executable = session.arms[0];
  result.executable.label = "both arms";
  result.machine = session.machine;
  result.seed = session.schedule.seed;
  result.policy = gate_policy;
  result.policy.pairs = session.policy.pairs;
  result.policy.slice_s = session.policy.slice_s;
  result.policy.warmup_slices = session.policy.warmup_slices;
  result.policy.filter = session.policy.filter;
  result.wall_s = six_digits(session.wall_s);
  result.warnings = session.warnings;
  return result;
}

}  // namespace

Calibration calibrate_noise(const Session& session, const Policy& gate_policy) {
  require_aa(session);
  Calibration result = heading(session, gate_policy);
  const auto faults = faults_by_case(session);
  std::set<std::size_t> sound;
  for (std::size_t c = 0; c < session.cases.size(); ++c) {
    const auto found = faults.find(c);
    if (found == faults.end()) {
      sound.insert(c);
    } else {
      result.left_out.push_back(
          {session.cases[c].name, judge_faults(found->second, session.arms)->reason});
    }
  }
  const int rounds = sound.empty() ? 0 : whole_rounds(session, sound);
  require_enough(rounds, sound.size());

  const Costs costs = costs_of(session, sound, rounds);
  result.rounds = rounds;
  result.cpus = session.rounds.front().cpus;
  result.conditions = rounded(typical_conditions(session));
  result.start_s = six_digits(session.rounds.front().started_s);
  result.round_s = six_digits(costs.round_s);
  result.launch_s = std::min(six_digits(costs.launch_s), result.round_s);
  for (const Column& column : make_columns(session, rounds)) {
    if (!sound.contains(column.case_index)) continue;
    if (column.d.size() != static_cast<std::size_t>(rounds)) {
      result.left_out.push_back({session.cases[column.case_index].name,
                                 session.metrics[column.metric_index].name + " is there in " +
                                     std::to_string(column.d.size()) + " of " +
                                     std::to_string(rounds) + " rounds"});
      continue;
    }
    result.columns.push_back(calibrated(session, column, rounds, costs.pair_s[column.case_index]));
  }
  if (rounds < kWantedCalibrationRounds) {
    result.warnings.push_back("calibrated from " + std::to_string(rounds) +
                              " rounds; below 20 every figure is rough");
  }
  return result;
}

}  // namespace perfgate::inline verdict
