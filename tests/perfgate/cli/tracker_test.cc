// SPDX-License-Identifier: Apache-2.0
// Records that leave required fields open: tracked runs, and any file under a manifest that says
// what must be stated.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "perfgate/base/io/read_file.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/verdict/verdict_file.h"
#include "tests/perfgate/cli/run_command.h"
#include "tests/support/arguments.h"

namespace perfgate {
namespace {

using nlohmann::json;
using perfgate::test_support::DataFile;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing_command::Finished;
using testing_command::TemporaryFolder;
using testing_command::unwrapped;
using testing_command::write_text;

class Tracker : public testing::Test {
 protected:
  Finished perfgate(std::vector<std::string> arguments) const {
    return testing_command::run_program(PERFGATE_EXE, std::move(arguments));
  }

  std::string record(const std::string& name, const std::function<void(json&)>& edit) const {
    json document = json::parse(read_file_text(DataFile("import/tracker/complete.json")));
    edit(document);
    write_text(folder_ / (name + ".json"), document.dump());
    return folder_ / (name + ".json");
  }

  // "field is state" of every open field, in order.
  std::vector<std::string> unstated(const std::vector<std::string>& arguments) {
    std::vector<std::string> all = {"import", "--output", folder_ / "s.json"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const Finished done = perfgate(all);
    EXPECT_EQ(done.exit_code, 0) << done.err;
    printed_ = unwrapped(done.out);
    std::vector<std::string> texts;
    for (const auto& [field, state] : read_session(folder_ / "s.json").unstated) {
      texts.push_back(field + " is " + state);
    }
    return texts;
  }

  TemporaryFolder folder_;
  std::string printed_;
};

TEST_F(Tracker, ACompleteRecordIsComplete) {
  EXPECT_THAT(unstated({DataFile("import/tracker/complete.json")}), IsEmpty());
  EXPECT_THAT(printed_, AllOf(HasSubstr("(tracker)"), Not(HasSubstr("Unstated"))));
  const Session session = read_session(folder_ / "s.json");
  EXPECT_EQ(session.grade, "aggregate");  // percentiles without their samples
  EXPECT_EQ(session.started, "2026-01-10 12:00:00");
  std::vector<std::string> names;
  for (const CaseInfo& info : session.cases) names.push_back(info.name);
  EXPECT_THAT(names, testing::UnorderedElementsAre("serve", "serve/pp:2048", "serve/tg:32",
                                                   "serve/tg:128"));
}

// Leaving out any one required field is told of, with its name.
TEST_F(Tracker, EveryRequiredFieldIsMissed) {
  const json complete = json::parse(read_file_text(DataFile("import/tracker/complete.json")));
  const auto prefix = [](const std::string& section) {
    if (section == "config" || section == "launch") return "workload." + section + ".";
    return section + ".";
  };
  int fields = 0;
  const auto visit = [&](const auto& self, const json& object, const json::json_pointer& at,
                         const std::string& name) -> void {
    for (const auto& [key, value] : object.items()) {
      if (value.is_object()) {
        self(self, value, at / key, name + key + ".");
        continue;
      }
      ++fields;
      const std::string without = record("without", [&](json& d) { d[at].erase(key); });
      EXPECT_THAT(unstated({without}), testing::Contains(name + key + " is missing"));
      EXPECT_THAT(printed_, HasSubstr("Unstated"));
      if (name.starts_with("results")) continue;
      const std::string pending = record("pending", [&](json& d) { d[at][key] = "<pending>"; });
      EXPECT_THAT(unstated({pending}), testing::Contains(name + key + " is pending"));
    }
  };
  for (const std::string section : {"environment", "config", "launch", "workload", "results"}) {
    visit(visit, complete[section], json::json_pointer("/" + section), prefix(section));
  }
  EXPECT_EQ(fields, 53);
}

TEST_F(Tracker, PendingResultsAndKernels) {
  EXPECT_THAT(unstated({record(
                  "r", [](json& d) { d["results"]["latency"]["ttft_p99_ms"] = "<pending>"; })}),
              testing::ElementsAre("results.latency.ttft_p99_ms is pending"));
  EXPECT_THAT(
      unstated({record("k", [](json& d) { d["kernel_validation"]["validation"] = "PENDING"; })}),
      testing::ElementsAre("kernel_validation.validation is pending"));
  const Finished wrong = perfgate(
      {"import", record("f", [](json& d) { d["kernel_validation"]["validation"] = "FAIL"; })});
  EXPECT_EQ(wrong.exit_code, static_cast<int>(Exit::kFailed)) << wrong.out;
  const Finished torn =
      perfgate({"import", record("t", [](json& d) { d["launch"]["prompt_length"] = 4096; })});
  EXPECT_EQ(torn.exit_code, static_cast<int>(Exit::kInvalid)) << torn.out;
  EXPECT_THAT(torn.err,
              HasSubstr("/launch/prompt_length is 4096 and /workload/prompt_length 2048"));
  const Finished text =
      perfgate({"import", record("x", [](json& d) { d["results"]["startup_time_s"] = "soon"; })});
  EXPECT_EQ(text.exit_code, static_cast<int>(Exit::kData)) << text.out;
}

// Rounds of hyperfine under a manifest: the same numbers pass where the record is complete.
TEST_F(Tracker, AnIncompleteRecordCannotPass) {
  const auto arm = [&](const std::string& name, double seconds, const std::string& gpu) {
    std::vector<std::string> arguments = {"import",
                                          "--arm",
                                          name,
                                          "--output",
                                          folder_ / (name + ".s"),
                                          "--manifest",
                                          folder_ / (name + ".m")};
    write_text(folder_ / (name + ".m"), json{{"format", "perfgate-manifest"},
                                             {"version", 1},
                                             {"environment", {{{"name", "gpu"}, {"value", gpu}}}},
                                             {"complete", {"environment.gpu"}}}
                                            .dump());
    constexpr int kRounds = 10;
    for (int i = 0; i < kRounds; ++i) {
      const std::string file = folder_ / (name + std::to_string(i) + ".json");
      const double value = seconds * (1 + 0.001 * ((7 * i) % 5) + 1e-5 * i);
      write_text(file, json{{"results",
                             {{{"command", "work"},
                               {"mean", value},
                               {"stddev", nullptr},
                               {"median", value},
                               {"user", 0.0},
                               {"system", 0.0},
                               {"min", value},
                               {"max", value},
                               {"times", {value}},
                               {"exit_codes", {0}}}}}}
                           .dump());
      arguments.push_back(file);
    }
    EXPECT_EQ(perfgate(arguments).exit_code, 0);
    return folder_ / (name + ".s");
  };
  const auto gate = [&](const std::string& baseline, const std::string& candidate) {
    return perfgate(
        {"gate", "--baseline", baseline, "--candidate", candidate, "--json", folder_ / "v.json"});
  };
  const std::string stated = arm("stated", 1.0, "H100");
  EXPECT_EQ(gate(stated, arm("same", 1.000001, "H100")).exit_code, 0);
  const std::string open = arm("open", 1.000002, "<pending>");
  // Both sides "agree" on <pending>: not enough.
  const Finished both = gate(open, arm("openagain", 1.000001, "<pending>"));
  EXPECT_EQ(both.exit_code, static_cast<int>(Exit::kInconclusive)) << both.out;
  EXPECT_THAT(unwrapped(both.out),
              HasSubstr("incomplete_record: open: environment.gpu is pending"));
  for (const ColumnVerdict& column : read_verdict(folder_ / "v.json").columns) {
    if (column.gated) {
      EXPECT_EQ(column.claim, Claim::kInsufficient);
    }
  }
  // A slowdown stays suspected; a field that one side alone states is a mismatch.
  EXPECT_EQ(gate(open, arm("slower", 1.3, "<pending>")).exit_code,
            static_cast<int>(Exit::kSuspected));
  const Finished one = gate(stated, open);
  EXPECT_EQ(one.exit_code, static_cast<int>(Exit::kNotComparable));
  EXPECT_THAT(unwrapped(one.out), HasSubstr("hardware_mismatch: gpu: H100 against not stated"));
}

TEST_F(Tracker, AManifestNamesFields) {
  write_text(folder_ / "m.json",
             R"({"format":"perfgate-manifest","version":1,"complete":["workload.seed"]})");
  EXPECT_THAT(unstated({DataFile("import/hyperfine/plain.json"), "--manifest", folder_ / "m.json"}),
              testing::ElementsAre("workload.seed is missing"));
  write_text(folder_ / "m.json",
             R"({"format":"perfgate-manifest","version":1,"complete":["seed"]})");
  const Finished done = perfgate(
      {"import", DataFile("import/hyperfine/plain.json"), "--manifest", folder_ / "m.json"});
  EXPECT_EQ(done.exit_code, static_cast<int>(Exit::kData));
  EXPECT_THAT(done.err, HasSubstr("/complete/0"));
}

}  // namespace
}  // namespace perfgate
