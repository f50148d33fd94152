// SPDX-License-Identifier: Apache-2.0
// mask_x86.cc: fields are whole bytes; each is masked only where it proves to hold the address.
#include <algorithm>
#include <cstring>

#include "perfgate/code/masking.h"

namespace perfgate::code {
namespace {

bool InGroup(const Disassembler& disassembler, const cs_insn& instruction, unsigned group) {
  return cs_insn_group(disassembler.handle(), &instruction, group);
}

bool IsBranch(const Disassembler& disassembler, const cs_insn& instruction) {
  return InGroup(disassembler, instruction, CS_GRP_JUMP) ||
         InGroup(disassembler, instruction, CS_GRP_CALL) ||
         InGroup(disassembler, instruction, CS_GRP_BRANCH_RELATIVE);
}

// Bytes of a memory operand. Capstone 4.0.2 gives 16 for comparisons of one number.
std::size_t OperandSize(const cs_insn& instruction, const cs_x86_op& operand) {
  switch (instruction.id) {
    case X86_INS_COMISD:
    case X86_INS_UCOMISD:
    case X86_INS_VCOMISD:
    case X86_INS_VUCOMISD:
      return 8;
    case X86_INS_COMISS:
    case X86_INS_UCOMISS:
    case X86_INS_VCOMISS:
    case X86_INS_VUCOMISS:
      return 4;
    default:
      return operand.size;
  }
}

// The signed field of an instruction's bytes.
std::int64_t FieldAt(const cs_insn& instruction, std::size_t offset, std::size_t size) {
  std::uint64_t value = 0;
  std::memcpy(&value, instruction.bytes + offset, std::min(size, sizeof value));
  if (size >= sizeof value) return static_cast<std::int64_t>(value);
  const std::uint64_t sign = std::uint64_t{1} << (8 * size - 1);
  return static_cast<std::int64_t>((value ^ sign) - sign);
}

void Mask(std::size_t at, std::size_t size, Masking& masking) {
  std::fill_n(masking.code.bytes.begin() + static_cast<std::ptrdiff_t>(at), size, '\0');
}

void MaskX86Branch(const cs_insn& instruction, std::uint64_t target, std::size_t at,
                   Masking& masking) {
  if (masking.IsInside(target)) return;
  const std::uint64_t next = instruction.address + instruction.size;
  for (const std::size_t size : {std::size_t{4}, std::size_t{1}}) {
    if (instruction.size <= size) continue;
    const std::size_t offset = instruction.size - size;
    if (next + static_cast<std::uint64_t>(FieldAt(instruction, offset, size)) != target) continue;
    Mask(at + offset, size, masking);
    masking.code.uses.push_back({at, target, 0, true});
    return;
  }
}

void MaskX86Memory(const Disassembler& disassembler, const cs_insn& instruction,
                   const cs_x86_op& operand, std::size_t at, Masking& masking) {
  const cs_x86& x86 = instruction.detail->x86;
  const x86_op_mem& memory = operand.mem;
  const cs_x86_encoding& encoding = x86.encoding;
  // Its disp_size is 2 where an operand-size prefix selects the instruction (Capstone 4.0.2).
  if (encoding.disp_offset == 0 || encoding.disp_offset + 4 > instruction.size) return;
  if (FieldAt(instruction, encoding.disp_offset, 4) != memory.disp) return;
  const bool relative = memory.base == X86_REG_RIP;
  const bool alone =
      relative || (memory.base == X86_REG_INVALID && memory.index == X86_REG_INVALID);
  std::uint64_t target = static_cast<std::uint64_t>(memory.disp);
  if (relative) target += instruction.address + instruction.size;
  if (!relative) {
    if (!masking.image.fixed_address || memory.segment == X86_REG_FS ||
        memory.segment == X86_REG_GS || SectionAt(masking.image, target) == nullptr) {
      return;
    }
  }
  if (masking.IsInside(target)) return;
  Mask(at + encoding.disp_offset, 4, masking);
  const bool taken = instruction.id == X86_INS_LEA || !alone;
  const bool slot = IsBranch(disassembler, instruction);
  masking.code.uses.push_back({at, target,
                               taken  ? 0
                               : slot ? 8
                                      : OperandSize(instruction, operand),
                               false});
}

// Numbers that are addresses: only where the image always lies at the same place.
void MaskX86Number(const cs_insn& instruction, std::int64_t number, std::size_t at,
                   Masking& masking) {
  const cs_x86_encoding& encoding = instruction.detail->x86.encoding;
  const auto target = static_cast<std::uint64_t>(number);
  if (!masking.image.fixed_address || encoding.imm_offset == 0 || encoding.imm_size < 4 ||
      SectionAt(masking.image, target) == nullptr) {
    return;
  }
  if (FieldAt(instruction, encoding.imm_offset, encoding.imm_size) != number) return;
  Mask(at + encoding.imm_offset, encoding.imm_size, masking);
  masking.code.uses.push_back({at, target, 0, false});
}

}  // namespace

void MaskX86(const Disassembler& disassembler, const cs_insn& instruction, std::size_t at,
             Masking& masking) {
  const cs_x86& x86 = instruction.detail->x86;
  const bool branch = IsBranch(disassembler, instruction);
  for (std::size_t i = 0; i < x86.op_count; ++i) {
    const cs_x86_op& operand = x86.operands[i];
    if (operand.type == X86_OP_MEM) {
      MaskX86Memory(disassembler, instruction, operand, at, masking);
    } else if (operand.type == X86_OP_IMM && branch) {
      MaskX86Branch(instruction, static_cast<std::uint64_t>(operand.imm), at, masking);
    } else if (operand.type == X86_OP_IMM) {
      MaskX86Number(instruction, operand.imm, at, masking);
    }
  }
}

}  // namespace perfgate::code
