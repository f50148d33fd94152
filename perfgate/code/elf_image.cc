// SPDX-License-Identifier: Apache-2.0
#include "perfgate/code/elf_image.h"

#include <gelf.h>
#include <libelf.h>

#include <algorithm>
#include <memory>
#include <set>
#include <tuple>
#include <utility>

#include "perfgate/base/error.h"
#include "perfgate/base/io/read_file.h"

namespace perfgate::code {
namespace {

struct ElfEnd {
  void operator()(Elf* elf) const { elf_end(elf); }
};
using ElfHandle = std::unique_ptr<Elf, ElfEnd>;

struct NamedSymbol {
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  bool function = false;
  bool local = false;
  std::string name;
  std::string file;
};

#ifndef SHT_RELR
constexpr unsigned kShtRelr = 19;
#else
constexpr unsigned kShtRelr = SHT_RELR;
#endif

std::string_view SectionBytes(const GElf_Shdr& header, const std::string& file) {
  if (header.sh_type == SHT_NOBITS || header.sh_offset > file.size()) return {};
  return std::string_view(file).substr(header.sh_offset, header.sh_size);
}

Machine MachineOf(const GElf_Ehdr& header) {
  if (header.e_machine == EM_X86_64) return Machine::kX86_64;
  if (header.e_machine == EM_AARCH64) return Machine::kAArch64;
  return Machine::kOther;
}

void ReadSegments(Elf* elf, ElfImage& image) {
  std::size_t count = 0;
  if (elf_getphdrnum(elf, &count) != 0) return;
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Phdr header;
    if (gelf_getphdr(elf, static_cast<int>(i), &header) == nullptr) continue;
    if (header.p_type != PT_LOAD) continue;
    image.segments.push_back({header.p_offset, header.p_vaddr, header.p_filesz});
  }
}

// Without sections that an empty name or TLS template would only confuse.
void AddSection(const std::string& name, const GElf_Shdr& header, ElfImage& image) {
  const bool tls_zero = (header.sh_flags & SHF_TLS) != 0 && header.sh_type == SHT_NOBITS;
  if ((header.sh_flags & SHF_ALLOC) == 0 || header.sh_size == 0 || tls_zero) return;
  image.sections.push_back(
      {name, header.sh_addr, header.sh_size, (header.sh_flags & SHF_WRITE) != 0,
       (header.sh_flags & SHF_EXECINSTR) != 0, SectionBytes(header, image.file)});
}

std::string SymbolName(Elf* elf, const GElf_Shdr& table, const GElf_Sym& symbol) {
  const char* name = elf_strptr(elf, table.sh_link, symbol.st_name);
  return name == nullptr ? "" : name;
}

void ReadSymbols(Elf* elf, Elf_Scn* section, const GElf_Shdr& header,
                 std::vector<NamedSymbol>& symbols) {
  Elf_Data* data = elf_getdata(section, nullptr);
  if (data == nullptr || header.sh_entsize == 0) return;
  std::string file;
  for (std::size_t i = 0; i < header.sh_size / header.sh_entsize; ++i) {
    GElf_Sym symbol;
    if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) continue;
    const auto type = GELF_ST_TYPE(symbol.st_info);
    std::string name = SymbolName(elf, header, symbol);
    if (type == STT_FILE) {
      file = std::move(name);
      continue;
    }
    const bool function = type == STT_FUNC || type == STT_GNU_IFUNC;
    if (!function && type != STT_OBJECT) continue;
    if (symbol.st_shndx == SHN_UNDEF || symbol.st_shndx == SHN_ABS || name.empty()) continue;
    const bool local = GELF_ST_BIND(symbol.st_info) == STB_LOCAL;
    symbols.push_back(
        {symbol.st_value, symbol.st_size, function, local, std::move(name), local ? file : ""});
  }
}

// Local names say nothing where the image has them twice.
void TellLocalsApart(std::vector<NamedSymbol>& symbols) {
  for (const bool with_file : {true, false}) {
    std::map<std::string, std::set<std::uint64_t>> places;
    for (const NamedSymbol& symbol : symbols) places[symbol.name].insert(symbol.address);
    for (NamedSymbol& symbol : symbols) {
      const std::set<std::uint64_t>& all = places[symbol.name];
      if (!symbol.local || all.size() < 2) continue;
      const auto number = std::distance(all.begin(), all.find(symbol.address));
      symbol.name =
          with_file ? symbol.file + ":" + symbol.name : symbol.name + "#" + std::to_string(number);
    }
  }
}

void MakeObjects(std::vector<NamedSymbol> symbols, ElfImage& image) {
  TellLocalsApart(symbols);
  std::map<std::pair<std::uint64_t, bool>, Object> objects;
  for (NamedSymbol& symbol : symbols) {
    Object& object = objects[{symbol.address, symbol.function}];
    object.address = symbol.address;
    object.function = symbol.function;
    object.size = std::max(object.size, symbol.size);
    object.names.push_back(std::move(symbol.name));
  }
  for (auto& [key, object] : objects) {
    std::sort(object.names.begin(), object.names.end());
    object.names.erase(std::unique(object.names.begin(), object.names.end()), object.names.end());
    image.objects.push_back(std::move(object));
  }
}

// Whether the loader writes an address that belongs to this image.
bool IsRelative(Machine machine, std::uint64_t type) {
  if (machine == Machine::kX86_64) return type == R_X86_64_RELATIVE || type == R_X86_64_IRELATIVE;
  return type == R_AARCH64_RELATIVE || type == R_AARCH64_IRELATIVE;
}

bool IsCopy(Machine machine, std::uint64_t type) {
  return type == (machine == Machine::kX86_64 ? R_X86_64_COPY : R_AARCH64_COPY);
}

void ReadRelocations(Elf* elf, Elf_Scn* section, const GElf_Shdr& header, ElfImage& image) {
  if ((header.sh_flags & SHF_ALLOC) == 0 || header.sh_entsize == 0) return;
  Elf_Data* data = elf_getdata(section, nullptr);
  Elf_Scn* table = header.sh_link == 0 ? nullptr : elf_getscn(elf, header.sh_link);
  GElf_Shdr table_header{};
  Elf_Data* symbols = nullptr;
  if (table != nullptr && gelf_getshdr(table, &table_header) != nullptr) {
    symbols = elf_getdata(table, nullptr);
  }
  if (data == nullptr) return;
  for (std::size_t i = 0; i < header.sh_size / header.sh_entsize; ++i) {
    GElf_Rela entry;
    if (gelf_getrela(data, static_cast<int>(i), &entry) == nullptr) continue;
    const auto type = GELF_R_TYPE(entry.r_info);
    if (IsCopy(image.machine, type)) continue;
    Relocation relocation{"", entry.r_addend};
    GElf_Sym symbol;
    if (!IsRelative(image.machine, type) && symbols != nullptr &&
        gelf_getsym(symbols, static_cast<int>(GELF_R_SYM(entry.r_info)), &symbol) != nullptr) {
      relocation.symbol = SymbolName(elf, table_header, symbol);
    }
    // Offsets of thread-local variables and the like are what they are by type and addend.
    if (!IsRelative(image.machine, type) && relocation.symbol.empty()) {
      relocation.symbol = "reloc:" + std::to_string(type);
    }
    image.relocations[entry.r_offset] = std::move(relocation);
  }
}

// Packed relative relocations: an even word is an address, an odd one a bitmap of the 63 words that
// follow; addends lie where they are added.
void ReadPackedRelocations(const GElf_Shdr& header, ElfImage& image) {
  const std::string_view bytes = SectionBytes(header, image.file);
  std::uint64_t next = 0;
  const auto add = [&](std::uint64_t address) {
    std::uint64_t value = 0;
    const std::string_view at = BytesAt(image, address, sizeof value);
    if (at.size() == sizeof value) at.copy(reinterpret_cast<char*>(&value), sizeof value);
    image.relocations[address] = {"", static_cast<std::int64_t>(value)};
  };
  for (std::size_t i = 0; i + sizeof next <= bytes.size(); i += sizeof next) {
    std::uint64_t word = 0;
    bytes.substr(i, sizeof word).copy(reinterpret_cast<char*>(&word), sizeof word);
    if ((word & 1) == 0) {
      add(word);
      next = word + sizeof word;
      continue;
    }
    for (unsigned bit = 1; bit < 64; ++bit) {
      if ((word >> bit & 1) != 0) add(next + (bit - 1) * sizeof word);
    }
    next += 63 * sizeof word;
  }
}

void ReadSections(Elf* elf, ElfImage& image) {
  std::size_t names = 0;
  elf_getshdrstrndx(elf, &names);
  std::vector<NamedSymbol> symbols;
  std::vector<std::pair<Elf_Scn*, GElf_Shdr>> relocations;
  bool has_symbols = false;
  for (Elf_Scn* section = elf_nextscn(elf, nullptr); section != nullptr;
       section = elf_nextscn(elf, section)) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr) continue;
    const char* name = elf_strptr(elf, names, header.sh_name);
    AddSection(name == nullptr ? "" : name, header, image);
    if (header.sh_type == SHT_SYMTAB) {
      has_symbols = true;
      ReadSymbols(elf, section, header, symbols);
    }
    if (header.sh_type == SHT_RELA || header.sh_type == kShtRelr) {
      relocations.emplace_back(section, header);
    }
  }
  std::stable_sort(image.sections.begin(), image.sections.end(),
                   [](const Section& a, const Section& b) { return a.address < b.address; });
  for (auto& [section, header] : relocations) {
    if (header.sh_type == kShtRelr) {
      ReadPackedRelocations(header, image);
    } else {
      ReadRelocations(elf, section, header, image);
    }
  }
  image.stripped = !has_symbols;
  MakeObjects(std::move(symbols), image);
}

}  // namespace

void ReadElf(const std::string& path, ElfImage& image) {
  elf_version(EV_CURRENT);
  image.path = path;
  image.file = read_file_text(path);
  const ElfHandle elf(elf_memory(image.file.data(), image.file.size()));
  GElf_Ehdr header;
  if (!elf || elf_kind(elf.get()) != ELF_K_ELF || gelf_getehdr(elf.get(), &header) == nullptr ||
      header.e_ident[EI_CLASS] != ELFCLASS64) {
    throw Error(Exit::kData, path + ": not an ELF file of 64 bits");
  }
  image.machine = MachineOf(header);
  image.fixed_address = header.e_type == ET_EXEC;
  ReadSegments(elf.get(), image);
  ReadSections(elf.get(), image);
}

std::optional<std::uint64_t> AddressOfOffset(const ElfImage& image, std::uint64_t offset) {
  for (const Segment& segment : image.segments) {
    if (offset >= segment.offset && offset - segment.offset < segment.file_size) {
      return segment.address + (offset - segment.offset);
    }
  }
  return std::nullopt;
}

const Section* SectionAt(const ElfImage& image, std::uint64_t address) {
  auto after = std::upper_bound(image.sections.begin(), image.sections.end(), address,
                                [](std::uint64_t a, const Section& s) { return a < s.address; });
  if (after == image.sections.begin()) return nullptr;
  const Section& section = *std::prev(after);
  return address < section.end() ? &section : nullptr;
}

const Object* ObjectAt(const ElfImage& image, std::uint64_t address, bool function) {
  const auto after =
      std::upper_bound(image.objects.begin(), image.objects.end(), address,
                       [](std::uint64_t a, const Object& o) { return a < o.address; });
  // Objects lie inside one another at most a few deep (aliases of a part, labels of assembly).
  constexpr int kDeepest = 64;
  int steps = 0;
  for (auto at = after; at != image.objects.begin() && steps < kDeepest; ++steps) {
    --at;
    if (at->function != function) continue;
    if (address < at->end() || address == at->address) return &*at;
    if (at->size == 0 && function) {
      const Section* section = SectionAt(image, at->address);
      if (section != nullptr && address < section->end() && steps == 0) return &*at;
    }
  }
  return nullptr;
}

const Object* FunctionNamed(const ElfImage& image, std::string_view name) {
  for (const Object& object : image.objects) {
    if (object.function && std::binary_search(object.names.begin(), object.names.end(), name)) {
      return &object;
    }
  }
  return nullptr;
}

std::string_view BytesAt(const ElfImage& image, std::uint64_t address, std::uint64_t size) {
  const Section* section = SectionAt(image, address);
  if (section == nullptr || address - section->address >= section->bytes.size()) return {};
  return section->bytes.substr(address - section->address, size);
}

}  // namespace perfgate::code
