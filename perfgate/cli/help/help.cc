// SPDX-License-Identifier: Apache-2.0
// perfgate help, completion and manual: all of it is written from the commands and options.
#include <algorithm>
#include <memory>

#include "perfgate/base/text/join.h"
#include "perfgate/cli/commands.h"
#include "perfgate/cli/help/command_tree.h"
#include "perfgate/cli/help/completion.h"
#include "perfgate/cli/help/manual.h"
#include "perfgate/cli/help/topics.h"
#include "perfgate/cli/options/nearest.h"
#include "perfgate/cli/options/outputs.h"

namespace perfgate::cli {
namespace {

// The words of a command, "baseline record", from the root on; null where there is none.
CLI::App* FindCommand(CLI::App& root, const std::vector<std::string>& words) {
  CLI::App* command = &root;
  for (const std::string& word : words) {
    const auto subs =
        command->get_subcommands([&](const CLI::App* sub) { return sub->get_name() == word; });
    if (subs.empty()) return nullptr;
    command = subs.front();
  }
  return command;
}

[[noreturn]] void RefuseTopic(const CLI::App& root, const std::vector<std::string>& words) {
  std::vector<std::string> known;
  for (const CLI::App* sub : root.get_subcommands([](const CLI::App*) { return true; })) {
    known.push_back(sub->get_name());
  }
  for (const Topic& topic : Topics()) known.emplace_back(topic.name);
  const std::string word = Join(words, " ");
  const std::string nearest = nearest_word(word, known);
  throw Error(Exit::kUsage, "there is no help on '" + word + "'" +
                                (nearest.empty() ? "" : "; did you mean '" + nearest + "'?") +
                                "\nTry 'perfgate help'.");
}

Exit Help(CLI::App& root, const std::vector<std::string>& words) {
  if (words.size() == 1 && !TopicText(words.front()).empty()) {
    print(TopicText(words.front()) + "\n");
    return Exit::kPass;
  }
  CLI::App* command = FindCommand(root, words);
  if (command == nullptr) RefuseTopic(root, words);
  // App::help() would descend into this very subcommand, which is the one that was parsed.
  std::string text = command->get_formatter()->make_help(
      command, words.empty() ? "perfgate" : "perfgate " + Join(words, " "),
      CLI::AppFormatMode::Normal);
  if (words.empty()) {
    text += "\nperfgate help TOPIC:\n";
    for (const Topic& topic : Topics()) {
      constexpr std::size_t kColumn = 28;
      std::string line = "  " + std::string(topic.name);
      line.resize(std::max(line.size() + 1, kColumn), ' ');
      text += line + std::string(topic.title) + "\n";
    }
  }
  print(text);
  return Exit::kPass;
}

Exit Complete(const CLI::App& root, const std::string& shell) {
  const std::vector<CommandText> commands = CommandsOf(root);
  print(shell == "bash"  ? BashCompletion(commands)
        : shell == "zsh" ? ZshCompletion(commands)
                         : FishCompletion(commands));
  return Exit::kPass;
}

struct ManualOptions {
  std::vector<std::string> words;
  std::string folder;
};

Exit Manual(const CLI::App& root, const ManualOptions& options) {
  const std::vector<CommandText> commands = CommandsOf(root);
  const std::vector<std::string>& words = options.words;
  if (!options.folder.empty()) {
    for (const CommandText& command : commands) {
      write_output(options.folder + "/" + ManualName(command.path) + ".1",
                   ManualPage(commands, command, PERFGATE_VERSION));
    }
    return Exit::kPass;
  }
  const std::string path = Join(words, " ");
  const auto command = std::find_if(commands.begin(), commands.end(),
                                    [&](const CommandText& c) { return c.path == path; });
  if (command == commands.end()) RefuseTopic(root, words);
  print(ManualPage(commands, *command, PERFGATE_VERSION));
  return Exit::kPass;
}

}  // namespace

Command add_help(CLI::App& app) {
  auto words = std::make_shared<std::vector<std::string>>();
  app.add_option("TOPIC", *words, "A command, or a topic that `perfgate help` lists");
  CLI::App* root = app.get_parent();
  return [words, root] { return Help(*root, *words); };
}

Command add_completion(CLI::App& app) {
  auto shell = std::make_shared<std::string>();
  app.add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  CLI::App* root = app.get_parent();
  return [shell, root] { return Complete(*root, *shell); };
}

Command add_manual(CLI::App& app) {
  auto options = std::make_shared<ManualOptions>();
  app.add_option("COMMAND", options->words, "The command; perfgate itself where none is named");
  app.add_option("--folder", options->folder, "Write the pages of all commands to this folder")
      ->check(CLI::ExistingDirectory);
  CLI::App* root = app.get_parent();
  return [options, root] { return Manual(*root, *options); };
}

}  // namespace perfgate::cli
