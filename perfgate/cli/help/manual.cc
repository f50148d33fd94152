// SPDX-License-Identifier: Apache-2.0
#include "perfgate/cli/help/manual.h"

#include <algorithm>

#include "perfgate/base/text/join.h"
#include "perfgate/cli/help/examples.h"
#include "perfgate/cli/help/topics.h"

namespace perfgate::cli {
namespace {

// Text that troff prints as it is.
std::string Troff(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n')) result += "\\&";
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
  }
  return result;
}

// Lines as they stand.
std::string Verbatim(std::string_view text) { return ".nf\n" + Troff(text) + "\n.fi\n"; }

std::string Synopsis(const CommandText& command) {
  std::string text = ".B perfgate" + (command.path.empty() ? "" : " " + command.path) + "\n";
  text += "[\\fIOPTION\\fR]...";
  if (!command.subcommands.empty()) text += " \\fICOMMAND\\fR";
  for (const OptionText& option : command.options) {
    if (option.is_positional) text += " \\fI" + Troff(option.names.front()) + "\\fR";
  }
  return text + "\n";
}

std::string OptionsOf(const CommandText& command) {
  std::vector<std::string> groups;
  for (const OptionText& option : command.options) {
    const std::string group = option.is_positional ? "Arguments" : option.group;
    if (std::find(groups.begin(), groups.end(), group) == groups.end()) groups.push_back(group);
  }
  std::string text;
  for (const std::string& group : groups) {
    text += ".SS " + Troff(group) + "\n";
    for (const OptionText& option : command.options) {
      if ((option.is_positional ? "Arguments" : option.group) != group) continue;
      text += ".TP\n\\fB" + Troff(Join(option.names)) + "\\fR";
      text += option.takes_value && !option.is_positional ? " \\fIVALUE\\fR\n" : "\n";
      text += Troff(option.description) + "\n";
    }
  }
  return text.empty() ? "" : ".SH OPTIONS\n" + text;
}

std::string CommandList(const std::vector<CommandText>& commands, const CommandText& command) {
  std::string text;
  for (const std::string& sub : command.subcommands) {
    const std::string path = command.path.empty() ? sub : command.path + " " + sub;
    const auto child = std::find_if(commands.begin(), commands.end(),
                                    [&](const CommandText& c) { return c.path == path; });
    text += ".TP\n\\fB" + Troff(ManualName(path)) + "\\fR(1)\n" + Troff(child->description) + "\n";
  }
  return text.empty() ? "" : ".SH COMMANDS\n" + text;
}

}  // namespace

std::string ManualName(const std::string& path) {
  std::string name = "perfgate" + (path.empty() ? "" : "-" + path);
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

std::string ManualPage(const std::vector<CommandText>& commands, const CommandText& command,
                       const std::string& version) {
  const std::string name = ManualName(command.path);
  std::string text = ".TH " + name + R"( 1 "" "perfgate )" + version + "\" \"perfgate\"\n";
  text += ".SH NAME\n" + Troff(name) + " \\- " + Troff(command.description) + "\n";
  text += ".SH SYNOPSIS\n" + Synopsis(command);
  text += CommandList(commands, command) + OptionsOf(command);
  if (!command.footer.empty()) text += ".SH NOTES\n" + Verbatim(command.footer);
  text += ".SH EXIT STATUS\n" + Verbatim(TopicText("exit-codes"));
  text += ".SH SEE ALSO\n.BR perfgate (1)";
  if (!command.path.empty()) text += "; the documents in share/doc/perfgate";
  return text + "\n";
}

}  // namespace perfgate::cli
