// SPDX-License-Identifier: Apache-2.0
// masked_code.h: a function without its addresses, and the addresses apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace perfgate::code {

// A place outside the function that an instruction names.
struct AddressUse {
  std::size_t at = 0;  // offset of the instruction in the function
  std::uint64_t target = 0;
  // Bytes that are read or written there. 0: code that is called or jumped to, or an address that
  // is taken, and how much is used is not known.
  std::size_t size = 0;
  bool jump = false;  // called or jumped to
};

struct MaskedCode {
  std::string bytes;             // fields that hold an address are 0
  std::vector<AddressUse> uses;  // in order
  // Bytes from here on are as they are, with no use listed: the disassembler does not know them.
  // The size of the function where it knew all.
  std::size_t understood = 0;
};

}  // namespace perfgate::code
