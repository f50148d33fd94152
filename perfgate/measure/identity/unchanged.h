// SPDX-License-Identifier: Apache-2.0
// unchanged.h: whether what runs is still what was hashed.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "perfgate/measure/executable.h"

namespace perfgate::measure {

// Looks at files by their numbers (inode, size, times) and reads them only where those changed.
class UnchangedFiles {
 public:
  // Error(kInvalid) naming the file of the executable, or of its own libraries, whose bytes are not
  // those of its digest. The first look at a file reads it, unless it was just inspected.
  void Require(const Executable& executable);

 private:
  std::map<std::string, std::string> seen_;  // numbers of a file whose bytes were right, by path
};

}  // namespace perfgate::measure
