// SPDX-License-Identifier: Apache-2.0
#include "perfgate/study/task/preflight.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <set>

#include "perfgate/base/error.h"
#include "perfgate/base/io/read_file.h"
#include "perfgate/base/json/strict_json.h"
#include "perfgate/base/text/number_text.h"

namespace perfgate::study {
namespace {

constexpr std::array<std::string_view, 14> kKnownVariables = {"HOME",
                                                              "PATH",
                                                              "PWD",
                                                              "OLDPWD",
                                                              "TMPDIR",
                                                              "LANG",
                                                              "LC_ALL",
                                                              "TZ",
                                                              "IFS",
                                                              "SHELL",
                                                              "SOURCE_DATE_EPOCH",
                                                              "PPID",
                                                              "CUDA_VISIBLE_DEVICES",
                                                              "LD_LIBRARY_PATH"};
constexpr std::array<std::string_view, 8> kContextOptions = {
    "--max-model-len", "--ctx-size", "--context-length", "--n-ctx",
    "--max-seq-len",   "--num-ctx",  "--context-size",   "--max-context-length"};

bool IsWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool StandsAlone(std::string_view text, std::size_t at, std::size_t size) {
  return (at == 0 || !IsWord(text[at - 1])) &&
         (at + size >= text.size() || !IsWord(text[at + size]));
}

// "<MODEL>", where no blank stands inside, and no redirection begins with it.
std::string AngledPlaceholder(std::string_view text) {
  for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at + 1)) {
    if (at + 1 >= text.size() || std::isalpha(static_cast<unsigned char>(text[at + 1])) == 0) {
      continue;
    }
    std::size_t end = at + 1;
    while (end < text.size() && (IsWord(text[end]) || text[end] == '-')) ++end;
    if (end < text.size() && text[end] == '>' && (at == 0 || !IsWord(text[at - 1]))) {
      return std::string(text.substr(at, end + 1 - at));
    }
  }
  return {};
}

std::string Placeholder(std::string_view text) {
  const std::size_t open = text.find("{{");
  if (open != std::string_view::npos) {
    const std::size_t close = text.find("}}", open);
    if (close != std::string_view::npos) return std::string(text.substr(open, close + 2 - open));
  }
  for (const std::string_view word :
       {"TODO", "FIXME", "CHANGEME", "YOUR_MODEL", "MODEL_NAME_HERE"}) {
    const std::size_t at = text.find(word);
    if (at != std::string_view::npos && StandsAlone(text, at, word.size()))
      return std::string(word);
  }
  if (text.find("/path/to/") != std::string_view::npos) return "/path/to/";
  return AngledPlaceholder(text);
}

std::string PlaceholderTrouble(std::string_view text) {
  const std::string found = Placeholder(text);
  return found.empty() ? found : "the placeholder " + found + " was never filled in";
}

// Whether the command gives the variable a value itself: NAME=, for NAME, read NAME.
bool IsSetIn(std::string_view command, std::string_view name) {
  for (std::size_t at = command.find(name); at != std::string_view::npos;
       at = command.find(name, at + 1)) {
    if (!StandsAlone(command, at, name.size())) continue;
    const std::size_t end = at + name.size();
    if (end < command.size() && command[end] == '=' && (at == 0 || command[at - 1] != '$')) {
      return true;
    }
    const std::string_view before = command.substr(0, at);
    if (before.ends_with("for ") || before.ends_with("read ")) return true;
  }
  return false;
}

// A variable at `at`, where a $ stands; empty: it is none, or one with a default.
std::string_view VariableAt(std::string_view command, std::size_t at) {
  const bool braced = at + 1 < command.size() && command[at + 1] == '{';
  const std::size_t begin = at + (braced ? 2 : 1);
  std::size_t end = begin;
  while (end < command.size() && IsWord(command[end])) ++end;
  if (end == begin || std::isdigit(static_cast<unsigned char>(command[begin])) != 0) return {};
  if (braced && end < command.size() && command[end] != '}') return {};
  return command.substr(begin, end - begin);
}

bool IsKnownVariable(std::string_view name) {
  return std::find(kKnownVariables.begin(), kKnownVariables.end(), name) != kKnownVariables.end();
}

// Quotes, brackets and variables as a shell reads them.
class ShellScan {
 public:
  std::string Trouble(std::string_view command) {
    // `case` closes brackets that nothing opened.
    const bool brackets = command.find("case ") == std::string_view::npos;
    for (std::size_t at = 0; at < command.size(); ++at) {
      const char c = command[at];
      if (c == '\\' && quote_ != '\'') {
        ++at;
      } else if (quote_ == '\'') {
        if (c == '\'') quote_ = 0;
      } else if (c == '#' && quote_ == 0 &&
                 (at == 0 || std::isspace(static_cast<unsigned char>(command[at - 1])) != 0)) {
        at = std::min(command.find('\n', at), command.size()) - 1;
      } else if (c == '"') {
        quote_ = quote_ == '"' ? 0 : '"';
      } else if (c == '\'' && quote_ == 0) {
        quote_ = c;
      } else if (c == '$') {
        const std::string_view name = VariableAt(command, at);
        if (!name.empty() && !IsKnownVariable(name) && !IsSetIn(command, name)) {
          return "the variable $" + std::string(name) + " has no value in the sandbox";
        }
      } else if (brackets && quote_ == 0 && !Follow(c)) {
        return std::string("the bracket ") + c + " closes nothing";
      }
    }
    if (quote_ != 0) return std::string("the quote ") + quote_ + " is not closed";
    if (!open_.empty()) return std::string("the bracket ") + open_.back() + " is not closed";
    return {};
  }

 private:
  bool Follow(char c) {
    constexpr std::string_view kOpen = "([{";
    constexpr std::string_view kClose = ")]}";
    if (kOpen.find(c) != std::string_view::npos) open_ += c;
    const std::size_t kind = kClose.find(c);
    if (kind == std::string_view::npos) return true;
    if (open_.empty() || open_.back() != kOpen[kind]) return false;
    open_.pop_back();
    return true;
  }

  char quote_ = 0;
  std::string open_;
};

std::string OptionName(std::string_view argument) {
  std::string name(argument.substr(0, argument.find('=')));
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

// "32k" is 32768 tokens.
std::optional<std::int64_t> TokensOf(std::string_view text) {
  const auto number = leading_number(text);
  constexpr double kMost = 1e12;
  if (!number || number->first < 0 || number->first > kMost) return std::nullopt;
  constexpr double kThousand = 1024;
  const bool thousands = number->second == "k" || number->second == "K";
  if (!thousands && !number->second.empty()) return std::nullopt;
  return static_cast<std::int64_t>(number->first * (thousands ? kThousand : 1));
}

std::set<std::string> OptionsIn(std::string_view help) {
  std::set<std::string> names;
  for (std::size_t at = help.find("--"); at != std::string_view::npos;
       at = help.find("--", at + 2)) {
    std::size_t end = at + 2;
    while (end < help.size() && (IsWord(help[end]) || help[end] == '-')) ++end;
    if (end > at + 2) names.insert(OptionName(help.substr(at, end - at)));
  }
  return names;
}

// What every benchmark of the library has.
bool IsOfLibrary(const std::string& option) {
  return option.starts_with("--benchmark-") || option == "--v" || option == "--help";
}

// The context of a model that lies in a folder, from its config.json.
std::optional<std::int64_t> ContextOfFolder(const std::string& model) {
  const std::filesystem::path file = std::filesystem::path(model) / "config.json";
  std::error_code failed;
  if (model.empty() || !std::filesystem::is_regular_file(file, failed)) return std::nullopt;
  try {
    const nlohmann::json config =
        parse_strict_json(read_small_file(file.string()), file.string(), NonFinite::kKeep);
    const auto found = config.find("max_position_embeddings");
    if (found != config.end() && found->is_number_integer()) return found->get<std::int64_t>();
  } catch (const Error&) {
    return std::nullopt;  // it states nothing that can be read
  }
  return std::nullopt;
}

}  // namespace

std::string TroubleInShellCommand(std::string_view command) {
  const std::string placeholder = PlaceholderTrouble(command);
  return placeholder.empty() ? ShellScan().Trouble(command) : placeholder;
}

std::string TroubleInArgument(std::string_view argument) {
  const std::string placeholder = PlaceholderTrouble(argument);
  if (!placeholder.empty()) return placeholder;
  for (std::size_t at = argument.find('$'); at != std::string_view::npos;
       at = argument.find('$', at + 1)) {
    const std::string_view name = VariableAt(argument, at);
    if (name.empty()) continue;
    return "$" + std::string(name) + " stays as it is, since no shell reads the arguments";
  }
  const auto count = [&](char c) { return std::count(argument.begin(), argument.end(), c); };
  for (const auto& [open, close] :
       {std::pair('(', ')'), std::pair('[', ']'), std::pair('{', '}')}) {
    if (count(open) != count(close)) {
      return std::string("the brackets ") + open + close + " of " + std::string(argument) +
             " do not match";
    }
  }
  if (count('"') % 2 != 0) return "the quote \" of " + std::string(argument) + " is not closed";
  return {};
}

std::string TroubleWithContext(std::span<const std::string> arguments, std::int64_t stated) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string name = OptionName(arguments[i]);
    if (std::find(kContextOptions.begin(), kContextOptions.end(), name) == kContextOptions.end()) {
      continue;
    }
    const std::size_t sign = arguments[i].find('=');
    std::string_view value;
    if (sign != std::string::npos) value = std::string_view(arguments[i]).substr(sign + 1);
    if (sign == std::string::npos && i + 1 < arguments.size()) value = arguments[i + 1];
    const auto tokens = TokensOf(value);
    if (!tokens || *tokens <= stated) continue;
    return name + " asks for a context of " + std::to_string(*tokens) +
           " tokens, and the model states " + std::to_string(stated);
  }
  return {};
}

std::string TroubleWithOptions(std::span<const std::string> arguments, std::string_view help) {
  const std::set<std::string> known = OptionsIn(help);
  if (std::all_of(known.begin(), known.end(), IsOfLibrary)) return {};
  for (const std::string& argument : arguments) {
    if (!argument.starts_with("--") || argument == "--") continue;
    const std::string name = OptionName(argument);
    if (IsOfLibrary(name) || known.contains(name)) continue;
    return "the program's own --help does not know " + argument.substr(0, argument.find('='));
  }
  return {};
}

std::string TroubleInTask(const Task& task) {
  for (const auto& [what, command] :
       {std::pair("build", &task.build), std::pair("test", &task.test)}) {
    const std::string trouble = TroubleInShellCommand(*command);
    if (!trouble.empty()) return std::string(what) + ": " + trouble;
  }
  const std::string bench = TroubleInArgument(task.bench);
  if (!bench.empty()) return "bench: " + bench;
  for (const std::string& argument : task.arguments) {
    const std::string trouble = TroubleInArgument(argument);
    if (!trouble.empty()) return "arguments: " + trouble;
  }
  const auto stated = task.context ? task.context : ContextOfFolder(task.model);
  const std::string context = stated ? TroubleWithContext(task.arguments, *stated) : "";
  return context.empty() ? context : "arguments: " + context;
}

}  // namespace perfgate::study
