// SPDX-License-Identifier: Apache-2.0
// Long: two machines, whose masks share one walk over the instructions.
#include "perfgate/code/instructions.h"

#include <capstone/capstone.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>

#include "perfgate/base/error.h"
#include "perfgate/base/index.h"

namespace perfgate::code {
namespace {

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

// --- x86-64: fields are whole bytes; each is masked only where it proves to hold the address
// ------

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

// --- AArch64: fields are bits of a word; a page and an offset in it come in two instructions
// ------

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

}  // namespace

std::string_view FunctionBytes(const ElfImage& image, const Object& function) {
  std::uint64_t size = function.size;
  if (size == 0) {
    const auto next =
        std::find_if(image.objects.begin(), image.objects.end(),
                     [&](const Object& o) { return o.function && o.address > function.address; });
    const Section* section = SectionAt(image, function.address);
    if (section == nullptr) return {};
    size = section->end() - function.address;
    if (next != image.objects.end()) size = std::min(size, next->address - function.address);
  }
  return BytesAt(image, function.address, size);
}

MaskedCode MaskAddresses(const ElfImage& image, const Object& function) {
  if (image.machine == Machine::kOther) {
    throw Error(Exit::kData, image.path + ": code of this machine cannot be compared");
  }
  const std::string_view bytes = FunctionBytes(image, function);
  Masking masking{image, function, function.address + bytes.size(), {std::string(bytes), {}, 0},
                  {},    {}};
  Disassembler disassembler(image.machine);
  const auto* code = reinterpret_cast<const std::uint8_t*>(bytes.data());
  std::size_t left = bytes.size();
  std::uint64_t address = function.address;
  while (left > 0) {
    const std::size_t at = bytes.size() - left;
    const cs_insn* instruction = disassembler.Next(&code, &left, &address);
    if (instruction == nullptr) break;
    if (image.machine == Machine::kX86_64) {
      MaskX86(disassembler, *instruction, at, masking);
    } else {
      MaskArm(disassembler, *instruction, at, masking);
    }
  }
  masking.code.understood = bytes.size() - left;
  masking.pages.merge(masking.restored);
  while (!masking.pages.empty()) LeavePage(masking.pages.begin()->first, masking);
  return std::move(masking.code);
}

}  // namespace perfgate::code
