// SPDX-License-Identifier: Apache-2.0
#include "perfgate/code/references.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "perfgate/base/sha256.h"

namespace perfgate::code {
namespace {

// Compilers number tables of one name through the file ("table.3", "CSWTCH.17"): code added in
// front changes the number. Contents tell such tables apart, so only what has some may lose its
// number.
std::string WithoutNumber(const std::string& name) {
  const std::size_t dot = name.find_last_not_of("0123456789");
  const bool numbered =
      dot != std::string::npos && dot > 0 && name[dot] == '.' && dot + 1 < name.size();
  return numbered ? name.substr(0, dot) : name;
}

bool IsColdPartOf(const Object& part, const Object& function) {
  return std::any_of(part.names.begin(), part.names.end(), [&](const std::string& name) {
    const std::size_t cold = name.find(".cold");
    return cold != std::string::npos &&
           std::binary_search(function.names.begin(), function.names.end(), name.substr(0, cold));
  });
}

std::string Joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += name + "|";
  return text;
}

}  // namespace

bool SameReference(const Reference& one, const Reference& other) {
  if (!one.known || !other.known) return false;
  if (one.offset != other.offset || one.contents != other.contents) return false;
  if (one.names.empty() && other.names.empty()) return true;
  return std::any_of(one.names.begin(), one.names.end(), [&](const std::string& name) {
    return std::find(other.names.begin(), other.names.end(), name) != other.names.end();
  });
}

Reference References::Resolve(const AddressUse& use, const Object& function) {
  const Section* section = SectionAt(image_, use.target);
  if (section == nullptr) {
    // One past the end of a section, or nothing at all.
    return {{}, 0, "", false};
  }
  if (section->executable) {
    Reference code = Code(use.target, &function);
    // Data among code (tables of some compilers and machines).
    if (code.known || use.jump) return code;
  }
  return Data(use.target, use.size, &function);
}

Reference References::Code(std::uint64_t target, const Object* function) const {
  const Object* callee = ObjectAt(image_, target, true);
  if (callee != nullptr && (target < callee->end() || callee->size == 0)) {
    const bool own_cold = function != nullptr && IsColdPartOf(*callee, *function);
    return {callee->names, own_cold ? 0 : static_cast<std::int64_t>(target - callee->address), "",
            true};
  }
  const std::string stub = StubTarget(image_, target);
  return {{stub}, 0, "", !stub.empty()};
}

// The first address after `begin` that anything else refers to.
std::uint64_t References::NextBoundary(std::uint64_t begin) const {
  const std::uint64_t end = SectionAt(image_, begin)->end();
  const auto next = std::upper_bound(scan_.boundaries.begin(), scan_.boundaries.end(), begin);
  return next == scan_.boundaries.end() ? end : std::min(*next, end);
}

// Texts share their ends ("world" in "hello world"): a text ends with its zero, not before.
std::uint64_t References::NamelessEnd(std::uint64_t begin) const {
  const std::uint64_t next = NextBoundary(begin);
  const std::string_view rest = BytesAt(image_, begin, SectionAt(image_, begin)->end() - begin);
  const std::size_t zero = rest.find('\0');
  return zero == std::string_view::npos ? next : std::max(next, begin + zero + 1);
}

Reference References::Data(std::uint64_t target, std::size_t size, const Object* function) {
  const Section* section = SectionAt(image_, target);
  const Object* object = ObjectAt(image_, target, false);
  if (object != nullptr && (target < object->end() || object->address == target)) {
    const auto offset = static_cast<std::int64_t>(target - object->address);
    Reference reference{object->names, offset, ObjectContents(*object), true};
    if (!section->writable) {
      for (std::string& name : reference.names) name = WithoutNumber(name);
    }
    // `table[i - 1]` takes the address before its table.
    constexpr std::uint64_t kBefore = 64;
    const Object* next = ObjectAt(image_, object->end(), false);
    if (size == 0 && offset != 0 && object->end() - target <= kBefore && next != nullptr) {
      reference.contents += ObjectContents(*next);
    }
    return reference;
  }
  if (section->bytes.empty()) return {{}, 0, "", false};
  if (size != 0) return {{}, 0, sha256_hex(Contents(target, target + size, function)), true};
  const std::uint64_t end = NamelessEnd(target);
  if (function != nullptr) {
    const std::uint64_t next = NextBoundary(target);
    std::string table = JumpTable(target, next, 4, *function);
    if (table.empty()) table = JumpTable(target, next, 8, *function);
    if (!table.empty()) return {{}, 0, sha256_hex(table), true};
  }
  std::string contents = Contents(target, end, function);
  contents.erase(contents.find_last_not_of('\0') + 1);  // padding
  if (contents.empty()) {
    const Object* next = ObjectAt(image_, end, false);
    if (next != nullptr) contents = "before " + ObjectContents(*next);
  }
  return {{}, 0, sha256_hex(contents), true};
}

// Where an entry of a table of jumps leads: bytes 4 relative to the table, or 8 absolute.
std::uint64_t References::JumpTarget(std::uint64_t begin, std::uint64_t at,
                                     std::size_t size) const {
  const auto relocation = image_.relocations.find(at);
  if (size == 8 && relocation != image_.relocations.end()) {
    const Relocation& found = relocation->second;
    return found.symbol.empty() ? static_cast<std::uint64_t>(found.addend) : 0;
  }
  const std::string_view bytes = BytesAt(image_, at, size);
  if (bytes.size() < size) return 0;
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data(), size);
  if (size == 8) return image_.fixed_address ? value : 0;
  return begin + static_cast<std::uint64_t>(static_cast<std::int32_t>(value));
}

// The entries at `begin` that lead into the function or its cold part, as offsets; empty: none.
std::string References::JumpTable(std::uint64_t begin, std::uint64_t end, std::size_t size,
                                  const Object& function) const {
  std::string text;
  for (std::uint64_t at = begin; at + size <= end; at += size) {
    const std::uint64_t target = JumpTarget(begin, at, size);
    const Object* owner = ObjectAt(image_, target, true);
    if (owner == nullptr) break;
    if (owner->address == function.address) {
      text += "+" + std::to_string(target - function.address) + ";";
    } else if (IsColdPartOf(*owner, function)) {
      text += "cold;";
    } else {
      break;
    }
  }
  return text;
}

std::string References::ObjectContents(const Object& object) {
  const auto [entry, is_new] = contents_.try_emplace(object.address);
  if (!is_new) return entry->second;  // empty for an object that refers to itself
  const std::string text =
      "size " + std::to_string(object.size) + ":" + Contents(object.address, object.end(), nullptr);
  return contents_[object.address] = sha256_hex(text);
}

// What a pointer in data stands for.
std::string References::Said(std::uint64_t target, const Object* function) {
  const Section* section = SectionAt(image_, target);
  if (section == nullptr) return "<nothing>";
  Reference reference;
  if (section->executable) {
    reference = Code(target, function);
  } else {
    reference = Data(target, 0, nullptr);
  }
  // An address that cannot be named stays one: what moved then counts as changed.
  if (!reference.known) return "<at " + std::to_string(target) + ">";
  return "<" + Joined(reference.names) + "+" + std::to_string(reference.offset) + "=" +
         reference.contents + ">";
}

std::string References::Contents(std::uint64_t begin, std::uint64_t end, const Object* function) {
  constexpr std::uint64_t kPointer = 8;
  const std::string_view bytes = BytesAt(image_, begin, end - begin);
  std::string text;
  std::size_t i = 0;
  while (i < bytes.size() || begin + i < end) {
    const std::uint64_t at = begin + i;
    const auto relocation = image_.relocations.find(at);
    if (relocation != image_.relocations.end()) {
      const Relocation& found = relocation->second;
      text += found.symbol.empty() ? Said(static_cast<std::uint64_t>(found.addend), function)
                                   : "<" + found.symbol + "+" + std::to_string(found.addend) + ">";
      i += kPointer;
      continue;
    }
    if (i >= bytes.size()) break;  // zeroed memory
    if (image_.fixed_address && at % kPointer == 0 && i + kPointer <= bytes.size()) {
      std::uint64_t value = 0;
      std::memcpy(&value, bytes.data() + i, sizeof value);
      if (SectionAt(image_, value) != nullptr) {
        text += Said(value, function);
        i += kPointer;
        continue;
      }
    }
    text += bytes[i++];
  }
  return text;
}

}  // namespace perfgate::code
