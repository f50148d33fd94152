// SPDX-License-Identifier: Apache-2.0
// secret_key.h: keys for tests of what is signed.
#pragma once

#include <sys/stat.h>

#include <string>

#include "perfgate/base/io/atomic_file.h"
#include "perfgate/base/io/key_file.h"

namespace perfgate::sample {

inline constexpr const char* kSecretBytes = "a secret of the tests, 32 bytes.";

inline SecretKey Key() { return SecretKey(kSecretBytes); }
inline SecretKey OtherKey() { return SecretKey("another secret of these tests..."); }

// A file with that key which only its owner can read.
inline std::string WriteKeyFile(const std::string& path, const std::string& bytes = kSecretBytes) {
  write_file_atomically(path, bytes);
  ::chmod(path.c_str(), 0600);
  return path;
}

}  // namespace perfgate::sample
