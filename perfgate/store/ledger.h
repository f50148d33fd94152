// SPDX-License-Identifier: Apache-2.0
// ledger.h: every attempt to judge a pair of executables, so that starting again cannot undo one.
//
//   <folder>/ledger.jsonl      starts, looks and ends of attempts (hash_chain.h)
//   <folder>/<id>.json         the session of an attempt, for the next one to go on from
//   <folder>/<id>-<n>.json     the same after n rounds, for an attempt that never ended
//   <folder>/ledger.head       with a key: how far it had grown (signed_chain.h)
//
// An attempt belongs to a pair of executables and, where one is named, to a change of a repository.
// Rounds of one executable say nothing of another, so only attempts on the same pair go on from
// each other. Other candidates of the same change are counted: a byte that is added to an
// executable makes another pair, and no fresh chance to pass.
//
// Every look is written down before anybody can know what it shows: an attempt that is killed when
// it does not please has been made all the same.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "perfgate/base/error.h"
#include "perfgate/base/io/key_file.h"
#include "perfgate/evidence/session.h"
#include "perfgate/store/folder_lock.h"

namespace perfgate::store {

struct Pair {
  std::string suite;
  std::string baseline;  // digests
  std::string candidate;
  std::string repository{};
  std::string change{};  // pull request or branch; empty: none is named
  std::string stage{};   // "layouts", whose digests are of sets of layouts; empty: executables
};

// Who may have written a ledger, and what it must still hold.
struct LedgerTrust {
  std::optional<SecretKey> key{};  // none: anybody
  std::string head{};              // hash of a line, as an earlier verdict has it; empty: none

  const SecretKey* signer() const { return key ? &*key : nullptr; }
};

struct Attempt {
  std::string id;
  std::string started;
  std::optional<Exit> exit;    // none: it never ended
  std::string session_file;    // in the folder; empty: no rounds were measured
  std::string session_digest;  // of that file
};

struct OtherSuite {
  std::string suite;
  Attempt attempt;
};

struct History {
  std::vector<Attempt> attempts;      // of the pair, in order
  std::vector<OtherSuite> elsewhere;  // on the same executables, under another name of the suite
  std::string head;                   // of the whole ledger
  // Attempts on other candidates of the same change and stage, under the same suite or against the
  // same baseline, by the candidate's digest.
  std::map<std::string, std::vector<Attempt>> others{};
};

// Error(kInvalid) where lines were removed or edited, or are not signed as `trust` asks. A ledger
// that is not there has no attempts, unless `trust` knows better.
History read_history(const std::string& folder, const Pair& pair, const LedgerTrust& trust = {});

// Under the folder's lock, made when it is not there. Returns the ledger's new head.
std::string start_attempt(const std::string& folder, const Pair& pair, const std::string& id,
                          const std::string& started, const SecretKey* key = nullptr);

// A look of an attempt that goes on. session: of all attempts so far, pooled.
void keep_look(const std::string& folder, const std::string& id, const Session& session,
               const SecretKey* key = nullptr);

// session: of all attempts so far, pooled; null when nothing was measured.
std::string end_attempt(const std::string& folder, const std::string& id, Exit exit,
                        const Session* session, const SecretKey* key = nullptr);

// The pooled session of an attempt. Error(kInvalid) when the file is gone or is not what the ledger
// has written down. Its digest stands in a line of the ledger, and is signed with that.
Session read_attempt(const std::string& folder, const Attempt& attempt);

// Held while a pair of executables is judged: two gates side by side would both begin where the
// last attempt ended, and the one that ends later would hide the other. Empty while another holds
// it and `wait_s` has passed.
std::unique_ptr<FolderLock> hold_experiment(const std::string& folder, const Pair& pair,
                                            double wait_s);

}  // namespace perfgate::store
