// SPDX-License-Identifier: Apache-2.0
// held_folder.h: temporary folders that are locked while their process lives, so that a later one
// knows and removes those of processes that were killed.
#pragma once

#include <string>
#include <string_view>

#include "perfgate/base/os/unique_fd.h"

namespace perfgate::inline base {

struct HeldFolder {
  std::string path{};  // empty: none could be made
  UniqueFd lock{};
};

// A new folder in `base` that only this user may enter, "<prefix>" and six characters. errno says
// why there is none.
HeldFolder MakeHeldFolder(const std::string& base, std::string_view prefix);

// Removes folders of this user that MakeHeldFolder() made with this prefix and nobody holds.
void RemoveAbandoned(const std::string& base, std::string_view prefix);

}  // namespace perfgate::inline base
