// SPDX-License-Identifier: Apache-2.0
// What a gate rests on beside the measurement: key, change, ledger, revision and input files.
// Whatever is put in their place under a key, the gate does not end with 0. The executables report
// constant times: `slower` is 20 % slower than `quick`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "perfgate/evidence/files/files.h"
#include "perfgate/verdict/verdict_file.h"
#include "tests/perfgate/cli/run_command.h"
#include "tests/perfgate/evidence/mutations.h"
#include "tests/perfgate/evidence/secret_key.h"

namespace perfgate {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing_command::code;
using testing_command::Command;
using testing_command::Finished;
using testing_command::TemporaryFolder;

class RootsTest : public testing::Test {
 protected:
  RootsTest() { sample::WriteKeyFile(folder_ / "key"); }

  Finished Shell(const std::string& line) const {
    Command command;
    command.arguments = {"/bin/sh", "-c", "cd '" + folder_.path() + "' && " + line};
    return run_command(command);
  }
  Finished Perfgate(const std::string& arguments) const {
    return Shell(std::string("'") + PERFGATE_EXE + "' " + arguments);
  }
  // An executable of other bytes that does the same.
  std::string Padded(const std::string& executable, const std::string& name) const {
    fs::copy_file(fs::path(folder_.path()) / executable, folder_ / name,
                  fs::copy_options::overwrite_existing);
    Shell("printf '\\0' >> " + name);
    return name;
  }
  Finished Gate(const std::string& candidate, const std::string& more) const {
    return Perfgate(std::string("gate --baseline ") + QUICK_EXE + " --candidate " + candidate +
                    " --suite quick --slice 1ms --pairs 1 --rounds 10 --verbose " + more);
  }
  void Expect(const Finished& finished, Exit exit, const std::string& part) const {
    EXPECT_EQ(finished.exit_code, code(exit)) << finished.out << finished.err;
    EXPECT_THAT(finished.out + finished.err,
                AllOf(HasSubstr(part), Not(HasSubstr(sample::kSecretBytes))));
  }
  std::string Text(const std::string& name) const {
    return testing_command::read_text(folder_ / name);
  }
  void Write(const std::string& name, const std::string& text) const {
    testing_command::write_text(folder_ / name, text);
  }

  TemporaryFolder folder_;
};

TEST_F(RootsTest, AKeyFileMustBePrivate) {
  Expect(Gate(SLOWER_EXE, "--key none"), Exit::kData, "none: cannot be read");
  ::chmod((folder_ / "key").c_str(), 0644);
  Expect(Gate(SLOWER_EXE, "--key key"), Exit::kUsage, "chmod 600 key");
  Expect(Perfgate("report --key key v.json"), Exit::kUsage, "chmod 600 key");
  Write("short", "0123456789");
  ::chmod((folder_ / "short").c_str(), 0600);
  Expect(Gate(SLOWER_EXE, "--key short"), Exit::kData, "at least 16 bytes");
}

TEST_F(RootsTest, VerdictAndSessionAreSigned) {
  Expect(Gate(SLOWER_EXE, "--key key --json v.json --session s.json --change 7 --repository r"),
         Exit::kRegression, "7 of r");
  const SuiteVerdict verdict = read_verdict(folder_ / "v.json", folder_ / "key");
  EXPECT_EQ(verdict.change, "7");
  EXPECT_EQ(verdict.repository, "r");
  EXPECT_THAT(verdict.session_digest, testing::StartsWith("sha256:"));
  const std::string sum = Shell("sha256sum s.json").out.substr(0, 64);
  EXPECT_EQ(verdict.session_digest, "sha256:" + sum);

  Expect(Perfgate("report --key key --change 7 --suite quick v.json"), Exit::kPass, "Exit 10");
  Expect(Perfgate("report --key key --decide s.json"), Exit::kPass, "Exit 10");
  Expect(Perfgate("report --key key --change 8 v.json"), Exit::kInvalid, "/change: is \"7\"");
  Expect(Perfgate("report --key key --suite other v.json"), Exit::kInvalid, "/suite");
  Expect(Perfgate("report --change 7 s.json"), Exit::kUsage, "is no verdict");
  sample::WriteKeyFile(folder_ / "other", "this is not the key of the gate");
  Expect(Perfgate("report --key other v.json"), Exit::kInvalid, "not that of this key");
  for (const char* file : {"v.json", "s.json"}) {
    json unsigned_file = json::parse(Text(file));
    unsigned_file.erase("signature");
    Write(file, unsigned_file.dump());
    Expect(Perfgate(std::string("report --key key ") + file), Exit::kInvalid, "there is none");
    Expect(Perfgate(std::string("report ") + file), Exit::kPass, "cli_quick_slower");
  }
}

TEST_F(RootsTest, ReportConcludesAgain) {
  Expect(Gate(SLOWER_EXE, "--json v.json"), Exit::kRegression, "regression");
  json verdict = json::parse(Text("v.json"));
  verdict["exit"] = 12;
  Write("v.json", verdict.dump());
  Expect(Perfgate("report v.json"), Exit::kInvalid, "/exit: is 12");
  verdict["exit"] = 10;
  verdict["summary"] = "2 no_regression";
  Write("v.json", verdict.dump());
  Expect(Perfgate("report v.json"), Exit::kInvalid, "/summary: is \"2 no_regression\"");
}

// Another build of a change is measured for itself, and is no fresh chance.
TEST_F(RootsTest, APaddedByteIsNoFreshExperiment) {
  const std::string ledger = " --tolerance 25% --ledger l --key key --change 7 --repository r";
  Expect(Gate(SLOWER_EXE, ledger + " --tolerance 2%"), Exit::kRegression, "regression");
  const Finished second = Gate(Padded(SLOWER_EXE, "second"), ledger + " --json v.json");
  Expect(second, Exit::kPass, "candidate 2 of change 7: of the 1 before it 0 passed");
  EXPECT_THAT(testing_command::unwrapped(second.out), HasSubstr("passes at level 0.005"));
  EXPECT_EQ(read_verdict(folder_ / "v.json").schedule.earlier_candidates, 1);
  const Finished few = Gate(Padded("second", "third"), ledger + " --rounds 6");
  Expect(few, Exit::kInconclusive, "candidate 3 of change 7: of the 2 before it 1 passed");
  Expect(Gate(Padded("second", "fourth"), ledger + " --suite renamed"), Exit::kNotComparable,
         "repeat --suite quick");
  const Finished other = Gate(Padded("fourth", "fifth"),
                              " --tolerance 25% --ledger l --key key --change 8 --repository r");
  Expect(other, Exit::kPass, "no_regression");
  EXPECT_THAT(other.out, Not(HasSubstr("candidate 2")));
  Expect(Gate(SLOWER_EXE, ledger), Exit::kRegression, "decided by 10 rounds");
}

TEST_F(RootsTest, TheRepositoryIsAskedOfGit) {
  Expect(Gate(SLOWER_EXE, "--change 7"), Exit::kUsage, "--repository");
  Expect(Gate(SLOWER_EXE, "--repository r"), Exit::kUsage, "give --change too");
  Expect(Gate(SLOWER_EXE, "--ledger-head ab"), Exit::kUsage, "give --ledger too");
  Shell(
      "git init -q . && git config user.email a@b && git config user.name n && "
      "git commit -q --allow-empty -m start");
  const std::string root = Shell("git rev-parse HEAD").out.substr(0, 40);
  Expect(Gate(SLOWER_EXE, "--change 7 --json v.json"), Exit::kRegression, "7 of root:");
  EXPECT_EQ(read_verdict(folder_ / "v.json").repository, "root:" + root);
  Shell("git remote add origin https://user:secret@example.org/project.git");
  Expect(Gate(SLOWER_EXE, "--change 7 --json v.json"), Exit::kRegression, "7 of https");
  EXPECT_EQ(read_verdict(folder_ / "v.json").repository, "https://example.org/project.git");
}

TEST_F(RootsTest, ALedgerThatWasTamperedWithIsInvalid) {
  const std::string ledger = "--tolerance 50% --ledger l --key key --json v.json";
  Expect(Gate(SLOWER_EXE, ledger), Exit::kPass, "no_regression");
  const std::string head = read_verdict(folder_ / "v.json").ledger_head;
  EXPECT_THAT(head, testing::StartsWith("hmac-sha256:"));
  const std::string expected = " --ledger-head " + head;
  Expect(Gate(SLOWER_EXE, ledger + expected), Exit::kPass, "decided by");
  Expect(Gate(SLOWER_EXE, "--tolerance 50% --ledger l"), Exit::kInvalid, "with --key FILE");
  Shell("cp -r l whole");
  const std::string spoil[] = {"sed -i '$d' l/ledger.jsonl",
                               "sed -i 1d l/ledger.jsonl",
                               "rm l/ledger.jsonl",
                               "rm l/ledger.head",
                               "rm l/ledger.*",
                               "sed -i 's/\"exit\":0/\"exit\":10/' l/ledger.jsonl",
                               "sed -i 's/0.0001/0.0002/' l/*.json",
                               "rm l/*.json"};
  for (const std::string& line : spoil) {
    Shell("rm -rf l && cp -r whole l && " + line);
    EXPECT_EQ(Gate(SLOWER_EXE, ledger).exit_code, code(Exit::kInvalid)) << line;
  }
  Shell("rm -rf l");
  Expect(Gate(SLOWER_EXE, ledger + expected), Exit::kInvalid, "--ledger-head");
  EXPECT_FALSE(fs::exists(folder_ / "l")) << "nothing is begun in its place";
  Gate(SLOWER_EXE, "--tolerance 50% --ledger l");
  Expect(Gate(SLOWER_EXE, ledger), Exit::kInvalid, "is not signed");
}

TEST_F(RootsTest, APolicyMustBeSigned) {
  Write("p.json", R"({"format":"perfgate-policy","version":1,"tolerance":"50%"})");
  Expect(Gate(SLOWER_EXE, "--policy p.json"), Exit::kPass, "tolerance 50 %");
  Expect(Gate(SLOWER_EXE, "--policy p.json --key key"), Exit::kInvalid, "perfgate sign");
  Expect(Perfgate("sign --key key p.json"), Exit::kPass, "signed p.json");
  Expect(Gate(SLOWER_EXE, "--policy p.json --key key"), Exit::kPass, "tolerance 50 %");
  Shell("sed -i 's/50%/60%/' p.json");
  Expect(Gate(SLOWER_EXE, "--policy p.json --key key"), Exit::kInvalid, "not that of this key");
  Expect(Gate(SLOWER_EXE, "--json v.json"), Exit::kRegression, "regression");
  Expect(Perfgate("sign --key key v.json"), Exit::kData, "perfgate-policy");
}

TEST_F(RootsTest, AStoreMustBeSigned) {
  const std::string record =
      std::string("baseline record ") + QUICK_EXE +
      " --suite quick --rounds 2 --slice 1ms --pairs 1 --gap 0s --commit abc";
  const auto gate = [&](const std::string& more) {
    return Perfgate(std::string("gate --baseline baselines --candidate ") + QUICK_EXE +
                    " --rounds 10 --slice 1ms --pairs 1 " + more);
  };
  Expect(Perfgate(record), Exit::kPass, "recorded");
  Expect(gate(""), Exit::kPass, "identical executable");
  Expect(gate("--key key"), Exit::kInvalid, "is not signed");
  Shell("rm -rf baselines");
  Expect(Perfgate(record + " --key key"), Exit::kPass, "recorded");
  Expect(gate("--key key"), Exit::kPass, "identical executable");
  Expect(gate(""), Exit::kInvalid, "give that key");
  Expect(Perfgate("baseline verify --key key"), Exit::kPass, "ok ");
  Shell(
      "echo '{\"format\":\"perfgate-policy\",\"version\":1,\"tolerance\":\"50%\"}' > "
      "baselines/*/quick/policy.json || for d in baselines/*/quick; do echo "
      "'{\"format\":\"perfgate-policy\",\"version\":1}' > $d/policy.json; done");
  Expect(gate("--key key"), Exit::kInvalid, "policy.json: was changed, added or removed");
}

TEST_F(RootsTest, ATrustedNameIsResolvedOnceAndSaid) {
  Shell(
      "git init -q -b main . && git config user.email a@b && git config user.name n && "
      "echo key > .git/info/exclude && git commit -q --allow-empty -m start");
  Expect(Perfgate(std::string("baseline record ") + QUICK_EXE +
                  " --suite quick --rounds 2 --slice 1ms --pairs 1 --gap 0s"),
         Exit::kPass, "recorded");
  Shell("git add -A -f baselines && git commit -q -m baseline");
  const std::string commit = Shell("git rev-parse HEAD").out.substr(0, 40);
  const auto gate = [&](const std::string& trusted) {
    return Perfgate(std::string("gate --baseline baselines --candidate ") + SLOWER_EXE +
                    " --rounds 10 --json v.json --trusted " + trusted);
  };
  const std::string warning =
      "main is a name that can move: it was " + commit + "; give the full commit id";
  const Finished named = gate("main");
  EXPECT_EQ(named.exit_code, code(Exit::kRegression)) << named.err;
  EXPECT_THAT(testing_command::unwrapped(named.out), HasSubstr(warning));
  EXPECT_THAT(named.err, HasSubstr("--trusted main is the commit " + commit));
  const SuiteVerdict verdict = read_verdict(folder_ / "v.json");
  EXPECT_EQ(verdict.trusted_commit, commit);
  EXPECT_THAT(verdict.warnings, testing::Contains(warning));

  const Finished full = gate(commit + " --key key");
  EXPECT_EQ(full.exit_code, code(Exit::kRegression)) << full.err << "an id vouches for the store";
  EXPECT_THAT(full.out, AllOf(HasSubstr(commit), Not(HasSubstr("name that can move"))));
  EXPECT_THAT(testing_command::unwrapped(gate(commit.substr(0, 12)).out),
              HasSubstr("name that can move"));
  Expect(gate("nowhere"), Exit::kData, "git does not know the commit nowhere");
}

// What is no regular file of its kind is refused at once, by what it is.
TEST_F(RootsTest, OddInputFilesAreRefusedAtOnce) {
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  fs::create_directory(folder_ / "folder");
  fs::create_symlink("loop", folder_ / "loop");
  Write("huge", "{");
  fs::resize_file(folder_ / "huge", std::uintmax_t{1} << 40);
  const std::pair<const char*, const char*> inputs[] = {{"pipe", "a named pipe"},
                                                        {"/dev/zero", "a device"},
                                                        {"folder", "a folder"},
                                                        {"loop", "a symbolic link"},
                                                        {"huge", "1099511627776 bytes"}};
  for (const auto& [file, what] : inputs) {
    const std::string name = file;
    Expect(Perfgate("report " + name), Exit::kData, what);
    Expect(Gate(SLOWER_EXE, "--policy " + name), Exit::kData, what);
    Expect(Gate(SLOWER_EXE, "--key " + name), Exit::kData, what);
    Expect(Perfgate("sign --key key " + name), Exit::kData, what);
    if (name != "folder") {
      Expect(Perfgate("import " + name), Exit::kData, name == "loop" ? "links" : what);
    }
    fs::create_directories(folder_ / "l");
    fs::remove(folder_ / "l/ledger.jsonl");
    fs::create_symlink(fs::absolute(folder_ / name), folder_ / "l/ledger.jsonl");
    Expect(Gate(SLOWER_EXE, "--ledger l"), Exit::kData, "a symbolic link");
  }
  Write("real.json", R"({"format":"perfgate-policy","version":1})");
  fs::create_symlink("real.json", folder_ / "linked.json");
  Expect(Gate(SLOWER_EXE, "--policy linked.json"), Exit::kData, "name that");
}

// A key in force: no damage to what a failed gate left behind makes report or the next gate pass.
TEST_F(RootsTest, NoDamageTurnsGreen) {
  const std::string again = "--ledger l --key key --change 7 --repository r";
  Expect(Gate(SLOWER_EXE, again + " --json v.json --session s.json"), Exit::kRegression, "Exit 10");
  Shell("cp l/*.json kept.json");
  std::mt19937 random(20260515);
  const int count = std::max(1, sample::MutationCount() / 20);  // each starts a process
  for (const std::string file : {"l/ledger.jsonl", "l/ledger.head"}) {
    const std::string whole = Text(file);
    for (int i = 0; i < count; ++i) {
      const std::string mutant = sample::Mutated(whole, random);
      Write(file, mutant);
      EXPECT_NE(Gate(SLOWER_EXE, again).exit_code, 0) << file << ": " << mutant;
    }
    Write(file, whole);
  }
  for (const std::string file : {"v.json", "s.json"}) {
    const std::string whole = Text(file);
    for (int i = 0; i < count; ++i) {
      const std::string mutant = sample::Mutated(whole, random);
      Write(file, mutant);
      const Finished shown = Perfgate("report --decide --key key " + file);
      const bool same = json::parse(mutant, nullptr, false) == json::parse(whole);
      EXPECT_EQ(shown.exit_code == 0, same) << file << ": " << mutant;
    }
  }
}

}  // namespace
}  // namespace perfgate
