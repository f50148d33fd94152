// SPDX-License-Identifier: Apache-2.0
#include "engine/serve/text_stream.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace engine {
namespace {

bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U; }

// Bytes of the character that `first` starts, 0 when it starts none.
std::size_t LengthOf(char first) {
  const auto byte = static_cast<unsigned char>(first);
  if (byte < 0x80U) {
    return 1;
  }
  if (byte >= 0xc2U && byte <= 0xdfU) {
    return 2;
  }
  if ((byte & 0xf0U) == 0xe0U) {
    return 3;
  }
  return byte >= 0xf0U && byte <= 0xf4U ? 4 : 0;
}

// Whether the second byte keeps the character out of the ranges that UTF-8 excludes: longer forms
// of what has a shorter one, surrogates, past U+10FFFF.
bool SecondIsAllowed(char first, char second) {
  const auto a = static_cast<unsigned char>(first);
  const auto b = static_cast<unsigned char>(second);
  switch (a) {
    case 0xe0U:
      return b >= 0xa0U;
    case 0xedU:
      return b < 0xa0U;
    case 0xf0U:
      return b >= 0x90U;
    case 0xf4U:
      return b < 0x90U;
    default:
      return true;
  }
}

// The longest end of `text` that is the start of `stop`.
std::size_t Overlap(std::string_view text, std::string_view stop) {
  for (std::size_t n = std::min(text.size(), stop.size()); n > 0; --n) {
    if (text.substr(text.size() - n) == stop.substr(0, n)) {
      return n;
    }
  }
  return 0;
}

}  // namespace

std::string ValidUtf8(std::string_view bytes, std::size_t* partial) {
  constexpr std::string_view kReplacement = "\xef\xbf\xbd";
  std::string text;
  if (partial != nullptr) {
    *partial = 0;
  }
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t length = LengthOf(bytes[at]);
    std::size_t have = length == 0 ? 0 : 1;
    while (have > 0 && have < length && at + have < bytes.size() &&
           IsContinuation(bytes[at + have]) &&
           (have > 1 || SecondIsAllowed(bytes[at], bytes[at + 1]))) {
      ++have;
    }
    if (length > 0 && have == length) {
      text += bytes.substr(at, length);
      at += length;
    } else if (partial != nullptr && have > 0 && at + have == bytes.size()) {
      *partial = have;
      break;
    } else {
      text += kReplacement;
      ++at;
    }
  }
  return text;
}

TextStream::TextStream(std::vector<std::string> stops) : stops_(std::move(stops)) {
  std::erase(stops_, "");
}

std::string TextStream::Push(std::string_view bytes) {
  if (stopped_) {
    return "";
  }
  held_ += bytes;
  std::size_t end = std::string::npos;
  for (const std::string& stop : stops_) {
    end = std::min(end, held_.find(stop));
  }
  if (end != std::string::npos) {
    stopped_ = true;
    return ValidUtf8(std::string_view(held_).substr(0, end));
  }
  std::size_t certain = held_.size();
  for (const std::string& stop : stops_) {
    certain = std::min(certain, held_.size() - Overlap(held_, stop));
  }
  std::size_t partial = 0;
  std::string text = ValidUtf8(std::string_view(held_).substr(0, certain), &partial);
  held_.erase(0, certain - partial);
  return text;
}

std::string TextStream::Finish() { return stopped_ ? "" : ValidUtf8(std::exchange(held_, "")); }

}  // namespace engine
