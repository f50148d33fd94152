// SPDX-License-Identifier: Apache-2.0
// perfgate help, completion and manual: what is written from the commands and options.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <sstream>

#include "perfgate/base/error.h"
#include "perfgate/base/text/shell_words.h"
#include "tests/perfgate/cli/run_perfgate.h"

namespace perfgate {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing_command::code;
using testing_command::Command;
using testing_command::Finished;
using testing_command::run_perfgate;
using testing_command::TemporaryFolder;

// The pages that `manual` writes: one for perfgate and for every command.
std::set<std::string> Pages(const TemporaryFolder& folder) {
  EXPECT_EQ(run_perfgate({"manual", "--folder", folder.path()}).exit_code, 0);
  std::set<std::string> pages;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    pages.insert(entry.path().filename().string());
  }
  return pages;
}

// "perfgate-baseline-record.1" as the words that one types.
std::vector<std::string> WordsOf(std::string page) {
  page.resize(page.size() - 2);
  std::vector<std::string> words;
  std::istringstream stream(page);
  for (std::string word; std::getline(stream, word, '-');) words.push_back(word);
  words.erase(words.begin());
  return words;
}

TEST(Help, ListsCommandsInGroupsAndTopics) {
  const Finished help = run_perfgate({"help"});
  EXPECT_EQ(help.exit_code, 0);
  for (const char* text : {"Compare:", "Record and plan:", "Read:", "Prepare:", "Help:", "demo",
                           "gate", "exit-codes", "values", "names", "output", "verdicts"}) {
    EXPECT_THAT(help.out, HasSubstr(text));
  }
}

TEST(Help, KnowsCommandsAndTopics) {
  EXPECT_THAT(run_perfgate({"help", "gate"}).out, HasSubstr("--tolerance"));
  EXPECT_THAT(run_perfgate({"help", "baseline", "record"}).out, HasSubstr("--sessions"));
  EXPECT_THAT(run_perfgate({"help", "values"}).out, HasSubstr("1.5h"));
  EXPECT_THAT(run_perfgate({"help", "exit-codes"}).out, HasSubstr("77  skipped"));
  const Finished unknown = run_perfgate({"help", "gat"});
  EXPECT_EQ(unknown.exit_code, code(Exit::kUsage));
  EXPECT_THAT(unknown.err, HasSubstr("did you mean 'gate'?"));
}

// Each command's help has two examples, and they use words that the command knows.
TEST(Help, HasTwoExamplesForEveryCommand) {
  const TemporaryFolder folder;
  for (const std::string& page : Pages(folder)) {
    std::vector<std::string> words = WordsOf(page);
    if (words.empty()) continue;
    words.emplace_back("--help");
    const std::string help = run_perfgate(words).out;
    SCOPED_TRACE(page);
    const std::size_t at = help.find("Examples:\n");
    ASSERT_NE(at, std::string::npos);
    std::istringstream lines(help.substr(at));
    int examples = 0;
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("  ") || line.starts_with("   ")) continue;
      ++examples;
      const std::size_t option = line.find(" --");
      if (words.front() == "doctor" || line.find("perfgate " + words.front()) != 2) continue;
      for (std::size_t o = option; o != std::string::npos; o = line.find(" --", o + 1)) {
        const std::string name = line.substr(o + 1, line.find_first_of(" =", o + 1) - o - 1);
        if (name == "--") continue;
        EXPECT_THAT(help, HasSubstr(name)) << line;
      }
    }
    EXPECT_EQ(examples, 2);
  }
}

TEST(Manual, HasAPageForEveryCommandThatTroffReads) {
  const TemporaryFolder folder;
  const std::set<std::string> pages = Pages(folder);
  EXPECT_THAT(pages, testing::Contains("perfgate.1"));
  EXPECT_THAT(pages, testing::Contains("perfgate-baseline-record.1"));
  EXPECT_GE(pages.size(), 20U);
  if (testing_command::run_program("/bin/sh", {"-c", "command -v groff"}).exit_code != 0) {
    GTEST_SKIP() << "no groff";
  }
  for (const std::string& page : pages) {
    const Finished groff = testing_command::run_program(
        "/bin/sh", {"-c", "groff -man -ww -z -Tascii '" + (folder / page) + "'"});
    EXPECT_EQ(groff.err, "") << page;
  }
}

// What bash offers after these words, the last of which is being typed.
std::string Offered(const std::string& script, const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += ShellWord(word) + " ";
  return testing_command::run_program(
             "/bin/bash", {"-c", "source " + script + "; COMP_WORDS=(" + line +
                                     "); COMP_CWORD=" + std::to_string(words.size() - 1) +
                                     "; _perfgate; printf '%s\\n' \"${COMPREPLY[@]}\""})
      .out;
}

TEST(Completion, OffersCommandsAndOptionsInBash) {
  if (!std::filesystem::exists("/bin/bash")) GTEST_SKIP() << "no bash";
  const TemporaryFolder folder;
  const std::string script = folder / "perfgate.bash";
  testing_command::write_text(script, run_perfgate({"completion", "bash"}).out);
  EXPECT_EQ(Offered(script, {"perfgate", "ga"}), "gate\n");
  EXPECT_EQ(Offered(script, {"perfgate", "gate", "--toler"}), "--tolerance\n");
  EXPECT_EQ(Offered(script, {"perfgate", "baseline", "rec"}), "record\n");
  EXPECT_EQ(Offered(script, {"perfgate", "baseline", "prune", "--ke"}), "--key\n--keep\n");
  EXPECT_EQ(Offered(script, {"perfgate", "gate", "old", "--all"}), "--all\n--allow\n");
}

TEST(Completion, IsReadByEveryShell) {
  const TemporaryFolder folder;
  for (const std::string shell : {"bash", "zsh", "fish"}) {
    const Finished finished = run_perfgate({"completion", shell});
    EXPECT_EQ(finished.exit_code, 0);
    EXPECT_THAT(finished.out, HasSubstr("tolerance"));
    testing_command::write_text(folder / shell, finished.out);
    const Finished read = testing_command::run_program(
        "/bin/sh", {"-c", "command -v " + shell + " >/dev/null || exit 0; exec " + shell + " -n " +
                              (folder / shell)});
    EXPECT_EQ(read.exit_code, 0) << read.err;
    EXPECT_EQ(read.err, "") << shell;
  }
  EXPECT_EQ(run_perfgate({"completion", "tcsh"}).exit_code, code(Exit::kUsage));
}

}  // namespace
}  // namespace perfgate
