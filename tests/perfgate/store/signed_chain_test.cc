// SPDX-License-Identifier: Apache-2.0
#include "perfgate/store/signed_chain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "perfgate/base/error.h"
#include "perfgate/base/io/atomic_file.h"
#include "perfgate/base/io/read_file.h"
#include "tests/perfgate/evidence/secret_key.h"
#include "tests/perfgate/evidence/temporary_folder.h"

namespace perfgate::store {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class SignedChainTest : public testing::Test {
 protected:
  void Append(int count) {
    for (int i = 0; i < count; ++i) AppendToSignedChain(path_, {{"n", i}}, &key_);
  }
  void ExpectChainRefused(const SecretKey* key, const std::string& says) const {
    try {
      ReadSignedChain(path_, key);
      ADD_FAILURE() << "accepted, but should say " << says;
    } catch (const Error& error) {
      EXPECT_EQ(error.exit(), Exit::kInvalid);
      EXPECT_THAT(error.what(), HasSubstr(says));
    }
  }
  std::string FirstLines(int count) const {
    const std::string text = read_file_text(path_);
    std::size_t end = 0;
    for (int i = 0; i < count; ++i) end = text.find('\n', end) + 1;
    return text.substr(0, end);
  }

  sample::TemporaryFolder folder_;
  std::string path_ = folder_ / "ledger.jsonl";
  std::string head_ = folder_ / "ledger.head";
  SecretKey key_ = sample::Key();
  SecretKey other_ = sample::OtherKey();
};

TEST_F(SignedChainTest, GrowsAndIsReadByItsKeyAlone) {
  EXPECT_TRUE(ReadSignedChain(path_, &key_).entries.empty());
  Append(3);
  const Chain chain = ReadSignedChain(path_, &key_);
  EXPECT_EQ(chain.entries.size(), 3U);
  EXPECT_THAT(chain.head, testing::StartsWith("hmac-sha256:"));
  ExpectChainRefused(nullptr, "give that key with --key");
  ExpectChainRefused(&other_, "not the signature of this key");
}

TEST_F(SignedChainTest, AnUnsignedChainIsNoSubstitute) {
  AppendToSignedChain(path_, {{"n", 0}}, nullptr);
  EXPECT_EQ(ReadSignedChain(path_, nullptr).entries.size(), 1U);
  EXPECT_FALSE(fs::exists(head_));
  ExpectChainRefused(&key_, "is not signed");
  EXPECT_THROW(AppendToSignedChain(path_, {{"n", 1}}, &key_), Error);
}

TEST_F(SignedChainTest, LinesCutOffTheEndShow) {
  Append(3);
  for (const int left : {0, 1, 2}) {
    const std::string whole = read_file_text(path_);
    write_file_atomically(path_, FirstLines(left));
    ExpectChainRefused(&key_, "had 3 lines and has " + std::to_string(left));
    write_file_atomically(path_, whole);
  }
  fs::remove(path_);
  ExpectChainRefused(&key_, "had 3 lines and has 0");
}

TEST_F(SignedChainTest, TheHeadIsNeitherRemovedNorForged) {
  Append(2);
  const std::string head = read_file_text(head_);
  fs::remove(head_);
  ExpectChainRefused(&key_, "is missing, and the chain beside it has lines");
  std::string forged = head;
  forged.replace(forged.find("\"seq\":2"), 7, "\"seq\":1");
  write_file_atomically(head_, forged);
  ExpectChainRefused(&key_, "/proof is not the signature");
  write_file_atomically(head_, head);
  EXPECT_EQ(ReadSignedChain(path_, &key_).entries.size(), 2U);
}

// Killed between a line and its head.
TEST_F(SignedChainTest, AHeadMayBeBehind) {
  Append(1);
  const std::string head = read_file_text(head_);
  Append(1);
  write_file_atomically(head_, head);
  EXPECT_EQ(ReadSignedChain(path_, &key_).entries.size(), 2U);
  Append(1);
  EXPECT_EQ(ReadSignedChain(path_, &key_).entries.size(), 3U);
}

// The head of another chain of the same key names lines that are not here.
TEST_F(SignedChainTest, TheHeadOfAnotherChainIsRefused) {
  Append(2);
  const std::string other = folder_ / "other.jsonl";
  AppendToSignedChain(other, {{"other", true}}, &key_);
  fs::copy_file(folder_ / "other.head", head_, fs::copy_options::overwrite_existing);
  ExpectChainRefused(&key_, "/head is not the hash of line 1");
}

TEST_F(SignedChainTest, AHeadKeptElsewhereFindsAnOldCopy) {
  Append(2);
  const std::string lines = read_file_text(path_);
  const std::string head = read_file_text(head_);
  const std::string kept = AppendToSignedChain(path_, {{"n", 2}}, &key_);
  const Chain whole = ReadSignedChain(path_, &key_);
  EXPECT_NO_THROW(RequireHead(path_, whole, kept));
  EXPECT_NO_THROW(RequireHead(path_, whole, kept.substr(kept.find(':') + 1)));
  EXPECT_NO_THROW(RequireHead(path_, whole, whole.entries[0].hash)) << "it has grown since";
  write_file_atomically(path_, lines);
  write_file_atomically(head_, head);
  const Chain old = ReadSignedChain(path_, &key_);
  EXPECT_THROW(RequireHead(path_, old, kept), Error);
  EXPECT_THROW(RequireHead(path_, Chain{}, kept), Error) << "the folder is gone";
}

}  // namespace
}  // namespace perfgate::store
