// SPDX-License-Identifier: Apache-2.0
// attempts.h: earlier attempts on the same executables, and this one's entry.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "perfgate/evidence/verdict.h"
#include "perfgate/gate/display.h"
#include "perfgate/store/ledger.h"

namespace perfgate::gate {

// One attempt of a gate. Without a folder nothing is kept, and the report says that nobody knows of
// earlier attempts.
class Attempts {
 public:
  // Waits, and says so, while another gate judges the same executables.
  Attempts(std::string folder, store::Pair pair, store::LedgerTrust trust, GateDisplay& display);

  // The rounds measured so far, of all attempts; none before the first.
  const std::optional<Session>& before() const { return before_; }

  // Whether the experiment is over: a regression is final, and so are cases that all left, where
  // this policy asks what was answered, on a machine of this class. Then before() has the verdict
  // and nothing is measured.
  bool Decided(const Policy& policy) const;

  // The first stage that earlier attempts over layouts went on from; none before the first.
  std::optional<Session> LinkStage() const;

  // These attempts are the second stage of a gate whose first was `link`: what is kept holds both.
  void GoOnFrom(const Session& link);

  // Error(kNotComparable) when the cases, now known, are not those of the earlier attempts, or were
  // judged before under another name of the suite.
  void RequireSameCases(const Session& listed) const;

  // With the rounds of earlier attempts in front.
  Session Pooled(const Session& now) const;

  // Enters how many other candidates of the change the ledger has into the session's schedule.
  void Start(Session& session);
  void KeepLook(const Session& pooled) const;
  void End(const Session& pooled, SuiteVerdict& verdict);

 private:
  Session WithLink(const Session& pooled) const;
  void WarnOfOthers(const Session& pooled, SuiteVerdict& verdict) const;

  std::string folder_;
  store::Pair pair_;
  store::LedgerTrust trust_;
  store::History history_;
  std::unique_ptr<store::FolderLock> held_;
  std::optional<Session> before_;
  std::string id_;
  std::optional<Exit> last_exit_;
  std::optional<Session> link_;
};

}  // namespace perfgate::gate
