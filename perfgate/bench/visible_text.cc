// SPDX-License-Identifier: Apache-2.0
#include "perfgate/bench/visible_text.h"

#include <array>
#include <cstddef>

namespace perfgate::bench {
namespace {

struct Lead {
  unsigned char first, last;             // range of the first byte
  unsigned char second_min, second_max;  // allowed second byte; later ones are 80..bf
  std::size_t length;
};

// Unicode 15, table 3-7 (well-formed UTF-8 byte sequences), without the one-byte row.
constexpr std::array<Lead, 8> kLeads = {{{0xc2, 0xdf, 0x80, 0xbf, 2},
                                         {0xe0, 0xe0, 0xa0, 0xbf, 3},
                                         {0xe1, 0xec, 0x80, 0xbf, 3},
                                         {0xed, 0xed, 0x80, 0x9f, 3},
                                         {0xee, 0xef, 0x80, 0xbf, 3},
                                         {0xf0, 0xf0, 0x90, 0xbf, 4},
                                         {0xf1, 0xf3, 0x80, 0xbf, 4},
                                         {0xf4, 0xf4, 0x80, 0x8f, 4}}};

bool Between(char c, unsigned char low, unsigned char high) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= low && byte <= high;
}

// Length of the well-formed sequence at the start of `text`, 0 if there is none.
std::size_t SequenceLength(std::string_view text) {
  if (Between(text[0], 0x00, 0x7f)) return 1;
  for (const Lead& lead : kLeads) {
    if (!Between(text[0], lead.first, lead.last)) continue;
    if (text.size() < lead.length || !Between(text[1], lead.second_min, lead.second_max)) return 0;
    for (std::size_t i = 2; i < lead.length; ++i) {
      if (!Between(text[i], 0x80, 0xbf)) return 0;
    }
    return lead.length;
  }
  return 0;
}

}  // namespace

std::string VisibleText(std::string_view bytes) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string visible;
  visible.reserve(bytes.size());
  while (!bytes.empty()) {
    const std::size_t length = SequenceLength(bytes);
    if (length > 0) {
      visible.append(bytes.substr(0, length));
      bytes.remove_prefix(length);
      continue;
    }
    const auto byte = static_cast<unsigned char>(bytes[0]);
    visible.append("\\x").append(1, kHex[byte >> 4]).append(1, kHex[byte & 0xf]);
    bytes.remove_prefix(1);
  }
  return visible;
}

}  // namespace perfgate::bench
