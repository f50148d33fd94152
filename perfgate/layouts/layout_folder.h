// SPDX-License-Identifier: Apache-2.0
// layout_folder.h: a folder of layouts, as relink.h makes it.
//
//   DIR/layouts.json     what was linked from what (evidence/layouts.h)
//   DIR/0000/my_bench    the link as it is
//   DIR/0017/my_bench    the layout of seed 17, with its shared libraries
#pragma once

#include <string>

#include "perfgate/evidence/layouts.h"

namespace perfgate::layouts {

// Whether the path is a folder with a file layouts.json.
bool NamesLayouts(const std::string& path);

struct LayoutFolder {
  std::string path;
  LayoutSet set;

  std::string FileOf(const Layout& layout) const { return path + "/" + layout.file; }
};

// Reads the manifest and checks that the link as it is lies there. Error(kData) saying what to do.
LayoutFolder OpenLayouts(const std::string& path);

// Checks that every layout lies there and is the file that the manifest means. Error(kData).
void RequireSound(const LayoutFolder& folder);

// "sha256:<hex>" of what the layouts were linked from, and how: two folders that share it hold
// draws from one population, however many were linked so far.
std::string PopulationDigest(const LayoutSet& set);

// "sha256:<hex>" of the population and of every layout.
std::string FolderDigest(const LayoutSet& set);

// "0017"
std::string FolderOfSeed(int seed);

}  // namespace perfgate::layouts
