// SPDX-License-Identifier: Apache-2.0
// ledger.h: every attempt to judge a pair of executables, so that starting again cannot undo one.
//
//   <folder>/ledger.jsonl      starts and ends of attempts (hash_chain.h)
//   <folder>/<id>.json         the session of an attempt, for the next one to go on from
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "perfgate/error.h"
#include "perfgate/evidence/session.h"

namespace perfgate::store {

struct Pair {
  std::string suite;
  std::string baseline;  // digests
  std::string candidate;
  bool operator==(const Pair&) const = default;
};

struct Attempt {
  std::string id;
  std::string started;
  std::optional<Exit> exit;    // none: it never ended
  std::string session_digest;  // of its file; empty: no rounds were measured
};

struct History {
  std::vector<Attempt> attempts;  // of the pair, in order
  std::string head;               // of the whole ledger
};

// Error(kInvalid) where lines were removed or edited. A ledger that is not there has no attempts.
History read_history(const std::string& folder, const Pair& pair);

// Under the folder's lock, made when it is not there. Returns the ledger's new head.
std::string start_attempt(const std::string& folder, const Pair& pair, const std::string& id,
                          const std::string& started);

// session: of all attempts so far, pooled; null when nothing was measured.
std::string end_attempt(const std::string& folder, const std::string& id, Exit exit,
                        const Session* session);

// The pooled session of an attempt. Error(kInvalid) when the file is gone or is not what the ledger
// has written down.
Session read_attempt(const std::string& folder, const Attempt& attempt);

}  // namespace perfgate::store
