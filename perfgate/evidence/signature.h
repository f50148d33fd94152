// SPDX-License-Identifier: Apache-2.0
// signature.h: the field `signature` of a file: who has the key wrote it, and nobody changed it.
//
// It is the proof (key_file.h) of the file's JSON without that field, with sorted keys and no
// spaces. The file's `format` is among what is signed, so that no file passes for one of another
// kind.
#pragma once

#include <string>
#include <string_view>

#include "perfgate/base/io/key_file.h"

namespace perfgate::inline evidence {

// The file's text with a signature, in place of one that it had.
std::string WithSignature(std::string_view text, const std::string& where, const SecretKey& key);

// Error(kInvalid) where the text is not signed by this key. Nothing to do without a key (null).
void RequireSignature(std::string_view text, const std::string& where, const SecretKey* key);

}  // namespace perfgate::inline evidence
