// SPDX-License-Identifier: Apache-2.0
// Stored baselines on the command line: what is recorded, what is refused, and that a candidate
// which tampers with its own judgement is never green. The executables report constant times, so
// that no noise decides: `slower` is 20 % slower than `quick`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "perfgate/evidence/files/files.h"
#include "perfgate/store/baseline_store.h"
#include "perfgate/verdict/verdict_file.h"
#include "tests/perfgate/cli/run_command.h"
#include "tests/perfgate/evidence/sample_evidence.h"

namespace perfgate {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;
using testing_command::code;
using testing_command::Command;
using testing_command::Finished;
using testing_command::TemporaryFolder;

// Of a base revision: as short as the gates of these tests, since --trusted refuses shorter ones.
constexpr const char* kPolicy =
    R"({"format":"perfgate-policy","version":1,"tolerance":"2%","slice_s":0.001,"pairs":1})";

class StoreTest : public testing::Test {
 protected:
  StoreTest() {
    shell(
        "git init -q . && git config user.email a@b && git config user.name n && "
        "git commit -q --allow-empty -m start");
  }

  Finished shell(const std::string& line) const {
    Command command;
    command.arguments = {"/bin/sh", "-c", "cd '" + folder_.path() + "' && " + line};
    return run_command(command);
  }
  Finished perfgate(const std::string& arguments) const {
    return shell(std::string("'") + PERFGATE_EXE + "' " + arguments);
  }
  Finished record(const std::string& executable, const std::string& more = "") const {
    return perfgate("baseline record '" + executable +
                    "' --suite quick --rounds 2 --slice 1ms --pairs 1 --gap 0s " + more);
  }
  Finished gate(const std::string& candidate, const std::string& more = "",
                const std::string& store = "baselines") const {
    return perfgate("gate --baseline " + store + " --candidate '" + candidate +
                    "' --rounds 10 --slice 1ms --pairs 1 --session-gap 0s --all --verbose " + more);
  }
  void commit() const { shell("git add -A -f baselines && git commit -q -m baseline"); }
  store::SuiteFolder suite() const { return store::list_suites(folder_ / "baselines").at(0); }
  std::string session_file(std::size_t i) const {
    const store::Baseline baseline = store::read_baseline(suite());
    return baseline.folder + "/" + baseline.sessions.at(i).name;
  }
  void expect(const Finished& finished, Exit exit, const std::string& part) const {
    EXPECT_EQ(finished.exit_code, code(exit)) << finished.out << finished.err;
    EXPECT_THAT(finished.out + finished.err, HasSubstr(part));
  }

  TemporaryFolder folder_;
};

TEST_F(StoreTest, RecordsShowsAndVerifies) {
  expect(record(QUICK_EXE, "--sessions 2"), Exit::kPass, "recorded baselines/");
  expect(record(QUICK_EXE), Exit::kPass, "recorded baselines/");
  expect(perfgate("baseline verify"), Exit::kPass, "/quick: 3 session(s), chain sha256:");
  expect(perfgate("baseline show --suite quick"), Exit::kPass, "2 rounds, 2 cases");
  const RecordedSession session = store::read_baseline(suite()).sessions[0].session;
  EXPECT_EQ(session.commit.size(), 40U);
  EXPECT_FALSE(session.dirty);
  EXPECT_EQ(session.reference_names.size(), 3U);
  EXPECT_EQ(session.executable.path, "cli_quick_cases");
}

TEST_F(StoreTest, RefusesToRecordWhatNobodyCouldAccept) {
  testing_command::write_text(folder_ / "edited.cc", "x");
  expect(record(QUICK_EXE), Exit::kInvalid, "edited.cc");
  expect(record(QUICK_EXE, "--allow-dirty"), Exit::kPass, "recorded");
  EXPECT_TRUE(store::read_baseline(suite()).sessions[0].session.dirty);
  fs::remove(folder_ / "edited.cc");
  expect(record("/bin/true"), Exit::kFailed, "no benchmark");
  expect(perfgate("baseline record"), Exit::kUsage, "BIN");
  expect(perfgate(std::string("baseline record ") + QUICK_EXE), Exit::kUsage, "--suite");
  for (const char* idle : {"--budget 5s", "--seed 1", "--session s.json"}) {
    expect(record(QUICK_EXE, idle), Exit::kUsage, "has no effect on a recording");
  }
  expect(record(QUICK_EXE, "--filter nothing"), Exit::kNotComparable, "no case");
  EXPECT_EQ(store::read_baseline(suite()).sessions.size(), 1U);
  shell("rm -rf .git");
  expect(record(QUICK_EXE), Exit::kInvalid, "--commit");
}

TEST_F(StoreTest, TheCachedExecutableMakesItAPairedGate) {
  record(QUICK_EXE);
  expect(gate(SLOWER_EXE), Exit::kRegression, "evidence: paired");
  expect(gate(QUICK_EXE), Exit::kPass, "identical executable");
  expect(gate(SINGLE_EXE), Exit::kNotComparable, "missing");
}

// The baseline's own library comes out of the cache with it, whatever lies in the build tree now.
TEST_F(StoreTest, ACachedExecutableKeepsItsLibraries) {
  fs::create_directories(folder_ / "build/bin");
  fs::create_directories(folder_ / "build/lib");
  const fs::path library = folder_ / ("build/lib/" + fs::path(FAST_LIBRARY).filename().string());
  fs::copy_file(LIBRARY_EXE, folder_ / "build/bin/bench");
  fs::copy_file(FAST_LIBRARY, library);
  expect(record("build/bin/bench", "--allow-dirty"), Exit::kPass, "recorded");
  expect(gate("build/bin/bench"), Exit::kPass, "identical executable");
  fs::copy_file(SLOW_LIBRARY, library, fs::copy_options::overwrite_existing);
  expect(gate("build/bin/bench"), Exit::kRegression, "evidence: paired");
}

TEST_F(StoreTest, NumbersAloneOnlySuspect) {
  record(QUICK_EXE, "--sessions 7");
  expect(gate(SLOWER_EXE, "--cache nowhere"), Exit::kSuspected, "confirm with both executables");
  expect(gate(SLOWER_EXE, "--numbers --suspected warn"), Exit::kPass, "2 suspected");
  expect(gate(SLOWER_EXE, "--numbers"), Exit::kSuspected, "not qualified");
  expect(gate(QUICK_EXE, "--numbers"), Exit::kPass, "2 no_regression");
  expect(gate(SINGLE_EXE, "--numbers"), Exit::kNotComparable, "no longer has this case");
  expect(gate(SLOWER_EXE, "--numbers --sessions 1"), Exit::kInconclusive, "few_sessions");
  expect(gate(SLOWER_EXE, "--numbers --session kept.json"), Exit::kUsage, "needs both executables");
  fs::remove_all(folder_ / ".cache");
  // Nothing is measured, so there is a session to keep.
  expect(gate(QUICK_EXE, "--session kept.json"), Exit::kPass, "identical executable");
  EXPECT_TRUE(fs::exists(folder_ / "kept.json"));
}

TEST_F(StoreTest, ACacheThatWasExchangedIsNotUsed) {
  record(QUICK_EXE, "--sessions 2");
  const std::string cached =
      shell("find .cache -type f").out.substr(0, shell("find .cache -type f").out.find('\n'));
  fs::copy_file(SLOWER_EXE, folder_ / cached, fs::copy_options::overwrite_existing);
  expect(gate(SINGLE_EXE), Exit::kNotComparable, "its digest differs");
}

TEST_F(StoreTest, OneSessionShowsTheDifferenceAndNoGrade) {
  record(QUICK_EXE);
  const Finished finished = gate(SLOWER_EXE, "--numbers --json v.json");
  expect(finished, Exit::kInconclusive, "+20.00 %");
  const SuiteVerdict verdict = read_verdict(folder_ / "v.json");
  EXPECT_EQ(verdict.grade, "stored");
  EXPECT_EQ(verdict.columns[0].claim, Claim::kInsufficient);
}

TEST_F(StoreTest, OtherMachineClassesAreNotComparable) {
  RecordedSession elsewhere = sample::full_recorded();
  elsewhere.suite = "quick";
  store::append_session(folder_ / "baselines", elsewhere);
  expect(gate(SLOWER_EXE), Exit::kNotComparable, "cpu_model: Example 9000 against ");
  expect(gate(SLOWER_EXE, "--suite other"), Exit::kNotComparable, "no baseline of suite");
  expect(perfgate("baseline find --suite quick"), Exit::kNotComparable, "hardware_mismatch");
  record(QUICK_EXE);
  expect(perfgate("baseline find --suite quick"), Exit::kPass, "baselines/");
}

TEST_F(StoreTest, ABuildOfAnotherTypeIsNotComparable) {
  record(QUICK_EXE, "--sessions 7");
  expect(gate(DEBUG_EXE), Exit::kNotComparable, "build_type_mismatch");
  expect(gate(DEBUG_EXE, "--numbers"), Exit::kNotComparable, "build_type_mismatch: ");
  expect(gate(DEBUG_EXE, "--numbers --allow build_type_mismatch --allow toolchain_mismatch"),
         Exit::kPass, "compared although build_type_mismatch");
}

// The candidate edits what it is judged by. Read from the working tree that is invalid; read from
// the base revision it has no effect.
TEST_F(StoreTest, ABaselineEditedByTheCandidate) {
  record(QUICK_EXE, "--sessions 2");
  testing_command::write_text(suite().folder + "/policy.json", kPolicy);
  commit();
  const std::string path = session_file(0);
  std::string text = testing_command::read_text(path);
  const std::size_t values = text.find("[[", text.find("\"values\""));
  ASSERT_NE(values, std::string::npos);
  text.insert(values + 2, "9");
  testing_command::write_text(path, text);
  expect(gate(SLOWER_EXE), Exit::kInvalid, "digest mismatch");
  expect(perfgate("baseline verify"), Exit::kInvalid, "broken");
  expect(gate(SLOWER_EXE, "", "git:HEAD:baselines"), Exit::kRegression, "regression");
  expect(gate(SLOWER_EXE, "--trusted HEAD"), Exit::kRegression, "regression");
}

TEST_F(StoreTest, SessionsSwappedAndLinesRemoved) {
  record(QUICK_EXE, "--sessions 3");
  const std::string first = session_file(0);
  const std::string second = session_file(1);
  fs::rename(first, first + "x");
  fs::rename(second, first);
  fs::rename(first + "x", second);
  expect(gate(SLOWER_EXE), Exit::kInvalid, "digest mismatch");
  fs::rename(first, first + "x");
  fs::rename(second, first);
  fs::rename(first + "x", second);
  shell("sed -i 2d baselines/*/*/chain.jsonl");
  expect(gate(SLOWER_EXE), Exit::kInvalid, "lines were removed");
  expect(record(QUICK_EXE), Exit::kInvalid, "lines were removed");
}

TEST_F(StoreTest, APolicyRelaxedByTheCandidate) {
  record(QUICK_EXE);
  const std::string policy = suite().folder + "/policy.json";
  const std::string strict = kPolicy;
  testing_command::write_text(policy, strict);
  commit();
  testing_command::write_text(policy,
                              R"({"format":"perfgate-policy","version":1,"tolerance":"50%"})");
  expect(gate(SLOWER_EXE, "--trusted HEAD"), Exit::kRegression, "tolerance 2 %");
  for (const char* loose :
       {"--tolerance 50%", "--alpha 0.0001", "--filter one", "--hide-limit 90%", "--rounds 6",
        "--slice 0.1ms", "--seed 1", "--numbers", "--allow toolchain_mismatch",
        "--second-clock report", "--second-clock off", "--plausibility off",
        "--unchecked-speedup 0", "--unchecked-speedup 6"}) {
    expect(gate(SLOWER_EXE, std::string("--trusted HEAD ") + loose), Exit::kUsage,
           "may only tighten");
  }
  for (const char* loose : {"--bootstrap", "--suspected warn"}) {
    expect(gate(SLOWER_EXE, std::string("--trusted HEAD ") + loose), Exit::kUsage, "lets pass");
  }
  expect(perfgate(std::string("gate --baseline baselines --trusted HEAD --budget 1s --candidate ") +
                  SLOWER_EXE),
         Exit::kUsage, "less finds less");
  expect(gate(SLOWER_EXE, "--trusted HEAD --tolerance 1%"), Exit::kRegression, "tolerance 1 %");
  expect(gate(SLOWER_EXE, "--trusted nowhere"), Exit::kData, "git does not know");
  expect(perfgate(std::string("gate --trusted HEAD --baseline ") + QUICK_EXE + " --candidate " +
                  SLOWER_EXE),
         Exit::kUsage, "--trusted needs a store");
}

// Starting again does not undo a regression, pools rounds where it was unclear, and shows a ledger
// with a line removed.
TEST_F(StoreTest, ALedgerOfAttempts) {
  const auto attempt = [&](const char* candidate, const char* rounds) {
    return perfgate(std::string("gate --baseline ") + QUICK_EXE + " --candidate " + candidate +
                    " --slice 1ms --pairs 1 --ledger attempts --rounds " + rounds);
  };
  expect(attempt(SLOWER_EXE, "6"), Exit::kInconclusive, "can only pass");
  expect(attempt(SLOWER_EXE, "6"), Exit::kRegression, "attempt 2 on these executables");
  const Finished again = attempt(SLOWER_EXE, "6");
  expect(again, Exit::kRegression, "decided by 10 rounds measured before");
  EXPECT_THAT(again.err, Not(HasSubstr("round 1"))) << "a regression is final: nothing is measured";
  shell("sed -i 1d attempts/ledger.jsonl");
  expect(attempt(SLOWER_EXE, "6"), Exit::kInvalid, "lines were removed");
  shell("rm attempts/ledger.jsonl");
  expect(attempt(SINGLE_EXE, "6"), Exit::kNotComparable, "missing");
  const auto session = shell("ls -t attempts/*.json | head -1").out;
  shell("printf ' ' >> " + session);
  expect(attempt(SINGLE_EXE, "6"), Exit::kInvalid, "digest mismatch");
}

// What passed for one case, or under another tolerance, has not passed for what is asked now.
TEST_F(StoreTest, ALedgerAnswersOnlyWhatItWasAsked) {
  const auto attempt = [&](const std::string& more) {
    return perfgate(std::string("gate --baseline ") + QUICK_EXE + " --candidate " + SLOWER_EXE +
                    " --slice 1ms --pairs 1 --ledger attempts --rounds 10 " + more);
  };
  expect(attempt("--filter one --tolerance 50%"), Exit::kPass, "1 no_regression");
  expect(attempt("--filter one --tolerance 50%"), Exit::kPass, "decided by 6 rounds");
  expect(attempt("--tolerance 50%"), Exit::kNotComparable, "had other cases");
  expect(attempt("--suite other"), Exit::kNotComparable, "under the suite name \"\"");
  expect(attempt("--filter two --suite other --tolerance 50%"), Exit::kPass, "1 no_regression");
  const Finished strict = attempt("--filter one");
  expect(strict, Exit::kRegression, "it goes on from 6 rounds");
  expect(attempt("--filter one --tolerance 50%"), Exit::kRegression, "decided by");
}

// Killed when it does not please: what it had seen counts all the same.
TEST_F(StoreTest, AnAttemptThatWasKilledIsNotForgotten) {
  const auto attempt = [&](const char* rounds) {
    return perfgate(std::string("gate --baseline ") + QUICK_EXE + " --candidate " + SLOWER_EXE +
                    " --slice 1ms --pairs 1 --ledger attempts --rounds " + rounds);
  };
  expect(attempt("6"), Exit::kInconclusive, "can only pass");
  shell("sed -i '$d' attempts/ledger.jsonl");  // as if killed before it wrote its end
  expect(attempt("6"), Exit::kRegression, "it goes on from 6 rounds measured before; 1 attempt(s)");
}

TEST_F(StoreTest, GatesOnOneLedgerWaitForEachOther) {
  const std::string gate = std::string("'") + PERFGATE_EXE + "' gate --baseline " + QUICK_EXE +
                           " --candidate " + SLOWER_EXE +
                           " --slice 1ms --pairs 1 --ledger attempts --rounds 6";
  shell("{ " + gate + " >a.out 2>a.err & " + gate + " >b.out 2>b.err; wait; }");
  const std::string out =
      testing_command::read_text(folder_ / "a.out") + testing_command::read_text(folder_ / "b.out");
  EXPECT_THAT(out, HasSubstr("attempt 2 on these executables: it goes on from 6 rounds"));
  EXPECT_THAT(out, HasSubstr("Exit 10"));
}

TEST_F(StoreTest, PruneKeepsTheNewest) {
  record(QUICK_EXE, "--sessions 3");
  expect(perfgate("baseline prune --keep 1"), Exit::kPass, "removed 2 session(s)");
  expect(perfgate("baseline verify"), Exit::kPass, "1 session(s)");
  expect(perfgate("baseline prune"), Exit::kUsage, "--keep");
  expect(perfgate("baseline prune --keep 0"), Exit::kPass, "removed 1");
  expect(gate(SLOWER_EXE), Exit::kNotComparable, "pruned");
}

}  // namespace
}  // namespace perfgate
