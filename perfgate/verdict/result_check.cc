// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/result_check.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <set>
#include <string>

#include "perfgate/base/text/join.h"
#include "perfgate/evidence/result_digest.h"

namespace perfgate::inline verdict {
namespace {

struct Seen {
  bool measured = false;
  std::set<double> digests;
};

std::optional<std::size_t> DigestMetric(const Session& session) {
  for (std::size_t m = 0; m < session.metrics.size(); ++m) {
    if (session.metrics[m].name == kResultDigest) return m;
  }
  return std::nullopt;
}

// What every arm showed of a case.
std::vector<Seen> seen_of(const Session& session, std::size_t case_index,
                          std::optional<std::size_t> digest_metric) {
  std::vector<Seen> seen(session.arms.size());
  for (const RoundInfo& round : session.rounds) {
    for (const CaseRound& measured : round.cases) {
      if (measured.case_index != case_index) continue;
      for (std::size_t arm = 0; arm < seen.size(); ++arm) {
        seen[arm].measured = seen[arm].measured || !measured.values[0][arm].empty();
        if (!digest_metric) continue;
        for (const double digest : measured.values[*digest_metric][arm]) {
          if (std::isfinite(digest)) seen[arm].digests.insert(digest);
        }
      }
    }
  }
  return seen;
}

// "2251799813685248 and 3"
std::string digests_text(const std::set<double>& digests) {
  std::string text;
  for (const double digest : digests) {
    char number[32];
    std::snprintf(number, sizeof number, "%.0f", digest);
    text += (text.empty() ? "" : " and ") + std::string(number);
  }
  return text.empty() ? "none" : text;
}

std::optional<std::string> complaint(const Session& session, const std::vector<Seen>& seen) {
  if (std::none_of(seen.begin(), seen.end(), [](const Seen& s) { return s.measured; })) {
    return std::nullopt;
  }
  std::set<double> all;
  bool every = true;
  for (const Seen& s : seen) {
    all.insert(s.digests.begin(), s.digests.end());
    every = every && !s.digests.empty();
  }
  if (every && all.size() == 1) return std::nullopt;
  std::string text;
  for (std::size_t arm = 0; arm < seen.size(); ++arm) {
    AppendItem(text, session.arms[arm].label + " gives " + digests_text(seen[arm].digests));
  }
  return text;
}

bool InEveryArm(const std::vector<std::vector<double>>& values) {
  return std::all_of(values.begin(), values.end(), [](const std::vector<double>& slices) {
    return std::any_of(slices.begin(), slices.end(), [](double v) { return std::isfinite(v); });
  });
}

// The last arm, unless it agrees with the first.
int OddArm(const std::vector<Seen>& seen) {
  std::size_t arm = seen.size() - 1;
  while (arm > 1 && seen[arm].digests == seen[0].digests) --arm;
  return static_cast<int>(arm);
}

}  // namespace

std::vector<Fault> broken_promises(const Session& session) {
  const std::optional<std::size_t> metric = DigestMetric(session);
  std::vector<Fault> faults;
  for (std::size_t c = 0; c < session.cases.size(); ++c) {
    if (session.cases[c].result.empty()) continue;
    const bool faulty = std::any_of(
        session.faults.begin(), session.faults.end(),
        [c](const Fault& fault) { return fault.case_index == c && fault.metric.empty(); });
    if (faulty) continue;
    const std::vector<Seen> seen = seen_of(session, c, metric);
    if (const auto text = complaint(session, seen)) {
      faults.push_back({c, OddArm(seen), -1, FaultKind::kInvalid,
                        "another result, as result_digest shows: " + *text +
                            ", and all promise the bits of " + session.cases[c].result});
    }
  }
  return faults;
}

bool IsScored(const Session& session, std::size_t case_index) {
  const CaseInfo& info = session.cases[case_index];
  for (std::size_t m = 0; m < session.metrics.size(); ++m) {
    const Metric& metric = session.metrics[m];
    if (metric.kind != Kind::kScore || !column_policy(session.policy, info.name, metric).gate)
      continue;
    for (const RoundInfo& round : session.rounds) {
      for (const CaseRound& measured : round.cases) {
        if (measured.case_index == case_index && InEveryArm(measured.values[m])) return true;
      }
    }
  }
  return false;
}

Session WithBrokenPromises(Session session) {
  // A suite that promises and has never shown a digest is unchecked, and no arm broke its word.
  const auto digest = DigestMetric(session);
  for (Fault& fault : broken_promises(session)) {
    if (IsScored(session, fault.case_index)) continue;
    const std::vector<Seen> seen = seen_of(session, fault.case_index, digest);
    if (std::all_of(seen.begin(), seen.end(), [](const Seen& s) { return s.digests.empty(); })) {
      continue;
    }
    fault.round = static_cast<int>(session.rounds.size());
    session.faults.push_back(std::move(fault));
  }
  return session;
}

}  // namespace perfgate::inline verdict
