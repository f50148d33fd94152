// SPDX-License-Identifier: Apache-2.0
#include "perfgate/gate/commands.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string_view>

#include "perfgate/base/error.h"
#include "perfgate/base/io/read_file.h"
#include "perfgate/base/os/process.h"
#include "perfgate/base/sha256.h"
#include "perfgate/base/text/shell_words.h"
#include "perfgate/measure/command.h"

namespace perfgate::gate {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDefaultShell = "/bin/sh";
constexpr double kSurroundingsLimitS = 3600;

// Characters that a shell would not take as they are, quotes apart.
bool NeedsShell(const std::string& line) {
  return line.find_first_of("|&;<>()$`*?[]#~!{}\n") != std::string::npos;
}

// The file that a shell would execute. Error(kData).
std::string ProgramOf(const std::string& word, const std::string& line) {
  const auto executable = [](const std::string& path) {
    std::error_code error;
    return fs::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
  };
  if (word.find('/') != std::string::npos) {
    if (executable(word)) return fs::absolute(word).string();
  } else {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): nobody changes the environment
    const char* const path = std::getenv("PATH");
    const std::string folders = path != nullptr ? path : "/usr/bin:/bin";
    for (std::size_t begin = 0; begin <= folders.size();) {
      const std::size_t end = std::min(folders.find(':', begin), folders.size());
      std::string file = folders.substr(begin, end - begin) + "/" + word;
      if (executable(file)) return file;
      begin = end + 1;
    }
  }
  throw Error(Exit::kData, "'" + line + "': there is no program " + ShellWord(word) +
                               (NeedsShell(line) ? ""
                                                 : "; for what only a shell knows give "
                                                   "--shell default"));
}

std::string ShellOf(const std::string& line, const std::string& shell) {
  if (shell == "none") return "";
  if (shell == "auto") return NeedsShell(line) ? kDefaultShell : "";
  return shell == "default" ? kDefaultShell : shell;
}

// What is executed for a line.
std::vector<std::string> WordsOf(const std::string& line, const std::string& what,
                                 const std::string& shell) {
  const std::string program = ShellOf(line, shell);
  if (!program.empty()) return {ProgramOf(program, line), "-c", line};
  std::vector<std::string> words = SplitShellWords(line, what);
  if (words.empty()) throw Error(Exit::kUsage, what + ": the command is empty");
  words.front() = ProgramOf(words.front(), line);
  return words;
}

std::string OutputOf(const std::string& output) {
  if (output.empty() || output == "null") return "/dev/null";
  if (output == "inherit") return "/proc/" + std::to_string(::getpid()) + "/fd/1";
  return output;
}

// What tells this arm from every other: the line, what surrounds it, and the program's file.
std::string DigestOf(const measure::Command& command, const CommandRequest& request) {
  std::string text = "command " + command.text + "\n";
  for (const std::string* part :
       {&request.shell, &request.setup, &request.prepare, &request.cleanup, &request.input}) {
    text += *part + "\n";
  }
  return sha256_digest(text + sha256_digest(read_file_text(command.words.front())));
}

void RunOutside(const std::string& line, const std::string& what) {
  const std::vector<std::string> words = WordsOf(line, what, "auto");
  SpawnOptions options;
  options.path = words.front();
  options.args.assign(words.begin() + 1, words.end());
  ChildProcess child(options);
  const bool ended = child.wait_exit(Deadline::in(kSurroundingsLimitS));
  const std::string tail = child.output_tail();
  if (ended && child.status().ok()) return;
  throw Error(Exit::kData, what + " '" + line + "' " +
                               (ended ? child.status().text() : "did not end within an hour") +
                               (tail.empty() ? "" : ": " + tail));
}

}  // namespace

measure::ArmPlan CommandArm(const std::string& label, const std::string& line,
                            const CommandRequest& request) {
  auto command = std::make_shared<measure::Command>();
  command->text = line;
  command->words = WordsOf(line, "--" + label, request.shell);
  if (!request.prepare.empty()) command->prepare = WordsOf(request.prepare, "--prepare", "auto");
  if (!request.input.empty()) {
    if (::access(request.input.c_str(), R_OK) != 0) {
      throw Error(Exit::kData, "--input " + request.input + ": cannot be read");
    }
    command->input = request.input;
  }
  command->output = OutputOf(request.output);
  command->exit_code = request.ignore_failure ? std::nullopt : std::optional(request.exit_code);
  command->case_name = request.name;
  command->threads = request.threads;
  command->compare_output = request.compare_output;
  measure::ArmPlan arm;
  arm.label = label;
  arm.executable.path = line;
  arm.executable.digest = DigestOf(*command, request);
  arm.command = std::move(command);
  return arm;
}

Policy PolicyOfCommands(Policy policy) {
  for (const char* metric : {"user_time", "system_time", "peak_rss"}) {
    policy.cases.insert(policy.cases.begin(),
                        {.match = "*", .metric = metric, .tolerance = std::nullopt, .gate = false});
  }
  policy.layouts = LayoutUse::kOff;
  return policy;
}

CommandSurroundings::CommandSurroundings(const CommandRequest& request) : request_(request) {
  if (!request.setup.empty()) RunOutside(request.setup, "--setup");
}

CommandSurroundings::~CommandSurroundings() {
  if (request_.cleanup.empty()) return;
  try {
    RunOutside(request_.cleanup, "--cleanup");
  } catch (const std::exception&) {
    // What it was to remove may be gone already; the measurement stands.
  }
}

}  // namespace perfgate::gate
