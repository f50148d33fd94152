// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/driver/process/json_cleaner.h"

#include <cctype>
#include <nlohmann/json.hpp>

#include "perfgate/base/text/hex.h"
#include "perfgate/base/text/utf8.h"

namespace perfgate::measure {
namespace {

constexpr int kMostDepth = 64;

}  // namespace

bool JsonCleaner::accept(char wanted) {
  skip_space();
  if (at_ >= text_.size() || text_[at_] != wanted) return false;
  ++at_;
  return true;
}

std::optional<std::string> JsonCleaner::value() {
  std::string out;
  if (!copy_value(&out, 0)) return std::nullopt;
  return out;
}

std::optional<std::string> JsonCleaner::key() {
  std::string out;
  skip_space();
  if (!copy_string(&out)) return std::nullopt;
  const nlohmann::json parsed = nlohmann::json::parse(out, nullptr, /*allow_exceptions=*/false);
  if (!parsed.is_string()) return std::nullopt;
  return parsed.get<std::string>();
}

void JsonCleaner::skip_space() {
  while (at_ < text_.size() &&
         (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r')) {
    ++at_;
  }
}

bool JsonCleaner::copy_value(std::string* out, int depth) {
  skip_space();
  if (at_ >= text_.size() || depth > kMostDepth) return false;
  if (text_[at_] == '"') return copy_string(out);
  if (text_[at_] == '{') return copy_members(out, '{', '}', depth);
  if (text_[at_] == '[') return copy_members(out, '[', ']', depth);
  return copy_word(out);
}

bool JsonCleaner::copy_members(std::string* out, char open, char close, int depth) {
  if (!accept(open)) return false;
  *out += open;
  for (bool first = true; !accept(close); first = false) {
    if (!first) {
      if (!accept(',')) return false;
      *out += ',';
    }
    if (open == '{') {
      skip_space();
      if (!copy_string(out) || !accept(':')) return false;
      *out += ':';
    }
    if (!copy_value(out, depth + 1)) return false;
  }
  *out += close;
  return true;
}

bool JsonCleaner::copy_string(std::string* out) {
  if (at_ >= text_.size() || text_[at_] != '"') return false;
  *out += text_[at_++];
  while (at_ < text_.size()) {
    const char c = text_[at_];
    const auto byte = static_cast<unsigned char>(c);
    const std::size_t length = utf8_length(text_, at_);
    if (c == '"') {
      *out += text_[at_++];
      return true;
    }
    if (c == '\\') {
      if (at_ + 1 >= text_.size()) return false;
      *out += text_.substr(at_, 2);
      at_ += 2;
    } else if (length == 0) {
      // An escaped backslash: the text has the four characters \xNN.
      *out += "\\" + EscapedByte(c);
      ++at_;
    } else if (byte < 0x20) {
      *out += "\\u00" + HexBytes({&byte, 1});
      ++at_;
    } else {
      *out += text_.substr(at_, length);
      at_ += length;
    }
  }
  return false;
}

// Numbers, true, false, null; NaN and infinities in any spelling become null.
bool JsonCleaner::copy_word(std::string* out) {
  const std::size_t start = at_;
  while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 ||
                                text_[at_] == '-' || text_[at_] == '+' || text_[at_] == '.')) {
    ++at_;
  }
  if (at_ == start) return false;
  std::string word(text_.substr(start, at_ - start));
  std::string plain;
  for (const char c : word) {
    if (c != '-' && c != '+') {
      plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  *out += plain == "nan" || plain == "inf" || plain == "infinity" ? "null" : word;
  return true;
}

}  // namespace perfgate::measure
