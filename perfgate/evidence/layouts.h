// SPDX-License-Identifier: Apache-2.0
// layouts.h: one program linked several times, each time with another order of its functions and
// data. docs/layouts.md says why.
#pragma once

#include <string>
#include <vector>

#include "perfgate/base/text/enum_words.h"

namespace perfgate::inline evidence {

// How the order is drawn.
//   lld    ld.lld --shuffle-sections on text, rodata, data and bss
//   mold   mold --shuffle-sections
//   order  any linker: the object files in random order behind a padding object of random size. It
//          moves whole object files, so functions of one file keep their distances.
enum class Shuffling { kLld, kMold, kOrder };

constexpr EnumWords<3> enum_words(Shuffling) { return {"shuffling", {{"lld", "mold", "order"}}}; }

struct Layout {
  int seed = 0;        // 0: the link as it was asked for, nothing shuffled
  std::string file;    // relative to the folder
  std::string digest;  // "sha256:<hex>" of the file
};

// A command that links something, as it would be typed in `directory`.
struct LinkCommand {
  std::string directory;
  std::vector<std::string> arguments;
};

// What the file layouts.json of a folder of layouts says.
struct LayoutSet {
  std::string name;  // file name of the executable
  std::string tool;  // "perfgate 0.1.0"
  Shuffling shuffling = Shuffling::kLld;
  std::string linker;   // what the linker says of its version
  std::string objects;  // "sha256:<hex>" over the files that the command names
  int count = 0;  // layouts beside the link as it is; those that `layouts` lacks can be linked
  LinkCommand command;
  std::vector<LinkCommand> libraries;  // shared libraries that are shuffled with it
  std::vector<Layout> layouts;         // the first is the link as it is, then by rising seed
};

}  // namespace perfgate::inline evidence
