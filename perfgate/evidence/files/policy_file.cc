// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/io/atomic_file.h"
#include "perfgate/base/json/json_reader.h"
#include "perfgate/base/json/json_writer.h"
#include "perfgate/base/json/strict_json.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/evidence/files/policy_fields.h"

namespace perfgate::inline evidence {
namespace {

constexpr std::string_view kFormat = "perfgate-policy";

}  // namespace

Policy policy_from_json(std::string_view text, const std::string& where) {
  auto policy =
      json_io::read_file_object<Policy>(json_io::Source{.where = where, .written_by_hand = true},
                                        parse_strict_json(text, where), kFormat, kPolicyVersion);
  try {
    validate(policy);
  } catch (const Error& error) {
    throw Error(Exit::kData, where + ": " + error.what());
  }
  return policy;
}

Policy read_policy(const std::string& path) { return policy_from_json(read_file_text(path), path); }

std::string policy_to_json(const Policy& policy) {
  return json_io::write_file_object(policy, kFormat, kPolicyVersion);
}

void write_policy(const std::string& path, const Policy& policy) {
  write_file_atomically(path, policy_to_json(policy));
}

}  // namespace perfgate::inline evidence
