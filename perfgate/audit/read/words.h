// SPDX-License-Identifier: Apache-2.0
// words.h: labels of tables as words, and what operations they name.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace perfgate::audit {

std::string lower(std::string_view text);
std::string_view trimmed(std::string_view text);

// "Ratio Mean (custom/frontend)" -> ratio, mean, custom, frontend: runs of letters and digits,
// lower case, camel case left alone.
std::vector<std::string> words_of(std::string_view text);

// "Ext/Int Latency" -> "ext_int_latency".
std::string slug(std::string_view text);

// Without a plural ending: "profiles" -> "profile", "boxes" -> "boxe" (good enough to compare two).
std::string singular(std::string_view word);

// "six" or "6" -> 6; -1 for other words.
int counted(std::string_view word);

// What a label says about how its numbers came about.
struct Naming {
  bool ratio = false;             // ratio, speedup, "a/b", "x faster"
  bool difference = false;        // delta, diff, change, saved
  bool sum = false;               // total, sum
  bool mean = false;              // mean, average
  bool percent = false;           // %, percent, share
  bool whole = false;             // overall, all, total: a row over the other rows
  bool extreme = false;           // min, max, median, geomean, p99: words for rows
  std::set<std::string> content;  // the words that name no operation
};
Naming naming(std::string_view label);

// Whether one is a front of the other, with at least three letters: "int" and "internal".
bool similar(std::string_view a, std::string_view b);

// Whether every word of `words` is similar to one of the label's.
bool named_in(const std::set<std::string>& words, std::string_view label);
bool mentions(std::string_view label, std::string_view word);

}  // namespace perfgate::audit
