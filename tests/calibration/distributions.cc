// SPDX-License-Identifier: Apache-2.0
// Gates on percentiles and tail means of calls: false alarms, coverage, and which tails are found.
//
// A round is 2,000 calls of each arm, drawn one by one; what becomes of them is the product's: the
// summaries of a round, the gate measured side by side (decide), and the gate on files of runs
// (to_session, evidence_of_files, decide_stored).
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "perfgate/evidence/metrics/distribution.h"
#include "perfgate/import/to_session.h"
#include "perfgate/stats/design/looks.h"
#include "perfgate/stats/estimate/order_statistics.h"
#include "perfgate/stats/estimate/proportion.h"
#include "perfgate/stats/estimate/tail.h"
#include "perfgate/stats/resample/parallel.h"
#include "perfgate/verdict/effect.h"
#include "perfgate/verdict/gate/suite_verdict.h"
#include "perfgate/verdict/recorded/imported_gate.h"
#include "perfgate/verdict/recorded/stored_gate.h"
#include "tests/calibration/program.h"
#include "tests/calibration/stream.h"

namespace perfgate::calibration {
namespace {

constexpr std::size_t kCalls = 2000;
constexpr int kRounds = 40;
constexpr std::size_t kBaselineRuns = 10;
constexpr std::size_t kCandidateRuns = 3;

// Service times; any unit.
struct Shape {
  std::string name;
  std::function<double(Stream&)> draw;
};

std::vector<Shape> shapes() {
  return {
      {"lognormal, sigma 0.3", [](Stream& s) { return std::exp(0.3 * s.normal()); }},
      // Infinite variance from exponent 2 down; this one's is finite, its third moment is not.
      {"Pareto, exponent 2.5", [](Stream& s) { return std::pow(s.uniform(), -1 / 2.5); }},
      {"bimodal, 80 % and 20 % at 4 times",
       [](Stream& s) { return (s.uniform() < 0.8 ? 1.0 : 4.0) * std::exp(0.1 * s.normal()); }},
  };
}

// Some calls take a multiple of their time; all take 1 + slower of it.
struct Change {
  double share = 0;
  double factor = 1;
  double slower = 0;
};

// A round's calls, ascending. Rounds differ by 1 % as a whole, as those of a machine do.
std::vector<double> draw_calls(const Shape& shape, const Change& change, Stream& stream) {
  const double round = std::exp(0.01 * stream.normal()) * (1 + change.slower);
  std::vector<double> calls(kCalls);
  for (double& call : calls) {
    call = round * shape.draw(stream);
    if (change.share > 0 && stream.uniform() < change.share) call *= change.factor;
  }
  std::sort(calls.begin(), calls.end());
  return calls;
}

double summary_of(const DistributionSummary& summary, const std::vector<double>& ascending) {
  return summary.word == kTailMean ? stats::TailMean(ascending, summary.quantile)
                                   : stats::NearestRank(ascending, summary.quantile);
}

const Metric kLatency{"latency", "s", Direction::kLower, Kind::kTime};

// Both arms measured side by side, decided at the product's looks.
SuiteVerdict paired_gate(const Shape& shape, const Change& change, double tolerance,
                         Stream& stream) {
  Session session;
  session.complete = true;
  session.policy.tolerance = tolerance;
  for (const DistributionSummary& summary : kDistributionSummaries) {
    session.metrics.push_back(SummaryMetric(kLatency, summary.word));
  }
  session.metrics.push_back(SamplesMetric(kLatency.name));
  session.arms.resize(2);
  session.arms[0].label = session.arms[0].digest = "baseline";
  session.arms[1].label = session.arms[1].digest = "candidate";
  session.cases.emplace_back();
  session.cases.back().name = "serve";
  for (const stats::Look& look : stats::default_looks()) {
    session.schedule.looks.push_back(look.rounds);
    session.schedule.look_alpha.push_back(look.alpha);
  }
  for (int r = 0; r < kRounds; ++r) {
    const std::vector<double> baseline = draw_calls(shape, {}, stream);
    const std::vector<double> candidate = draw_calls(shape, change, stream);
    CaseRound measured{.case_index = 0, .values = {}};
    for (const DistributionSummary& summary : kDistributionSummaries) {
      measured.values.push_back(
          {{summary_of(summary, baseline)}, {summary_of(summary, candidate)}});
    }
    measured.values.push_back({{static_cast<double>(kCalls)}, {static_cast<double>(kCalls)}});
    RoundInfo round;
    round.index = r;
    round.cases = {std::move(measured)};
    session.rounds.push_back(std::move(round));
  }
  return decide(session);
}

Session imported_arm(const std::string& arm, std::size_t runs, const Shape& shape,
                     const Change& change, Stream& stream) {
  std::vector<import::Document> documents;
  for (std::size_t r = 0; r < runs; ++r) {
    import::Document document;
    document.format = "vllm_serve";
    document.name = arm + std::to_string(r);
    document.digest = document.name;
    import::Record record;
    record.case_name = "serve";
    record.metric = kLatency;
    record.calls = draw_calls(shape, change, stream);
    record.value = stats::median(record.calls);
    document.records.push_back(std::move(record));
    documents.push_back(std::move(document));
  }
  import::SessionOptions options;
  options.arm = arm;
  return import::to_session(documents, options);
}

// Runs of one arm after those of the other, as files bring them.
SuiteVerdict files_gate(const Shape& shape, const Change& change, double tolerance,
                        Stream& stream) {
  const Session baseline = imported_arm("baseline", kBaselineRuns, shape, {}, stream);
  const Session candidate = imported_arm("candidate", kCandidateRuns, shape, change, stream);
  Policy policy;
  policy.tolerance = tolerance;
  return decide_stored(evidence_of_files(baseline, candidate, policy));
}

using Gate = SuiteVerdict (*)(const Shape&, const Change&, double, Stream&);

struct Named {
  std::size_t gates = 0;
  std::size_t slower = 0;
  std::size_t faster = 0;
  std::array<std::size_t, std::size(kDistributionSummaries)> by_metric{};
};

bool is_slower(const ColumnVerdict& column) {
  return column.verdict == Verdict::kRegression || column.verdict == Verdict::kSuspected;
}

Named simulate(std::uint64_t cell, std::size_t gates, std::size_t threads,
               const std::function<SuiteVerdict(Stream&)>& gate) {
  std::vector<Named> each(gates);
  stats::parallel_for(gates, threads, [&](std::size_t trial) {
    Stream stream(cell, trial);
    for (const ColumnVerdict& column : gate(stream).columns) {
      if (column.verdict == Verdict::kImprovement) each[trial].faster = 1;
      if (!is_slower(column)) continue;
      each[trial].slower = 1;
      for (std::size_t m = 0; m < std::size(kDistributionSummaries); ++m) {
        const auto& summary = kDistributionSummaries[m];
        const bool median = summary.word == "p50" && column.metric.name == kLatency.name;
        if (median || column.metric.name == SummaryMetric(kLatency, summary.word).name) {
          each[trial].by_metric[m] = 1;
        }
      }
    }
  });
  Named sum{.gates = gates};
  for (const Named& one : each) {
    sum.slower += one.slower;
    sum.faster += one.faster;
    for (std::size_t m = 0; m < one.by_metric.size(); ++m) sum.by_metric[m] += one.by_metric[m];
  }
  return sum;
}

double percent(std::size_t count, std::size_t of) {
  return 100.0 * static_cast<double>(count) / static_cast<double>(of);
}

std::string text(std::size_t count, std::size_t of) {
  const stats::ProportionInterval interval = stats::clopper_pearson(count, of);
  return fixed(percent(count, of), 2) + " [" + fixed(100 * interval.lo, 2) + ", " +
         fixed(100 * interval.hi, 2) + "]";
}

Table false_alarms(const Options& options, Checks& checks) {
  constexpr double kMost = 1.4;
  Table table{
      "distribution_alarms", {"service times", "gate", "tolerance", "slower %", "faster %"}, {}};
  std::uint64_t cell = 31000;
  for (const Shape& shape : shapes()) {
    for (const auto& [gate_name, gate] : {std::pair<std::string, Gate>{"side by side", paired_gate},
                                          {"files, 10 and 3 runs", files_gate}}) {
      for (const double tolerance : {0.0, 0.02}) {
        const bool paired = gate == paired_gate;
        const Change at_limit{.slower = tolerance};
        const auto run = [&](std::uint64_t id, std::size_t gates) {
          return simulate(id, gates, options.threads,
                          [&](Stream& stream) { return gate(shape, at_limit, tolerance, stream); });
        };
        Named named = run(++cell, options.trials);
        // Chance or fault? Four times as many gates, of new streams, decide.
        if (percent(named.slower, named.gates) > kMost) named = run(cell + 500, 4 * options.trials);
        checks.expect(percent(named.slower, named.gates) <= kMost,
                      shape.name + ", " + gate_name + ": " +
                          fixed(percent(named.slower, named.gates), 2) + " % called slower");
        // Files are tested for slowdowns alone; an improvement there is an interval.
        if (paired && tolerance == 0) {
          checks.expect(percent(named.faster, named.gates) <= kMost,
                        shape.name + ", " + gate_name + ": " +
                            fixed(percent(named.faster, named.gates), 2) + " % called faster");
        }
        table.rows.push_back({shape.name, gate_name, fixed(100 * tolerance, 0) + " %",
                              text(named.slower, named.gates),
                              paired ? text(named.faster, named.gates) : "-"});
      }
    }
  }
  return table;
}

constexpr std::size_t kMetrics = std::size(kDistributionSummaries);
using Shares = std::array<double, kMetrics>;  // per cent

// How often the printed interval of a ratio holds the true one, 1.05, at a fixed number of rounds.
Shares covered_shares(const Shape& shape, std::size_t rounds, std::uint64_t cell,
                      std::size_t trials, std::size_t threads) {
  const double truth = std::log(1.05);
  std::vector<std::array<std::size_t, kMetrics>> held(trials);
  stats::parallel_for(trials, threads, [&](std::size_t trial) {
    Stream stream(cell, trial);
    std::array<std::vector<double>, kMetrics> d;
    for (std::size_t r = 0; r < rounds; ++r) {
      const std::vector<double> baseline = draw_calls(shape, {}, stream);
      const std::vector<double> candidate = draw_calls(shape, {.slower = 0.05}, stream);
      for (std::size_t m = 0; m < kMetrics; ++m) {
        d[m].push_back(std::log(summary_of(kDistributionSummaries[m], candidate) /
                                summary_of(kDistributionSummaries[m], baseline)));
      }
    }
    for (std::size_t m = 0; m < kMetrics; ++m) {
      const stats::Interval interval = IntervalOf(d[m]);
      held[trial][m] = interval.lo <= truth && truth <= interval.hi ? 1 : 0;
    }
  });
  Shares shares{};
  for (const auto& one : held) {
    for (std::size_t m = 0; m < kMetrics; ++m) shares[m] += percent(one[m], trials);
  }
  return shares;
}

Table coverage(const Options& options, Checks& checks) {
  constexpr double kLeast = 93.5;
  constexpr double kMost = 98.5;
  Table table{
      "distribution_coverage", {"service times", "rounds", "p50", "p95", "p99", "tail_mean"}, {}};
  std::uint64_t cell = 33000;
  for (const Shape& shape : shapes()) {
    for (const std::size_t rounds : {6U, 10U, 16U}) {
      Shares shares = covered_shares(shape, rounds, ++cell, options.trials, options.threads);
      const auto [least, most] = std::minmax_element(shares.begin(), shares.end());
      // Chance or fault? Four times as many trials, of new streams, decide.
      if (*least < kLeast || *most > kMost) {
        shares = covered_shares(shape, rounds, cell + 500, 4 * options.trials, options.threads);
      }
      std::vector<std::string> row = {shape.name, std::to_string(rounds)};
      for (std::size_t m = 0; m < kMetrics; ++m) {
        row.push_back(fixed(shares[m], 1));
        checks.expect(shares[m] >= kLeast && shares[m] <= kMost,
                      shape.name + ", " + std::to_string(rounds) + " rounds, " +
                          std::string(kDistributionSummaries[m].word) + ": covers " +
                          fixed(shares[m], 1) + " %");
      }
      table.rows.push_back(row);
    }
  }
  return table;
}

// Tails that leave the median where it is.
Table tails(const Options& options, Checks& checks) {
  Table table{
      "distribution_tails",
      {"slow calls", "times as slow", "gate", "found %", "p50 %", "p95 %", "p99 %", "tail_mean %"},
      {}};
  const Shape shape = shapes().front();
  const std::size_t gates = std::max<std::size_t>(20, options.trials / 40);
  std::uint64_t cell = 35000;
  for (const double share : {0.01, 0.02, 0.04}) {
    for (const double factor : {3.0, 5.0, 10.0}) {
      for (const auto& [gate_name, gate] :
           {std::pair<std::string, Gate>{"side by side", paired_gate}, {"files", files_gate}}) {
        const Change change{.share = share, .factor = factor};
        const Named named = simulate(++cell, gates, options.threads, [&](Stream& stream) {
          return gate(shape, change, 0.02, stream);
        });
        checks.expect(percent(named.slower, gates) >= 95.0,
                      fixed(100 * share, 0) + " % of calls " + fixed(factor, 0) +
                          " times as slow, " + gate_name + ": found in " +
                          fixed(percent(named.slower, gates), 0) + " %");
        std::vector<std::string> row = {fixed(100 * share, 0) + " %", fixed(factor, 0), gate_name,
                                        fixed(percent(named.slower, gates), 0)};
        for (const std::size_t count : named.by_metric) {
          row.push_back(fixed(percent(count, gates), 0));
        }
        table.rows.push_back(row);
      }
    }
  }
  return table;
}

}  // namespace
}  // namespace perfgate::calibration

int main(int argc, char** argv) {
  using namespace perfgate::calibration;
  const Options options = parse_options(
      argc, argv, "Gates on percentiles of calls: false alarms, coverage, tails found", 4000);
  Checks checks;
  print(tails(options, checks));
  print(coverage(options, checks));
  print(false_alarms(options, checks));
  return checks.finish(options.check);
}
