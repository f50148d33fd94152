// SPDX-License-Identifier: Apache-2.0
// perfgate relink: one link command in, a folder of layouts out.
#include "perfgate/layouts/relink.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <thread>

#include "perfgate/base/os/interrupt.h"
#include "perfgate/base/text/enum_words.h"
#include "perfgate/cli/commands.h"
#include "perfgate/cli/options/options.h"
#include "perfgate/cli/options/outputs.h"
#include "perfgate/evidence/files/input_kinds.h"

namespace perfgate::cli {
namespace {

struct RelinkOptions {
  layouts::RelinkRequest request;
  std::vector<std::string> command;
  std::string command_file;
  std::vector<std::string> library_files;
  std::string linker = "auto";
  std::optional<int> jobs;
};

// A file that keeps a link command: the folder that it runs in, then its arguments, each ended by a
// zero byte.
LinkCommand ReadCommandFile(const std::string& path) {
  const std::string text = ReadInputFile(path, kSettingsFile);
  std::vector<std::string> words;
  std::size_t begin = 0;
  for (std::size_t end = text.find('\0'); end != std::string::npos; end = text.find('\0', begin)) {
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  if (words.size() < 2 || begin != text.size()) {
    throw Error(Exit::kData, path + ": is no kept link command; build the target once again");
  }
  return {words.front(), {words.begin() + 1, words.end()}};
}

LinkCommand CommandOf(const RelinkOptions& options) {
  if (options.command.empty() == options.command_file.empty()) {
    throw Error(Exit::kUsage,
                "give the link command, as in: perfgate relink --output DIR -- c++ a.o b.o -o "
                "my_bench");
  }
  if (!options.command_file.empty()) return ReadCommandFile(options.command_file);
  return {std::filesystem::current_path().string(), options.command};
}

std::optional<Shuffling> ShufflingOf(const std::string& linker) {
  for (const Shuffling shuffling : {Shuffling::kLld, Shuffling::kMold, Shuffling::kOrder}) {
    if (linker == to_string(shuffling)) return shuffling;
  }
  return std::nullopt;
}

Exit RunRelinkCommand(const RelinkOptions& options) {
  layouts::RelinkRequest request = options.request;
  request.command = CommandOf(options);
  for (const std::string& file : options.library_files) {
    request.libraries.push_back(ReadCommandFile(file));
  }
  request.shuffling = ShufflingOf(options.linker);
  request.at_once = static_cast<std::size_t>(
      options.jobs ? *options.jobs
                   : std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
  const InterruptScope interrupts;
  const bool terminal = ::isatty(STDERR_FILENO) != 0;
  const layouts::RelinkResult result =
      layouts::Relink(request, [&](std::size_t done, std::size_t all) {
        if (terminal)
          std::fprintf(stderr, "\rlinked %zu of %zu%s", done, all, done == all ? "\n" : "");
      });
  for (const std::string& note : result.notes) std::fprintf(stderr, "perfgate: %s\n", note.c_str());
  const LayoutSet& set = result.folder.set;
  print(fmt::format("{}: {} layouts of {} by {} ({}), {} linked now, {} kept\n", result.folder.path,
                    set.layouts.size() - 1, set.name, to_string(set.shuffling), set.linker,
                    result.linked, result.kept));
  return Exit::kPass;
}

}  // namespace

Command add_relink(CLI::App& app) {
  auto options = std::make_shared<RelinkOptions>();
  layouts::RelinkRequest& request = options->request;
  app.add_option("COMMAND", options->command, "The command that links the benchmark, after --")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option("--output", request.folder, "Folder of the layouts")
      ->required()
      ->check(not_empty());
  app.add_option("--count", request.count, "Layouts beside the link as it is [40]");
  app.add_option("--linker", options->linker,
                 "How to shuffle: lld, mold, order (whole object files, any linker) or auto [auto]")
      ->check(CLI::IsMember({"auto", "lld", "mold", "order"}));
  app.add_option("--jobs", options->jobs, "Links at a time [one per processor]")
      ->check(CLI::Range(1, 1024));
  app.add_option("--command-file", options->command_file,
                 "File with the link command, as perfgate_add_layouts keeps it")
      ->check(not_empty());
  app.add_option("--library", options->library_files,
                 "File with the link command of a shared library to shuffle as well; repeatable")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->check(not_empty());
  app.add_flag("--later", request.later,
               "Link only the link as it is; a gate links the rest when it needs them");
  app.footer(
      "Example: perfgate relink --count 40 --output new.layouts -- c++ -O2 a.o b.o -lbenchmark -o "
      "my_bench\nCompile with -ffunction-sections -fdata-sections. A gate takes the folder for the "
      "executable.");
  return [options] { return RunRelinkCommand(*options); };
}

}  // namespace perfgate::cli
