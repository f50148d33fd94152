// SPDX-License-Identifier: Apache-2.0
// What a gate on recorded numbers does on a machine's own record: false alarms and power of
// 1 to 20 baseline sessions, with and without the reference workload.
//
// The sessions are those of baselines/: real ones, of one unchanged executable, so that every alarm
// is false. Each window of 3 consecutive sessions plays the candidate. "before": the baseline is
// the sessions just before it, as in use. "any": drawn from all others, which makes the sessions
// exchangeable and the test exact. Power: one case of the candidate is made slower, each in turn.
#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "perfgate/store/baseline_store.h"
#include "perfgate/verdict/recorded/qualification.h"
#include "perfgate/verdict/recorded/session_rows.h"
#include "perfgate/verdict/recorded/stored_gate.h"
#include "tests/calibration/program.h"

namespace perfgate::calibration {
namespace {

constexpr std::size_t kCandidate = 3;
constexpr std::size_t kBaselines[] = {1, 3, 7, 10, 20};
constexpr double kSlowdowns[] = {0.05, 0.20, 0.50};

using Sessions = std::vector<RecordedSession>;

// The largest baseline of one executable that the store has.
Sessions recorded_sessions(const std::string& root) {
  Sessions best;
  for (const store::SuiteFolder& suite : store::list_suites(root)) {
    Sessions all;
    for (const store::StoredFile& file : store::read_baseline(suite).sessions) {
      all.push_back(file.session);
    }
    if (all.empty()) continue;
    Sessions accepted = of_newest_executable(all);
    if (accepted.size() > best.size()) best = std::move(accepted);
  }
  return best;
}

void slow_down(RecordedSession& session, std::size_t case_index, double slowdown) {
  RecordedCase& info = session.cases[case_index];
  for (std::size_t m = 0; m < session.metrics.size(); ++m) {
    if (session.metrics[m].kind != Kind::kTime) continue;
    for (double& value : info.values[m]) value *= 1 + slowdown;
  }
}

void drop_reference(Sessions& sessions) {
  for (RecordedSession& session : sessions) {
    session.reference_names.clear();
    session.reference.clear();
  }
}

// Baseline sessions for the window that begins at `begin`; none where there are too few.
std::optional<Sessions> baseline_for(const Sessions& all, std::size_t begin, std::size_t count,
                                     bool before, std::mt19937_64& random) {
  Sessions others;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool candidate = i >= begin && i < begin + kCandidate;
    if (!candidate && (!before || i < begin)) others.push_back(all[i]);
  }
  if (others.size() < count) return std::nullopt;
  if (before) return Sessions(others.end() - static_cast<std::ptrdiff_t>(count), others.end());
  std::shuffle(others.begin(), others.end(), random);
  others.resize(count);
  return others;
}

bool suspects(const SuiteVerdict& verdict, const std::string& case_name) {
  return std::any_of(verdict.columns.begin(), verdict.columns.end(), [&](const ColumnVerdict& c) {
    return c.verdict == Verdict::kSuspected && (case_name.empty() || c.case_name == case_name);
  });
}

struct Tally {
  int windows = 0;
  int alarms = 0;
  std::vector<double> found = std::vector<double>(std::size(kSlowdowns), 0.0);
  int failures = 0;  // gates that exited 10, which numbers must not
};

Tally tally(const Sessions& all, std::size_t count, bool before, bool reference) {
  Tally result;
  std::mt19937_64 random(1);
  for (std::size_t begin = 0; begin + kCandidate <= all.size(); ++begin) {
    auto baseline = baseline_for(all, begin, count, before, random);
    if (!baseline) continue;
    StoredEvidence evidence;
    evidence.baseline = *baseline;
    evidence.candidate.assign(all.begin() + static_cast<std::ptrdiff_t>(begin),
                              all.begin() + static_cast<std::ptrdiff_t>(begin + kCandidate));
    if (!reference) {
      drop_reference(evidence.baseline);
      drop_reference(evidence.candidate);
    }
    const SuiteVerdict unchanged = decide_stored(evidence);
    ++result.windows;
    result.alarms += suspects(unchanged, "") ? 1 : 0;
    result.failures += unchanged.exit == Exit::kRegression ? 1 : 0;
    const std::size_t cases = evidence.candidate.front().cases.size();
    for (std::size_t s = 0; s < std::size(kSlowdowns); ++s) {
      for (std::size_t c = 0; c < cases; ++c) {
        StoredEvidence slowed = evidence;
        for (RecordedSession& session : slowed.candidate) slow_down(session, c, kSlowdowns[s]);
        const SuiteVerdict verdict = decide_stored(slowed);
        const bool found = suspects(verdict, evidence.candidate.front().cases[c].name);
        result.found[s] += found ? 1.0 / static_cast<double>(cases) : 0.0;
        result.failures += verdict.exit == Exit::kRegression ? 1 : 0;
      }
    }
  }
  return result;
}

std::string share(double count, int windows) {
  return windows == 0 ? "-" : fixed(100 * count / windows, 0);
}

int run(const Options& options) {
  const Sessions all = recorded_sessions(PERFGATE_SOURCE_DIR "/baselines");
  Checks checks;
  checks.expect(all.size() >= 10, "baselines/ has at least 10 sessions of one executable");
  Table table{"stored_sessions",
              {"baseline sessions", "taken from", "reference", "windows", "false alarm %",
               "+5 % found %", "+20 % found %", "+50 % found %"},
              {}};
  for (const std::size_t count : kBaselines) {
    for (const bool before : {true, false}) {
      for (const bool reference : {false, true}) {
        const Tally result = tally(all, count, before, reference);
        checks.expect(result.failures == 0, "numbers of an unqualified class never fail a gate");
        checks.expect(count >= 7 || result.alarms == 0, "fewer than 7 sessions never alarm");
        table.rows.push_back(
            {std::to_string(count), before ? "just before" : "any",
             reference ? "where it helps" : "no", std::to_string(result.windows),
             share(result.alarms, result.windows), share(result.found[0], result.windows),
             share(result.found[1], result.windows), share(result.found[2], result.windows)});
      }
    }
  }
  print(table);
  const Qualification qualification = qualify(all, {});
  checks.expect(qualification.qualified == (qualification.rate_upper <= kAlphaStored),
                "qualification follows the bound");
  print(Table{"stored_qualification",
              {"sessions", "windows", "false alarms", "upper bound %", "qualified"},
              {{std::to_string(all.size()), std::to_string(qualification.windows),
                std::to_string(qualification.alarms), fixed(100 * qualification.rate_upper, 1),
                qualification.qualified ? "yes" : "no"}}});
  return checks.finish(options.check);
}

}  // namespace
}  // namespace perfgate::calibration

int main(int argc, char** argv) {
  using namespace perfgate::calibration;
  return run(parse_options(argc, argv, "Gates on recorded numbers, on the recorded sessions.", 1));
}
