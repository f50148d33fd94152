// SPDX-License-Identifier: Apache-2.0
// mask_arm.cc: AArch64. Fields are bits of a word; a page and an offset in it come in two
// instructions.
#include <algorithm>
#include <cstring>

#include "perfgate/code/masking.h"

namespace perfgate::code {
namespace {

void KeepBits(std::size_t at, std::uint32_t kept, Masking& masking) {
  std::uint32_t word = 0;
  std::memcpy(&word, masking.code.bytes.data() + at, sizeof word);
  word &= kept;
  std::memcpy(masking.code.bytes.data() + at, &word, sizeof word);
}

std::uint32_t WordOf(const cs_insn& instruction) {
  std::uint32_t word = 0;
  std::memcpy(&word, instruction.bytes, sizeof word);
  return word;
}

std::int64_t SignedBits(std::uint32_t word, unsigned low, unsigned count) {
  const std::uint32_t field = word >> low & ((1U << count) - 1);
  const std::uint32_t sign = 1U << (count - 1);
  return static_cast<std::int64_t>(field ^ sign) - static_cast<std::int64_t>(sign);
}

void UseFrom(std::size_t at, std::uint64_t target, std::size_t size, bool jump, std::uint32_t kept,
             Masking& masking) {
  if (masking.IsInside(target)) return;
  KeepBits(at, kept, masking);
  masking.code.uses.push_back({at, target, size, jump});
}

// A page that nothing was seen to add an offset to: said as it is, so that it equals no other.
void LeavePage(int reg, Masking& masking) {
  const auto found = masking.pages.find(reg);
  if (found == masking.pages.end()) return;
  if (!found->second.used) {
    masking.code.uses.push_back({found->second.at, found->second.address, 0, false});
  }
  masking.pages.erase(found);
}

bool LoadsFromStack(const cs_insn& instruction) {
  if (instruction.id != ARM64_INS_LDP && instruction.id != ARM64_INS_LDR) return false;
  const cs_arm64& arm = instruction.detail->arm64;
  return std::any_of(arm.operands, arm.operands + arm.op_count, [](const cs_arm64_op& operand) {
    return operand.type == ARM64_OP_MEM && operand.mem.base == ARM64_REG_SP;
  });
}

void LeaveWrittenPages(const Disassembler& disassembler, const cs_insn& instruction,
                       Masking& masking) {
  cs_regs read, written;
  std::uint8_t reads = 0, writes = 0;
  if (cs_regs_access(disassembler.handle(), &instruction, read, &reads, written, &writes) !=
      CS_ERR_OK) {
    return;
  }
  const bool restores = LoadsFromStack(instruction);
  for (std::size_t i = 0; i < writes; ++i) {
    if (restores) {
      const auto page = masking.pages.find(written[i]);
      if (page != masking.pages.end()) masking.restored.insert(masking.pages.extract(page));
    } else {
      LeavePage(written[i], masking);
    }
  }
}

std::uint64_t PageTarget(std::uint64_t address, std::uint32_t word) {
  const auto low = static_cast<std::int64_t>(word >> 29 & 3);
  return (address & ~std::uint64_t{0xfff}) +
         static_cast<std::uint64_t>((SignedBits(word, 5, 19) * 4 + low) * 4096);
}

// `add x0, x1, #n` and unsigned-offset loads and stores, on a register that holds a page.
bool UsePage(const cs_insn& instruction, std::uint32_t word, std::size_t at, Masking& masking) {
  const cs_arm64& arm = instruction.detail->arm64;
  if ((word & 0xffc00000) == 0x91000000 && arm.op_count >= 3) {
    const auto page = masking.pages.find(static_cast<int>(arm.operands[1].reg));
    if (page == masking.pages.end()) return false;
    page->second.used = true;
    UseFrom(at, page->second.address + (word >> 10 & 0xfff), 0, false, 0xffc003ff, masking);
    return true;
  }
  if ((word & 0x3b000000) != 0x39000000) return false;
  for (std::size_t i = 0; i < arm.op_count; ++i) {
    if (arm.operands[i].type != ARM64_OP_MEM) continue;
    const auto page = masking.pages.find(static_cast<int>(arm.operands[i].mem.base));
    if (page == masking.pages.end()) return false;
    page->second.used = true;
    const bool quad = (word >> 26 & 1) != 0 && (word >> 23 & 1) != 0;
    const unsigned shift = quad ? 4 : word >> 30;
    UseFrom(at, page->second.address + (std::uint64_t{word >> 10 & 0xfff} << shift),
            std::size_t{1} << shift, false, 0xffc003ff, masking);
    return true;
  }
  return false;
}

}  // namespace

void MaskArm(const Disassembler& disassembler, const cs_insn& instruction, std::size_t at,
             Masking& masking) {
  const std::uint32_t word = WordOf(instruction);
  const std::uint64_t here = instruction.address;
  const auto relative = [&](unsigned low, unsigned count) {
    return here + static_cast<std::uint64_t>(SignedBits(word, low, count) * 4);
  };
  if ((word & 0x9f000000) == 0x90000000) {  // adrp
    const int reg = static_cast<int>(instruction.detail->arm64.operands[0].reg);
    LeavePage(reg, masking);
    masking.pages[reg] = {PageTarget(here, word), at, false};
    KeepBits(at, 0x9f00001f, masking);
    return;
  }
  if (instruction.id == ARM64_INS_RET) {
    masking.pages.merge(masking.restored);
    masking.restored.clear();
    return;
  }
  const bool uses_page = UsePage(instruction, word, at, masking);
  LeaveWrittenPages(disassembler, instruction, masking);
  if (uses_page) return;
  if ((word & 0x9f000000) == 0x10000000) {  // adr
    const auto low = static_cast<std::int64_t>(word >> 29 & 3);
    UseFrom(at, here + static_cast<std::uint64_t>(SignedBits(word, 5, 19) * 4 + low), 0, false,
            0x9f00001f, masking);
  } else if ((word & 0x7c000000) == 0x14000000) {  // b, bl
    UseFrom(at, relative(0, 26), 0, true, 0xfc000000, masking);
  } else if ((word & 0xff000000) == 0x54000000 || (word & 0x7e000000) == 0x34000000) {
    UseFrom(at, relative(5, 19), 0, true, 0xff00001f, masking);  // b.cond, cbz, cbnz
  } else if ((word & 0x7e000000) == 0x36000000) {                // tbz, tbnz
    UseFrom(at, relative(5, 14), 0, true, 0xfff8001f, masking);
  } else if ((word & 0x3b000000) == 0x18000000) {  // ldr of a literal
    UseFrom(at, relative(5, 19), std::size_t{4} << (word >> 30), false, 0xff00001f, masking);
  }
}

void LeavePages(Masking& masking) {
  masking.pages.merge(masking.restored);
  while (!masking.pages.empty()) LeavePage(masking.pages.begin()->first, masking);
}

}  // namespace perfgate::code
