// SPDX-License-Identifier: Apache-2.0
// baseline_store.h: recorded sessions of the accepted state, in a folder that is meant for git.
//
//   <root>/<machine class>/<suite>/policy.json       how to measure and judge; may be absent
//                                  chain.jsonl       what was added and removed (hash_chain.h)
//                                  sessions/*.json   one file per session (evidence/recorded.h)
//
// The chain decides what belongs to the baseline: a session is added by writing its file and then
// one line of the chain. Whatever ends in between leaves a file that nobody counts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "perfgate/base/io/key_file.h"
#include "perfgate/evidence/policy.h"
#include "perfgate/evidence/recorded.h"

namespace perfgate::store {

struct StoredFile {
  std::string name;    // "sessions/20261121T070000Z-<id>.json"
  std::string digest;  // of its bytes, as the chain has it
  RecordedSession session;
};

struct Baseline {
  std::string folder;
  std::string machine_class;
  std::string suite;
  std::vector<StoredFile> sessions;  // in the order recorded
  std::string head;                  // of the chain
  std::optional<Policy> policy;
  std::vector<std::string> notes;  // files without a line in the chain, a torn line
};

struct SuiteFolder {
  std::string machine_class;
  std::string suite;
  std::string folder;
};

// Every <class>/<suite> below root that has a chain, sorted. Error(kData) when root is no folder.
std::vector<SuiteFolder> list_suites(const std::string& root);

// Reads and checks everything: chain, digests, schema, that all sessions are of this class and
// suite. Error(kInvalid) where files and chain disagree, Error(kData) for what cannot be read.
// With a key the chain has to be signed by it, and policy.json has to be what it was, absent or
// present, when the last session was added.
Baseline read_baseline(const SuiteFolder& suite, const SecretKey* key = nullptr);

// Adds a session under the folder's lock, creating the folders. Returns the file's path.
// Error(kInvalid) when the baseline that is there is broken or already has this session.
std::string append_session(const std::string& root, const RecordedSession& session,
                           const SecretKey* key = nullptr);

struct Pruned {
  std::vector<std::string> removed;   // from the baseline, oldest first
  std::vector<std::string> leftover;  // files without a line in the chain
};

// Keeps the newest `keep` sessions: the others are struck off in the chain, then deleted, and so
// are files that the chain does not know.
Pruned prune(const SuiteFolder& suite, std::size_t keep, const SecretKey* key = nullptr);

}  // namespace perfgate::store
