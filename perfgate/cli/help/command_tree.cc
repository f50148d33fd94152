// SPDX-License-Identifier: Apache-2.0
#include "perfgate/cli/help/command_tree.h"

#include <CLI/CLI.hpp>

namespace perfgate::cli {
namespace {

OptionText TextOf(const CLI::Option& option) {
  OptionText text;
  text.is_positional = option.get_positional();
  if (text.is_positional) {
    text.names.push_back(option.get_single_name());
  } else {
    for (const std::string& name : option.get_lnames()) text.names.push_back("--" + name);
  }
  text.takes_value = option.get_items_expected_min() > 0;
  text.description = option.get_description();
  text.group = option.get_group();
  return text;
}

void Append(const CLI::App& app, const std::string& path, std::vector<CommandText>& commands) {
  CommandText text;
  text.path = path;
  text.description = app.get_description();
  text.footer = app.get_footer();
  for (const CLI::Option* option : app.get_options()) text.options.push_back(TextOf(*option));
  const auto subs = app.get_subcommands([](const CLI::App*) { return true; });
  for (const CLI::App* sub : subs) text.subcommands.push_back(sub->get_name());
  commands.push_back(text);
  for (const CLI::App* sub : subs) {
    Append(*sub, path.empty() ? sub->get_name() : path + " " + sub->get_name(), commands);
  }
}

}  // namespace

std::vector<CommandText> CommandsOf(const CLI::App& root) {
  std::vector<CommandText> commands;
  Append(root, "", commands);
  return commands;
}

}  // namespace perfgate::cli
