// SPDX-License-Identifier: Apache-2.0
// perfgate audit: exit codes, where results go, and that files of one call know each other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "perfgate/base/error.h"
#include "tests/perfgate/cli/run_command.h"
#include "tests/support/arguments.h"

namespace perfgate {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using testing_command::Command;
using testing_command::Finished;
using testing_command::TemporaryFolder;

Finished audit(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {PERFGATE_EXE, "audit"});
  Command command;
  command.arguments = std::move(arguments);
  return run_command(command);
}

std::string data(const std::string& name) { return perfgate::test_support::DataFile(name); }

TEST(Audit, ExitsByWhatItFinds) {
  const Finished clean = audit({data("audit/tables/ablation_upload_0219.md")});
  EXPECT_EQ(clean.exit_code, 0);
  EXPECT_THAT(clean.out, StartsWith("no findings\nchecked 1 table: 5 derived cells by 1 relation"));
  const Finished mutated = audit({data("audit/mutated/m1.md")});
  EXPECT_EQ(mutated.exit_code, static_cast<int>(Exit::kRegression));
  EXPECT_THAT(mutated.out, HasSubstr("4.767x"));
  EXPECT_EQ(mutated.err, "");
}

TEST(Audit, RefusesWhatItCannotReadOrTrust) {
  const TemporaryFolder folder;
  const auto exit_of = [&](const std::string& name, const std::string& text, const char* where) {
    const std::string path = folder / name;
    testing_command::write_text(path, text);
    const Finished finished = audit({data("audit/mutated/m1.md"), path});
    EXPECT_THAT(finished.err, HasSubstr(path + where));
    EXPECT_EQ(finished.out, "");
    return finished.exit_code;
  };
  EXPECT_EQ(exit_of("a.md", "# no table\n", ":1:"), 65);
  EXPECT_EQ(exit_of("b.md", "x\n| a | b |\n|---|\n", ":3:"), 65);
  EXPECT_EQ(exit_of("c.json", "{\"format\": \n", ":2:"), 65);
  EXPECT_EQ(exit_of("d.json", "{\"format\": \"perfgate-session\"}", ": /format"), 65);
  EXPECT_EQ(exit_of("e.json", "[{\"a\": 1, \"a\": 2}]", ":1:"), 14);
  EXPECT_EQ(exit_of("f.json", "[{\"a\": inf}]", ":1:"), 14);
  EXPECT_EQ(audit({folder / "absent.md"}).exit_code, 65);
  EXPECT_EQ(audit({}).exit_code, 64);
}

TEST(Audit, FilesOfOneCallKnowEachOther) {
  const std::string claims = data("audit/published_claims.json");
  const Finished alone = audit({claims});
  EXPECT_THAT(alone.out, HasSubstr("60 of 60 items"));
  EXPECT_THAT(alone.out, testing::Not(HasSubstr("model_mismatch")));
  const Finished together = audit({data("parity/commits.json"), "--claims", claims});
  EXPECT_EQ(together.exit_code, 10);
  EXPECT_THAT(together.out, HasSubstr("not comparable: model_mismatch"));
  EXPECT_THAT(together.out, HasSubstr("60 published commits"));
}

TEST(Audit, WritesWhereItIsTold) {
  const TemporaryFolder folder;
  const Finished finished =
      audit({data("audit/mutated/m6.json"), "--format", "markdown", "--output",
             folder / "report.md", "--json", folder / "report.json"});
  EXPECT_EQ(finished.exit_code, 10);
  EXPECT_EQ(finished.out, "");
  EXPECT_THAT(testing_command::read_text(folder / "report.md"),
              StartsWith("### Audit: 4 findings"));
  const nlohmann::json report =
      nlohmann::json::parse(testing_command::read_text(folder / "report.json"));
  EXPECT_EQ(report["findings"].size(), 4U);
  EXPECT_EQ(audit({data("audit/mutated/m6.json"), "--format", "xml"}).exit_code, 64);
}

}  // namespace
}  // namespace perfgate
