// SPDX-License-Identifier: Apache-2.0
// What a terminal gets: colours and its whole width; and what a pipe gets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <sstream>

#include "tests/perfgate/cli/run_perfgate.h"

namespace perfgate {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing_command::run_perfgate;
using testing_command::TemporaryFolder;

// What perfgate writes to a terminal of that many columns.
std::string OnTerminal(unsigned short columns, const std::vector<std::string>& arguments,
                       const std::string& no_color = "") {
  winsize size{};
  size.ws_row = 24;
  size.ws_col = columns;
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, &size);
  if (child == 0) {
    setenv("TERM", "xterm", 1);
    setenv("NO_COLOR", no_color.c_str(), 1);
    std::vector<std::string> words = arguments;
    words.insert(words.begin(), PERFGATE_EXE);
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    execv(PERFGATE_EXE, pointers.data());
    _exit(127);
  }
  std::string text;
  std::array<char, 4096> buffer{};
  for (ssize_t got = 0; (got = read(terminal, buffer.data(), buffer.size())) > 0;) {
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  close(terminal);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0) << text;
  std::erase(text, '\r');
  return text;
}

std::size_t LongestLine(const std::string& text) {
  std::istringstream lines(text);
  std::size_t longest = 0;
  for (std::string line; std::getline(lines, line);) longest = std::max(longest, line.size());
  return longest;
}

// A session of two arms, whose names are short.
std::string SessionFile(const TemporaryFolder& folder) {
  const std::string file = folder / "session.json";
  const testing_command::Finished finished =
      run_perfgate({"gate", QUICK_CASES_EXE, SLOWER_EXE, "--rounds", "6", "--slice", "1ms",
                    "--json", file, "--plausibility", "off", "--second-clock", "off"});
  EXPECT_THAT(finished.out, HasSubstr("quick/one"));
  EXPECT_THAT(finished.out, Not(HasSubstr("\x1b")));
  return file;
}

TEST(Terminal, HasColoursAndItsWidth) {
  const TemporaryFolder folder;
  const std::string file = SessionFile(folder);
  EXPECT_THAT(OnTerminal(100, {"report", file}), HasSubstr("\x1b["));
  EXPECT_THAT(OnTerminal(100, {"report", file}, "1"), Not(HasSubstr("\x1b[")));
  EXPECT_THAT(OnTerminal(100, {"report", file, "--color=never"}), Not(HasSubstr("\x1b[")));
  EXPECT_THAT(OnTerminal(100, {"report", file, "--no-color"}), Not(HasSubstr("\x1b[")));
  EXPECT_THAT(OnTerminal(100, {"report", file, "--color"}, "1"), HasSubstr("\x1b["));
  constexpr std::array<unsigned short, 5> kColumns = {40, 60, 80, 120, 250};
  for (const unsigned short columns : kColumns) {
    const std::string text = OnTerminal(columns, {"report", file, "--verbose", "--no-color"});
    EXPECT_LE(LongestLine(text), columns) << text;
    EXPECT_THAT(text, HasSubstr("quick/one"));
    EXPECT_THAT(text, HasSubstr("quick/two"));
  }
}

TEST(Terminal, APipeGetsColoursOnlyWhenAsked) {
  const TemporaryFolder folder;
  const std::string file = SessionFile(folder);
  EXPECT_THAT(run_perfgate({"report", file}).out, Not(HasSubstr("\x1b[")));
  EXPECT_THAT(run_perfgate({"report", file, "--color"}).out, HasSubstr("\x1b["));
  EXPECT_THAT(run_perfgate({"report", file, "--color=always"}).out, HasSubstr("\x1b["));
  const testing_command::Finished wrong = run_perfgate({"report", file, "--color=pink"});
  EXPECT_EQ(wrong.exit_code, testing_command::code(Exit::kUsage));
  EXPECT_THAT(wrong.err, HasSubstr("pink"));
}

}  // namespace
}  // namespace perfgate
