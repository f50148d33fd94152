// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/json/strict_json.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include "perfgate/base/error.h"
#include "perfgate/base/io/read_file.h"
#include "perfgate/base/text/utf8.h"

namespace perfgate::inline base {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxDepth = 64;

// An input iterator that tells how far the parser has read, which the SAX events do not.
struct CountingIterator {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  const char* at = nullptr;
  const char** furthest = nullptr;

  reference operator*() const { return *at; }
  CountingIterator& operator++() {
    ++at;
    *furthest = at;
    return *this;
  }
  bool operator==(const CountingIterator& other) const { return at == other.at; }
  bool operator!=(const CountingIterator& other) const { return at != other.at; }
};

// "file:line:column", both counted from 1, columns in bytes.
std::string place(std::string_view text, std::size_t offset, const std::string& where) {
  const std::string_view before = text.substr(0, offset);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t newline = before.rfind('\n');
  const std::size_t column = newline == std::string_view::npos ? offset : offset - newline - 1;
  return where + ":" + std::to_string(line) + ":" + std::to_string(column + 1);
}

// The run of letters and signs around `offset`: the word that stopped the parser.
std::string word_around(std::string_view text, std::size_t offset) {
  const auto belongs = [&](std::size_t i) {
    const auto c = static_cast<unsigned char>(text[i]);
    return std::isalpha(c) != 0 || c == '-' || c == '+';
  };
  std::size_t begin = std::min(offset, text.size());
  std::size_t end = begin;
  while (begin > 0 && belongs(begin - 1)) --begin;
  while (end < text.size() && belongs(end)) ++end;
  std::string word(text.substr(begin, end - begin));
  std::transform(word.begin(), word.end(), word.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return word;
}

bool is_non_finite_word(std::string word) {
  if (!word.empty() && (word[0] == '-' || word[0] == '+')) word.erase(0, 1);
  return word == "nan" || word == "inf" || word == "infinity";
}

// A bare word that stands for a number which is not finite.
struct BareWord {
  std::size_t end = 0;  // just behind it
  double value = 0;
};

bool is_before_value(char c) {
  return c == ':' || c == ',' || c == '[' || std::isspace(static_cast<unsigned char>(c)) != 0;
}

// Takes the words out of `text` and leaves zeros of the same length, so that places stay right.
std::vector<BareWord> blank_bare_words(std::string& text) {
  std::vector<BareWord> words;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (in_string && text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      in_string = !in_string;
    } else if (!in_string && std::isalpha(static_cast<unsigned char>(text[i])) != 0) {
      std::size_t end = i;
      while (end < text.size() && std::isalnum(static_cast<unsigned char>(text[end])) != 0) ++end;
      const std::size_t sign = i > 0 && text[i - 1] == '-' ? 1 : 0;
      const bool alone = i == sign || is_before_value(text[i - sign - 1]);
      const std::string word = word_around(text, i);
      if (alone && end - i + sign == word.size() && is_non_finite_word(word)) {
        const double magnitude = word.find("nan") != std::string::npos
                                     ? std::numeric_limits<double>::quiet_NaN()
                                     : std::numeric_limits<double>::infinity();
        words.push_back({end, sign == 1 ? -magnitude : magnitude});
        text.replace(i, end - i, "0e" + std::string(end - i - 2, '0'));
      }
      i = end - 1;
    }
  }
  return words;
}

// Builds the document while refusing what plain JSON parsers let through.
class StrictBuilder {
 public:
  using number_integer_t = json::number_integer_t;
  using number_unsigned_t = json::number_unsigned_t;
  using number_float_t = json::number_float_t;
  using string_t = json::string_t;
  using binary_t = json::binary_t;

  StrictBuilder(std::string_view text, const std::string& where, const char* const& furthest,
                std::vector<BareWord> bare_words)
      : text_(text), where_(where), furthest_(furthest), bare_words_(std::move(bare_words)) {}

  json take() { return std::move(root_); }

  bool null() { return add(nullptr) != nullptr; }
  bool boolean(bool value) { return add(value) != nullptr; }
  bool number_integer(number_integer_t value) { return add(value) != nullptr; }
  bool number_unsigned(number_unsigned_t value) { return add(value) != nullptr; }
  bool number_float(number_float_t value, const string_t&) {
    // Tokens come in order and the lexer looks one character ahead, never over the next token.
    if (next_word_ < bare_words_.size() && read_so_far() >= bare_words_[next_word_].end) {
      value = bare_words_[next_word_++].value;
    }
    return add(value) != nullptr;
  }
  bool string(string_t& value) { return add(std::move(value)) != nullptr; }
  bool binary(binary_t&) { return false; }
  bool start_object(std::size_t) { return open(json::object()); }
  bool start_array(std::size_t) { return open(json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(string_t& name) {
    json& object = *open_.back();
    if (object.contains(name)) {
      throw Error(Exit::kInvalid,
                  here() + ": " + pointer() + "the key " + json(name).dump() +
                      " appears twice in one object, so its value is anybody's choice; "
                      "restore the file from the run that wrote it");
    }
    slot_ = &object[name];
    return true;
  }

  bool parse_error(std::size_t position, const std::string& token,
                   const nlohmann::detail::exception& error) {
    const std::size_t offset = position == 0 ? 0 : position - 1;
    if (is_non_finite_word(word_around(text_, std::min(position, text_.size())))) {
      throw Error(Exit::kInvalid, place(text_, offset, where_) +
                                      ": NaN and infinite numbers are not evidence; expected a "
                                      "finite number or null");
    }
    // 406: a number beyond the range of double, which a lax reader would take as infinite.
    if (error.id == 406) {
      throw Error(Exit::kInvalid, place(text_, offset, where_) + ": the number " + token +
                                      " is beyond the range of double; expected a finite number");
    }
    // "[json.exception.parse_error.101] parse error at line 1, column 2: <what we want>"
    std::string reason = error.what();
    if (const auto colon = reason.find(": "); colon != std::string::npos) {
      reason.erase(0, colon + 2);
    }
    // The reason quotes the text, which need not be UTF-8.
    throw Error(Exit::kData,
                place(text_, offset, where_) + ": not JSON: " + well_formed_utf8(reason));
  }

 private:
  std::size_t read_so_far() const { return static_cast<std::size_t>(furthest_ - text_.data()); }

  std::string here() const {
    const std::size_t read = read_so_far();
    return place(text_, read == 0 ? 0 : read - 1, where_);
  }

  // "/benchmarks/2: ": the innermost open object; nothing for the document itself.
  std::string pointer() const {
    std::string text;
    for (std::size_t i = 0; i + 1 < open_.size(); ++i) {
      if (open_[i]->is_array()) {
        text += "/" + std::to_string(open_[i]->size() - 1);
        continue;
      }
      for (const auto& [key, value] : open_[i]->items()) {
        if (&value == open_[i + 1]) text += "/" + key;
      }
    }
    return text.empty() ? text : text + ": ";
  }

  json* add(json value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    json& parent = *open_.back();
    if (parent.is_array()) {
      parent.push_back(std::move(value));
      return &parent.back();
    }
    *slot_ = std::move(value);
    return slot_;
  }

  bool open(json empty) {
    if (open_.size() == kMaxDepth) {
      throw Error(Exit::kData, here() + ": nested deeper than " + std::to_string(kMaxDepth) +
                                   " levels; no file of perfgate is");
    }
    open_.push_back(add(std::move(empty)));
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  std::string_view text_;
  const std::string& where_;
  const char* const& furthest_;
  std::vector<BareWord> bare_words_;
  std::size_t next_word_ = 0;
  json root_;
  json* slot_ = nullptr;     // where the value of the key just read belongs
  std::vector<json*> open_;  // containers still open, outermost first
};

}  // namespace

nlohmann::json parse_strict_json(std::string_view text, const std::string& where,
                                 NonFinite non_finite) {
  if (text.empty()) {
    throw Error(Exit::kData, where + ": the file is empty; expected a JSON document");
  }
  // The parser takes a zero byte for the end and would drop what follows.
  if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos) {
    throw Error(Exit::kData, place(text, zero, where) + ": not JSON: a zero byte");
  }
  std::string blanked;
  std::vector<BareWord> bare_words;
  if (non_finite == NonFinite::kKeep) {
    blanked = text;
    bare_words = blank_bare_words(blanked);
    text = blanked;
  }
  const char* furthest = text.data();
  StrictBuilder builder(text, where, furthest, std::move(bare_words));
  json::sax_parse(CountingIterator{text.data(), &furthest},
                  CountingIterator{text.data() + text.size(), &furthest}, &builder);
  return builder.take();
}

nlohmann::json read_strict_json(const std::string& path) {
  return parse_strict_json(read_file_text(path), path);
}

}  // namespace perfgate::inline base
