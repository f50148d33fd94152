// SPDX-License-Identifier: Apache-2.0
// perfgate report in its forms for programs and papers, and perfgate bundle.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "perfgate/evidence/files/files.h"
#include "perfgate/verdict/gate/suite_verdict.h"
#include "tests/perfgate/cli/run_command.h"
#include "tests/perfgate/report/suites/suite_samples.h"

namespace perfgate {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing_command::code;
using testing_command::Command;
using testing_command::Finished;
using testing_command::TemporaryFolder;

class Reports : public testing::Test {
 protected:
  Reports() {
    Session session = sample::session_of_logs(
        {{0.1, 0.11, 0.1, 0.12, 0.1, 0.1, 0.1}, {0, 0.001, 0, 0.002, 0, 0, 0.001}});
    session.tool = "perfgate 0.1.0";
    session.started = "2026-11-24T23:43:15Z";
    session.schedule = sample::full_session().schedule;
    session_ = Write("my session.json", session_to_json(session));
    verdict_ = Write("verdict.json", verdict_to_json(decide(session)));
  }

  Finished Perfgate(std::vector<std::string> arguments) const {
    return testing_command::run_program(PERFGATE_EXE, std::move(arguments));
  }

  std::string Write(const std::string& name, const std::string& text) const {
    testing_command::write_text(folder_ / name, text);
    return folder_ / name;
  }

  TemporaryFolder folder_;
  std::string session_;
  std::string verdict_;
};

TEST_F(Reports, HaveEveryForm) {
  const std::pair<const char*, const char*> starts[] = {
      {"csv", "suite,case,metric"},
      {"html", "<!DOCTYPE html>"},
      {"json", "{\n  \"format\": \"perfgate-report\""},
      {"latex", "% Made by perfgate."},
      {"junit", "<?xml"},
      {"gitlab", "["},
      {"sarif", "{\n  \"$schema\""}};
  for (const auto& [format, start] : starts) {
    const Finished shown = Perfgate({"report", verdict_, session_, "--format", format});
    EXPECT_EQ(shown.exit_code, 0) << shown.err;
    EXPECT_THAT(shown.out, testing::StartsWith(start)) << format;
    const std::string file = folder_ / "out";
    const Finished written =
        Perfgate({"report", verdict_, session_, "--format", format, "--output", file});
    EXPECT_EQ(written.exit_code, 0) << written.err;
    EXPECT_EQ(testing_command::read_text(file), shown.out) << format;
  }
  EXPECT_EQ(Perfgate({"report", verdict_, "--format", "github"}).exit_code, 0);
}

// A session lends its verdict the rounds: the verdict is shown once.
TEST_F(Reports, SessionsStandBehindTheirVerdicts) {
  const auto report =
      nlohmann::json::parse(Perfgate({"report", session_, verdict_, "--format", "json"}).out);
  ASSERT_EQ(report["suites"].size(), 1U);
  EXPECT_EQ(report["suites"][0]["title"], "sort");
  EXPECT_EQ(report["suites"][0]["geometric_means"][0]["rounds"], 7);
  EXPECT_EQ(Perfgate({"report", session_, verdict_}).out, Perfgate({"report", verdict_}).out);
  EXPECT_EQ(Perfgate({"report", "--decide", session_, "--format", "json"}).out,
            Perfgate({"report", verdict_, session_, "--format", "json"}).out);
}

TEST_F(Reports, RefuseWhatDoesNotFit) {
  const std::string plan = Write("plan.json", plan_to_json(sample::full_plan()));
  const auto expect = [&](const std::vector<std::string>& arguments, Exit exit, const char* words) {
    const Finished refused = Perfgate(arguments);
    EXPECT_EQ(refused.exit_code, code(exit));
    EXPECT_THAT(refused.err, HasSubstr(words));
    EXPECT_EQ(refused.out, "");
  };
  expect({"report", verdict_, "--format", "pdf"}, Exit::kUsage, "--format");
  expect({"report", plan, "--format", "html"}, Exit::kUsage, "--format console or md");
  expect({"report", verdict_, "--format", "csv", "--sources", "."}, Exit::kUsage, "--sources");
  expect({"report", verdict_, "--format", "csv", "--title", "x"}, Exit::kUsage, "--title");
  expect({"report", verdict_, "--format", "sarif", "--sources", folder_ / "nowhere"}, Exit::kData,
         "nowhere");
  expect({"report", verdict_, "--format", "html", "--output", folder_ / "no/page.html"},
         Exit::kData, "page.html");
}

TEST_F(Reports, BundleMakesItsTablesAgain) {
  const std::string bundle = folder_ / "bundle";
  const Finished made =
      Perfgate({"bundle", verdict_, session_, "--output", bundle, "--title", "Sorts & more"});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  for (const char* file :
       {"README.txt", "SHA256SUMS", "claims.txt", "environment.json", "paper.tex", "report.html",
        "reproduce.sh", "sessions/02-my_session.json", "tables/report.csv", "tables/report.tex",
        "verdicts/01-verdict.json"}) {
    EXPECT_TRUE(fs::is_regular_file(fs::path(bundle) / file)) << file;
  }
  EXPECT_EQ(testing_command::read_text(bundle + "/verdicts/01-verdict.json"),
            testing_command::read_text(verdict_));
  Command again;
  again.arguments = {"/bin/sh", "-c", "PERFGATE=" PERFGATE_EXE " '" + bundle + "/reproduce.sh'"};
  const Finished same = testing_command::run_command(again);
  EXPECT_EQ(same.exit_code, 0) << same.out << same.err;
  EXPECT_THAT(same.out, HasSubstr("same     tables/report.csv"));
  testing_command::write_text(bundle + "/tables/report.csv", "changed");
  EXPECT_NE(testing_command::run_command(again).exit_code, 0);
}

TEST_F(Reports, BundleIsWholeOrNotThere) {
  const std::string policy = Write("p.json", policy_to_json(Policy{}));
  const std::string bundle = folder_ / "bundle";
  EXPECT_EQ(Perfgate({"bundle", verdict_, policy, "--output", bundle}).exit_code,
            code(Exit::kData));
  EXPECT_EQ(Perfgate({"bundle", verdict_, "--output", folder_ / "no/bundle"}).exit_code,
            code(Exit::kData));
  EXPECT_EQ(Perfgate({"bundle", verdict_}).exit_code, code(Exit::kUsage));
  EXPECT_FALSE(fs::exists(bundle));
  fs::create_directory(bundle);
  const Finished taken = Perfgate({"bundle", verdict_, "--output", bundle});
  EXPECT_EQ(taken.exit_code, code(Exit::kData));
  EXPECT_THAT(taken.err, HasSubstr("exists already"));
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_.path())) {
    EXPECT_FALSE(entry.path().filename().string().starts_with(".perfgate")) << entry.path();
  }
}

// Kinds that no page shows are still in the bundle and in its Markdown.
TEST_F(Reports, BundleTakesOtherEvidence) {
  const std::string plan = Write("plan.json", plan_to_json(sample::full_plan()));
  const std::string bundle = folder_ / "bundle";
  ASSERT_EQ(Perfgate({"bundle", plan, "--output", bundle}).exit_code, 0);
  EXPECT_TRUE(fs::exists(bundle + "/plans/01-plan.json"));
  EXPECT_TRUE(fs::exists(bundle + "/tables/report.md"));
  EXPECT_FALSE(fs::exists(bundle + "/report.html"));
}

}  // namespace
}  // namespace perfgate
