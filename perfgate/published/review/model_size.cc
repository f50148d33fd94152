// SPDX-License-Identifier: Apache-2.0
#include "perfgate/published/review/model_size.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <vector>

namespace perfgate::published {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string lowered(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

// Words between dashes, underscores, slashes and blanks; a point inside "1.5b" stays.
std::vector<std::string> size_words(std::string_view name) {
  std::vector<std::string> words(1);
  for (const char c : name) {
    if (c == '-' || c == '_' || c == '/' || c == ' ' || c == ':' || c == '(' || c == ')') {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  return words;
}

// A number at the front of the text, which is taken off it.
std::optional<double> take_decimal(std::string_view& text) {
  double value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (error != std::errc() || text.empty() || !is_digit(text.front())) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

// "7b" is 7, "125m" .125; in 10^9. The unit must end the word.
std::optional<double> take_parameters(std::string_view& text) {
  std::string_view rest = text;
  const auto number = take_decimal(rest);
  if (!number || rest.empty() || (rest.front() != 'b' && rest.front() != 'm')) return std::nullopt;
  const double scale = rest.front() == 'b' ? 1 : 1e-3;
  rest.remove_prefix(1);
  text = rest;
  return *number * scale;
}

constexpr double kSharedExperts = 0.8;  // of the product, at least

struct SizeParts {
  std::optional<SizeRange> parameters;
  std::optional<double> active;
  std::optional<double> experts;
};

// One word: "8b", "8x7b", "17bx16e", "a3b", "16e", "e4b", "llama8b".
void read_size_word(std::string_view word, SizeParts& parts) {
  std::string_view rest = word;
  if (const auto count = take_parameters(rest)) {
    if (rest.empty()) {
      if (!parts.parameters) parts.parameters = SizeRange{*count, *count};
    } else if (rest.front() == 'x') {
      rest.remove_prefix(1);
      const auto experts = take_decimal(rest);
      if (experts && rest == "e" && !parts.parameters) {
        parts.parameters = SizeRange{*count, *count};
        parts.experts = experts;
      }
    }
    return;
  }
  rest = word;
  if (const auto first = take_decimal(rest)) {
    if (rest == "e" && *first >= 2) parts.experts = first;
    if (!rest.starts_with('x')) return;
    rest.remove_prefix(1);
    const auto second = take_parameters(rest);
    if (second && rest.empty() && !parts.parameters) {
      const double product = *first * *second;
      parts.parameters = SizeRange{kSharedExperts * product, product};
    }
    return;
  }
  if (word.size() > 2 && word.front() == 'a' && is_digit(word[1])) {
    rest = word.substr(1);
    const auto active = take_parameters(rest);
    if (active && rest.empty()) parts.active = active;
  }
}

struct WeightType {
  std::string_view word;  // a whole word, or the front of one with digits and letters behind
  SizeRange bytes;
  std::string_view type;
};

constexpr SizeRange kFourBit = {0.5, 0.65};
// Words that state bits go before methods, which have a usual width: "GPTQ-Int8" is 8 bit.
constexpr std::array<WeightType, 28> kTypes = {{
    {"fp32", {4, 4}, "32 bit"},   {"float32", {4, 4}, "32 bit"},  {"f32", {4, 4}, "32 bit"},
    {"int8", {1, 1}, "8 bit"},    {"fp8", {1, 1}, "8 bit"},       {"float8", {1, 1}, "8 bit"},
    {"8bit", {1, 1}, "8 bit"},    {"w8a8", {1, 1}, "8 bit"},      {"w8a16", {1, 1}, "8 bit"},
    {"e4m3", {1, 1}, "8 bit"},    {"q8", {1, 1.1}, "8 bit"},      {"int4", kFourBit, "4 bit"},
    {"4bit", kFourBit, "4 bit"},  {"w4a16", kFourBit, "4 bit"},   {"w4a8", kFourBit, "4 bit"},
    {"nf4", kFourBit, "4 bit"},   {"fp4", kFourBit, "4 bit"},     {"nvfp4", kFourBit, "4 bit"},
    {"mxfp4", kFourBit, "4 bit"}, {"q4", kFourBit, "4 bit"},      {"bf16", {2, 2}, "16 bit"},
    {"fp16", {2, 2}, "16 bit"},   {"bfloat16", {2, 2}, "16 bit"}, {"float16", {2, 2}, "16 bit"},
    {"f16", {2, 2}, "16 bit"},    {"half", {2, 2}, "16 bit"},     {"awq", kFourBit, "4 bit"},
    {"gptq", kFourBit, "4 bit"},
}};

const WeightType* weight_type(const std::vector<std::string>& words) {
  for (const WeightType& type : kTypes) {
    if (std::find(words.begin(), words.end(), type.word) != words.end()) return &type;
  }
  return nullptr;
}

}  // namespace

std::optional<ModelSize> ModelSizeOf(std::string_view name) {
  // The organisation in front says nothing.
  const std::size_t slash = name.rfind('/');
  const std::vector<std::string> words =
      size_words(lowered(slash == std::string_view::npos ? name : name.substr(slash + 1)));
  SizeParts parts;
  for (const std::string& word : words) read_size_word(word, parts);
  constexpr double kMost = 1e6;  // 10^15 parameters: no model, but another kind of number
  if (!parts.parameters || parts.parameters->lo <= 0 || parts.parameters->hi > kMost ||
      parts.experts.value_or(1) > kMost) {
    return std::nullopt;
  }
  ModelSize size;
  size.parameters = *parts.parameters;
  size.active = parts.active;
  if (parts.experts && !parts.active) {
    size.active = size.parameters.lo;
    size.parameters.hi *= *parts.experts;
  }
  const WeightType* type = weight_type(words);
  size.type_stated = type != nullptr;
  size.type = type == nullptr ? "16 bit" : std::string(type->type);
  size.bytes_per_weight = type == nullptr ? SizeRange{2, 2} : type->bytes;
  return size;
}

MemoryEstimate MemoryOf(const ModelSize& size) {
  MemoryEstimate memory;
  memory.weights_gb = {size.parameters.lo * size.bytes_per_weight.lo,
                       size.parameters.hi * size.bytes_per_weight.hi};
  memory.kv_cache_gb = {size.parameters.lo * kKvBytesPerParameter.lo,
                        size.parameters.hi * kKvBytesPerParameter.hi};
  memory.overhead_gb = kOverheadGb;
  memory.total_gb = {memory.weights_gb.lo + memory.kv_cache_gb.lo + memory.overhead_gb.lo,
                     memory.weights_gb.hi + memory.kv_cache_gb.hi + memory.overhead_gb.hi};
  return memory;
}

int DevicesFor(double total_gb, double device_gb) {
  int devices = 1;
  while (devices * device_gb < total_gb && devices < (1 << 20)) devices *= 2;
  return devices;
}

}  // namespace perfgate::published
