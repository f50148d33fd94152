// SPDX-License-Identifier: Apache-2.0
// How often parity with four agents in one session names or claims a win or a loss that is none,
// by the product's verdict on drawn sessions.
//
// Every session has so many cases and 40 rounds. The log time of an arm in a case and round is its
// true one plus noise, part of which all arms of the round share. Agents are as fast as the human,
// or slower by exactly the margin, where a false loss is most likely.
#include "perfgate/verdict/parity/parity_agents.h"

#include <cmath>
#include <string>
#include <vector>

#include "perfgate/stats/resample/parallel.h"
#include "tests/calibration/noise.h"
#include "tests/calibration/program.h"

namespace perfgate::calibration {
namespace {

constexpr double kMargin = 0.05;
constexpr double kMost = 5.0;  // %
constexpr double kSd = 0.03;
constexpr int kRounds = 40;
constexpr std::size_t kAgents = 4;
constexpr int kSlices = 2;

struct Design {
  std::size_t cases;
  double effect;  // of every agent against the human, log
  std::string text;
};

Session agents_session(const Design& design, const Noise& noise, Stream& stream) {
  Session session;
  session.complete = true;
  session.metrics = {Metric{}};
  session.policy.tolerance = kMargin;
  session.schedule.looks = {6, 10, 16, 24, 40};
  session.schedule.look_alpha.assign(session.schedule.looks.size(), 0);
  std::vector<std::string> labels = {"baseline", "human"};
  for (std::size_t i = 0; i < kAgents; ++i) labels.push_back("agent" + std::to_string(i + 1));
  for (const std::string& label : labels) {
    ArmInfo& arm = session.arms.emplace_back();
    arm.label = arm.digest = label;
  }
  for (std::size_t c = 0; c < design.cases; ++c) {
    session.cases.push_back({.name = "case/" + std::to_string(c)});
  }
  const auto draw = [&] { return kSd * noise.draw(stream) / noise.sd; };
  for (int r = 0; r < kRounds; ++r) {
    RoundInfo& round = session.rounds.emplace_back();
    round.index = r;
    for (std::size_t c = 0; c < design.cases; ++c) {
      const double common = draw();
      CaseRound& measured = round.cases.emplace_back();
      measured.case_index = c;
      measured.values.resize(1);
      for (std::size_t arm = 0; arm < labels.size(); ++arm) {
        const double truth = arm == 0 ? 0.3 : arm == 1 ? 0 : design.effect;
        // Of a pair of arms the differences have the SD kSd.
        const double time = std::exp(truth + common + draw() / std::sqrt(2.0));
        measured.values[0].push_back(std::vector<double>(kSlices, time));
      }
    }
  }
  return session;
}

struct Tally {
  double named = 0;    // % of agents and cases with a win or a loss
  double claimed = 0;  // % of sessions with any claimed win or loss
};

Tally tally(std::uint64_t id, const Design& design, const Noise& noise, const Options& options) {
  std::vector<std::size_t> named(options.trials);
  std::vector<std::size_t> claimed(options.trials);
  stats::parallel_for(options.trials, options.threads, [&](std::size_t t) {
    Stream stream(id, t);
    const ParityAgents agents = DecideParityAgents(agents_session(design, noise, stream));
    for (const AgentSummary& agent : agents.together.agents) {
      named[t] += agent.wins + agent.losses;
      claimed[t] += agent.claimed_wins + agent.claimed_losses;
    }
  });
  Tally sum;
  for (std::size_t t = 0; t < options.trials; ++t) {
    sum.named += static_cast<double>(named[t]);
    sum.claimed += claimed[t] > 0 ? 1 : 0;
  }
  const auto trials = static_cast<double>(options.trials);
  sum.named *= 100 / (trials * static_cast<double>(kAgents * design.cases));
  sum.claimed *= 100 / trials;
  return sum;
}

int run(const Options& options) {
  Checks checks;
  Table table{"parity_agents", {"cases", "agents are", "named, %", "any claimed, %"}, {}};
  const double at_margin = std::log1p(kMargin);
  const std::vector<Design> designs = {{1, 0, "as fast as the human"},
                                       {1, at_margin, "slower by the margin"},
                                       {5, 0, "as fast as the human"},
                                       {5, at_margin, "slower by the margin"}};
  const double slack = 4 * 100 * std::sqrt(0.05 * 0.95 / static_cast<double>(options.trials));
  std::uint64_t id = 16000;
  for (const Design& design : designs) {
    const Tally found = tally(++id, design, normal_noise(), options);
    const std::string where = std::to_string(design.cases) + " cases, agents " + design.text + ": ";
    checks.expect(found.named <= kMost + slack,
                  where + "a win or a loss named in " + fixed(found.named, 1) + " %");
    checks.expect(found.claimed <= kMost + slack,
                  where + "any claim in " + fixed(found.claimed, 1) + " % of sessions");
    checks.expect(design.effect > 0 || found.named <= 1, where + "named too often");
    table.rows.push_back({std::to_string(design.cases), design.text, fixed(found.named, 2),
                          fixed(found.claimed, 2)});
  }
  print(table);
  return checks.finish(options.check);
}

}  // namespace
}  // namespace perfgate::calibration

int main(int argc, char** argv) {
  using namespace perfgate::calibration;
  return run(parse_options(
      argc, argv, "False wins and losses of four agents in one session, margin 5 %", 1000));
}
