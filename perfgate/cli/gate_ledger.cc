// SPDX-License-Identifier: Apache-2.0
#include "perfgate/cli/gate_ledger.h"

#include <algorithm>
#include <utility>

#include "perfgate/verdict/experiment.h"
#include "perfgate/verdict/gate.h"

namespace perfgate::cli {

GateLedger::GateLedger(std::string folder, store::Pair pair)
    : folder_(std::move(folder)), pair_(std::move(pair)) {
  if (folder_.empty()) return;
  history_ = store::read_history(folder_, pair_);
  for (const store::Attempt& attempt : history_.attempts) {
    if (!attempt.exit) continue;
    last_exit_ = attempt.exit;
    if (!attempt.session_digest.empty()) before_ = store::read_attempt(folder_, attempt);
  }
}

bool GateLedger::decided() const {
  if (!before_ || before_->rounds.empty()) return false;
  if (last_exit_ == Exit::kRegression) return true;
  const std::vector<bool> open = open_cases(*before_);
  return last_exit_ == Exit::kPass &&
         std::none_of(open.begin(), open.end(), [](bool b) { return b; });
}

Session GateLedger::pooled(const Session& now) const {
  return before_ ? pool_attempts(*before_, now) : now;
}

void GateLedger::start(const Session& session) {
  if (folder_.empty()) return;
  id_ = session.id;
  store::start_attempt(folder_, pair_, id_, session.started);
}

void GateLedger::end(const Session& pooled, SuiteVerdict& verdict) {
  if (folder_.empty()) return;
  const std::size_t number = history_.attempts.size() + 1;
  if (number > 1) {
    const auto lost = std::count_if(history_.attempts.begin(), history_.attempts.end(),
                                    [](const store::Attempt& a) { return !a.exit; });
    const std::string rounds = std::to_string(before_ ? before_->rounds.size() : 0) + " rounds";
    verdict.warnings.push_back(
        "attempt " + std::to_string(number) + " on these executables: " +
        (id_.empty() ? "decided by " + rounds + " measured before, nothing was measured again"
                     : "it goes on from " + rounds + " measured before") +
        (lost > 0 ? "; " + std::to_string(lost) + " attempt(s) never ended" : ""));
  }
  if (id_.empty()) return;  // decided before: nothing was measured, nothing to write down
  verdict.ledger_head =
      store::end_attempt(folder_, id_, verdict.exit, pooled.rounds.empty() ? nullptr : &pooled);
}

}  // namespace perfgate::cli
