// SPDX-License-Identifier: Apache-2.0
// instructions.h: a function's bytes with every address in them taken out and listed.
#pragma once

#include <string_view>

#include "perfgate/code/elf_image.h"
#include "perfgate/code/masked_code.h"

namespace perfgate::code {

// Jumps inside the function are relative and stay in `bytes`. Error(kData) for a machine that is
// neither x86-64 nor AArch64.
MaskedCode MaskAddresses(const ElfImage& image, const Object& function);

// The bytes that a function really has: its size, or up to the next one where that is not known.
std::string_view FunctionBytes(const ElfImage& image, const Object& function);

}  // namespace perfgate::code
