// SPDX-License-Identifier: Apache-2.0
// system_reason.h: what the system says of an errno.
#pragma once

#include <cstring>
#include <string>

namespace perfgate::inline base {

// "No such file or directory"
inline std::string SystemReason(int error) {
  return std::strerror(error);  // NOLINT(concurrency-mt-unsafe)
}

}  // namespace perfgate::inline base
