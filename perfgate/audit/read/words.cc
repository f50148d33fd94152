// SPDX-License-Identifier: Apache-2.0
#include "perfgate/audit/read/words.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace perfgate::audit {
namespace {

bool letter_or_digit(char c) {
  const auto u = static_cast<unsigned char>(c);
  return (u >= '0' && u <= '9') || (u >= 'a' && u <= 'z') || (u >= 'A' && u <= 'Z') || u >= 0x80;
}

template <std::size_t N>
bool one_of(std::string_view word, const std::array<std::string_view, N>& list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

constexpr std::array<std::string_view, 7> kRatio = {"ratio",  "speedup",  "slowdown", "speedups",
                                                    "ratios", "relative", "factor"};
constexpr std::array<std::string_view, 9> kDifference = {
    "delta", "diff", "difference", "change", "saved", "saving", "gain", "improvement", "overhead"};
constexpr std::array<std::string_view, 4> kSum = {"total", "sum", "totals", "combined"};
constexpr std::array<std::string_view, 4> kMean = {"mean", "average", "avg", "means"};
constexpr std::array<std::string_view, 4> kPercent = {"percent", "percentage", "pct", "share"};
constexpr std::array<std::string_view, 4> kWhole = {"overall", "all", "aggregate", "combined"};
constexpr std::array<std::string_view, 6> kExtreme = {"min",     "max",     "median",
                                                      "minimum", "maximum", "geomean"};
// Words that say nothing about which columns were combined.
constexpr std::array<std::string_view, 10> kFiller = {"of", "the",  "to",  "vs", "over",
                                                      "in", "from", "and", "by", "x"};

}  // namespace

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : text) {
    if (letter_or_digit(c)) {
      word += c;
    } else if (!word.empty()) {
      words.push_back(lower(word));
      word.clear();
    }
  }
  if (!word.empty()) words.push_back(lower(word));
  return words;
}

std::string slug(std::string_view text) {
  std::string result;
  for (const std::string& word : words_of(text)) result += (result.empty() ? "" : "_") + word;
  return result;
}

std::string singular(std::string_view word) {
  std::string result = lower(word);
  if (result.size() > 3 && result.ends_with("ies")) {
    result.replace(result.size() - 3, 3, "y");
  } else if (result.size() > 2 && result.ends_with('s') && !result.ends_with("ss")) {
    result.pop_back();
  }
  return result;
}

int counted(std::string_view word) {
  constexpr std::array<std::string_view, 13> kNumbers = {"zero", "one",    "two",   "three", "four",
                                                         "five", "six",    "seven", "eight", "nine",
                                                         "ten",  "eleven", "twelve"};
  const std::string text = lower(word);
  const auto* const found = std::find(kNumbers.begin(), kNumbers.end(), text);
  if (found != kNumbers.end()) return static_cast<int>(found - kNumbers.begin());
  int value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value >= 0 ? value : -1;
}

Naming naming(std::string_view label) {
  Naming result;
  const std::vector<std::string> words = words_of(label);
  for (const std::string& word : words) {
    bool operation = true;
    if (one_of(word, kRatio)) {
      result.ratio = true;
    } else if (one_of(word, kDifference)) {
      result.difference = true;
    } else if (one_of(word, kSum)) {
      result.sum = true;
      result.whole = true;
    } else if (one_of(word, kMean)) {
      result.mean = true;
    } else if (one_of(word, kPercent)) {
      result.percent = true;
    } else if (one_of(word, kExtreme)) {
      result.extreme = true;
    } else if (one_of(word, kWhole)) {
      result.whole = true;
    } else {
      operation = false;
    }
    if (!operation && !one_of(word, kFiller)) result.content.insert(word);
  }
  if (label.find('%') != std::string_view::npos) result.percent = true;
  // "custom/frontend" is a ratio of two names; "ms/step" and "tok/s" are units of one measurement.
  for (std::size_t at = label.find('/'); at != std::string_view::npos;
       at = label.find('/', at + 1)) {
    const std::vector<std::string> before = words_of(label.substr(0, at));
    const std::vector<std::string> after = words_of(label.substr(at + 1));
    if (!before.empty() && !after.empty() && before.back().size() > 2 && after.front().size() > 2 &&
        label.find('/', at + 1) == std::string_view::npos && before.back() != "tok" &&
        before.back() != "req") {
      result.ratio = true;
    }
  }
  return result;
}

bool similar(std::string_view a, std::string_view b) {
  if (a.size() > b.size()) std::swap(a, b);
  if (a == b) return true;
  return a.size() >= 3 && b.starts_with(a);
}

bool mentions(std::string_view label, std::string_view word) {
  const std::vector<std::string> words = words_of(label);
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string& own) { return similar(own, word); });
}

bool named_in(const std::set<std::string>& words, std::string_view label) {
  return std::all_of(words.begin(), words.end(),
                     [&](const std::string& word) { return mentions(label, word); });
}

}  // namespace perfgate::audit
