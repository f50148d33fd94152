// SPDX-License-Identifier: Apache-2.0
#include "perfgate/cli/help/completion.h"

#include <fmt/format.h>

#include "perfgate/base/text/join.h"

namespace perfgate::cli {
namespace {

std::vector<std::string> OptionNames(const CommandText& command) {
  std::vector<std::string> names;
  for (const OptionText& option : command.options) {
    if (!option.is_positional) names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return names;
}

// In single quotes of a shell, with what zsh and fish read in descriptions made harmless.
std::string Quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') {
      quoted += R"('\'')";
    } else if (c == '[' || c == ']' || c == ':' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

std::string QuotedForFish(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

// A group of the shell's `case` that leads from the words typed so far to a command's path.
std::string PathsOf(const std::vector<CommandText>& commands, const std::string& indent) {
  std::string text;
  for (const CommandText& command : commands) {
    for (const std::string& sub : command.subcommands) {
      const std::string path = command.path.empty() ? sub : command.path + " " + sub;
      text += fmt::format("{}'{}/{}') path='{}' ;;\n", indent, command.path, sub, path);
    }
  }
  return text;
}

const CommandText* Find(const std::vector<CommandText>& commands, const std::string& path) {
  for (const CommandText& command : commands) {
    if (command.path == path) return &command;
  }
  return nullptr;
}

std::string ChildPath(const CommandText& command, const std::string& sub) {
  return command.path.empty() ? sub : command.path + " " + sub;
}

}  // namespace

std::string BashCompletion(const std::vector<CommandText>& commands) {
  std::string text =
      "# bash completion for perfgate, written by `perfgate completion bash`\n"
      "_perfgate() {\n"
      "  local current=${COMP_WORDS[COMP_CWORD]} path='' options='' commands='' i\n"
      "  for ((i = 1; i < COMP_CWORD; ++i)); do\n"
      "    case \"$path/${COMP_WORDS[i]}\" in\n";
  text += PathsOf(commands, "      ");
  text +=
      "    esac\n"
      "  done\n"
      "  case \"$path\" in\n";
  for (const CommandText& command : commands) {
    text += "    '" + command.path + "') options='" + Join(OptionNames(command), " ") + "'";
    if (!command.subcommands.empty()) {
      text += " commands='" + Join(command.subcommands, " ") + "'";
    }
    text += " ;;\n";
  }
  text +=
      "  esac\n"
      "  case $current in\n"
      "    -*) mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$current\") ;;\n"
      "    *) mapfile -t COMPREPLY < <(compgen -W \"$commands\" -- \"$current\") ;;\n"
      "  esac\n"
      "}\n"
      "complete -o default -F _perfgate perfgate\n";
  return text;
}

std::string ZshCompletion(const std::vector<CommandText>& commands) {
  std::string text =
      "#compdef perfgate\n"
      "# zsh completion for perfgate, written by `perfgate completion zsh`\n"
      "_perfgate() {\n"
      "  local path_= i\n"
      "  local -a found\n"
      "  for ((i = 2; i < CURRENT; ++i)); do\n"
      "    case \"$path_/$words[i]\" in\n";
  std::string paths = PathsOf(commands, "      ");
  for (std::size_t at = 0; (at = paths.find(") path=", at)) != std::string::npos; at += 8) {
    paths.insert(at + 6, "_");  // `path` is zsh's own
  }
  text += paths;
  text +=
      "    esac\n"
      "  done\n"
      "  case \"$path_\" in\n";
  for (const CommandText& command : commands) {
    text += "    '" + command.path + "')\n";
    for (const std::string& sub : command.subcommands) {
      const CommandText* child = Find(commands, ChildPath(command, sub));
      text += "      found+=(" + Quoted(sub) + ":" + Quoted(child->description) + ")\n";
    }
    if (!command.subcommands.empty()) {
      text += "      [[ $words[CURRENT] == -* ]] || { _describe command found; return }\n";
    }
    text += "      _arguments '*:file:_files'";
    for (const OptionText& option : command.options) {
      if (option.is_positional) continue;
      for (const std::string& name : option.names) {
        const std::string description = Quoted(option.description);
        text += fmt::format(" \\\n        '*{}{}['{}']{}'", name, option.takes_value ? "=" : "",
                            description, option.takes_value ? ":value:_files" : "");
      }
    }
    text += " ;;\n";
  }
  text +=
      "  esac\n"
      "}\n"
      "if [ \"$funcstack[1]\" = _perfgate ]; then _perfgate \"$@\"; else compdef _perfgate "
      "perfgate; "
      "fi\n";
  return text;
}

std::string FishCompletion(const std::vector<CommandText>& commands) {
  std::string text = "# fish completion for perfgate, written by `perfgate completion fish`\n";
  for (const CommandText& command : commands) {
    std::string condition;
    std::string seen;
    std::string word;
    for (const char c : command.path + " ") {
      if (c != ' ') {
        word += c;
      } else if (!word.empty()) {
        seen += (seen.empty() ? "" : "; and ") + std::string("__fish_seen_subcommand_from ") + word;
        word.clear();
      }
    }
    condition = seen.empty() ? "__fish_use_subcommand" : seen;
    const std::string none =
        command.subcommands.empty() || seen.empty()
            ? condition
            : condition + "; and not __fish_seen_subcommand_from " + Join(command.subcommands, " ");
    for (const std::string& sub : command.subcommands) {
      const CommandText* child = Find(commands, ChildPath(command, sub));
      text += fmt::format("complete -c perfgate -f -n '{}' -a {} -d {}\n", none, sub,
                          QuotedForFish(child->description));
    }
    for (const OptionText& option : command.options) {
      if (option.is_positional) continue;
      for (const std::string& name : option.names) {
        text +=
            fmt::format("complete -c perfgate -n '{}' -l {}{} -d {}\n", condition, name.substr(2),
                        option.takes_value ? " -r" : "", QuotedForFish(option.description));
      }
    }
  }
  return text;
}

}  // namespace perfgate::cli
