// SPDX-License-Identifier: Apache-2.0
#include "perfgate/code/calls.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "perfgate/code/instructions.h"

namespace perfgate::code {
namespace {

std::int32_t Word32(std::string_view bytes, std::size_t at) {
  std::int32_t value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

std::uint64_t Plus(std::uint64_t address, std::int64_t distance) {
  return address + static_cast<std::uint64_t>(distance);
}

class Scanner {
 public:
  explicit Scanner(const ElfImage& image) : image_(image) {}

  CodeScan Scan() {
    for (const Section& section : image_.sections) {
      scan_.boundaries.push_back(section.address);
      scan_.boundaries.push_back(section.end());
      if (section.executable && image_.machine == Machine::kX86_64) ScanX86(section);
      if (section.executable && image_.machine == Machine::kAArch64) ScanArm(section);
      if (!section.executable && image_.fixed_address) ScanPointers(section);
    }
    for (const Object& object : image_.objects) {
      if (object.function) continue;
      scan_.boundaries.push_back(object.address);
      scan_.boundaries.push_back(object.end());
    }
    for (const auto& [address, relocation] : image_.relocations) {
      if (relocation.symbol.empty()) AddBoundary(static_cast<std::uint64_t>(relocation.addend));
    }
    std::sort(scan_.boundaries.begin(), scan_.boundaries.end());
    scan_.boundaries.erase(std::unique(scan_.boundaries.begin(), scan_.boundaries.end()),
                           scan_.boundaries.end());
    return std::move(scan_);
  }

 private:
  void AddBoundary(std::uint64_t address) {
    const Section* section = SectionAt(image_, address);
    if (section != nullptr && !section->executable) scan_.boundaries.push_back(address);
  }

  void AddCall(std::uint64_t site, std::uint64_t target, bool jump) {
    const Section* section = SectionAt(image_, target);
    if (section == nullptr || !section->executable) return;
    const Object* callee = ObjectAt(image_, target, true);
    const bool at_start = callee == nullptr || callee->address == target;
    if (!at_start) return;
    const Object* caller = ObjectAt(image_, site, true);
    if (caller == nullptr || caller == callee) return;
    scan_.callers[target].insert(caller->address);
    if (jump) scan_.jumpers[target].insert(caller->address);
  }

  // Slots of the global offset table name functions as well.
  void AddSlotCall(std::uint64_t site, std::uint64_t slot, bool jump) {
    const auto found = image_.relocations.find(slot);
    if (found == image_.relocations.end() || !found->second.symbol.empty()) return;
    AddCall(site, static_cast<std::uint64_t>(found->second.addend), jump);
  }

  void ScanX86(const Section& section) {
    const std::string_view bytes = section.bytes;
    for (std::size_t i = 0; i + 6 <= bytes.size(); ++i) {
      const std::uint64_t here = section.address + i;
      const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(bytes[i + k]); };
      if (byte(0) == 0xe8 || byte(0) == 0xe9) {
        AddCall(here, Plus(here + 5, Word32(bytes, i + 1)), byte(0) == 0xe9);
      }
      if (byte(0) == 0xeb || (byte(0) & 0xf0) == 0x70) {  // to a neighbour
        AddCall(here, Plus(here + 2, static_cast<signed char>(byte(1))), true);
      }
      if (byte(0) == 0x0f && (byte(1) & 0xf0) == 0x80) {
        AddCall(here, Plus(here + 6, Word32(bytes, i + 2)), true);
      }
      if (byte(0) == 0xff && (byte(1) == 0x15 || byte(1) == 0x25)) {
        AddSlotCall(here, Plus(here + 6, Word32(bytes, i + 2)), byte(1) == 0x25);
      }
      if (byte(0) == 0x8d && (byte(1) & 0xc7) == 0x05) {  // lea reg, [rip + n]
        AddBoundary(Plus(here + 6, Word32(bytes, i + 2)));
      }
      if (!image_.fixed_address) continue;
      if ((byte(0) & 0xf8) == 0xb8 || byte(0) == 0x68) {  // mov reg, n; push n
        AddBoundary(static_cast<std::uint32_t>(Word32(bytes, i + 1)));
      }
      if (byte(0) == 0xc7) {  // mov reg, n
        AddBoundary(static_cast<std::uint32_t>(Word32(bytes, i + 2)));
      }
      // An operand in memory: [index * n + address], [base + address].
      if ((byte(0) & 0xc7) == 0x04 && (byte(1) & 7) == 5) {
        AddBoundary(static_cast<std::uint32_t>(Word32(bytes, i + 2)));
      }
      if ((byte(0) & 0xc0) == 0x80 && (byte(0) & 7) != 4) {
        AddBoundary(static_cast<std::uint32_t>(Word32(bytes, i + 1)));
      }
    }
  }

  void ScanArm(const Section& section) {
    struct Page {
      std::uint64_t address = 0;
      bool known = false;
    };
    std::array<Page, 32> pages{};
    for (std::size_t i = 0; i + 4 <= section.bytes.size(); i += 4) {
      const auto word = static_cast<std::uint32_t>(Word32(section.bytes, i));
      const std::uint64_t here = section.address + i;
      if ((word & 0x7c000000) == 0x14000000) {
        const auto words = static_cast<std::int32_t>(word << 6) >> 6;
        AddCall(here, Plus(here, std::int64_t{words} * 4), (word >> 31) == 0);
      } else if ((word & 0x9f000000) == 0x90000000) {
        const std::int64_t high = static_cast<std::int32_t>(word << 8) >> 13;
        pages[word & 31] = {
            Plus(here & ~std::uint64_t{0xfff}, (high * 4 + (word >> 29 & 3)) * 4096), true};
      } else if ((word & 0xffc00000) == 0x91000000 && pages[word >> 5 & 31].known) {
        AddBoundary(pages[word >> 5 & 31].address + (word >> 10 & 0xfff));
      }
    }
  }

  void ScanPointers(const Section& section) {
    for (std::size_t i = 0; i + 8 <= section.bytes.size(); i += 8) {
      std::uint64_t value = 0;
      std::memcpy(&value, section.bytes.data() + i, sizeof value);
      AddBoundary(value);
    }
  }

  const ElfImage& image_;
  CodeScan scan_;
};

}  // namespace

CodeScan ScanCode(const ElfImage& image) { return Scanner(image).Scan(); }

std::string StubTarget(const ElfImage& image, std::uint64_t address) {
  const Section* section = SectionAt(image, address);
  if (section == nullptr || section->name.substr(0, 4) != ".plt") return {};
  constexpr std::uint64_t kStub = 16;
  Object stub{address, kStub, true, {}};
  for (const AddressUse& use : MaskAddresses(image, stub).uses) {
    if (use.jump) continue;
    const auto slot = image.relocations.find(use.target);
    if (slot == image.relocations.end()) continue;
    if (!slot->second.symbol.empty()) return slot->second.symbol;
    const Object* function = ObjectAt(image, static_cast<std::uint64_t>(slot->second.addend), true);
    return function == nullptr ? "" : function->names.front();
  }
  return {};
}

}  // namespace perfgate::code
