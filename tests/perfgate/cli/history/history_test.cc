// SPDX-License-Identifier: Apache-2.0
// perfgate history on stores, folders and files.
#include "perfgate/evidence/history/history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <random>

#include "perfgate/evidence/files/files.h"
#include "perfgate/evidence/machine_class.h"
#include "perfgate/store/baseline_store.h"
#include "tests/perfgate/cli/run_perfgate.h"
#include "tests/perfgate/evidence/sample_evidence.h"

namespace perfgate {
namespace {

using testing::HasSubstr;
using testing_command::code;
using testing_command::Finished;
using testing_command::run_perfgate;
using testing_command::TemporaryFolder;

std::string Number(int width, int number) {
  std::string text = std::to_string(number);
  return std::string(static_cast<std::size_t>(width) - text.size(), '0') + text;
}

// One case, slower by 8 % from session 25 on.
RecordedSession SessionOf(int number) {
  RecordedSession session = sample::full_recorded();
  std::mt19937_64 random(static_cast<std::uint64_t>(number) + 1);
  std::normal_distribution<double> noise(0, 0.01);
  session.id = Number(32, number);
  session.started =
      "2026-01-" + Number(2, 1 + number / 24) + "T" + Number(2, number % 24) + ":00:00Z";
  session.commit = Number(40, number);
  session.suite = "kernels";
  session.machine_class = machine_class(class_fields(session.machine));
  session.metrics.resize(1);
  session.cases.resize(1);
  session.cases[0].name = "sort/n:1024";
  session.cases[0].values.resize(1);
  for (double& value : session.cases[0].values[0]) {
    value = 1e-3 * std::exp(noise(random)) * (number >= 25 ? 1.08 : 1);
  }
  return session;
}

class HistoryCommand : public testing::Test {
 protected:
  void SetUp() override {
    for (int i = 0; i < 50; ++i) store::append_session(Store(), SessionOf(i));
  }
  std::string Store() const { return folder_ / "baselines"; }
  TemporaryFolder folder_;
};

TEST_F(HistoryCommand, ShowsWhereAStoreChanged) {
  const std::string json = folder_ / "h.json";
  const std::string markdown = folder_ / "h.md";
  const Finished finished =
      run_perfgate({"history", Store(), "--json", json, "--markdown", markdown});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("sort/n:1024"));
  EXPECT_THAT(finished.out, HasSubstr("1 change(s) for the worse"));
  const History history = read_history(json);
  ASSERT_EQ(history.series.size(), 1U);
  ASSERT_EQ(history.series[0].changes.size(), 1U);
  EXPECT_NEAR(history.series[0].changes[0].index, 25, 1);
  EXPECT_NEAR(history.series[0].shift, 0.08, 0.01);
  EXPECT_THAT(testing_command::read_text(markdown), HasSubstr("| case | first | now |"));
  // A recorded session is a file as well, and a folder of such files a source.
  const Finished files = run_perfgate(
      {"history", Store() + "/" + history.series[0].machine_class + "/kernels/sessions", "--json",
       "-"});
  EXPECT_EQ(history_from_json(files.out, "out").series[0].changes.size(), 1U);
}

TEST_F(HistoryCommand, NarrowsWhatItShows) {
  const auto points = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"history", Store(), "--json", "-"});
    const Finished finished = run_perfgate(more);
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
    return history_from_json(finished.out, "out").series.at(0).points.size();
  };
  EXPECT_EQ(points({}), 50U);
  EXPECT_EQ(points({"--last", "20"}), 20U);
  EXPECT_EQ(points({"--filter", "sort"}), 50U);
  EXPECT_EQ(points({"--suite", "kernels"}), 50U);
  for (const auto& [option, value] : std::vector<std::pair<std::string, std::string>>{
           {"--filter", "search"}, {"--suite", "other"}, {"--class", "other"}}) {
    const Finished finished = run_perfgate({"history", Store(), option, value});
    EXPECT_EQ(finished.exit_code, code(Exit::kData));
    EXPECT_THAT(finished.err, HasSubstr("no recorded value"));
  }
}

// 29 sessions of one executable that this project recorded: nothing changed.
TEST_F(HistoryCommand, TheRecordedAaSessionsHaveNoChange) {
  const Finished finished = run_perfgate(
      {"history", PERFGATE_SOURCE_DIR "/baselines", "--suite", "kernels", "--json", "-"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  const History history = history_from_json(finished.out, "out");
  EXPECT_EQ(history.series.size(), 36U);
  for (const HistorySeries& series : history.series) {
    EXPECT_TRUE(series.changes.empty()) << series.case_name;
  }
}

TEST_F(HistoryCommand, RefusesWhatIsNoHistory) {
  const auto expect = [](const std::vector<std::string>& words, Exit exit,
                         const std::string& text) {
    const Finished finished = run_perfgate(words);
    EXPECT_EQ(finished.exit_code, code(exit)) << finished.err;
    EXPECT_THAT(finished.err, HasSubstr(text));
    EXPECT_EQ(finished.out, "");
  };
  write_policy(folder_ / "p.json", Policy{});
  testing_command::write_text(folder_ / "broken.json", "{");
  std::filesystem::create_directory(folder_ / "empty");
  expect({"history"}, Exit::kUsage, "SOURCES");
  expect({"history", folder_ / "nowhere"}, Exit::kData, "nowhere");
  expect({"history", folder_ / "p.json"}, Exit::kData, "is a policy file");
  expect({"history", folder_ / "broken.json"}, Exit::kData, "broken.json");
  expect({"history", folder_ / "empty"}, Exit::kData, "no recorded value");
  expect({"history", Store(), "--filter", "("}, Exit::kUsage, "regular expression");
  expect({"history", Store(), "--alpha", "0"}, Exit::kUsage, "alpha");
  expect({"history", Store(), "--alpha", "60%"}, Exit::kUsage, "alpha");
  expect({"history", Store(), "--least", "-1%"}, Exit::kUsage, "least");
  expect({"history", Store(), "--last", "0"}, Exit::kUsage, "last");
  expect({"history", Store(), "--seed", "x"}, Exit::kUsage, "seed");
  expect({"history", Store(), "--along", "no-such-revision"}, Exit::kData, "no-such-revision");
  expect({"history", Store(), "--json", folder_ / "no/h.json"}, Exit::kData, "no/h.json");
}

}  // namespace
}  // namespace perfgate
