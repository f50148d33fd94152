// SPDX-License-Identifier: Apache-2.0
// skip_list.h: items that are left out on purpose, as a file with one id a line.
//
//   # comment
//   3476ed08  # unsupported_model: model_unsupported (capacity)
//
// The reason is everything after the first "  # " or " # ".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "perfgate/published/published_parity.h"

namespace perfgate::published {

struct SkippedItem {
  std::string id;
  std::string reason;  // "not stated" where the file has none
};

// Error(kData) with file and line for text that is not UTF-8, Error(kInvalid) for an id that stands
// twice.
std::vector<SkippedItem> skip_list_from_text(std::string_view text, const std::string& where);
std::vector<SkippedItem> ReadSkipList(const std::string& path);

// Takes the items out of the set. Error(kData) for an id that the set does not have.
void LeaveOut(const std::vector<SkippedItem>& list, const std::string& where, PublishedSet& set);

// Error(kData) for an id that a line cannot hold: with a line break, blanks at an end, " #" inside
// or "#" in front.
std::string SkipListText(const std::vector<SkippedItem>& list, const std::string& source);

}  // namespace perfgate::published
