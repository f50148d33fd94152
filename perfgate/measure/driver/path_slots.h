// SPDX-License-Identifier: Apache-2.0
// path_slots.h: paths of equal length to start the arms through, swapped by the round's coin.
//
// The length of argv[0] moves a program's stack and with it its speed, so no arm may keep a path of
// its own. A private folder holds one folder per slot, each with one symbolic link of the same
// name; the link of a slot is pointed at the arm that has the slot in this round.
#pragma once

#include <string>
#include <vector>

#include "perfgate/base/io/private_folder.h"

namespace perfgate::measure {

class PathSlots {
 public:
  // One slot per executable, named after them. Error(kData) when no private folder can be made.
  explicit PathSlots(const std::vector<std::string>& executables);

  // Points `slot` at an executable and returns the slot's path: a function of the slot alone, of
  // one length for all slots. Call it once per arm when a round begins, with a different slot for
  // each arm.
  std::string Point(int slot, const std::string& executable) const;

  const std::string& folder() const { return folder_.path(); }

 private:
  int count_ = 0;
  PrivateFolder folder_;
  std::string name_;  // final name of all slots
};

}  // namespace perfgate::measure
