// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "tests/perfgate/evidence/sample_evidence.h"

namespace perfgate::sample {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

template <class T>
T pick(Random& random, T lo, T hi) {
  return std::uniform_int_distribution<T>(lo, hi)(random);
}

bool coin(Random& random) { return pick(random, 0, 1) == 1; }

double real(Random& random, double lo, double hi) {
  return std::uniform_real_distribution<double>(lo, hi)(random);
}

double absent_or(Random& random, double value) { return coin(random) ? value : kNaN; }

std::string hex(Random& random, int digits) {
  std::string text;
  for (int i = 0; i < digits; ++i) text += "0123456789abcdef"[pick(random, 0, 15)];
  return text;
}

std::vector<int> random_cpus(Random& random) {
  std::vector<int> cpus(pick<std::size_t>(random, 0, 3));
  for (int& cpu : cpus) cpu = pick(random, 0, 200);
  return cpus;
}

std::vector<std::string> random_texts(Random& random) {
  std::vector<std::string> texts(pick<std::size_t>(random, 0, 3));
  for (std::string& text : texts) text = random_text(random, 60);
  return texts;
}

// A suffix keeps random names apart where files demand it.
std::string unique_text(Random& random, std::size_t index) {
  return random_text(random, 100) + "#" + std::to_string(index);
}

Metric random_metric(Random& random, std::size_t index) {
  return {.name = unique_text(random, index),
          .unit = random_text(random, 4),
          .direction = static_cast<Direction>(pick(random, 0, 1)),
          .kind = static_cast<Kind>(pick(random, 0, 3))};
}

Machine random_machine(Random& random) {
  return {.cpu_model = random_text(random),
          .isa = random_text(random),
          .kernel = random_text(random),
          .hostname = random_text(random),
          .governor = random_text(random),
          .boost = random_text(random),
          .virtualization = random_text(random),
          .logical_cpus = pick(random, 0, 256),
          .physical_cores = pick(random, 0, 256),
          .sockets = pick(random, 0, 8),
          .allowed_cpus = random_cpus(random),
          .memory_gib = real(random, 0, 1000),
          .cpu_limit = real(random, 0, 64),
          .memory_limit_gib = real(random, 0, 1000),
          .gpus = std::vector<Gpu>(static_cast<std::size_t>(pick(random, 0, 2)),
                                   Gpu{.model = random_text(random),
                                       .driver = random_text(random),
                                       .cuda = random_text(random),
                                       .mig = random_text(random),
                                       .memory_gib = real(random, 0, 200),
                                       .power_limit_w = real(random, 0, 1000),
                                       .sm_clock_max_mhz = pick(random, 0, 3000),
                                       .memory_clock_max_mhz = pick(random, 0, 9000),
                                       .persistence = coin(random)})};
}

RoundConditions random_conditions(Random& random) {
  return {.steal_share = real(random, -1, 1),
          .foreign_share = real(random, -1, 1),
          .load = real(random, -1, 9),
          .mhz = real(random, -1, 5000),
          .voluntary_switches = pick<long>(random, -1, 1000),
          .involuntary_switches = pick<long>(random, -1, 1000)};
}

ArmInfo random_arm(Random& random) {
  return {.label = random_text(random),
          .path = random_text(random, 90),
          .digest = "sha256:" + hex(random, 64),
          .driver = static_cast<DriverKind>(pick(random, 0, 2)),
          .library = random_text(random),
          .build = {.compiler = random_text(random),
                    .sanitizer = random_text(random),
                    .known = coin(random),
                    .optimized = coin(random),
                    .assertions = coin(random),
                    .codegen = random_text(random)}};
}

Schedule random_schedule(Random& random) {
  Schedule schedule{.seed = hex(random, 16),
                    .replayed = coin(random),
                    .looks = {},
                    .look_alpha = {},
                    .round_s = real(random, 0, 10)};
  for (int look = 6; coin(random) && look < 100; look += pick(random, 1, 16)) {
    schedule.looks.push_back(look);
    schedule.look_alpha.push_back(real(random, 0, 0.01));
  }
  return schedule;
}

CaseRound random_case_round(Random& random, const Session& session, std::size_t index) {
  CaseRound round{.case_index = index,
                  .first_arm = pick(random, 0, static_cast<int>(session.arms.size()) - 1),
                  .void_slices = pick(random, 0, 3),
                  .values = {}};
  const auto slices = pick<std::size_t>(random, 0, 4);
  for (const Metric& metric : session.metrics) {
    auto& arms = round.values.emplace_back(session.arms.size(), std::vector<double>(slices));
    for (auto& arm : arms) {
      for (double& value : arm) {
        const double any = random_double(random);
        const bool usable = !is_relative(metric.kind) || any != 0;
        value = usable ? absent_or(random, is_relative(metric.kind) ? std::abs(any) : any) : kNaN;
      }
    }
  }
  return round;
}

RoundInfo random_round(Random& random, const Session& session, int index) {
  RoundInfo round{.index = index,
                  .coin = pick<std::uint64_t>(random, 0, session.arms.size() == 3 ? 5 : 1),
                  .cpus = random_cpus(random),
                  .started_s = real(random, 0, 100),
                  .wall_s = real(random, 0, 100),
                  .conditions = random_conditions(random),
                  .cases = {},
                  .reference = {}};
  for (std::size_t i = 0; i < session.reference_names.size(); ++i) {
    round.reference.push_back(real(random, 0.001, 1));
  }
  for (std::size_t c = 0; c < session.cases.size(); ++c) {
    if (coin(random)) round.cases.push_back(random_case_round(random, session, c));
  }
  std::shuffle(round.cases.begin(), round.cases.end(), random);
  return round;
}

std::vector<NamedValue> random_named_values(Random& random) {
  std::vector<NamedValue> values(pick<std::size_t>(random, 0, 3));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = {unique_text(random, i), random_text(random)};
  }
  return values;
}

Origin random_origin(Random& random) {
  return {.format = random_text(random),
          .version = random_text(random),
          .importer = random_text(random),
          .file = random_text(random, 90),
          .digest = "sha256:" + hex(random, 64),
          .recorded = random_text(random),
          .commit = hex(random, 40)};
}

CaseInfo random_case(Random& random, std::size_t index) {
  return {.name = unique_text(random, index),
          .threads = pick(random, 1, 64),
          .time = std::array{"real", "manual", "cpu"}[pick<std::size_t>(random, 0, 2)],
          .fixed_iterations = pick<std::int64_t>(random, 0, 1'000'000'000'000),
          .iterations = pick<std::int64_t>(random, 0, std::numeric_limits<std::int64_t>::max()),
          .slice_s = real(random, 0, 1),
          .setup_share = real(random, 0, 1),
          .workload = random_named_values(random),
          .aggregates = {},
          .work = {.bytes = real(random, 0, 1e12),
                   .flops = real(random, 0, 1e15),
                   .ceiling = random_text(random)},
          .result = random_text(random)};
}

Effect random_effect(Random& random) {
  const double lo = real(random, -1, 1);
  const double hi = lo + real(random, 0, 1);
  Effect effect{.estimate = absent_or(random, (lo + hi) / 2)};
  if (coin(random)) {
    effect.lo = lo;
    effect.hi = hi;
  } else if (coin(random)) {
    effect.range_lo = lo;
    effect.range_hi = hi;
    effect.range_confidence = 0.875;
  }
  return effect;
}

ColumnVerdict random_column(Random& random, std::size_t index) {
  ColumnVerdict column;
  column.case_name = unique_text(random, index);
  column.metric = random_metric(random, 0);
  column.verdict = static_cast<Verdict>(pick(random, 0, 10));
  column.claim = static_cast<Claim>(pick(random, 0, 5));
  column.reason = coin(random) ? random_text(random, 200) : "";
  column.gated = coin(random);
  column.tolerance = real(random, 0, 1);
  column.rounds = pick(random, 0, 40);
  column.effect = random_effect(random);
  if (coin(random)) column.p_adjusted = real(random, 0, 1);
  column.noise_sd = absent_or(random, real(random, 0, 1));
  if (coin(random)) column.rounds_to_pass = pick(random, 0, 2000);
  if (coin(random)) column.rounds_to_fail = pick(random, 0, 2000);
  if (coin(random)) column.rounds_range_lo = pick(random, 0, 100);
  if (coin(random)) column.rounds_range_hi = pick(random, 100, 5000);
  column.noise_unstable = coin(random);
  if (coin(random)) column.detectable = real(random, 0, 1);
  column.baseline = absent_or(random, random_double(random));
  column.candidate = absent_or(random, random_double(random));
  column.setup_share = real(random, 0, 1);
  return column;
}

CalibratedColumn random_calibrated(Random& random, std::size_t index, int rounds) {
  CalibratedColumn column;
  column.case_name = unique_text(random, index);
  column.metric = random_metric(random, 0);
  column.iterations = pick<std::int64_t>(random, 0, 1'000'000'000);
  column.slice_s = real(random, 0, 1);
  column.setup_share = real(random, 0, 1);
  column.pair_s = real(random, 0, 1);
  column.value = absent_or(random, real(random, 0.001, 5));
  column.round_sd = real(random, 0, 1);
  column.sample_sd = real(random, 0, 1);
  column.pair_sd = absent_or(random, real(random, 0, 1));
  column.between_sd = absent_or(random, real(random, 0, 1));
  for (int r = 0; r < rounds; ++r) column.d.push_back(random_double(random));
  return column;
}

PlannedColumn random_planned(Random& random, std::size_t index) {
  PlannedColumn column;
  column.case_name = unique_text(random, index);
  column.metric = random_metric(random, 0);
  column.value = absent_or(random, random_double(random));
  column.tolerance = real(random, 0, 1);
  column.round_sd = real(random, 0, 1);
  column.resolved = coin(random);
  if (coin(random)) column.rounds_to_pass = pick(random, 0, 2000);
  if (coin(random)) column.rounds_to_fail = pick(random, 0, 2000);
  column.pass_share = real(random, 0, 1);
  column.pass_rounds = real(random, 0, 40);
  if (coin(random)) column.fail_share = real(random, 0, 1);
  if (coin(random)) column.fail_rounds = real(random, 0, 40);
  if (coin(random)) column.detectable = real(random, 0, 1);
  if (coin(random)) column.supported_tolerance = real(random, 0, 1);
  column.reason = random_text(random, 200);
  return column;
}

}  // namespace

std::string random_text(Random& random, std::size_t longest) {
  std::string text;
  const auto length = pick<std::size_t>(random, 0, longest);
  while (text.size() < length) {
    switch (pick(random, 0, 7)) {
      case 0:
        text += static_cast<char>(pick(random, 0x01, 0x7f));
        break;
      case 1:
        text += "\xC3\xA9";  // two bytes: e with acute accent
        break;
      case 2:
        text += "\xE2\x82\xAC";  // three: the euro sign
        break;
      case 3:
        text += "\xF0\x9F\x98\x80";  // four: a face
        break;
      default:
        text += "abcdefghijklmnopqrstuvwxyz/:0123456789_"[pick(random, 0, 38)];
    }
  }
  return text;
}

double random_double(Random& random) {
  while (true) {
    double value = 0;
    switch (pick(random, 0, 3)) {
      case 0:
        value = std::bit_cast<double>(random());
        break;
      case 1:
        value = real(random, -1, 1);
        break;
      case 2:
        value = static_cast<double>(pick(random, -5, 5));
        break;
      default:
        value = std::ldexp(1 + real(random, 0, 1), pick(random, -60, 90));
    }
    if (std::isfinite(value)) return value;
  }
}

Policy random_policy(Random& random) {
  Policy policy;
  policy.tolerance = real(random, 0, 1);
  policy.alpha = real(random, 0.0001, 0.5);
  policy.budget_s = real(random, 1, 1000);
  policy.slice_s = real(random, 0.001, 1);
  policy.pairs = pick(random, 1, 10);
  policy.warmup_slices = pick(random, 0, 10);
  policy.rounds = pick(random, 0, 100);
  policy.hide_limit = real(random, 0, 1);
  policy.claim_improvements = coin(random);
  policy.allow_oversubscription = coin(random);
  policy.filter = coin(random) ? "a.*b" : "";
  for (int i = pick(random, 0, 3); i > 0; --i) {
    CaseRule rule;
    rule.match = "*" + random_text(random);
    if (coin(random)) rule.metric = "m" + random_text(random);
    if (coin(random)) rule.tolerance = real(random, 0, 1);
    if (coin(random)) rule.gate = coin(random);
    policy.cases.push_back(rule);
  }
  for (auto i = pick<std::size_t>(random, 0, 3); i > 0; --i) {
    policy.expected.push_back(unique_text(random, i));
    policy.metrics.push_back(random_metric(random, i));
  }
  policy.overrides = random_texts(random);
  return policy;
}

Session random_session(Random& random) {
  Session session;
  session.id = hex(random, 32);
  session.tool = random_text(random);
  session.started = random_text(random);
  session.suite = random_text(random);
  session.grade = random_text(random);
  session.environment = random_named_values(random);
  session.unstated = random_named_values(random);
  for (int i = pick(random, 0, 3); i > 0; --i) session.origins.push_back(random_origin(random));
  session.complete = coin(random);
  session.incomplete_reason = random_text(random);
  session.wall_s = real(random, 0, 100);
  session.timed_s = real(random, 0, 100);
  session.policy = random_policy(random);
  session.schedule = random_schedule(random);
  session.machine = random_machine(random);
  const auto metrics = pick<std::size_t>(random, 1, 3);
  for (std::size_t i = 0; i < metrics; ++i) {
    session.metrics.push_back(random_metric(random, i));
  }
  if (coin(random)) session.reference_names = {"compute", "memory"};
  const int arms = pick(random, 1, 3);
  for (int i = 0; i < arms; ++i) session.arms.push_back(random_arm(random));
  const auto cases = pick<std::size_t>(random, 0, 5);
  for (std::size_t i = 0; i < cases; ++i) session.cases.push_back(random_case(random, i));
  for (CaseInfo& info : session.cases) {
    if (coin(random)) info.aggregates.push_back(session.metrics.back().name);
  }
  const int rounds = pick(random, 0, 4);
  for (int i = 0; i < rounds; ++i) session.rounds.push_back(random_round(random, session, i));
  for (int i = pick(random, 0, 3); i > 0; --i) {
    session.faults.push_back(
        {.case_index = cases == 0 ? 0 : pick<std::size_t>(random, 0, cases - 1),
         .arm = pick(random, 0, arms - 1),
         .round = pick(random, -1, rounds),
         .kind = static_cast<FaultKind>(pick(random, 0, 12)),
         .detail = random_text(random, 200),
         .metric = coin(random) ? session.metrics.front().name : ""});
  }
  session.warnings = random_texts(random);
  return session;
}

SuiteVerdict random_verdict(Random& random) {
  SuiteVerdict verdict;
  verdict.session_id = random_text(random);
  verdict.suite = random_text(random);
  verdict.tool = random_text(random);
  verdict.started = random_text(random);
  verdict.complete = coin(random);
  verdict.grade = random_text(random);
  verdict.identical = pick(random, 0, 9) == 0;
  verdict.aa = coin(random);
  constexpr std::array kExits = {Exit::kRegression,    Exit::kFailed,    Exit::kInconclusive,
                                 Exit::kNotComparable, Exit::kSuspected, Exit::kSkipped};
  verdict.exit = kExits[pick<std::size_t>(random, 0, kExits.size() - 1)];
  verdict.summary = random_text(random, 300);
  verdict.rounds = pick(random, 0, 40);
  verdict.wall_s = real(random, 0, 1000);
  verdict.timed_s = real(random, 0, 1000);
  verdict.policy = random_policy(random);
  verdict.schedule = random_schedule(random);
  verdict.machine = random_machine(random);
  verdict.arms = {random_arm(random), random_arm(random)};
  const auto columns = pick<std::size_t>(random, 0, 8);
  for (std::size_t i = 0; i < columns; ++i) verdict.columns.push_back(random_column(random, i));
  verdict.warnings = random_texts(random);
  verdict.conditions = random_conditions(random);
  verdict.cpus = random_cpus(random);
  return verdict;
}

Calibration random_calibration(Random& random) {
  Calibration calibration;
  calibration.session_id = hex(random, 32);
  calibration.tool = random_text(random);
  calibration.started = random_text(random);
  calibration.suite = random_text(random);
  calibration.executable = random_arm(random);
  calibration.machine = random_machine(random);
  calibration.cpus = random_cpus(random);
  calibration.conditions = random_conditions(random);
  calibration.seed = hex(random, 16);
  calibration.policy = random_policy(random);
  calibration.rounds = pick(random, 1, 9);
  calibration.wall_s = real(random, 0, 100);
  calibration.start_s = real(random, 0, 100);
  calibration.launch_s = real(random, 0, 1);
  calibration.round_s = calibration.launch_s + real(random, 0, 1);
  const auto columns = pick<std::size_t>(random, 0, 5);
  for (std::size_t i = 0; i < columns; ++i) {
    calibration.columns.push_back(random_calibrated(random, i, calibration.rounds));
  }
  for (int i = pick(random, 0, 2); i > 0; --i) {
    calibration.left_out.push_back({random_text(random), random_text(random, 100)});
  }
  calibration.warnings = random_texts(random);
  return calibration;
}

SuitePlan random_plan(Random& random) {
  SuitePlan plan;
  plan.session_id = hex(random, 32);
  plan.tool = random_text(random);
  plan.started = random_text(random);
  plan.suite = random_text(random);
  plan.recorded_rounds = pick(random, 1, 100);
  plan.policy = random_policy(random);
  plan.power = real(random, 0.5, 1);
  plan.slowdown = real(random, 0.001, 1);
  const Schedule schedule = random_schedule(random);
  plan.looks = schedule.looks;
  plan.look_alpha = schedule.look_alpha;
  plan.gates = pick(random, 0, 1000);
  plan.pass_share = real(random, 0, 1);
  plan.false_fail_share = real(random, 0, 1);
  plan.rounds = real(random, 0, 40);
  plan.wall_s = real(random, 0, 100);
  plan.wall_long_s = real(random, 0, 100);
  plan.exit = Exit::kInconclusive;
  plan.summary = random_text(random, 100);
  const auto columns = pick<std::size_t>(random, 0, 5);
  for (std::size_t i = 0; i < columns; ++i) plan.columns.push_back(random_planned(random, i));
  plan.rules = random_policy(random).cases;
  plan.warnings = random_texts(random);
  return plan;
}

RecordedSession random_recorded(Random& random) {
  for (;;) {
    Session session = random_session(random);
    session.complete = true;
    if (session.arms.size() != 1 || session.rounds.empty()) continue;
    RecordedSession recorded = make_recorded(session);
    recorded.commit = hex(random, 40);
    recorded.dirty = coin(random);
    return recorded;
  }
}

}  // namespace perfgate::sample
