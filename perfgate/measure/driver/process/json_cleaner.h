// SPDX-License-Identifier: Apache-2.0
// json_cleaner.h: steps through a document that is nearly JSON and copies its values as JSON.
//
// What Google Benchmark writes and no strict reader takes is put right on the way: raw control
// characters in strings become escapes, bytes that are not UTF-8 the four characters \xNN, NaN and
// Infinity null. Whether the copy makes sense is for the strict reader to say.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace perfgate::measure {

class JsonCleaner {
 public:
  explicit JsonCleaner(std::string_view text) : text_(text) {}

  // Steps over a bracket, a comma or a colon where it comes next.
  bool accept(char wanted);

  // One value of any kind; none where the text ends or makes no sense.
  std::optional<std::string> value();

  // A string, unescaped; none where there is none.
  std::optional<std::string> key();

 private:
  void skip_space();
  bool copy_value(std::string* out, int depth);
  bool copy_members(std::string* out, char open, char close, int depth);
  bool copy_string(std::string* out);
  bool copy_word(std::string* out);

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace perfgate::measure
