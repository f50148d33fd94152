// SPDX-License-Identifier: Apache-2.0
// Candidates that are no benchmark executable at all.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/hostile/hostile_gate.h"

namespace perfgate::hostile {
namespace {

using testing::HasSubstr;

class NotABenchmark : public testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& content, bool executable) {
    std::string path = bench_.folder() / name;
    testing_command::write_text(path, content);
    std::filesystem::permissions(
        path, executable ? std::filesystem::perms::owner_all : std::filesystem::perms::owner_read);
    return path;
  }

  Workbench::Result gate(const std::string& candidate) {
    return bench_.gate(bench_.executable(Flavour::kWorker, "none"), candidate);
  }

  void expect_refused(const std::string& candidate, const std::string& because) {
    const Workbench::Result result = gate(candidate);
    EXPECT_EQ(result.process.exit_code, static_cast<int>(Exit::kData)) << result.process.err;
    EXPECT_FALSE(result.verdict);
    EXPECT_THAT(result.process.err, HasSubstr(candidate));
    EXPECT_THAT(result.process.err, HasSubstr(because));
  }

  void expect_failed(const std::string& candidate) {
    const Workbench::Result result = gate(candidate);
    EXPECT_EQ(result.process.exit_code, static_cast<int>(Exit::kFailed)) << result.process.err;
    ASSERT_TRUE(result.verdict);
    EXPECT_EQ(result.verdict->columns.size(), 3U);
  }

  Workbench bench_;
};

TEST_F(NotABenchmark, MissingFile) { expect_refused(bench_.folder() / "nowhere", "no such file"); }

TEST_F(NotABenchmark, Folder) { expect_refused(bench_.folder().path(), "folder"); }

TEST_F(NotABenchmark, TextFile) { expect_refused(file("notes", "not a program\n", true), ""); }

TEST_F(NotABenchmark, EmptyFile) { expect_refused(file("empty", "", true), ""); }

TEST_F(NotABenchmark, FileWithoutExecutePermission) {
  const std::string copy = bench_.executable(Flavour::kWorker, "absent");
  std::filesystem::permissions(copy, std::filesystem::perms::owner_read);
  expect_refused(copy, "permission");
}

TEST_F(NotABenchmark, ScriptThatSucceedsSilently) {
  expect_failed(file("silent.sh", "#!/bin/sh\nexit 0\n", true));
}

TEST_F(NotABenchmark, ScriptThatPrints) {
  expect_failed(file("loud.sh", "#!/bin/sh\necho good/first; echo '{\"benchmarks\":[]}'\n", true));
}

TEST_F(NotABenchmark, ScriptWithoutAnInterpreter) {
  const Workbench::Result result = gate(file("lost.sh", "#!/no/such/interpreter\n", true));
  EXPECT_NE(result.process.exit_code, 0);
  EXPECT_THAT(result.process.err + result.process.out, HasSubstr("interpreter"));
}

TEST_F(NotABenchmark, ScriptThatClaimsToSpeakTheProtocol) {
  expect_failed(file("liar.sh",
                     "#!/bin/sh\n# perfgate-worker-protocol"
                     ":1\necho hello >&3\n",
                     true));
}

TEST_F(NotABenchmark, BrokenElfFile) {
  const std::string whole = testing_command::read_text(bench_.executable(Flavour::kWorker, "none"));
  const Workbench::Result result = gate(file("cut", whole.substr(0, 5000), true));
  EXPECT_NE(result.process.exit_code, 0) << result.process.out;
}

}  // namespace
}  // namespace perfgate::hostile
