// SPDX-License-Identifier: Apache-2.0
// cases_text.cc: text handling and control flow: branches, calls through tables, conversions.
#include <array>
#include <charconv>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "proof_cases.h"

namespace proof {
namespace {

std::vector<std::uint32_t> random_numbers(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::uint32_t> values(count);
  for (auto& value : values) value = random.below(1000000000) + 100000;
  return values;
}

// Length of the code point that starts at `at` with valid continuation bytes, 0 where it is not
// well-formed UTF-8 (The Unicode Standard, table 3-7, without the narrowed second-byte ranges).
std::size_t code_point_length(const unsigned char* at) {
  const auto continues = [at](std::size_t i) { return (at[i] & 0xC0) == 0x80; };
  if (at[0] < 0x80) return 1;
  if (at[0] >= 0xC2 && at[0] <= 0xDF && continues(1)) return 2;
  if (at[0] >= 0xE0 && at[0] <= 0xEF && continues(1) && continues(2)) return 3;
  if (at[0] >= 0xF0 && at[0] <= 0xF4 && continues(1) && continues(2) && continues(3)) return 4;
  return 0;
}

struct Shape {
  Shape() = default;
  Shape(const Shape&) = delete;
  Shape& operator=(const Shape&) = delete;
  virtual ~Shape() = default;
  virtual std::uint64_t step(std::uint64_t value) const = 0;
};
struct Add : Shape {
  std::uint64_t step(std::uint64_t value) const override { return value + 3; }
};
struct Multiply : Shape {
  std::uint64_t step(std::uint64_t value) const override { return value * 5; }
};
struct Flip : Shape {
  std::uint64_t step(std::uint64_t value) const override { return value ^ 0x55; }
};

}  // namespace

// One unit: one token of 8 to 15 bytes.
std::uint64_t text_append(int count) {
  static const std::vector<std::string> tokens = [] {
    Random random(31);
    std::vector<std::string> made(64);
    for (std::string& token : made) token.assign(8 + random.below(8), 'x');
    return made;
  }();
  static std::string text = [] {
    std::string made;
    made.reserve(4096);
    return made;
  }();
  const std::span<const std::string> ring(tokens);
  for (int u = 0; u < count; ++u) {
    if ((u & 127) == 0) text.clear();
    text.append(ring_at(ring, u));
  }
  return text.size();
}

std::uint64_t text_format(int count) {
  static const std::vector<std::uint32_t> numbers = random_numbers(256, 32);
  const std::span<const std::uint32_t> ring(numbers);
  std::array<char, 16> buffer{};
  std::uint64_t check = 0;
  for (int u = 0; u < count; ++u) {
    const char* const end =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), ring_at(ring, u)).ptr;
    check += static_cast<std::uint64_t>(end - buffer.data()) +
             static_cast<unsigned char>(buffer[static_cast<std::size_t>(u) & 3]);
  }
  return check;
}

std::uint64_t text_parse(int count) {
  static const std::vector<std::string> texts = [] {
    std::vector<std::string> made;
    for (const std::uint32_t number : random_numbers(256, 33)) {
      made.push_back(std::to_string(number));
    }
    return made;
  }();
  const std::span<const std::string> ring(texts);
  std::uint64_t sum = 0;
  for (int u = 0; u < count; ++u) {
    const std::string& text = ring_at(ring, u);
    std::uint32_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    sum += value;
  }
  return sum;
}

// One unit: one code point checked.
std::uint64_t text_utf8(int count) {
  static const std::string text = [] {
    std::string made;
    for (int i = 0; i < 24; ++i) made += "plain words, na\xC3\xAFve caf\xC3\xA9, \xE2\x82\xAC 5. ";
    return made;
  }();
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  std::size_t at = 0;
  std::uint64_t invalid = 0;
  for (int u = 0; u < count; ++u) {
    const std::size_t length = code_point_length(bytes + at);
    invalid += length == 0;
    at += length == 0 ? 1 : length;
    if (at >= text.size()) at = 0;
  }
  return at + invalid;
}

// One unit: one token of a JSON-like text: a mark, a number, a word or a quoted string.
std::uint64_t text_tokenise(int count) {
  static const std::string text = [] {
    std::string made;
    for (const int rows : {1, 16, 256, 4096}) {
      made += R"({"name": "rmsnorm", "rows": )" + std::to_string(rows) +
              R"(, "ok": true, "time": 0.125, "tags": ["fast", null]},)";
    }
    return made;
  }();
  const auto is_word = [](char c) { return (c >= 'a' && c <= 'z'); };
  const auto is_number = [](char c) { return (c >= '0' && c <= '9') || c == '.'; };
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  const char* at = begin;
  std::uint64_t check = 0;
  for (int u = 0; u < count; ++u) {
    while (*at == ' ') ++at;
    const char* start = at;
    if (*at == '"') {
      do ++at;
      while (*at != '"');
      ++at;
    } else if (is_number(*at)) {
      while (is_number(*at)) ++at;
    } else if (is_word(*at)) {
      while (is_word(*at)) ++at;
    } else {
      ++at;
    }
    check = check * 31 + static_cast<std::uint64_t>(at - start);
    if (at == end) at = begin;
  }
  return check;
}

// One unit: one input byte of a machine that finds comments, strings and numbers.
std::uint64_t state_machine(int count) {
  static const std::string text = [] {
    constexpr std::string_view kSymbols = "a1 \"/\n";
    Random random(34);
    std::string made;
    for (int i = 0; i < 128; ++i) made += kSymbols[random.below(6)];
    return made;
  }();
  enum class State { kPlain, kNumber, kString, kSlash, kComment };
  const std::span<const char> ring(text);
  State state = State::kPlain;
  std::uint64_t found = 0;
  for (int u = 0; u < count; ++u) {
    const char c = ring_at(ring, u);
    switch (state) {
      case State::kPlain:
        if (c == '"') state = State::kString;
        if (c == '/') state = State::kSlash;
        if (c == '1') state = State::kNumber;
        break;
      case State::kNumber:
        if (c != '1') {
          ++found;
          state = c == '"' ? State::kString : State::kPlain;
        }
        break;
      case State::kString:
        if (c == '"' || c == '\n') {
          found += 3;
          state = State::kPlain;
        }
        break;
      case State::kSlash:
        state = c == '/' ? State::kComment : State::kPlain;
        break;
      case State::kComment:
        if (c == '\n') {
          found += 7;
          state = State::kPlain;
        }
        break;
    }
  }
  return found;
}

// One unit: one call through a table of functions, three kinds in a fixed irregular order.
std::uint64_t virtual_call(int count) {
  static const std::vector<std::unique_ptr<const Shape>> shapes = [] {
    Random random(35);
    std::vector<std::unique_ptr<const Shape>> made;
    for (int i = 0; i < 64; ++i) {
      switch (random.below(3)) {
        case 0:
          made.push_back(std::make_unique<Add>());
          break;
        case 1:
          made.push_back(std::make_unique<Multiply>());
          break;
        default:
          made.push_back(std::make_unique<Flip>());
      }
    }
    return made;
  }();
  const std::span<const std::unique_ptr<const Shape>> ring(shapes);
  std::uint64_t value = 1;
  for (int u = 0; u < count; ++u) value = ring_at(ring, u)->step(value);
  return value;
}

}  // namespace proof
