// SPDX-License-Identifier: Apache-2.0
// `perfgate import` as typed: what is written, what is said, and with which exit code.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "perfgate/evidence/files/files.h"
#include "tests/perfgate/cli/run_command.h"
#include "tests/perfgate/evidence/golden_file.h"
#include "tests/support/arguments.h"

namespace perfgate {
namespace {

using perfgate::test_support::DataFile;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;
using testing_command::code;
using testing_command::Finished;
using testing_command::TemporaryFolder;
using testing_command::write_text;

const std::string kGoogle = DataFile("import/google_benchmark/");

Finished perfgate_with(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), PERFGATE_EXE);
  testing_command::Command command;
  command.arguments = std::move(arguments);
  return testing_command::run_command(command);
}

Finished import(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "import");
  return perfgate_with(std::move(arguments));
}

// Lines break where they are full, which depends on the path of the file.
std::string rejoined(std::string text) {
  const std::string indent = "\n          ";
  for (std::size_t at = text.find(indent); at != std::string::npos; at = text.find(indent)) {
    text.replace(at, indent.size(), " ");
  }
  return text;
}

// One row of a Google Benchmark file, and the counters behind its times.
std::string row(const std::string& name, const std::string& times,
                const std::string& counters = "") {
  return R"({"name":")" + name + R"(","run_name":")" + name +
         R"(","run_type":"iteration","repetitions":1,"repetition_index":0,"threads":1,)"
         R"("iterations":1000,)" +
         times + R"(,"time_unit":"ns")" + counters + "}";
}

std::string file_of(const std::string& rows) {
  return R"({"context":{"num_cpus":4,"library_build_type":"release"},"benchmarks":[)" + rows + "]}";
}

const std::string kFine = R"("real_time":12.5,"cpu_time":12.4)";

TEST(Import, WritesASessionThatReportReads) {
  const TemporaryFolder folder;
  const Finished done = import({DataFile("import/pytest_benchmark/results.json"),
                                DataFile("import/pytest_benchmark/results_again.json"), "--arm",
                                "baseline", "--suite", "python", "--output", folder / "s.json"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  const Session session = read_session(folder / "s.json");
  EXPECT_EQ(session.arms.at(0).label, "baseline");
  EXPECT_EQ(session.suite, "python");
  EXPECT_EQ(session.grade, "imported");
  EXPECT_THAT(session.rounds, SizeIs(2));
  const Finished report = perfgate_with({"report", folder / "s.json"});
  EXPECT_EQ(report.exit_code, 0);
  EXPECT_EQ(report.out, done.out);
  EXPECT_THAT(done.out,
              HasSubstr("2 rounds from 2 files (pytest_benchmark 3.2.2); grade imported"));
}

TEST(Import, LooksAsAgreed) {
  const TemporaryFolder folder;
  const auto shown = [&](const std::string& sample, const std::string& golden) {
    std::filesystem::copy_file(DataFile("import/" + sample), folder / "results.json",
                               std::filesystem::copy_options::overwrite_existing);
    std::string text = rejoined(import({folder / "results.json"}).out);
    const std::string path = folder.path() + "/";
    for (std::size_t at = text.find(path); at != std::string::npos; at = text.find(path)) {
      text.erase(at, path.size());
    }
    sample::expect_golden("tests/perfgate/cli/golden/" + golden, text);
  };
  shown("google_benchmark/v1.9.5_repetitions.json", "import_google_benchmark.txt");
  shown("google_benchmark/v1.7.1_aggregates_only.json", "import_aggregates.txt");
  shown("hyperfine/failures.json", "import_hyperfine.txt");
}

TEST(Import, DashWritesNothingButTheSession) {
  const Finished done = import({DataFile("import/hyperfine/plain.json"), "--output", "-"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_EQ(session_from_json(done.out, "-").origins.at(0).format, "hyperfine");
}

// The three forgeries of a result file that plain readers take.
TEST(Import, ACounterNamedAsAFieldIsRefused) {
  const TemporaryFolder folder;
  write_text(folder / "f.json",
             file_of(row("a", kFine) + "," + row("b", kFine, R"(,"real_time":1.0e-03)")));
  const Finished done = import({folder / "f.json", "--output", folder / "s.json"});
  EXPECT_EQ(done.exit_code, code(Exit::kInvalid));
  EXPECT_THAT(done.err, HasSubstr("/benchmarks/1: the key \"real_time\" appears twice"));
  EXPECT_FALSE(std::filesystem::exists(folder / "s.json"));
}

TEST(Import, AnErrorRowOfZeroTimesIsAFailure) {
  const TemporaryFolder folder;
  const std::string zero = R"("real_time":0.0,"cpu_time":0.0)";
  write_text(folder / "f.json",
             file_of(row("a", kFine) + "," +
                     row("b", R"("error_occurred":true,"error_message":"no device",)" + zero)));
  const Finished done = import({folder / "f.json", "--output", folder / "s.json"});
  EXPECT_EQ(done.exit_code, code(Exit::kFailed));
  EXPECT_THAT(rejoined(done.out), HasSubstr("row 2: no device"));
  const Session session = read_session(folder / "s.json");
  ASSERT_THAT(session.faults, SizeIs(1));
  EXPECT_EQ(session.faults[0].kind, FaultKind::kError);
  // Without its flag the row is no failure but a time that cannot be.
  write_text(folder / "g.json", file_of(row("a", kFine) + "," + row("b", zero)));
  const Finished forged = import({folder / "g.json"});
  EXPECT_EQ(forged.exit_code, code(Exit::kInvalid));
  EXPECT_THAT(rejoined(forged.out), HasSubstr("row 2: real_time is 0"));
}

TEST(Import, ANaNCounterIsRejectedAndInvalidWhereItDecides) {
  const TemporaryFolder folder;
  write_text(folder / "f.json", file_of(row("a", kFine, R"(,"residual":NaN)")));
  const Finished shown = import({folder / "f.json"});
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_THAT(rejoined(shown.out), HasSubstr("row 1: residual is NaN"));
  write_text(folder / "p.json", R"({"format":"perfgate-policy","version":1,"metrics":[)"
                                R"({"name":"residual","unit":"1","direction":"lower",)"
                                R"("kind":"score"}]})");
  const Finished gated = import({folder / "f.json", "--policy", folder / "p.json"});
  EXPECT_EQ(gated.exit_code, code(Exit::kInvalid));
  EXPECT_THAT(rejoined(gated.out), HasSubstr("residual is NaN"));
  write_text(folder / "g.json", file_of(row("a", R"("real_time":NaN,"cpu_time":1)")));
  EXPECT_EQ(import({folder / "g.json"}).exit_code, code(Exit::kInvalid));
}

TEST(Import, FilesThatCannotBeReadAreBadData) {
  const TemporaryFolder folder;
  const std::string whole = file_of(row("a", kFine));
  const std::vector<std::pair<std::string, std::string>> damages = {
      {"", "is empty"},
      {whole.substr(0, whole.size() - 3), "f.json:1:"},
      {whole + "]", "f.json:1:"},
      {"name,real_time\na,1\n", "f.json:1:"},
      {std::string("\0\1\2", 3), "f.json:1:1"},
      {"{}", "no known format"},
      {file_of(""), "no benchmark result"},
      {file_of(R"({"name":"a"})"), "/benchmarks/0/iterations: this field is missing"}};
  for (const auto& [text, words] : damages) {
    write_text(folder / "f.json", text);
    const Finished done = import({folder / "f.json"});
    EXPECT_EQ(done.exit_code, code(Exit::kData)) << text;
    EXPECT_THAT(done.err, StartsWith("perfgate: ")) << text;
    EXPECT_THAT(done.err, HasSubstr(words)) << text;
    EXPECT_THAT(done.out, IsEmpty()) << text;
  }
  EXPECT_EQ(import({folder / "none.json"}).exit_code, code(Exit::kData));
}

TEST(Import, ManifestFindsTheVanishedBenchmark) {
  const TemporaryFolder folder;
  write_text(folder / "f.json", file_of(row("a", kFine)));
  write_text(folder / "m.json", R"({"format":"perfgate-manifest","version":1,"cases":["a","b"]})");
  const Finished done = import({folder / "f.json", "--manifest", folder / "m.json"});
  EXPECT_EQ(done.exit_code, code(Exit::kFailed));
  EXPECT_THAT(rejoined(done.out),
              HasSubstr("b, candidate, round 0: absent: the manifest expects it"));
  write_text(folder / "m.json", "{}");
  EXPECT_EQ(import({folder / "f.json", "--manifest", folder / "m.json"}).exit_code,
            code(Exit::kData));
}

TEST(Import, UsageErrors) {
  const TemporaryFolder folder;
  EXPECT_EQ(import({}).exit_code, code(Exit::kUsage));
  EXPECT_EQ(import({DataFile("import/hyperfine/plain.json"), "--format", "csv"}).exit_code,
            code(Exit::kUsage));
  EXPECT_EQ(import({DataFile("import/hyperfine/plain.json"), "--arm", ""}).exit_code,
            code(Exit::kUsage));
  const Finished mixed = import(
      {DataFile("import/hyperfine/plain.json"), DataFile("import/pytest_benchmark/results.json")});
  EXPECT_EQ(mixed.exit_code, code(Exit::kUsage));
  EXPECT_THAT(mixed.err, HasSubstr("rounds of one arm have one format"));
  const Finished help = import({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_THAT(help.out, HasSubstr("google_benchmark  Google Benchmark"));
}

}  // namespace
}  // namespace perfgate
