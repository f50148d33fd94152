// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "perfgate/evidence/files/alternatives_fields.h"
#include "perfgate/evidence/files/consistency.h"
#include "perfgate/evidence/files/file_format.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/evidence/files/input_kinds.h"

namespace perfgate::inline evidence {
namespace {

void check_arm(const AlternativesVerdict& verdict, int arm, const std::string& pointer,
               const std::string& where) {
  if (static_cast<std::size_t>(arm) < verdict.arms.size()) return;
  contradict(where, pointer, std::to_string(arm) + " points beyond /arms");
}

void check_speed_up(const SpeedUp& speed_up, const std::string& pointer, const std::string& where) {
  if (speed_up.lo > speed_up.hi) contradict(where, pointer, "lo is above hi");
  if (std::isnan(speed_up.lo) != std::isnan(speed_up.hi)) {
    contradict(where, pointer + (std::isnan(speed_up.lo) ? "/lo" : "/hi"),
               "an interval has two ends");
  }
}

void check_row(const AlternativesVerdict& verdict, const AlternativesRow& row,
               const std::string& pointer, const std::string& where) {
  require_size(where, pointer + "/standings", row.standings.size(), verdict.arms.size(),
               "one per alternative");
  const int most = static_cast<int>(row.standings.size());
  for (std::size_t arm = 0; arm < row.standings.size(); ++arm) {
    const Standing& standing = row.standings[arm];
    const std::string here = pointer + "/standings/" + std::to_string(arm);
    check_speed_up(standing.over_reference, here + "/over_reference", where);
    const bool compared = standing.status == AlternativeStatus::kCompared;
    if (compared != (standing.rank_lo > 0) || standing.rank_lo > standing.rank_hi ||
        standing.rank_hi > most) {
      contradict(where, here + "/rank_lo",
                 "ranks go from 1 to the number of alternatives, and who is not compared has 0");
    }
    if (compared != standing.reason.empty()) {
      contradict(where, here + "/reason", "who is not compared has a reason, and nobody else");
    }
  }
  for (std::size_t i = 0; i < row.pairs.size(); ++i) {
    const AlternativePair& pair = row.pairs[i];
    const std::string here = pointer + "/pairs/" + std::to_string(i);
    check_arm(verdict, pair.first, here + "/first", where);
    check_arm(verdict, pair.second, here + "/second", where);
    if (pair.first == pair.second) contradict(where, here, "an alternative against itself");
    check_speed_up(pair.speed_up, here + "/speed_up", where);
  }
}

// What makes the exit 0 must be there.
bool is_made(const AlternativesVerdict& verdict) {
  for (const AlternativesRow& row : verdict.rows) {
    for (const Standing& standing : row.standings) {
      if (standing.status < AlternativeStatus::kSkipped) return false;
    }
  }
  return verdict.holds;
}

}  // namespace

std::string alternatives_to_json(const AlternativesVerdict& verdict) {
  return write_format(verdict);
}

AlternativesVerdict alternatives_from_json(std::string_view text, const std::string& where) {
  auto verdict = read_format<AlternativesVerdict>(text, where);
  check_schedule(verdict.schedule, where);
  if (!verdict.arms.empty()) check_arm(verdict, verdict.reference, "/reference", where);
  UniqueNames cases;
  for (std::size_t i = 0; i < verdict.rows.size(); ++i) {
    const std::string pointer = "/rows/" + std::to_string(i);
    cases.add(where, pointer, verdict.rows[i].case_name);
    check_row(verdict, verdict.rows[i], pointer, where);
  }
  if (verdict.overall.size() > 1) {
    contradict(where, "/overall", "the means over all cases stand once");
  }
  for (const AlternativesRow& row : verdict.overall) check_row(verdict, row, "/overall/0", where);
  if (verdict.exit == Exit::kPass && !is_made(verdict)) {
    contradict(where, "/exit", "is 0 although not every alternative could be compared");
  }
  return verdict;
}

AlternativesVerdict read_alternatives(const std::string& path) {
  return alternatives_from_json(ReadInputFile(path, kEvidenceFile), path);
}

}  // namespace perfgate::inline evidence
