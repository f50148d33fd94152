// SPDX-License-Identifier: Apache-2.0
// How often a gate on layouts calls a case slower, or faster, although the change does nothing to
// it beyond the tolerance, and what one link and reused layouts would say of the same cases.
//
// A trial is a gate of the product: a first stage on one link of each arm, ScreenedCases(), a
// second stage over layouts, and the verdict of decide() on the session of both. The true change of
// a case over its layouts is exactly the tolerance, the worst place that is still allowed, or
// nothing; the effect of a layout on a case is drawn for every arm, layout and case. Tolerance 0
// tests both directions at once.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "perfgate/stats/design/looks.h"
#include "perfgate/stats/estimate/proportion.h"
#include "perfgate/stats/resample/parallel.h"
#include "perfgate/verdict/gate/layout_stage.h"
#include "perfgate/verdict/gate/suite_verdict.h"
#include "tests/calibration/noise.h"
#include "tests/calibration/program.h"

namespace perfgate::calibration {
namespace {

constexpr int kRounds = 40;
constexpr double kRoundSd = 0.01;
constexpr int kOneLink = 0;

struct Cell {
  std::uint64_t id = 0;  // of the streams
  Noise shape;
  std::size_t cases = 1;
  double layout_sd = 0;      // of one arm, log ratio
  std::size_t at_limit = 1;  // one case in so many is slower by the tolerance, the others are not
  double tolerance = 0.02;
  int layouts = kRounds;  // that an arm has; fewer than rounds: they are reused
};

// Effects of an arm's layouts: [layout][case].
using LayoutEffects = std::vector<std::vector<double>>;

LayoutEffects draw_layouts(const Cell& cell, Stream& stream) {
  LayoutEffects effects(static_cast<std::size_t>(cell.layouts) + 1);
  for (std::vector<double>& layout : effects) {
    for (std::size_t c = 0; c < cell.cases; ++c) {
      layout.push_back(cell.layout_sd * (cell.shape.draw(stream) - cell.shape.mean) /
                       cell.shape.sd);
    }
  }
  return effects;
}

double true_change(const Cell& cell, std::size_t c) {
  return c % cell.at_limit == 0 ? std::log1p(cell.tolerance) : 0.0;
}

Session empty_gate(const Cell& cell, const std::vector<std::size_t>& cases) {
  Session session;
  session.complete = true;
  session.policy.tolerance = cell.tolerance;
  session.policy.reuse_layouts = cell.layouts < kRounds;
  session.metrics = {Metric{}};
  session.arms.resize(2);
  session.arms[0].label = session.arms[0].digest = "baseline";
  session.arms[1].label = session.arms[1].digest = "candidate";
  for (const std::size_t c : cases) {
    CaseInfo info;
    info.name = "case" + std::to_string(c);
    session.cases.push_back(info);
  }
  for (const stats::Look& look : stats::default_looks()) {
    session.schedule.looks.push_back(look.rounds);
    session.schedule.look_alpha.push_back(look.alpha);
  }
  return session;
}

// cases: which of the suite are measured. one_link: every round runs layout 0.
Session measure(const Cell& cell, const std::vector<std::size_t>& cases,
                const LayoutEffects& baseline, const LayoutEffects& candidate, bool one_link,
                Stream& stream) {
  Session session = empty_gate(cell, cases);
  for (int r = 0; r < kRounds; ++r) {
    RoundInfo round;
    round.index = r;
    const int layout = one_link ? kOneLink : 1 + r % cell.layouts;
    // Arms that have few layouts draw pairs of them; with one for every round the order is fixed
    // without loss, since all effects are independent.
    const int other =
        one_link || cell.layouts >= kRounds
            ? layout
            : 1 + static_cast<int>(stream.below(static_cast<std::size_t>(cell.layouts)));
    if (!one_link) round.layouts = {layout, other};
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const std::size_t c = cases[i];
      const auto noise = [&] {
        return kRoundSd / std::sqrt(2.0) * (cell.shape.draw(stream) - cell.shape.mean) /
               cell.shape.sd;
      };
      const double a = baseline[static_cast<std::size_t>(layout)][c] + noise();
      const double b =
          candidate[static_cast<std::size_t>(other)][c] + noise() + true_change(cell, c);
      CaseRound measured;
      measured.case_index = i;
      measured.values = {{{std::exp(a)}, {std::exp(b)}}};
      round.cases.push_back(std::move(measured));
    }
    session.rounds.push_back(std::move(round));
  }
  return session;
}

struct Outcome {
  bool link_named = false;  // the first stage alone
  bool slower = false;      // the gate named a regression
  bool faster = false;      // or an improvement, where no change is an improvement
  double screened = 0;      // share of the cases
  bool strong = false;      // a claim of them is strong
};

bool names(const SuiteVerdict& verdict, Verdict which) {
  return std::any_of(verdict.columns.begin(), verdict.columns.end(),
                     [&](const ColumnVerdict& column) { return column.verdict == which; });
}

Outcome gate(const Cell& cell, std::size_t trial) {
  Stream stream(cell.id, trial);
  const LayoutEffects baseline = draw_layouts(cell, stream);
  const LayoutEffects candidate = draw_layouts(cell, stream);
  std::vector<std::size_t> all(cell.cases);
  for (std::size_t c = 0; c < all.size(); ++c) all[c] = c;
  Session session = measure(cell, all, baseline, candidate, true, stream);
  const SuiteVerdict first = decide(session);
  Outcome outcome;
  outcome.link_named = names(first, Verdict::kRegression);
  const std::vector<std::size_t> screened = ScreenedCases(session, first);
  outcome.screened = static_cast<double>(screened.size()) / static_cast<double>(cell.cases);
  if (screened.empty()) return outcome;
  // The verdict on the cases of both stages is that of the second (MergeStages).
  const SuiteVerdict verdict = decide(measure(cell, screened, baseline, candidate, false, stream));
  outcome.slower = names(verdict, Verdict::kRegression);
  outcome.faster = names(verdict, Verdict::kImprovement);
  outcome.strong =
      std::any_of(verdict.columns.begin(), verdict.columns.end(),
                  [](const ColumnVerdict& column) { return column.claim == Claim::kStrong; });
  return outcome;
}

struct Counts {
  std::size_t gates = 0, link_named = 0, slower = 0, faster = 0, strong = 0;
  double screened = 0;
};

Counts simulate(const Cell& cell, std::size_t gates, std::size_t threads) {
  std::vector<Outcome> outcomes(gates);
  stats::parallel_for(gates, threads,
                      [&](std::size_t trial) { outcomes[trial] = gate(cell, trial); });
  Counts counts;
  counts.gates = gates;
  for (const Outcome& outcome : outcomes) {
    counts.link_named += outcome.link_named ? 1 : 0;
    counts.slower += outcome.slower ? 1 : 0;
    counts.faster += outcome.faster ? 1 : 0;
    counts.strong += outcome.strong ? 1 : 0;
    counts.screened += outcome.screened / static_cast<double>(gates);
  }
  return counts;
}

double share(std::size_t count, const Counts& counts) {
  return 100.0 * static_cast<double>(count) / static_cast<double>(counts.gates);
}

std::string text(std::size_t count, const Counts& counts) {
  const stats::ProportionInterval interval = stats::clopper_pearson(count, counts.gates);
  return fixed(share(count, counts), 2) + " [" + fixed(100.0 * interval.lo, 2) + ", " +
         fixed(100.0 * interval.hi, 2) + "]";
}

std::string words(const Cell& cell, const std::string& shape) {
  return shape + ", layout SD " + fixed(100 * cell.layout_sd, 1) + " %, tolerance " +
         fixed(100 * cell.tolerance, 0) + " %" +
         (cell.at_limit > 1 ? ", 1 in " + std::to_string(cell.at_limit) + " at it" : "");
}

// Chance or fault? Four times as many gates, of new streams, decide.
Counts checked(Cell cell, const std::string& name, const Options& options, Checks& checks) {
  constexpr double kMost = 1.4;
  Counts counts = simulate(cell, options.trials, options.threads);
  const auto worst = [&] { return share(std::max(counts.slower, counts.faster), counts); };
  if (worst() > kMost) {
    cell.id += 500;
    counts = simulate(cell, 4 * options.trials, options.threads);
  }
  checks.expect(worst() <= kMost, name + ": " + fixed(worst(), 2) + " % of gates name a case");
  return counts;
}

Table two_stages(const Options& options, Checks& checks) {
  Table table{
      "layout_stages",
      {"effects of layouts and noise", "cases", "screened", "one link names", "slower", "faster"},
      {}};
  const std::vector<std::pair<std::string, Noise>> shapes = {
      {"normal", normal_noise()}, {"t 3 d.f.", t3_noise()}, {"bimodal", bimodal_noise(0.5)}};
  std::uint64_t id = 21000;
  for (const auto& [name, shape] : shapes) {
    for (const std::size_t cases : {1U, 20U, 200U}) {
      const std::vector<Cell> cells = {
          {++id, shape, cases, 0.03, 1, 0.0, kRounds},
          {++id, shape, cases, 0.03, 4, 0.02, kRounds},
          {++id, shape, cases, 0.005, 1, 0.02, kRounds},
      };
      for (const Cell& cell : cells) {
        if (cases == 200 && cell.tolerance == 0)
          continue;  // no case ever leaves: four times as long
        const std::string cell_name = words(cell, name);
        const Counts counts =
            checked(cell, cell_name + ", " + std::to_string(cases) + " cases", options, checks);
        table.rows.push_back({cell_name, std::to_string(cases),
                              fixed(100 * counts.screened, 0) + " %",
                              text(counts.link_named, counts), text(counts.slower, counts),
                              text(counts.faster, counts)});
      }
    }
  }
  return table;
}

// The same gate with few layouts, run again and again: the rule that refuses this has a reason.
Table reused_layouts(const Options& options, Checks& checks) {
  Table table{"reused_layouts", {"layouts of an arm", "slower", "strong claims"}, {}};
  std::uint64_t id = 23000;
  for (const int layouts : {2, 4, 8, 20, 40}) {
    const Cell cell{++id, normal_noise(), 20, 0.03, 1, 0.0, layouts};
    const Counts counts = simulate(cell, options.trials, options.threads);
    if (layouts <= 4) {
      checks.expect(share(counts.slower, counts) > 2.0,
                    std::to_string(layouts) + " layouts reused do no damage");
    }
    if (layouts < kRounds) {
      checks.expect(counts.strong == 0,
                    std::to_string(layouts) + " layouts reused still give a strong claim");
    }
    table.rows.push_back(
        {std::to_string(layouts), text(counts.slower, counts), std::to_string(counts.strong)});
  }
  return table;
}

}  // namespace
}  // namespace perfgate::calibration

int main(int argc, char** argv) {
  using namespace perfgate::calibration;
  const Options options = parse_options(
      argc, argv, "False names of gates on layouts, in % with 95 % Clopper-Pearson intervals",
      4000);
  Checks checks;
  print(two_stages(options, checks));
  print(reused_layouts(options, checks));
  return checks.finish(options.check);
}
