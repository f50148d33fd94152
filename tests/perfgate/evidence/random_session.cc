// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "tests/perfgate/evidence/random_values.h"
#include "tests/perfgate/evidence/sample_evidence.h"

namespace perfgate::sample {
namespace {

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
  if (coin(random)) {
    for (auto* times : {&round.slice_wall_s, &round.slice_timed_s}) {
      times->assign(session.arms.size(), std::vector<double>(slices));
      for (auto& arm : *times) {
        for (double& time_s : arm) time_s = absent_or(random, real(random, 0, 100));
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
                  .reference = {},
                  .layouts = {}};
  for (std::size_t i = 0; i < session.reference_names.size(); ++i) {
    round.reference.push_back(real(random, 0.001, 1));
  }
  if (coin(random)) {
    for (std::size_t i = 0; i < session.arms.size(); ++i) {
      round.layouts.push_back(pick(random, 0, 40));
    }
  }
  for (std::size_t c = 0; c < session.cases.size(); ++c) {
    if (coin(random)) round.cases.push_back(random_case_round(random, session, c));
  }
  std::shuffle(round.cases.begin(), round.cases.end(), random);
  return round;
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
          .pairs = pick(random, 0, 8),
          .warmup_slices = pick(random, -1, 3),
          .wall_s = real(random, 0, 1),
          .workload = random_named_values(random),
          .aggregates = {},
          .work = {.bytes = real(random, 0, 1e12),
                   .flops = real(random, 0, 1e15),
                   .ceiling = random_text(random)},
          .result = random_text(random)};
}

std::vector<Fault> random_faults(Random& random, const Session& session, int rounds) {
  std::vector<Fault> faults;
  for (int i = pick(random, 0, 3); i > 0; --i) {
    faults.push_back({.case_index = session.cases.empty()
                                        ? 0
                                        : pick<std::size_t>(random, 0, session.cases.size() - 1),
                      .arm = pick(random, 0, static_cast<int>(session.arms.size()) - 1),
                      .round = pick(random, -1, rounds),
                      .kind = static_cast<FaultKind>(pick(random, 0, 12)),
                      .detail = random_text(random, 200),
                      .metric = coin(random) ? session.metrics.front().name : ""});
  }
  return faults;
}

LayoutStage random_layout_stage(Random& random, const Session& session) {
  LayoutStage stage;
  for (std::size_t c = 0; c < session.cases.size(); ++c) {
    if (coin(random)) stage.cases.push_back(c);
  }
  for (std::size_t a = 0; a < session.arms.size(); ++a) stage.arms.push_back(random_arm(random));
  stage.complete = coin(random);
  stage.incomplete_reason = random_text(random);
  stage.wall_s = real(random, 0, 100);
  stage.timed_s = real(random, 0, 100);
  stage.schedule = random_schedule(random);
  const int rounds = pick(random, 0, 3);
  for (int i = 0; i < rounds; ++i) stage.rounds.push_back(random_round(random, session, i));
  stage.faults = random_faults(random, session, rounds);
  return stage;
}

}  // namespace

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
  session.faults = random_faults(random, session, rounds);
  if (coin(random)) session.confirmation.push_back(random_layout_stage(random, session));
  for (const CaseInfo& info : session.cases) {
    if (!coin(random)) continue;
    session.hot_code.push_back({.case_name = info.name,
                                .status = static_cast<HotCodeStatus>(pick(random, 0, 2)),
                                .same_share = real(random, 0, 1),
                                .reason = coin(random) ? random_text(random, 80) : "",
                                .changed = random_texts(random)});
  }
  session.warnings = random_texts(random);
  if (coin(random)) {
    session.fleet = {random_text(random), pick(random, 0, 3), 3};
    for (int job = pick(random, 1, 4); job <= 3; ++job) {
      session.parts.push_back({.job = job,
                               .session_id = hex(random, 32),
                               .started = random_text(random),
                               .hostname = random_text(random),
                               .seed = hex(random, 16),
                               .wall_s = real(random, 0, 100),
                               .coins = {random(), 1}});
    }
  }
  return session;
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
