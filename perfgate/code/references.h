// SPDX-License-Identifier: Apache-2.0
// references.h: what an address in code stands for, said without the address.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "perfgate/code/calls.h"
#include "perfgate/code/elf_image.h"
#include "perfgate/code/instructions.h"

namespace perfgate::code {

// A function or a data object by name, or data without a name by its contents.
struct Reference {
  std::vector<std::string> names;  // all of the object; empty: it has none
  std::int64_t offset = 0;         // into the object
  // SHA-256 of the data that may be read, addresses in it replaced by what they stand for, and so
  // on to the end. Empty for code and zeroed memory.
  std::string contents;
  bool known = true;  // false: nothing is there that has a name or contents; equals nothing
};

// The same place of the same thing: one name in common is enough, for the linker may have folded
// functions in one of the images.
bool SameReference(const Reference& one, const Reference& other);

// Resolves the addresses of one image. What it found out is kept, so that tables are read once.
class References {
 public:
  explicit References(const ElfImage& image) : image_(image), scan_(ScanCode(image)) {}

  // What an instruction of `function` uses.
  //   code      name and offset; of the function's own .cold part just its name
  //   data      name, offset and the contents of the whole object
  //   no name   contents: as many bytes as are accessed; where an address is taken, all up to the
  //             next thing that anything refers to. A table of jumps is read as offsets into the
  //             function.
  Reference Resolve(const AddressUse& use, const Object& function);

  const CodeScan& scan() const { return scan_; }

 private:
  Reference Code(std::uint64_t target, const Object* function) const;
  Reference Data(std::uint64_t target, std::size_t size, const Object* function);
  std::string Contents(std::uint64_t begin, std::uint64_t end, const Object* function);
  std::string ObjectContents(const Object& object);
  std::string Said(std::uint64_t target, const Object* function);
  std::uint64_t JumpTarget(std::uint64_t begin, std::uint64_t at, std::size_t size) const;
  std::string JumpTable(std::uint64_t begin, std::uint64_t end, std::size_t size,
                        const Object& function) const;
  std::uint64_t NextBoundary(std::uint64_t begin) const;
  std::uint64_t NamelessEnd(std::uint64_t begin) const;

  const ElfImage& image_;
  CodeScan scan_;
  std::map<std::uint64_t, std::string> contents_;  // by object; empty while it is being read
};

}  // namespace perfgate::code
