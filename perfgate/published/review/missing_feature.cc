// SPDX-License-Identifier: Apache-2.0
#include "perfgate/published/review/missing_feature.h"

#include <algorithm>
#include <array>

namespace perfgate::published {
namespace {

// The words in front of a name, as the tools write them. The first that occurs decides.
struct Pattern {
  std::string_view before;
  MissingKind kind;
};
constexpr std::array<Pattern, 20> kPatterns = {{
    {"unrecognized arguments: ", MissingKind::kFlag},           // argparse
    {"unrecognized command-line option ", MissingKind::kFlag},  // gcc
    {"unrecognized command line option ", MissingKind::kFlag},  // older gcc
    {"unrecognized option ", MissingKind::kFlag},               // getopt_long
    {"unknown argument: ", MissingKind::kFlag},                 // clang
    {"unknown option: ", MissingKind::kFlag},                   //
    {"unknown option ", MissingKind::kFlag},                    //
    {"unknown flag: ", MissingKind::kFlag},                     // Go
    {"unexpected argument ", MissingKind::kFlag},               // clap
    {"No such option: ", MissingKind::kFlag},                   // click
    {"No module named ", MissingKind::kModule},                 // Python
    {"fatal error: ", MissingKind::kHeader},                    // "x.h: No such file or directory"
    {"undefined reference to ", MissingKind::kSymbol},          // ld
    {"undefined symbol: ", MissingKind::kSymbol},               // ld.so, lld
    {"symbol lookup error: ", MissingKind::kSymbol},            //
    {"cannot import name ", MissingKind::kSymbol},              // Python
    {"has no attribute ", MissingKind::kSymbol},                // Python
    {"got an unexpected keyword argument ", MissingKind::kSymbol},  // Python
    {"has no member named ", MissingKind::kSymbol},                 // gcc
    {"use of undeclared identifier ", MissingKind::kSymbol},        // clang
}};

bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// `undefined reference to `a::b(int)'`, 'No module named "x.y"': the text between quotes, else up
// to the next blank.
std::string name_at(std::string_view text) {
  constexpr std::string_view kOpen = "'`\"";
  while (!text.empty() && (text.front() == ' ' || text.front() == ':')) text.remove_prefix(1);
  if (text.starts_with("\xE2\x80\x98")) {  // gcc's quotes in UTF-8
    text.remove_prefix(3);
    return std::string(text.substr(0, text.find("\xE2\x80\x99")));
  }
  if (text.empty()) return "";
  if (kOpen.find(text.front()) != std::string_view::npos) {
    text.remove_prefix(1);
    return std::string(text.substr(0, text.find_first_of(kOpen)));
  }
  return std::string(text.substr(0, text.find_first_of(" \t,;")));
}

std::optional<MissingName> missing_in(const std::string& line) {
  for (const Pattern& pattern : kPatterns) {
    const std::size_t at = line.find(pattern.before);
    if (at == std::string::npos) continue;
    MissingName missing{pattern.kind,
                        name_at(std::string_view(line).substr(at + pattern.before.size())), line};
    if (pattern.kind == MissingKind::kHeader) {
      if (line.find("No such file", at) == std::string::npos) continue;
      while (missing.name.ends_with(':')) missing.name.pop_back();
    }
    if (!missing.name.empty()) return missing;
  }
  return std::nullopt;
}

// What is compared: a flag without its value, a symbol without parameters and scopes, a module or a
// header as it is.
std::string bare(MissingKind kind, std::string name) {
  if (kind == MissingKind::kFlag) return name.substr(0, name.find('='));
  if (kind != MissingKind::kSymbol) return name;
  name = name.substr(0, name.find('('));
  const std::size_t scope = name.find_last_of(":.");
  return scope == std::string::npos ? name : name.substr(scope + 1);
}

// "vllm.foo" is introduced with "vllm.foo.bar" and "vllm/foo.py".
bool is_same_module(std::string_view missing, std::string introduced) {
  if (introduced.ends_with(".py")) introduced.resize(introduced.size() - 3);
  std::replace(introduced.begin(), introduced.end(), '/', '.');
  return missing == introduced || introduced.starts_with(std::string(missing) + ".");
}

bool is_introduced(const MissingName& missing, const std::string& introduced) {
  if (missing.kind == MissingKind::kModule) return is_same_module(missing.name, introduced);
  if (missing.kind == MissingKind::kHeader) {
    return introduced == missing.name || introduced.ends_with("/" + missing.name);
  }
  return bare(missing.kind, missing.name) == bare(missing.kind, introduced);
}

bool has_word(std::string_view text, std::string_view word) {
  const auto inside = [&](std::size_t at) { return at < text.size() && is_name_char(text[at]); };
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    const bool begins = at == 0 || !inside(at - 1) || !is_name_char(word.front());
    if (begins && !inside(at + word.size())) return true;
  }
  return false;
}

}  // namespace

std::optional<MissingName> FindMissingName(const std::vector<std::string>& log) {
  for (const std::string& line : log) {
    if (auto missing = missing_in(line)) return missing;
  }
  return std::nullopt;
}

std::optional<MissingName> FindMissingFeature(const std::vector<std::string>& log,
                                              const std::vector<std::string>& introduces) {
  for (const std::string& line : log) {
    const auto missing = missing_in(line);
    if (missing && std::any_of(introduces.begin(), introduces.end(), [&](const std::string& name) {
          return is_introduced(*missing, name);
        })) {
      return missing;
    }
  }
  return std::nullopt;
}

bool Introduces(std::string_view diff, std::string_view name) {
  if (name.empty()) return false;
  bool added = false;
  while (!diff.empty()) {
    const std::size_t end = std::min(diff.find('\n'), diff.size());
    const std::string_view line = diff.substr(0, end);
    diff.remove_prefix(std::min(end + 1, diff.size()));
    // "--- a/x" and "+++ b/x" name files: of the old state and of the new one.
    if (!has_word(line, name)) continue;
    if (line.starts_with('+')) {
      added = true;
    } else if (line.starts_with('-') || line.starts_with(' ')) {
      return false;
    }
  }
  return added;
}

}  // namespace perfgate::published
