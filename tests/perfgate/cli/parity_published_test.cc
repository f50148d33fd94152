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
  EXPECT_THAT(read_text(folder / "report.md"), HasSubstr("## Combined rates"));
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

TEST(ParityFrom, WritesEveryForm) {
  const TemporaryFolder folder;
  const Finished finished = parity(
      {"--from", DataFile("parity/commits.json"), "--csv", folder / "items.csv", "--latex",
       folder / "report.tex", "--markdown", folder / "report.md", "--run-seconds", "60..120"});
  EXPECT_EQ(finished.exit_code, static_cast<int>(Exit::kFailed)) << finished.err;
  EXPECT_THAT(read_text(folder / "items.csv"), HasSubstr("human_agent_pct"));
  EXPECT_THAT(read_text(folder / "report.tex"), HasSubstr("\\documentclass[a4paper]{article}"));
  EXPECT_THAT(read_text(folder / "report.md"), HasSubstr("Assumed seconds of a run: 60 to 120."));
  EXPECT_THAT(finished.out, HasSubstr("Data set  verified 33/60 (55.0 %)"));
}

TEST(ParityFrom, AnAuditFindsNothingInItsReport) {
  const TemporaryFolder folder;
  parity({"--from", DataFile("parity/commits.json"), "--markdown", folder / "report.md",
          "--devices", "1", "--vram", "80"});
  Command audit;
  audit.arguments = {PERFGATE_EXE, "audit", folder / "report.md"};
  const Finished clean = run_command(audit);
  EXPECT_EQ(clean.exit_code, 0) << clean.out;
  EXPECT_THAT(clean.out, HasSubstr("no findings"));
  std::string text = read_text(folder / "report.md");
  const std::string rate = "5/33 (15.2 %)";
  ASSERT_NE(text.find(rate), std::string::npos);
  text.replace(text.find(rate), rate.size(), "9/33 (27.3 %)");
  write_text(folder / "report.md", text);
  const Finished changed = run_command(audit);
  EXPECT_EQ(changed.exit_code, static_cast<int>(Exit::kRegression));
  EXPECT_THAT(changed.out, HasSubstr("not the exact binomial interval"));
}

TEST(ParityFrom, WritesAndReadsASkipList) {
  const TemporaryFolder folder;
  const std::string from = DataFile("parity/commits.json");
  parity({"--from", from, "--skip-list", folder / "skip.txt"});
  EXPECT_THAT(read_text(folder / "skip.txt"),
              HasSubstr("\n0ec82edd  # unsupported_model: model_unsupported (capacity)\n"));
  const Finished skipped = parity({"--from", from, "--skip", folder / "skip.txt", "--summary",
                                   folder / "summary.json", "--skip-list", folder / "again.txt"});
  EXPECT_EQ(skipped.exit_code, static_cast<int>(Exit::kFailed)) << skipped.err;
  EXPECT_THAT(skipped.out, HasSubstr("56 + 4 left out = 60"));
  const auto summary = nlohmann::json::parse(read_text(folder / "summary.json"));
  EXPECT_EQ(summary["n"], 56);
  EXPECT_EQ(summary["skipped"].size(), 4U);
  EXPECT_EQ(summary["data_set"]["n"], 60);
  EXPECT_EQ(read_text(folder / "again.txt"), read_text(folder / "skip.txt"));
}

TEST(ParityFrom, RefusesBadSkipLists) {
  const TemporaryFolder folder;
  const std::string file = folder / "skip.txt";
  const auto refused = [&](const std::string& text, Exit exit, const std::string& part) {
    write_text(file, text);
    const Finished finished =
        parity({"--from", DataFile("parity/commits.json"), "--skip", file, "--json", "-"});
    EXPECT_EQ(finished.exit_code, static_cast<int>(exit)) << text;
    EXPECT_THAT(finished.err, HasSubstr(part));
    EXPECT_EQ(finished.out, "");
  };
  refused("nobody  # unknown\n", Exit::kData, "there is no item \"nobody\"");
  refused("0ec82edd\n0ec82edd\n", Exit::kInvalid, "skip.txt:2: the id \"0ec82edd\" stands twice");
  refused("\xFF\n", Exit::kData, "skip.txt:1: not text");
  EXPECT_EQ(parity({"--from", DataFile("parity/commits.json"), "--skip", folder / "no"}).exit_code,
            static_cast<int>(Exit::kData));
}

TEST(ParityFrom, ReadsOptionalFieldsAndRefusesImpossibleOnes) {
  const TemporaryFolder folder;
  auto set = nlohmann::json::parse(read_text(DataFile("parity/synthetic.json")));
  set["commits"][0]["measurements"][1]["duration_s"] = 90;
  set["commits"][3]["errors"] = {{{"arm", "baseline"},
                                  {"kind", "server_crash"},
                                  {"by", "build"},
                                  {"duration_s", 5},
                                  {"log", {"unrecognized arguments: --fast"}}}};
  set["commits"][3]["introduces"] = {"--fast"};
  const auto with = [&](const std::string& pointer, const nlohmann::json& value) {
    auto changed = set;
    changed[nlohmann::json::json_pointer(pointer)] = value;
    write_text(folder / "set.json", changed.dump());
    return parity({"--from", folder / "set.json"});
  };
  const Finished good = with("/split", "x");
  EXPECT_EQ(good.exit_code, static_cast<int>(Exit::kInconclusive)) << good.err;
  EXPECT_THAT(good.out, HasSubstr("lacks --fast"));
  EXPECT_THAT(good.out, HasSubstr("recorded_file"));
  EXPECT_THAT(good.out, testing::Not(HasSubstr("are not read")));
  const Finished vendor = with("/commits/0/gpu_need/0", {{"by", "a"}, {"gpu", "TPUv5"}});
  EXPECT_THAT(vendor.out, HasSubstr("whose vendor is not known"));
  const auto refused = [&](const std::string& pointer, const nlohmann::json& value, Exit exit) {
    const Finished finished = with(pointer, value);
    EXPECT_EQ(finished.exit_code, static_cast<int>(exit)) << pointer;
    EXPECT_THAT(finished.err, HasSubstr(pointer));
  };
  refused("/commits/0/measurements/1/duration_s", -1, Exit::kInvalid);
  refused("/commits/0/measurements/1/duration_s", "90", Exit::kData);
  refused("/commits/0/measurements/1/arms/human/duration_s", -0.5, Exit::kInvalid);
  refused("/commits/0/measurements/1/arms/human/proxy", "0123abcd", Exit::kInvalid);
  refused("/commits/3/errors/0/duration_s", -1, Exit::kInvalid);
  refused("/commits/3/errors/0/log", "a line", Exit::kData);
  refused("/commits/3/introduces", 3, Exit::kData);
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
  EXPECT_EQ(parity({"--from", from, "--csv", "x", "--latex", "x"}).exit_code, usage);
  for (const char* seconds :
       {"", "0", "-1", "5..1", "a", "1..", "..5", "1...5", "inf", "nan", "1e99"}) {
    EXPECT_EQ(parity({"--from", from, "--run-seconds", seconds}).exit_code, usage) << seconds;
  }
  for (const char* option : {"--csv=x", "--latex=x", "--skip=x", "--skip-list=x", "--summary=x",
                             "--run-seconds=5", "--devices=1", "--vram=1", "--vendor=nvidia"}) {
    EXPECT_EQ(parity({"--baseline", "a", "--human", "b", "--agent", "c", option}).exit_code, usage)
        << option << " would be ignored";
  }
  for (const char* option : {"--margin=1%", "--primary=ttft_mean", "--rounds=10", "--filter=x"}) {
    EXPECT_EQ(parity({"--from", from, option}).exit_code, usage) << option << " would be ignored";
  }
}

}  // namespace
}  // namespace perfgate
