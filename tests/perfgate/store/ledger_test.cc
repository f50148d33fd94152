// SPDX-License-Identifier: Apache-2.0
#include "perfgate/store/ledger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "perfgate/base/error.h"
#include "perfgate/base/io/atomic_file.h"
#include "perfgate/base/io/read_file.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/store/hash_chain.h"
#include "tests/perfgate/evidence/sample_evidence.h"
#include "tests/perfgate/evidence/temporary_folder.h"

namespace perfgate::store {
namespace {

using sample::TemporaryFolder;
using testing::HasSubstr;

const Pair kPair = {"suite", "sha256:old", "sha256:new"};
const std::string kStarted = "2024-05-01T10:00:00Z";

template <class Action>
Exit exit_of(Action action, const std::string& says) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr(says));
    return error.exit();
  }
  ADD_FAILURE() << "accepted, but should say " << says;
  return Exit::kPass;
}

TEST(Ledger, NoneHasNoAttempts) {
  const TemporaryFolder folder;
  const History history = read_history(folder / "ledger", kPair);
  EXPECT_TRUE(history.attempts.empty());
  EXPECT_TRUE(history.elsewhere.empty());
}

TEST(Ledger, RemembersAnAttemptFromStartToEnd) {
  const TemporaryFolder folder;
  const std::string path = folder / "ledger";
  const std::string head = start_attempt(path, kPair, "a1", kStarted);
  History history = read_history(path, kPair);
  EXPECT_EQ(history.head, head);
  ASSERT_EQ(history.attempts.size(), 1U);
  EXPECT_EQ(history.attempts[0].id, "a1");
  EXPECT_EQ(history.attempts[0].started, kStarted);
  EXPECT_FALSE(history.attempts[0].exit) << "it has not ended";
  EXPECT_EQ(history.attempts[0].session_file, "");

  const Session session = sample::full_session();
  keep_look(path, "a1", session);
  history = read_history(path, kPair);
  EXPECT_FALSE(history.attempts[0].exit);
  EXPECT_EQ(session_to_json(read_attempt(path, history.attempts[0])), session_to_json(session));

  const std::string end = end_attempt(path, "a1", Exit::kRegression, &session);
  history = read_history(path, kPair);
  EXPECT_EQ(history.head, end);
  EXPECT_EQ(history.attempts[0].exit, Exit::kRegression);
  EXPECT_EQ(history.attempts[0].session_file, "a1.json");
  EXPECT_EQ(session_to_json(read_attempt(path, history.attempts[0])), session_to_json(session));
}

TEST(Ledger, AnEndWithoutRoundsHasNoSession) {
  const TemporaryFolder folder;
  start_attempt(folder / "l", kPair, "a1", kStarted);
  end_attempt(folder / "l", "a1", Exit::kFailed, nullptr);
  const History history = read_history(folder / "l", kPair);
  EXPECT_EQ(history.attempts[0].exit, Exit::kFailed);
  EXPECT_EQ(history.attempts[0].session_file, "");
}

TEST(Ledger, TellsPairsAndSuitesApart) {
  const TemporaryFolder folder;
  const std::string path = folder / "l";
  start_attempt(path, kPair, "a1", kStarted);
  start_attempt(path, {"renamed", kPair.baseline, kPair.candidate}, "a2", kStarted);
  start_attempt(path, {"suite", kPair.baseline, "sha256:third"}, "a3", kStarted);
  end_attempt(path, "a2", Exit::kRegression, nullptr);
  const History history = read_history(path, kPair);
  ASSERT_EQ(history.attempts.size(), 1U);
  EXPECT_EQ(history.attempts[0].id, "a1");
  ASSERT_EQ(history.elsewhere.size(), 1U);
  EXPECT_EQ(history.elsewhere[0].suite, "renamed");
  EXPECT_EQ(history.elsewhere[0].attempt.exit, Exit::kRegression);
}

TEST(Ledger, ARemovedLineIsSeen) {
  const TemporaryFolder folder;
  const std::string path = folder / "l";
  start_attempt(path, kPair, "a1", kStarted);
  start_attempt(path, kPair, "a2", kStarted);
  const std::string text = read_file_text(path + "/ledger.jsonl");
  write_file_atomically(path + "/ledger.jsonl", text.substr(text.find('\n') + 1));
  EXPECT_EQ(exit_of([&] { read_history(path, kPair); }, "lines were removed, edited or moved"),
            Exit::kInvalid);
}

TEST(Ledger, AnEditedSessionIsSeen) {
  const TemporaryFolder folder;
  const std::string path = folder / "l";
  const Session session = sample::full_session();
  start_attempt(path, kPair, "a1", kStarted);
  end_attempt(path, "a1", Exit::kPass, &session);
  const Attempt attempt = read_history(path, kPair).attempts[0];
  write_file_atomically(path + "/a1.json", session_to_json(Session(session)) + " ");
  EXPECT_EQ(exit_of([&] { read_attempt(path, attempt); }, "a1.json"), Exit::kInvalid);
  std::filesystem::remove(path + "/a1.json");
  EXPECT_EQ(exit_of([&] { read_attempt(path, attempt); }, "a1.json"), Exit::kInvalid);
}

// The chain is whole, and what a line says makes no sense.
TEST(Ledger, StrangeLinesAreRefused) {
  using Json = nlohmann::json;
  const Json start = {{"do", "start"},
                      {"id", "a1"},
                      {"suite", "suite"},
                      {"baseline", kPair.baseline},
                      {"candidate", kPair.candidate},
                      {"started", kStarted}};
  struct Case {
    Json line;
    Exit exit;
    const char* says;
  };
  const Case cases[] = {
      {{{"do", "erase"}, {"id", "a1"}}, Exit::kData, ":2: /body/do: expected \"start\""},
      {{{"do", 1}, {"id", "a1"}}, Exit::kData, ":2: /body/do: expected text, found 1"},
      {{{"do", "end"}}, Exit::kData, ":2: /body/id: this field is missing"},
      {{{"do", "end"}, {"id", "../a1"}}, Exit::kInvalid, "is no session's id"},
      {{{"do", "end"}, {"id", ""}}, Exit::kInvalid, "is no session's id"},
      {{{"do", "end"}, {"id", "a1"}, {"exit", 99}, {"session", ""}},
       Exit::kData,
       ":2: /body/exit: expected an exit code"},
      {{{"do", "look"}, {"id", "a1"}, {"rounds", -1}, {"session", "sha256:x"}},
       Exit::kData,
       ":2: /body/rounds: expected a count"}};
  for (const Case& c : cases) {
    const TemporaryFolder folder;
    append_to_chain(folder / "ledger.jsonl", start);
    append_to_chain(folder / "ledger.jsonl", c.line);
    EXPECT_EQ(exit_of([&] { read_history(folder / ".", kPair); }, c.says), c.exit) << c.line;
  }
}

TEST(Ledger, OneExperimentAtATime) {
  const TemporaryFolder folder;
  const std::string path = folder / "l";
  const auto held = hold_experiment(path, kPair, 0);
  ASSERT_NE(held, nullptr);
  EXPECT_EQ(hold_experiment(path, kPair, 0), nullptr);
  EXPECT_NE(hold_experiment(path, {"suite", "sha256:other", kPair.candidate}, 0), nullptr);
  EXPECT_EQ(hold_experiment(path, {"renamed", kPair.baseline, kPair.candidate}, 0), nullptr)
      << "the executables make the experiment, not the suite's name";
}

}  // namespace
}  // namespace perfgate::store
