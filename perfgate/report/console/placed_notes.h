// SPDX-License-Identifier: Apache-2.0
// placed_notes.h: notes of a table, in the line where they fit and numbered below it where not.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace perfgate::report {

class PlacedNotes {
 public:
  explicit PlacedNotes(std::size_t width) : width_(width) {}

  // What stands in the line: claim and note, or the claim and the number of the note.
  std::string Place(const std::string& claim, const std::string& note);

  // The notes below the table; equal ones once.
  std::string Text(std::size_t width) const;

 private:
  std::size_t width_;
  std::vector<std::string> below_;
};

}  // namespace perfgate::report
