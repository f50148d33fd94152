// SPDX-License-Identifier: Apache-2.0
#include "perfgate/evidence/signature.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "perfgate/base/error.h"
#include "perfgate/evidence/files/files.h"
#include "tests/perfgate/evidence/mutations.h"
#include "tests/perfgate/evidence/sample_evidence.h"
#include "tests/perfgate/evidence/secret_key.h"
#include "tests/perfgate/evidence/temporary_folder.h"

namespace perfgate {
namespace {

using nlohmann::json;
using sample::TemporaryFolder;
using testing::HasSubstr;

void ExpectUnsigned(const std::string& text, const SecretKey& key, const std::string& says) {
  try {
    RequireSignature(text, "f.json", &key);
    ADD_FAILURE() << "accepted: " << text;
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), Exit::kInvalid);
    EXPECT_THAT(error.what(), HasSubstr(says));
  }
}

TEST(Signature, IsOfTheJsonWithSortedKeysAndNoSpaces) {
  const SecretKey key = sample::Key();
  const std::string text = WithSignature("{\n  \"b\": [1, 2],\n  \"a\": 0.5\n}\n", "f", key);
  EXPECT_EQ(json::parse(text).at("signature"), key.Sign(R"({"a":0.5,"b":[1,2]})"));
  EXPECT_NO_THROW(RequireSignature(text, "f", &key));
  EXPECT_NO_THROW(RequireSignature(json::parse(text).dump(), "f", &key)) << "another layout";
}

TEST(Signature, IsRefusedWhereItIsMissingOrWrong) {
  const SecretKey key = sample::Key();
  const SecretKey other = sample::OtherKey();
  const std::string plain = verdict_to_json(sample::full_verdict());
  EXPECT_NO_THROW(RequireSignature(plain, "f", nullptr)) << "nobody asks for one";
  ExpectUnsigned(plain, key, "f.json: /signature: there is none");
  ExpectUnsigned("[]", key, "no object");
  ExpectUnsigned(WithSignature(plain, "f", other), key, "not that of this key");
  json edited = json::parse(WithSignature(plain, "f", key));
  edited["exit"] = 0;
  ExpectUnsigned(edited.dump(), key, "not that of this key");
  edited["signature"] = 7;
  ExpectUnsigned(edited.dump(), key, "there is none");
  EXPECT_NO_THROW(RequireSignature(WithSignature(edited.dump(), "f", key), "f", &key))
      << "signed again";
}

TEST(Signature, EveryFormatMayHaveOne) {
  const SecretKey key = sample::Key();
  const auto whole = [&](const std::string& text) { return WithSignature(text, "f", key); };
  const std::string verdict = verdict_to_json(sample::full_verdict());
  EXPECT_EQ(verdict_to_json(verdict_from_json(whole(verdict), "f")), verdict);
  const std::string session = session_to_json(sample::full_session());
  EXPECT_EQ(session_to_json(session_from_json(whole(session), "f")), session);
  const std::string policy = policy_to_json(Policy{});
  EXPECT_EQ(policy_to_json(policy_from_json(whole(policy), "f")), policy);
}

TEST(Signature, SessionsAndPoliciesAreReadUnderAKey) {
  const TemporaryFolder folder;
  const SecretKey key = sample::Key();
  const SecretKey other = sample::OtherKey();
  const Session session = sample::full_session();
  write_session(folder / "s", session, &key);
  EXPECT_EQ(session_to_json(read_session(folder / "s", &key)), session_to_json(session));
  EXPECT_NO_THROW(read_session(folder / "s"));
  EXPECT_THROW(read_session(folder / "s", &other), Error);
  write_policy(folder / "p", Policy{});
  EXPECT_THROW(read_policy(folder / "p", &key), Error);
  write_file_atomically(folder / "p", WithSignature(policy_to_json(Policy{}), "p", key));
  EXPECT_NO_THROW(read_policy(folder / "p", &key));
}

// White space apart, no damage to one byte is accepted.
TEST(Signature, NoDamageIsAccepted) {
  const SecretKey key = sample::Key();
  std::mt19937 random(20260511);
  for (const std::string& text :
       {session_to_json(sample::full_session()), verdict_to_json(sample::full_verdict()),
        policy_to_json(Policy{})}) {
    const std::string whole = WithSignature(text, "f", key);
    const json document = json::parse(whole);
    for (int i = 0; i < sample::MutationCount(); ++i) {
      const std::string mutant = sample::Mutated(whole, random);
      try {
        RequireSignature(mutant, "f", &key);
        EXPECT_EQ(json::parse(mutant), document) << mutant;
      } catch (const Error& error) {
        EXPECT_TRUE(error.exit() == Exit::kInvalid || error.exit() == Exit::kData);
      }
    }
  }
}

}  // namespace
}  // namespace perfgate
