// SPDX-License-Identifier: Apache-2.0
#include "perfgate/code/instructions.h"

#include <algorithm>

#include "perfgate/base/error.h"
#include "perfgate/code/masking.h"

namespace perfgate::code {

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
  LeavePages(masking);
  return std::move(masking.code);
}

}  // namespace perfgate::code
