// SPDX-License-Identifier: Apache-2.0
// bisect.h: the state and the result of a bisection: which commits were looked at, and what was
// found. A bisection that was stopped goes on from its file.
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "perfgate/base/text/enum_words.h"
#include "perfgate/evidence/policy.h"

namespace perfgate::inline evidence {

//   open     nobody looked yet
//   good     as fast as the good end
//   bad      slower than the good end, by at least half of what the bad end is
//   skipped  cannot be built, fails, or stayed undecided
enum class BisectAnswer { kOpen, kGood, kBad, kSkipped };

constexpr EnumWords<4> enum_words(BisectAnswer) {
  return {"bisect answer", {{"open", "good", "bad", "skipped"}}};
}

struct BisectCommit {
  std::string commit;   // 40 or 64 hexadecimal digits
  std::string subject;  // first line of its message
  BisectAnswer answer = BisectAnswer::kOpen;
  std::string reason;  // of the answer: what the gate said, or why it is skipped
  std::string digest;  // "sha256:<hex>" of the executable; empty: none was built
  int rounds = 0;      // that the answer rests on; 0: nothing was measured
  // Slowdown against the good end, fraction, + is worse, with its interval; NaN: not measured.
  double estimate = std::numeric_limits<double>::quiet_NaN();
  double lo = std::numeric_limits<double>::quiet_NaN();
  double hi = std::numeric_limits<double>::quiet_NaN();
};

struct Bisection {
  std::string tool;
  std::string suite;
  std::string build;       // command that builds the executable in a checkout; empty: none
  std::string executable;  // that it leaves there
  std::string prebuilt;    // where executables lie already, with {commit}; empty: nowhere
  Policy policy;           // of the first gate, good against bad
  std::string case_name;   // that is bisected; empty: not yet chosen
  std::string metric;      // of it
  double tolerance = 0;    // of every step: half of what the bad end is slower
  std::vector<BisectCommit> commits;  // from the good end to the bad end
  bool complete = false;
  std::string first_bad;                 // commit; empty: not found, or not alone
  std::string conclusion;                // one sentence
  std::vector<std::string> other_cases;  // slower in the bad end too, and not bisected here
};

std::string bisection_to_json(const Bisection& bisection);
Bisection bisection_from_json(std::string_view text, const std::string& where);
void write_bisection(const std::string& path, const Bisection& bisection);
Bisection read_bisection(const std::string& path);

}  // namespace perfgate::inline evidence
