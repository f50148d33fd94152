// SPDX-License-Identifier: Apache-2.0
// instructions.h: a function's bytes with every address in them taken out and listed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "perfgate/code/elf_image.h"

namespace perfgate::code {

// A place outside the function that an instruction names.
struct AddressUse {
  std::size_t at = 0;  // offset of the instruction in the function
  std::uint64_t target = 0;
  // Bytes that are read or written there. 0: code that is called or jumped to, or an address that
  // is taken, and nobody knows how much is used.
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

// Jumps inside the function are relative and stay in `bytes`. Error(kData) for a machine that is
// neither x86-64 nor AArch64.
MaskedCode MaskAddresses(const ElfImage& image, const Object& function);

// The bytes that a function really has: its size, or up to the next one where that is not known.
std::string_view FunctionBytes(const ElfImage& image, const Object& function);

}  // namespace perfgate::code
