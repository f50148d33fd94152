// SPDX-License-Identifier: Apache-2.0
// calls.h: what an image says of itself without symbols: who calls whom, where objects begin.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "perfgate/code/elf_image.h"

namespace perfgate::code {

// Read from all code of an image at once, by the shape of its instructions. Bytes that only look
// like a call or an address can add an entry, never hide one.
struct CodeScan {
  // By the address called or jumped to, functions (by address) that do it directly.
  std::map<std::uint64_t, std::set<std::uint64_t>> callers;
  std::map<std::uint64_t, std::set<std::uint64_t>> jumpers;  // the ones that jump
  // Sorted: addresses that code or data holds, starts and ends of objects, ends of sections. An
  // object without a name ends before the next of them.
  std::vector<std::uint64_t> boundaries;
};

CodeScan ScanCode(const ElfImage& image);

// What a stub of the procedure linkage table calls; empty where the address is no stub.
std::string StubTarget(const ElfImage& image, std::uint64_t address);

}  // namespace perfgate::code
