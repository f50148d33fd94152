// SPDX-License-Identifier: Apache-2.0
// private_copies.h: copies of what was hashed, so that what runs is what was hashed.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "perfgate/base/io/private_folder.h"

namespace perfgate::measure {

class PrivateCopies {
 public:
  PrivateCopies();  // Error(kData) when no private folder can be made

  // The copy of a file whose bytes had this digest (64 hexadecimal digits), made when first asked
  // for. Error(kInvalid) when the file has other bytes by now, Error(kData) when it cannot be
  // copied.
  std::string Of(const std::string& path, const std::string& digest);

 private:
  PrivateFolder folder_{"perfgate-copies-"};
  std::mutex mutex_;
  std::map<std::string, std::string> copies_;  // by digest
};

}  // namespace perfgate::measure
