// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/text/shell_words.h"

#include <optional>

#include "perfgate/base/error.h"
#include "perfgate/base/text/join.h"

namespace perfgate::inline base {
namespace {

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\n'; }

// Steps over the word that begins at `at`.
class WordReader {
 public:
  WordReader(std::string_view text, const std::string& what) : text_(text), what_(what) {}

  std::optional<std::string> Next() {
    while (at_ < text_.size() && IsBlank(text_[at_])) ++at_;
    if (at_ == text_.size()) return std::nullopt;
    std::string word;
    while (at_ < text_.size() && !IsBlank(text_[at_])) {
      const char c = text_[at_++];
      if (c == '\'') {
        ReadQuoted('\'', word);
      } else if (c == '"') {
        ReadQuoted('"', word);
      } else if (c == '\\') {
        word += Escaped();
      } else {
        word += c;
      }
    }
    return word;
  }

 private:
  [[noreturn]] void Refuse(const std::string& problem) const {
    throw Error(Exit::kUsage, what_ + " " + ShellWord(std::string(text_)) + ": " + problem);
  }

  char Escaped() {
    if (at_ == text_.size()) Refuse("it ends in a backslash, which quotes nothing");
    return text_[at_++];
  }

  void ReadQuoted(char quote, std::string& word) {
    while (at_ < text_.size() && text_[at_] != quote) {
      const char c = text_[at_++];
      const bool escapes = quote == '"' && c == '\\' && at_ < text_.size() &&
                           (text_[at_] == '"' || text_[at_] == '\\');
      word += escapes ? text_[at_++] : c;
    }
    if (at_ == text_.size()) Refuse(std::string("a quote is open: ") + quote + " is missing");
    ++at_;
  }

  std::string_view text_;
  const std::string& what_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<std::string> SplitShellWords(std::string_view text, const std::string& what) {
  WordReader reader(text, what);
  std::vector<std::string> words;
  while (auto word = reader.Next()) words.push_back(std::move(*word));
  return words;
}

std::string ShellWord(const std::string& word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%^";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string ShellLine(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) AppendItem(line, ShellWord(word), " ");
  return line;
}

}  // namespace perfgate::inline base
