// SPDX-License-Identifier: Apache-2.0
// elf_image.h: an executable or a shared library as it is mapped: sections, symbols, relocations.
//
// All addresses are those of the file: what the loader adds to them is already taken off.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perfgate::code {

enum class Machine { kX86_64, kAArch64, kOther };

struct Section {
  std::string name;
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  bool writable = false;
  bool executable = false;
  std::string_view bytes;  // empty for zeroed memory (.bss)

  std::uint64_t end() const { return address + size; }
};

// A part of the file that is mapped: addresses of its bytes.
struct Segment {
  std::uint64_t offset = 0;
  std::uint64_t address = 0;
  std::uint64_t file_size = 0;
};

// A function or a data object. Names that share an address and a kind are one object: aliases, and
// functions that the linker folded.
struct Object {
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  bool function = false;
  // Sorted. A local name that the image has twice is preceded by its source file, and by a number
  // where that has it twice as well.
  std::vector<std::string> names;

  std::uint64_t end() const { return address + size; }
};

// What the loader writes into memory: the address of a symbol, or of a place of this image.
struct Relocation {
  std::string symbol;       // empty: of this image
  std::int64_t addend = 0;  // added to the symbol; without one the address itself
};

struct ElfImage {
  std::string path;
  Machine machine = Machine::kOther;
  bool fixed_address = false;     // not position independent: code holds addresses as numbers
  bool stripped = false;          // no symbol table: functions are not known
  std::vector<Section> sections;  // mapped ones, by address
  std::vector<Segment> segments;
  std::vector<Object> objects;  // by address
  std::map<std::uint64_t, Relocation> relocations;
  std::string file;  // what the views above look at

  ElfImage() = default;
  ElfImage(const ElfImage&) = delete;  // views would look at the other's file
  ElfImage& operator=(const ElfImage&) = delete;
  ElfImage(ElfImage&&) = delete;
  ElfImage& operator=(ElfImage&&) = delete;
};

// Fills `image`. Error(kData) where the file cannot be read or is no ELF file of 64 bits.
void ReadElf(const std::string& path, ElfImage& image);

// None: mapped from elsewhere.
std::optional<std::uint64_t> AddressOfOffset(const ElfImage& image, std::uint64_t offset);

// The section that covers the address; nullptr: none.
const Section* SectionAt(const ElfImage& image, std::uint64_t address);

// The innermost object of that kind that covers the address; nullptr: none. A function of unknown
// size (assembly) reaches to the next one.
const Object* ObjectAt(const ElfImage& image, std::uint64_t address, bool function);

// By one of its names; nullptr: none.
const Object* FunctionNamed(const ElfImage& image, std::string_view name);

// The bytes of an object, or any others of one section; shorter where the section ends.
std::string_view BytesAt(const ElfImage& image, std::uint64_t address, std::uint64_t size);

}  // namespace perfgate::code
