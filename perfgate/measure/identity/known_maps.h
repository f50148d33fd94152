// SPDX-License-Identifier: Apache-2.0
// known_maps.h: what executables mapped the last time that they were observed, one small file each
// in a folder that may go at any time.
//
// An entry is that of one executable (path and digest) in one environment (the variables by which
// the loader finds libraries) with one filter. It holds the names of the files, not their content,
// and the time at which each folder of theirs last changed: a plugin that appears beside the others
// makes the entry stale.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "perfgate/measure/executable.h"

namespace perfgate::measure {

class KnownMaps {
 public:
  // folder: made when something is first kept; empty: nothing is known or kept.
  KnownMaps(std::string folder, std::string filter);

  // None where nothing is known, or what is known is stale or cannot be read.
  std::optional<std::vector<std::string>> Find(const Executable& executable) const;

  // A folder that cannot be written to is no error: the next gate observes again.
  void Keep(const Executable& executable, const std::vector<std::string>& files) const;

 private:
  std::string FileOf(const Executable& executable) const;

  std::string folder_;
  std::string filter_;
};

}  // namespace perfgate::measure
