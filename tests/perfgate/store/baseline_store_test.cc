// SPDX-License-Identifier: Apache-2.0
#include "perfgate/store/baseline_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "perfgate/base/error.h"
#include "perfgate/base/io/read_file.h"
#include "perfgate/evidence/machine_class.h"
#include "tests/perfgate/evidence/sample_evidence.h"
#include "tests/perfgate/evidence/temporary_folder.h"

namespace perfgate::store {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

RecordedSession session_of(int number, const std::string& suite = "kernels") {
  RecordedSession session = sample::full_recorded();
  char id[33];
  std::snprintf(id, sizeof id, "%032x", static_cast<unsigned>(number));
  session.id = id;
  session.suite = suite;
  session.started = "2026-01-02T03:04:0" + std::to_string(number % 10) + "Z";
  return session;
}

class BaselineStoreTest : public testing::Test {
 protected:
  SuiteFolder fill(int count) {
    for (int i = 0; i < count; ++i) append_session(root(), session_of(i));
    return list_suites(root()).at(0);
  }
  std::string root() const { return folder_ / "baselines"; }
  void expect_refused(const SuiteFolder& suite, Exit exit, const std::string& part) {
    try {
      read_baseline(suite);
      ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.exit(), exit);
      EXPECT_THAT(error.what(), HasSubstr(part));
    }
  }

  sample::TemporaryFolder folder_;
};

TEST_F(BaselineStoreTest, ReadsWhatWasAppendedInOrder) {
  const SuiteFolder suite = fill(3);
  EXPECT_EQ(suite.suite, "kernels");
  EXPECT_EQ(suite.machine_class, session_of(0).machine_class);
  const Baseline baseline = read_baseline(suite);
  ASSERT_EQ(baseline.sessions.size(), 3U);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(baseline.sessions[static_cast<std::size_t>(i)].session.id, session_of(i).id);
  }
  EXPECT_THAT(baseline.notes, IsEmpty());
  EXPECT_FALSE(baseline.policy.has_value());
}

TEST_F(BaselineStoreTest, ASessionIsAddedOnce) {
  fill(2);
  EXPECT_THROW(append_session(root(), session_of(1)), Error);
  EXPECT_EQ(read_baseline(list_suites(root())[0]).sessions.size(), 2U);
}

TEST_F(BaselineStoreTest, NamesThatWouldLeaveTheFolderAreRefused) {
  for (const char* name : {"", "..", "a/b", "../up", ".hidden", "sp ace", "\xff"}) {
    EXPECT_THROW(append_session(root(), session_of(0, name)), Error) << name;
  }
  EXPECT_THROW(list_suites(root()), Error) << "nothing was made";
}

TEST_F(BaselineStoreTest, EditedSwappedAndRemovedSessionsAreInvalid) {
  const SuiteFolder suite = fill(3);
  const Baseline whole = read_baseline(suite);
  const fs::path first = fs::path(suite.folder) / whole.sessions[0].name;
  const fs::path second = fs::path(suite.folder) / whole.sessions[1].name;
  const std::string first_text = read_file_text(first);
  const std::string second_text = read_file_text(second);

  std::string edited = first_text;
  const std::size_t at = edited.find("0.00012");
  ASSERT_NE(at, std::string::npos);
  edited.replace(at, 7, "0.00022");
  std::ofstream(first) << edited;
  expect_refused(suite, Exit::kInvalid, "digest mismatch");

  std::ofstream(first) << second_text;
  std::ofstream(second) << first_text;
  expect_refused(suite, Exit::kInvalid, "digest mismatch");

  std::ofstream(first) << first_text;
  fs::remove(second);
  expect_refused(suite, Exit::kInvalid, "the file is gone");
  std::ofstream(second) << second_text;
  EXPECT_EQ(read_baseline(suite).sessions.size(), 3U);

  fs::remove(fs::path(suite.folder) / "chain.jsonl");
  EXPECT_THROW(append_session(root(), session_of(9)), Error) << "sessions without a chain";
}

TEST_F(BaselineStoreTest, AMovedSuiteIsInvalid) {
  const SuiteFolder suite = fill(1);
  const SuiteFolder moved{"other-machine", suite.suite, root() + "/other-machine/kernels"};
  fs::create_directories(root() + "/other-machine");
  fs::rename(suite.folder, moved.folder);
  expect_refused(moved, Exit::kInvalid, "not of the folder it lies in");
}

TEST_F(BaselineStoreTest, FilesWithoutALineAreNotedAndNotCounted) {
  const SuiteFolder suite = fill(2);
  std::ofstream(suite.folder + "/sessions/stray.json") << "{}";
  const Baseline baseline = read_baseline(suite);
  EXPECT_EQ(baseline.sessions.size(), 2U);
  EXPECT_THAT(baseline.notes, ElementsAre(HasSubstr("stray.json: not in the chain")));
}

TEST_F(BaselineStoreTest, PruneKeepsTheNewest) {
  const SuiteFolder suite = fill(5);
  std::ofstream(suite.folder + "/sessions/stray.json") << "{}";
  const Pruned pruned = prune(suite, 2);
  EXPECT_EQ(pruned.removed.size(), 3U);
  EXPECT_THAT(pruned.leftover, ElementsAre("sessions/stray.json"));
  const Baseline baseline = read_baseline(suite);
  ASSERT_EQ(baseline.sessions.size(), 2U);
  EXPECT_EQ(baseline.sessions[0].session.id, session_of(3).id);
  EXPECT_THAT(baseline.notes, IsEmpty());
  append_session(root(), session_of(7));
  EXPECT_EQ(read_baseline(suite).sessions.size(), 3U);
}

TEST_F(BaselineStoreTest, EightWritersAtOnceLoseNothing) {
  std::vector<std::thread> writers;
  for (int w = 0; w < 8; ++w) {
    writers.emplace_back([&, w] {
      for (int i = 0; i < 5; ++i) append_session(root(), session_of(100 * w + i));
    });
  }
  for (std::thread& writer : writers) writer.join();
  const Baseline baseline = read_baseline(list_suites(root()).at(0));
  EXPECT_EQ(baseline.sessions.size(), 40U);
  EXPECT_THAT(baseline.notes, IsEmpty());
}

}  // namespace
}  // namespace perfgate::store
