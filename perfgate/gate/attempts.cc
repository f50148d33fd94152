// SPDX-License-Identifier: Apache-2.0
#include "perfgate/gate/attempts.h"

#include <algorithm>
#include <utility>

#include "perfgate/base/text/format_number.h"
#include "perfgate/evidence/machine_class.h"
#include "perfgate/measure/machine/machine_probe.h"
#include "perfgate/stats/inference/signed_rank.h"
#include "perfgate/verdict/gate/experiment.h"
#include "perfgate/verdict/gate/gate.h"
#include "perfgate/verdict/gate/layout_stage.h"

namespace perfgate::gate {

namespace {

// Longer than any gate; a gate that hangs is ended by whoever started it.
constexpr double kLongestGateS = 86400;

std::unique_ptr<store::FolderLock> Hold(const std::string& folder, const store::Pair& pair,
                                        GateDisplay& display) {
  if (auto lock = store::hold_experiment(folder, pair, 0)) return lock;
  display.Say("perfgate: another gate is judging these executables; waiting for it to end");
  if (auto lock = store::hold_experiment(folder, pair, kLongestGateS)) return lock;
  throw Error(Exit::kData, folder + ": another gate has been judging these executables for a day");
}

// A case of both that was measured in the first; empty: none.
std::string SharedCase(const Session& measured, const Session& listed) {
  for (const CaseInfo& one : measured.cases) {
    for (const CaseInfo& other : listed.cases) {
      if (one.name == other.name) return one.name;
    }
  }
  return {};
}

}  // namespace

Attempts::Attempts(std::string folder, store::Pair pair, store::LedgerTrust trust,
                   GateDisplay& display)
    : folder_(std::move(folder)), pair_(std::move(pair)), trust_(std::move(trust)) {
  if (folder_.empty()) return;
  // Before the folder is made: one that vanished is missed.
  history_ = store::read_history(folder_, pair_, trust_);
  held_ = Hold(folder_, pair_, display);
  history_ = store::read_history(folder_, pair_, trust_);
  const store::Attempt* last = nullptr;
  for (const store::Attempt& attempt : history_.attempts) {
    if (attempt.session_file.empty()) continue;
    last = &attempt;
    if (attempt.exit == Exit::kRegression) break;
  }
  if (last == nullptr) return;
  last_exit_ = last->exit;
  before_ = store::read_attempt(folder_, *last);
}

std::optional<Session> Attempts::LinkStage() const {
  if (!before_ || before_->confirmation.empty()) return std::nullopt;
  Session link = *before_;
  link.confirmation.clear();
  return link;
}

void Attempts::GoOnFrom(const Session& link) {
  link_ = link;
  if (before_ && !before_->confirmation.empty()) {
    before_ = SessionOfStage(*before_, before_->confirmation.front());
  }
}

Session Attempts::WithLink(const Session& pooled) const {
  if (!link_) return pooled;
  Session both = *link_;
  both.id = pooled.id;
  both.confirmation = {StageOf(*link_, pooled)};
  return both;
}

bool Attempts::Decided(const Policy& policy) const {
  if (!before_ || before_->rounds.empty()) return false;
  if (last_exit_ == Exit::kRegression) return true;
  const std::vector<bool> open = open_cases(*before_);
  const bool here = machine_class(class_fields(before_->machine)) ==
                    machine_class(class_fields(measure::probe_machine()));
  return last_exit_ == Exit::kPass && here && same_question(before_->policy, policy) &&
         std::none_of(open.begin(), open.end(), [](bool b) { return b; });
}

void Attempts::RequireSameCases(const Session& listed) const {
  if (before_) require_one_experiment(*before_, listed);
  for (const store::OtherSuite& other : history_.elsewhere) {
    if (other.attempt.session_file.empty()) continue;
    const Session session = store::read_attempt(folder_, other.attempt);
    const std::string shared = SharedCase(session, listed);
    if (shared.empty()) continue;
    throw Error(Exit::kNotComparable, "the ledger has attempts on these executables and " + shared +
                                          " under the suite name \"" + other.suite +
                                          "\": repeat --suite " + other.suite);
  }
}

Session Attempts::Pooled(const Session& now) const {
  return before_ ? pool_attempts(*before_, now) : now;
}

void Attempts::Start(Session& session) {
  if (folder_.empty()) return;
  id_ = session.id;
  store::start_attempt(folder_, pair_, id_, session.started, trust_.signer());
  // Read again: gates on other candidates may have begun since.
  history_.others = store::read_history(folder_, pair_, trust_).others;
  session.schedule.earlier_candidates = static_cast<int>(history_.others.size());
}

void Attempts::WarnOfOthers(const Session& pooled, SuiteVerdict& verdict) const {
  const int earlier = pooled.schedule.earlier_candidates;
  if (earlier == 0) return;
  int passed = 0;
  for (const auto& [candidate, attempts] : history_.others) {
    passed += std::any_of(attempts.begin(), attempts.end(),
                          [](const store::Attempt& a) { return a.exit == Exit::kPass; })
                  ? 1
                  : 0;
  }
  verdict.warnings.push_back(
      "candidate " + std::to_string(earlier + 1) + " of change " + pair_.change + ": of the " +
      std::to_string(earlier) + " before it " + std::to_string(passed) +
      " passed; each shares the chance to pass by luck, so that this one passes at level " +
      format_number(stats::sequential_level(1, earlier)));
}

void Attempts::KeepLook(const Session& pooled) const {
  if (!folder_.empty()) store::keep_look(folder_, id_, WithLink(pooled), trust_.signer());
}

void Attempts::End(const Session& pooled, SuiteVerdict& verdict) {
  if (folder_.empty()) return;
  WarnOfOthers(pooled, verdict);
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
  const int rounds = static_cast<int>(pooled.rounds.size());
  const int looked = pooled.schedule.looks.empty() ? 0 : pooled.schedule.looks.back();
  if (number > 1 && looked < rounds && verdict.exit == Exit::kInconclusive) {
    verdict.warnings.push_back("nothing is decided on rounds " + std::to_string(looked + 1) +
                               " to " + std::to_string(rounds) +
                               ": looking again after a few rounds each would find a lucky one; "
                               "give the next attempt more of them");
  }
  verdict.ledger_head = history_.head;
  if (id_.empty()) return;  // decided before: nothing was measured, nothing to write down
  const Session kept = WithLink(pooled);
  verdict.ledger_head = store::end_attempt(
      folder_, id_, verdict.exit, pooled.rounds.empty() ? nullptr : &kept, trust_.signer());
}

}  // namespace perfgate::gate
