// SPDX-License-Identifier: Apache-2.0
// link_command.h: what a link command says of itself.
#pragma once

#include <string>
#include <vector>

#include "perfgate/evidence/layouts.h"

namespace perfgate::layouts {

// How linker options are handed over: -Wl,X by a compiler, -Xlinker X by nvcc.
enum class LinkDriver { kCompiler, kNvcc };

struct ParsedLink {
  LinkCommand command;  // response files read in
  LinkDriver driver = LinkDriver::kCompiler;
  std::string output;                // as written; "a.out" where the command names none
  std::size_t output_at = 0;         // index of that argument; 0: none
  std::vector<std::size_t> objects;  // indices of object files, in their order
  std::vector<std::string> inputs;   // files that the command names, absolute
  bool shared = false;               // makes a shared library
};

// Response files (@file) are replaced by their content. A program without a slash is looked for in
// PATH. Error(kUsage) for an empty command, one that compiles only (-c, -S, -E), and a program or a
// response file that does not exist.
ParsedLink ParseLink(const LinkCommand& command);

// Text of a response file as arguments: blanks separate, quotes and backslashes protect them.
std::vector<std::string> SplitArguments(const std::string& text);

// The command with another output file.
LinkCommand WithOutput(const ParsedLink& link, const std::string& output);

}  // namespace perfgate::layouts
