// SPDX-License-Identifier: Apache-2.0
// published_context.h: where published values come from.
#pragma once

#include <string>
#include <vector>

namespace perfgate::report {

struct PublishedContext {
  std::string source;                 // name of the file
  std::vector<std::string> warnings;  // of reading it
};

}  // namespace perfgate::report
