// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/io/atomic_file.h"
#include "perfgate/evidence/files/file_format.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/evidence/files/input_kinds.h"
#include "perfgate/evidence/files/policy_fields.h"
#include "perfgate/evidence/policy_check.h"
#include "perfgate/evidence/signature.h"

namespace perfgate::inline evidence {
Policy policy_from_json(std::string_view text, const std::string& where) {
  auto policy = read_format<Policy>(text, where);
  try {
    validate(policy);
  } catch (const Error& error) {
    throw Error(Exit::kData, where + ": " + error.what());
  }
  return policy;
}

Policy read_policy(const std::string& path, const SecretKey* key) {
  const std::string text = ReadInputFile(path, kPolicyFile);
  RequireSignature(text, path, key);
  return policy_from_json(text, path);
}

std::string policy_to_json(const Policy& policy) { return write_format(policy); }

void write_policy(const std::string& path, const Policy& policy) {
  write_file_atomically(path, policy_to_json(policy));
}

}  // namespace perfgate::inline evidence
