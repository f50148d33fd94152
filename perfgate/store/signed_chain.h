// SPDX-License-Identifier: Apache-2.0
// signed_chain.h: a chain whose lines a key signs, and how far it had grown, so that lines cut off
// its end show.
//
//   ledger.jsonl   the lines (hash_chain.h)
//   ledger.head    {"head":"hmac-sha256:...","proof":"hmac-sha256:...","seq":3}
//
// The head is written after the line that it names: a gate that is killed in between leaves a head
// that is one line behind, never one ahead. Neither file can tell an old folder that was put back
// as a whole from the newest: only a head that is kept elsewhere can (RequireHead).
//
// Without a key (null) both functions are those of hash_chain.h, and there is no head.
#pragma once

#include <string>

#include "perfgate/base/io/key_file.h"
#include "perfgate/store/hash_chain.h"

namespace perfgate::store {

// Error(kInvalid) also where the signed head is missing though there are lines, is not this key's,
// or names a line that the chain does not have.
Chain ReadSignedChain(const std::string& path, const SecretKey* key);

// Returns the new head.
std::string AppendToSignedChain(const std::string& path, const nlohmann::json& body,
                                const SecretKey* key);

// Error(kInvalid) unless the chain has a line with this hash, given with or without its prefix.
void RequireHead(const std::string& path, const Chain& chain, const std::string& head);

// Error(kInvalid) with what to do about a chain that is not whole.
[[noreturn]] void RefuseSignedChain(const std::string& where, const std::string& problem);

}  // namespace perfgate::store
