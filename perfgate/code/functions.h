// SPDX-License-Identifier: Apache-2.0
// functions.h: whether two builds of a function are the same code.
#pragma once

#include <string>

#include "perfgate/code/elf_image.h"
#include "perfgate/code/references.h"

namespace perfgate::code {

// The same bytes once addresses are masked, and every address stands for the same thing. Empty: so;
// else what differs first: "size 40 -> 44", "bytes at +12", "what +20 refers to".
std::string DifferenceOf(const ElfImage& baseline, References& baseline_references,
                         const Object& one, const ElfImage& candidate,
                         References& candidate_references, const Object& other);

}  // namespace perfgate::code
