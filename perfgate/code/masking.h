// SPDX-License-Identifier: Apache-2.0
// masking.h: what both kinds of machine share while the addresses of a function are taken out.
#pragma once

#include <capstone/capstone.h>

#include <cstddef>
#include <cstdint>
#include <map>

#include "perfgate/base/error.h"
#include "perfgate/code/elf_image.h"
#include "perfgate/code/masked_code.h"

namespace perfgate::code {

class Disassembler {
 public:
  explicit Disassembler(Machine machine) {
    const bool arm = machine == Machine::kAArch64;
    if (cs_open(arm ? CS_ARCH_ARM64 : CS_ARCH_X86, arm ? CS_MODE_ARM : CS_MODE_64, &handle_) !=
        CS_ERR_OK) {
      throw Error(Exit::kInternal, "the disassembler cannot be opened");
    }
    cs_option(handle_, CS_OPT_DETAIL, CS_OPT_ON);
    instruction_ = cs_malloc(handle_);
  }
  ~Disassembler() {
    cs_free(instruction_, 1);
    cs_close(&handle_);
  }
  Disassembler(const Disassembler&) = delete;
  Disassembler& operator=(const Disassembler&) = delete;

  // nullptr: not an instruction that it knows.
  const cs_insn* Next(const std::uint8_t** code, std::size_t* left, std::uint64_t* address) {
    return cs_disasm_iter(handle_, code, left, address, instruction_) ? instruction_ : nullptr;
  }
  csh handle() const { return handle_; }

 private:
  csh handle_ = 0;
  cs_insn* instruction_ = nullptr;
};

struct Masking {
  const ElfImage& image;
  const Object& function;
  std::uint64_t end = 0;  // of the function
  MaskedCode code;
  // AArch64: registers that hold a page of this image, and where that was put into them.
  struct Page {
    std::uint64_t address = 0;
    std::size_t at = 0;
    bool used = false;
  };
  std::map<int, Page> pages;
  // Of them those that an epilogue has restored for the caller: code behind its return has them
  // still.
  std::map<int, Page> restored;

  bool IsInside(std::uint64_t target) const { return target >= function.address && target < end; }
};

// Lists and masks the addresses in one instruction, which is `at` bytes into the function.
void MaskX86(const Disassembler& disassembler, const cs_insn& instruction, std::size_t at,
             Masking& masking);
void MaskArm(const Disassembler& disassembler, const cs_insn& instruction, std::size_t at,
             Masking& masking);

// AArch64: pages that nothing was seen to use are said as they are.
void LeavePages(Masking& masking);

}  // namespace perfgate::code
