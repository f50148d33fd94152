// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/one_sided.h"

#include <cmath>

#include "perfgate/base/text/join.h"
#include "perfgate/evidence/metrics/gpu_metrics.h"

namespace perfgate::inline verdict {
namespace {

void look(const std::vector<double>& first, const std::vector<double>& second, int round,
          OneSided& found) {
  // Lists of all arms have one length (session_file.cc).
  for (std::size_t i = 0; i < first.size(); ++i) {
    const std::array<bool, 2> has = {std::isfinite(first[i]), std::isfinite(second[i])};
    for (std::size_t side = 0; side < 2; ++side) {
      found.reports[side] = found.reports[side] || has[side];
      std::vector<int>& alone = found.alone[side];
      if (!has[side] || has[1 - side]) continue;
      if (alone.empty() || alone.back() != round) alone.push_back(round);
    }
  }
}

// "round 3", "rounds 1-5, 8"
std::string rounds_text(const std::vector<int>& rounds) {
  std::string text;
  for (std::size_t i = 0; i < rounds.size();) {
    std::size_t last = i;
    while (last + 1 < rounds.size() && rounds[last + 1] == rounds[last] + 1) ++last;
    AppendItem(text, std::to_string(rounds[i] + 1));
    if (last > i) text += "-" + std::to_string(rounds[last] + 1);
    i = last + 1;
  }
  return (rounds.size() == 1 ? "round " : "rounds ") + text;
}

}  // namespace

std::map<std::size_t, OneSided> one_sided_metrics(const Session& session, std::size_t case_index,
                                                  std::size_t first, std::size_t second) {
  std::map<std::size_t, OneSided> found;
  for (const RoundInfo& round : session.rounds) {
    for (const CaseRound& measured : round.cases) {
      if (measured.case_index != case_index) continue;
      for (std::size_t m = 0; m < session.metrics.size(); ++m) {
        if (is_informational(session.metrics[m].name)) continue;
        const auto& arms = measured.values[m];
        look(arms[first], arms[second], round.index, found[m]);
      }
    }
  }
  std::erase_if(found, [](const auto& entry) {
    return entry.second.alone[0].empty() && entry.second.alone[1].empty();
  });
  return found;
}

std::string one_sided_reason(const OneSided& found, const std::string& first,
                             const std::string& second) {
  const auto rounds = [&](std::size_t side) {
    return found.reports[1 - side] ? " in slices of " + rounds_text(found.alone[side]) : "";
  };
  std::string text;
  if (!found.alone[0].empty()) text = "only the " + first + " reports it" + rounds(0);
  if (!found.alone[1].empty()) {
    text += (text.empty() ? "" : ", ") + ("only the " + second) +
            (text.empty() ? " reports it" : "") + rounds(1);
  }
  return "metric_mismatch: " + text;
}

}  // namespace perfgate::inline verdict
