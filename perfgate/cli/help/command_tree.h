// SPDX-License-Identifier: Apache-2.0
// command_tree.h: commands and options as values, for everything that is written from them.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace perfgate::cli {

struct OptionText {
  std::vector<std::string> names;  // "--tolerance"; of a positional one its name, "BIN"
  bool is_positional = false;
  bool takes_value = false;
  std::string description;
  std::string group;
};

struct CommandText {
  std::string path;  // "gate", "baseline record"; empty for perfgate itself
  std::string description;
  std::string footer;
  std::vector<std::string> subcommands;  // their last words
  std::vector<OptionText> options;
};

// perfgate itself, then every command with its subcommands behind it.
std::vector<CommandText> CommandsOf(const CLI::App& root);

}  // namespace perfgate::cli
