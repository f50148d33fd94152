// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/json/json_writer.h"

#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include "perfgate/base/text/hex.h"
#include "perfgate/base/text/utf8.h"

namespace perfgate::inline base {

std::string format_number(double value) {
  if (value == 0) return std::signbit(value) ? "-0.0" : "0";
  std::array<char, 64> buffer = {};
  // The longest shortest form, -2.2250738585072014e-308, has 24 characters.
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), end};
}

namespace json_io {

void append_text(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : well_formed_utf8(text)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (byte < 0x20 || byte == 0x7f) {
      out += "\\u00" + HexBytes({&byte, 1});
    } else {
      out += c;
    }
  }
  out += '"';
}

void append_number(std::string& out, double value, const FieldRule& rule, std::string_view name) {
  if (std::isnan(value) && rule.absent) {
    out += "null";
  } else if (std::isfinite(value)) {
    out += format_number(value);
  } else {
    throw std::logic_error("the field \"" + std::string(name) + "\" is " +
                           (std::isnan(value) ? "not a number" : "infinite") +
                           " and must not be written");
  }
}

}  // namespace json_io
}  // namespace perfgate::inline base
