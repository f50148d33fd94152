// SPDX-License-Identifier: Apache-2.0
// perfgate parity --from: files, outputs and exit codes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "perfgate/base/error.h"
#include "tests/perfgate/cli/run_command.h"
#include "tests/support/arguments.h"

namespace perfgate {
namespace {

using perfgate::test_support::DataFile;
using testing::HasSubstr;
using testing_command::Command;
using testing_command::Finished;
using testing_command::read_text;
using testing_command::TemporaryFolder;
using testing_command::write_text;

Finished parity(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {PERFGATE_EXE, "parity"});
  Command command;
  command.arguments = std::move(arguments);
  return run_command(command);
}

TEST(ParityFrom, WritesTheAnswersAndPrintsTheReport) {
  const TemporaryFolder folder;
  const Finished finished =
      parity({"--from", DataFile("parity/commits.json"), "--json", folder / "answers.json",
              "--summary", folder / "summary.json", "--markdown", folder / "report.md", "--devices",
              "1", "--vram", "80", "--vendor", "nvidia"});
  EXPECT_EQ(finished.exit_code, static_cast<int>(Exit::kFailed)) << finished.err;
  EXPECT_EQ(read_text(folder / "answers.json"), read_text(DataFile("parity/expected.json")));
  EXPECT_THAT(finished.out, HasSubstr("win 5 + match 18 + loss 3 + failed 7 + none 27 = 60"));
  EXPECT_THAT(finished.out, HasSubstr("Preflight 1 device of 80 GiB, nvidia"));
  const auto summary = nlohmann::json::parse(read_text(folder / "summary.json"));
  EXPECT_EQ(summary["n"], 60);
  EXPECT_EQ(summary["exit"], static_cast<int>(Exit::kFailed));
  EXPECT_THAT(read_text(folder / "report.md"), HasSubstr("| item |"));
}

TEST(ParityFrom, AnswersGoToStandardOutputAlone) {
  const Finished finished = parity({"--from", DataFile("parity/commits.json"), "--json", "-"});
  EXPECT_EQ(finished.out, read_text(DataFile("parity/expected.json")));
}

TEST(ParityFrom, RefusesBadFiles) {
  const TemporaryFolder folder;
  const std::string file = folder / "set.json";
  const auto refused = [&](const std::string& text, Exit exit, const std::string& part) {
    write_text(file, text);
    const Finished finished = parity({"--from", file, "--json", folder / "out.json"});
    EXPECT_EQ(finished.exit_code, static_cast<int>(exit)) << text;
    EXPECT_THAT(finished.err, HasSubstr(part));
    EXPECT_EQ(finished.out, "");
  };
  refused("{", Exit::kData, "set.json");
  refused(R"({"format": "perfgate-parity-commits/9", "commits": []})", Exit::kData, "/format");
  refused(R"({"format": "perfgate-parity-commits/1"})", Exit::kData, "/commits");
  refused(R"({"format": "perfgate-parity-commits/1", "n": 1, "commits": []})", Exit::kInvalid,
          "/n");
  refused(R"({"format": "perfgate-parity-commits/1", "commits": [], "commits": []})",
          Exit::kInvalid, "commits");
  EXPECT_EQ(parity({"--from", folder / "none.json"}).exit_code, static_cast<int>(Exit::kData));
}

TEST(ParityFrom, AnEmptySetIsNotComparable) {
  const TemporaryFolder folder;
  write_text(folder / "set.json", R"({"format": "perfgate-parity-commits/1", "commits": []})");
  EXPECT_EQ(parity({"--from", folder / "set.json"}).exit_code,
            static_cast<int>(Exit::kNotComparable));
}

TEST(ParityFrom, RefusesBadOptions) {
  const std::string from = DataFile("parity/commits.json");
  const int usage = static_cast<int>(Exit::kUsage);
  EXPECT_EQ(parity({}).exit_code, usage);
  EXPECT_EQ(parity({"--from", ""}).exit_code, usage);
  EXPECT_EQ(parity({"--from", from, "--devices", "-1"}).exit_code, usage);
  EXPECT_EQ(parity({"--from", from, "--devices", "one"}).exit_code, usage);
  EXPECT_EQ(parity({"--from", from, "--vram", "80"}).exit_code, usage);
  EXPECT_EQ(parity({"--from", from, "--devices", "1", "--vram", "0"}).exit_code, usage);
  EXPECT_EQ(parity({"--from", from, "--devices", "1", "--vendor", "acme"}).exit_code, usage);
  EXPECT_EQ(parity({"--from", from, "--json", "x", "--summary", "x"}).exit_code, usage);
  for (const char* option : {"--margin=1%", "--primary=ttft_mean", "--rounds=10", "--filter=x"}) {
    EXPECT_EQ(parity({"--from", from, option}).exit_code, usage) << option << " would be ignored";
  }
}

}  // namespace
}  // namespace perfgate
