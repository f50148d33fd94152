// SPDX-License-Identifier: Apache-2.0
// hash_chain.h: a file of lines that can only grow: each line carries the hash of the one before,
// so that a line removed, changed or put elsewhere shows.
//
//   {"body":{...},"hash":"sha256:...","previous":"sha256:...","seq":3}
//
// hash = sha256(previous, newline, seq, newline, body as JSON with sorted keys and no spaces). With
// a key it is "hmac-sha256:...", the proof of "perfgate-chain", newline and the same text, which
// only the owner of the key can make. A removed last line does not show in the file itself: its
// head is therefore also written wherever something was decided on it.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "perfgate/base/io/key_file.h"

namespace perfgate::store {

struct ChainEntry {
  std::int64_t seq = 0;  // from 1
  nlohmann::json body;
  std::string hash;
};

struct Chain {
  std::vector<ChainEntry> entries;
  std::string head;   // hash of the last entry; empty for an empty chain
  bool torn = false;  // the file ends in the middle of a line: an append that never finished
};

// A file that is not there is an empty chain. Throws Error(kData) for a line that is no JSON and
// Error(kInvalid) where numbers or hashes do not follow from each other; both name the line. With a
// key every line has to be signed by it, and without one (null) none may be: Error(kInvalid).
Chain read_chain(const std::string& path, const SecretKey* key = nullptr);

// Appends one entry and flushes it to disk, after cutting off a torn end. The caller holds the lock
// of the folder. Returns the new head. Error(kData) when it cannot be written; then the file is as
// it was or ends in a torn line, which readers leave out.
std::string append_to_chain(const std::string& path, const nlohmann::json& body,
                            const SecretKey* key = nullptr);

}  // namespace perfgate::store
