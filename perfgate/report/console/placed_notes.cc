// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/console/placed_notes.h"

#include <algorithm>

#include "perfgate/report/parts/console_facts.h"

namespace perfgate::report {

std::string PlacedNotes::Place(const std::string& claim, const std::string& note) {
  std::string whole = claim;
  if (!note.empty()) whole += (claim.empty() ? "" : ", ") + note;
  if (whole.size() <= width_) return whole;
  const auto known = std::find(below_.begin(), below_.end(), note);
  const auto number = static_cast<std::size_t>(known - below_.begin()) + 1;
  if (known == below_.end()) below_.push_back(note);
  return claim + (claim.empty() ? "[" : " [") + std::to_string(number) + "]";
}

std::string PlacedNotes::Text(std::size_t width) const {
  std::string result;
  for (std::size_t i = 0; i < below_.size(); ++i) {
    result += fact_lines("[" + std::to_string(i + 1) + "]", below_[i], width);
  }
  return result;
}

}  // namespace perfgate::report
