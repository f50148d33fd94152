// SPDX-License-Identifier: Apache-2.0
// relink.h: from a link command to a folder of layouts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "perfgate/layouts/layout_folder.h"
#include "perfgate/layouts/link_runner.h"

namespace perfgate::layouts {

struct RelinkRequest {
  LinkCommand command;                   // links the executable
  std::vector<LinkCommand> libraries{};  // link shared libraries that are shuffled with it
  std::string folder;                    // made where it does not exist
  int count = 40;                        // layouts beside the link as it is
  std::size_t at_once = 1;               // links running at a time
  std::optional<Shuffling> shuffling{};  // none: the first of lld, mold and order that links
  bool later = false;                    // link only the link as it is; LinkMissing() does the rest
};

struct RelinkResult {
  LayoutFolder folder;
  int linked = 0;                  // links made now
  int kept = 0;                    // layouts that were there, of the same objects and linker
  std::vector<std::string> notes;  // why a shuffling linker was not used
};

// Makes or completes the folder. Layouts that are there already, of the same objects, linker and
// seed, are kept; all others in it are replaced. The manifest is written last, so that a folder
// whose linking failed is none.
//
// Error(kUsage) for a command that links no executable, Error(kFailed) when a link fails,
// Error(kData) when the links all came out the same: nothing was compiled into sections of its own.
RelinkResult Relink(const RelinkRequest& request, const LinkProgress& progress);

// Links what the set promises and does not have yet. Error(kData) when the objects are gone or have
// changed since.
LayoutFolder LinkMissing(const LayoutFolder& folder, std::size_t at_once,
                         const LinkProgress& progress);

}  // namespace perfgate::layouts
