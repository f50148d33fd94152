// SPDX-License-Identifier: Apache-2.0
// error.h: what engine/ throws at its edges: files, configuration, requests, devices.
//
// Error is that of perfgate/base. The message says what was wrong and where (file, tensor or key),
// expected against actual, and what to do when that is not plain. Exit chooses the exit code of the
// command line: kUsage for options or a request that cannot be served, kData and kInvalid for a
// file that is not what it should be.
#pragma once

#include <stdexcept>
#include <string>

#include "perfgate/base/error.h"

namespace engine {

using perfgate::Error;
using perfgate::Exit;

// "<where>: <what>" about a file.
[[noreturn]] inline void FailData(const std::string& where, const std::string& what) {
  throw Error(Exit::kData, where + ": " + what);
}

// A device that failed while it worked.
class DeviceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace engine
