// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/verdict_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <string>

#include "perfgate/base/error.h"
#include "perfgate/base/io/atomic_file.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/evidence/signature.h"
#include "perfgate/verdict/gate/suite_verdict.h"
#include "tests/perfgate/evidence/mutations.h"
#include "tests/perfgate/evidence/secret_key.h"
#include "tests/perfgate/evidence/temporary_folder.h"
#include "tests/perfgate/verdict/synthetic_session.h"

namespace perfgate {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class VerdictFileTest : public testing::Test {
 protected:
  VerdictFileTest() {
    Session session = synthetic::empty_session({"a"}, {Metric{}}, 10);
    for (int r = 0; r < 10; ++r) {
      synthetic::add_ratio_round(session, [](std::size_t) { return 0.0; });
    }
    session.complete = true;
    session.suite = "suite";
    verdict_ = decide(session);
    verdict_.change = "7";
    verdict_.repository = "repo";
    sample::WriteKeyFile(key_file_);
  }
  void Write(const std::string& text) const { write_file_atomically(file_, text); }
  std::string Plain() const { return verdict_to_json(verdict_); }
  std::string Signed() const { return WithSignature(Plain(), file_, key_); }
  void ExpectVerdictRefused(const SecretKey* key, const VerdictAsked& asked,
                            const std::string& says) const {
    try {
      ReadVerdict(file_, key, asked);
      ADD_FAILURE() << "accepted, but should say " << says;
    } catch (const Error& error) {
      EXPECT_EQ(error.exit(), Exit::kInvalid);
      EXPECT_THAT(error.what(), HasSubstr(says));
    }
  }

  sample::TemporaryFolder folder_;
  std::string file_ = folder_ / "v.json";
  std::string key_file_ = folder_ / "key";
  SecretKey key_ = sample::Key();
  SuiteVerdict verdict_;
};

TEST_F(VerdictFileTest, IsReadWithItsKey) {
  Write(Signed());
  EXPECT_EQ(read_verdict(file_, key_file_).exit, Exit::kPass);
  EXPECT_EQ(read_verdict(file_).exit, Exit::kPass) << "who has no key reads it all the same";
  const SecretKey other = sample::OtherKey();
  ExpectVerdictRefused(&other, {}, "not that of this key");
  ::chmod(key_file_.c_str(), 0644);
  EXPECT_THROW(read_verdict(file_, key_file_), Error);
}

TEST_F(VerdictFileTest, AnUnsignedOneIsRefusedUnderAKey) {
  Write(Plain());
  EXPECT_EQ(read_verdict(file_).exit, Exit::kPass);
  ExpectVerdictRefused(&key_, {}, "/signature: there is none");
}

// The signature is genuine, and it is that of another change.
TEST_F(VerdictFileTest, TheVerdictOnSomethingElseIsRefused) {
  Write(Signed());
  EXPECT_NO_THROW(ReadVerdict(file_, &key_, {"repo", "7", "suite"}));
  ExpectVerdictRefused(&key_, {"repo", "8", "suite"}, "/change: is \"7\", and \"8\" was asked");
  ExpectVerdictRefused(&key_, {"fork", "7", ""}, "/repository: is \"repo\"");
  ExpectVerdictRefused(&key_, {"", "", "other"}, "/suite: is \"suite\"");
  ExpectVerdictRefused(nullptr, {"", "8", ""}, "/change");
}

TEST_F(VerdictFileTest, AnEditedConclusionIsRefusedWithoutAKeyToo) {
  json edited = json::parse(Plain());
  edited["columns"][0]["verdict"] = "inconclusive";
  edited["columns"][0]["effect"]["hi"] = 0.5;
  edited["summary"] = "1 inconclusive";
  Write(edited.dump());
  ExpectVerdictRefused(nullptr, {}, "/exit: is 0, and the columns of this file give 12");
}

TEST_F(VerdictFileTest, ALinkIsNotFollowed) {
  Write(Signed());
  ASSERT_EQ(::symlink("v.json", (folder_ / "link").c_str()), 0);
  try {
    read_verdict(folder_ / "link");
    ADD_FAILURE() << "the link was followed";
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), Exit::kData);
    EXPECT_THAT(error.what(), HasSubstr("a symbolic link"));
  }
}

// Of a failed gate: no damage to its signed verdict lets it pass.
TEST_F(VerdictFileTest, NoDamageMakesItPass) {
  verdict_.columns[0].verdict = Verdict::kRegression;
  verdict_.exit = Exit::kRegression;
  verdict_.summary = "1 regression";
  const std::string whole = Signed();
  Write(whole);
  ASSERT_EQ(ReadVerdict(file_, &key_).exit, Exit::kRegression);
  std::mt19937 random(20260514);
  for (int i = 0; i < sample::MutationCount(); ++i) {
    Write(sample::Mutated(whole, random));
    try {
      EXPECT_EQ(ReadVerdict(file_, &key_).exit, Exit::kRegression);
    } catch (const Error& error) {
      EXPECT_TRUE(error.exit() == Exit::kInvalid || error.exit() == Exit::kData);
    }
  }
}

}  // namespace
}  // namespace perfgate
