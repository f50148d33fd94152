// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/recorded/qualification.h"

#include <cstdio>
#include <vector>

#include "perfgate/stats/estimate/proportion.h"
#include "perfgate/verdict/recorded/stored_gate.h"

namespace perfgate::inline verdict {
namespace {

constexpr std::size_t kWindow = 3;
constexpr double kTwoSided = 0.80;  // its upper end is the one-sided 90 % bound

bool alarms(const SuiteVerdict& verdict) { return verdict.exit == Exit::kSuspected; }

}  // namespace

Qualification qualify(std::span<const RecordedSession> sessions, const Policy& policy,
                      double alpha_stored) {
  Qualification result;
  for (std::size_t begin = 0; begin + kWindow <= sessions.size(); begin += kWindow) {
    StoredEvidence evidence;
    evidence.policy = policy;
    for (std::size_t i = 0; i < sessions.size(); ++i) {
      const bool inside = i >= begin && i < begin + kWindow;
      (inside ? evidence.candidate : evidence.baseline).push_back(sessions[i]);
    }
    if (evidence.baseline.empty()) break;
    const SuiteVerdict verdict = decide_stored(evidence);
    // Sessions that do not compare with each other show nothing of false alarms.
    if (verdict.exit == Exit::kNotComparable || verdict.exit == Exit::kInvalid) continue;
    ++result.windows;
    if (alarms(verdict)) ++result.alarms;
  }
  result.rate_upper =
      result.windows == 0
          ? 1.0
          : stats::clopper_pearson(static_cast<std::uint64_t>(result.alarms),
                                   static_cast<std::uint64_t>(result.windows), kTwoSided)
                .hi;
  result.qualified = result.rate_upper <= alpha_stored;
  char text[200];
  std::snprintf(text, sizeof text,
                "%s: %d of %d windows of 3 recorded sessions raised a false alarm, so the rate may "
                "be up to %.1f %% and %.1f %% is allowed",
                result.qualified ? "qualified" : "not qualified", result.alarms, result.windows,
                100 * result.rate_upper, 100 * alpha_stored);
  result.text = text;
  return result;
}

}  // namespace perfgate::inline verdict
