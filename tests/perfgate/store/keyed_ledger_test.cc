// SPDX-License-Identifier: Apache-2.0
// What a ledger under a key and a change remembers, and that no damage makes it forget.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "perfgate/base/error.h"
#include "perfgate/base/io/atomic_file.h"
#include "perfgate/base/io/read_file.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/store/baseline_store.h"
#include "perfgate/store/ledger.h"
#include "tests/perfgate/evidence/mutations.h"
#include "tests/perfgate/evidence/sample_evidence.h"
#include "tests/perfgate/evidence/secret_key.h"
#include "tests/perfgate/evidence/temporary_folder.h"

namespace perfgate::store {
namespace {

namespace fs = std::filesystem;
using sample::TemporaryFolder;
using testing::HasSubstr;

const std::string kAt = "2024-05-01T10:00:00Z";
const Pair kChanged = {"suite", "sha256:old", "sha256:new", "repo", "7"};

Pair WithCandidate(const std::string& candidate) {
  Pair pair = kChanged;
  pair.candidate = candidate;
  return pair;
}

template <class Action>
void ExpectForgery(Action action, const std::string& says) {
  try {
    action();
    ADD_FAILURE() << "accepted, but should say " << says;
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), Exit::kInvalid) << error.what();
    EXPECT_THAT(error.what(), HasSubstr(says));
  }
}

// One attempt that ended with a regression, under the key.
class KeyedLedgerTest : public testing::Test {
 protected:
  KeyedLedgerTest() {
    start_attempt(path_, kChanged, "a1", kAt, trust_.signer());
    head_ = end_attempt(path_, "a1", Exit::kRegression, &session_, trust_.signer());
  }
  History Read(const Pair& pair = kChanged) const { return read_history(path_, pair, trust_); }

  TemporaryFolder folder_;
  std::string path_ = folder_ / "ledger";
  LedgerTrust trust_ = {sample::Key()};
  Session session_ = sample::full_session();
  std::string head_;
};

TEST_F(KeyedLedgerTest, OtherCandidatesOfTheChangeAreCounted) {
  start_attempt(path_, WithCandidate("sha256:padded"), "a2", kAt, trust_.signer());
  Pair renamed = WithCandidate("sha256:renamed");
  renamed.suite = "another name";
  start_attempt(path_, renamed, "a3", kAt, trust_.signer());
  Pair elsewhere = WithCandidate("sha256:elsewhere");
  elsewhere.change = "8";
  start_attempt(path_, elsewhere, "a4", kAt, trust_.signer());
  elsewhere.change = "7";
  elsewhere.repository = "fork";
  start_attempt(path_, elsewhere, "a5", kAt, trust_.signer());
  Pair layouts = WithCandidate("sha256:layouts");
  layouts.stage = "layouts";
  start_attempt(path_, layouts, "a6", kAt, trust_.signer());

  const History padded = Read(WithCandidate("sha256:padded"));
  EXPECT_EQ(padded.attempts.size(), 1U);
  ASSERT_EQ(padded.others.size(), 2U);
  EXPECT_EQ(padded.others.at("sha256:new").at(0).exit, Exit::kRegression);
  EXPECT_EQ(padded.others.count("sha256:renamed"), 1U);
  EXPECT_EQ(Read(WithCandidate("sha256:fresh")).others.size(), 3U);
  Pair plain = kChanged;
  plain.change.clear();
  const History by_pair = read_history(path_, plain, trust_);
  EXPECT_EQ(by_pair.attempts.size(), 1U) << "the same executables, whatever the change is called";
  EXPECT_TRUE(by_pair.others.empty());
}

TEST_F(KeyedLedgerTest, LinesWithoutAChangeAreStillRead) {
  const std::string old = folder_ / "old";
  start_attempt(old, {"suite", "sha256:old", "sha256:new"}, "b1", kAt);
  end_attempt(old, "b1", Exit::kRegression, nullptr);
  const History history = read_history(old, kChanged);
  ASSERT_EQ(history.attempts.size(), 1U);
  EXPECT_EQ(history.attempts[0].exit, Exit::kRegression);
  ExpectForgery([&] { read_history(old, kChanged, trust_); }, "is not signed");
}

TEST_F(KeyedLedgerTest, AVanishedFolderIsMissed) {
  fs::remove_all(path_);
  EXPECT_TRUE(Read().attempts.empty()) << "nothing here says that there was one";
  LedgerTrust expecting = trust_;
  expecting.head = head_;
  ExpectForgery([&] { read_history(path_, kChanged, expecting); }, "--ledger-head");
}

TEST_F(KeyedLedgerTest, AVanishedLedgerIsMissed) {
  fs::remove(path_ + "/ledger.jsonl");
  ExpectForgery([&] { Read(); }, "its end was cut off");
  fs::remove(path_ + "/ledger.head");
  ExpectForgery([&] { Read(); }, "holds sessions of attempts");
}

TEST_F(KeyedLedgerTest, AnotherSessionIsRefused) {
  const Attempt attempt = Read().attempts.at(0);
  Session faster = session_;
  faster.wall_s += 1;
  write_file_atomically(path_ + "/a1.json", session_to_json(faster));
  ExpectForgery([&] { read_attempt(path_, attempt); }, "digest mismatch");
}

// The regression stays, or the ledger is refused: never a history without it.
TEST_F(KeyedLedgerTest, NoDamageMakesItForget) {
  std::mt19937 random(20260512);
  for (const std::string file : {"/ledger.jsonl", "/ledger.head", "/a1.json"}) {
    const std::string whole = read_file_text(path_ + file);
    for (int i = 0; i < sample::MutationCount(); ++i) {
      const std::string mutant = sample::Mutated(whole, random);
      write_file_atomically(path_ + file, mutant);
      try {
        const History history = Read();
        ASSERT_EQ(history.attempts.size(), 1U) << file << ": " << mutant;
        EXPECT_EQ(history.attempts[0].exit, Exit::kRegression) << file << ": " << mutant;
        read_attempt(path_, history.attempts[0]);
        EXPECT_NE(file, "/a1.json") << mutant;
      } catch (const Error& error) {
        EXPECT_TRUE(error.exit() == Exit::kInvalid || error.exit() == Exit::kData) << error.what();
      }
    }
    write_file_atomically(path_ + file, whole);
  }
  EXPECT_EQ(Read().attempts.size(), 1U);
}

// A store of three sessions and a policy, under the key.
class KeyedStoreTest : public testing::Test {
 protected:
  KeyedStoreTest() {
    for (int i = 0; i < 3; ++i) {
      RecordedSession session = sample::full_recorded();
      session.id = std::string(31, '0') + std::to_string(i);
      append_session(folder_ / "s", session, &key_);
      if (i == 0) write_policy(Suite().folder + "/policy.json", Policy{});
    }
  }
  SuiteFolder Suite() const { return list_suites(folder_ / "s").at(0); }

  TemporaryFolder folder_;
  SecretKey key_ = sample::Key();
};

TEST_F(KeyedStoreTest, IsReadWithItsKeyAlone) {
  const SecretKey other = sample::OtherKey();
  EXPECT_EQ(read_baseline(Suite(), &key_).sessions.size(), 3U);
  ExpectForgery([&] { read_baseline(Suite()); }, "give that key");
  ExpectForgery([&] { read_baseline(Suite(), &other); }, "not the signature");
  EXPECT_EQ(prune(Suite(), 1, &key_).removed.size(), 2U);
  EXPECT_EQ(read_baseline(Suite(), &key_).sessions.size(), 1U);
}

TEST_F(KeyedStoreTest, AnUnsignedStoreIsRefused) {
  append_session(folder_ / "u", sample::full_recorded());
  const SuiteFolder suite = list_suites(folder_ / "u").at(0);
  EXPECT_EQ(read_baseline(suite).sessions.size(), 1U);
  ExpectForgery([&] { read_baseline(suite, &key_); }, "is not signed");
}

TEST_F(KeyedStoreTest, TheNewestSessionsCannotBeStruckOff) {
  const std::string chain = Suite().folder + "/chain.jsonl";
  const Baseline whole = read_baseline(Suite(), &key_);
  std::string text = read_file_text(chain);
  text.erase(text.rfind('\n', text.size() - 2) + 1);
  write_file_atomically(chain, text);
  fs::remove(Suite().folder + "/" + whole.sessions.back().name);
  ExpectForgery([&] { read_baseline(Suite(), &key_); }, "its end was cut off");
}

TEST_F(KeyedStoreTest, NoDamageIsAccepted) {
  std::mt19937 random(20260513);
  const std::string folder = Suite().folder;
  const std::string session = "/" + read_baseline(Suite(), &key_).sessions.at(1).name;
  for (const std::string& file : {std::string("/policy.json"), std::string("/chain.jsonl"),
                                  std::string("/chain.head"), session}) {
    const std::string whole = read_file_text(folder + file);
    for (int i = 0; i < sample::MutationCount(); ++i) {
      const std::string mutant = sample::Mutated(whole, random);
      write_file_atomically(folder + file, mutant);
      try {
        read_baseline(Suite(), &key_);
        // White space between the fields of a line, or after the last, changes nothing.
        const std::string name = fs::path(file).filename();
        EXPECT_TRUE(name.starts_with("chain.") &&
                    read_baseline(Suite(), &key_).sessions.size() == 3)
            << file << ": " << mutant;
      } catch (const Error& error) {
        EXPECT_TRUE(error.exit() == Exit::kInvalid || error.exit() == Exit::kData) << error.what();
      }
    }
    fs::remove(folder + file);
    if (file != "/chain.jsonl") {
      ExpectForgery([&] { read_baseline(Suite(), &key_); }, "");
    }
    write_file_atomically(folder + file, whole);
  }
}

}  // namespace
}  // namespace perfgate::store
