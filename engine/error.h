// SPDX-License-Identifier: Apache-2.0
// error.h: the one exception type of engine/.
//
// Thrown at the edges: files, configuration, requests. The message says what was wrong and where
// (file, tensor or key), expected against actual, and what to do when that is not plain. The kind
// chooses the exit code of the command line.
#pragma once

#include <stdexcept>
#include <string>

namespace engine {

enum class ErrorKind : int {
  kUsage = 64,   // options or a request that cannot be served
  kData = 65,    // a file that is not what it should be
  kDevice = 69,  // a device that failed while it worked
};

class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& what) : std::runtime_error(what), kind_(kind) {}
  ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

}  // namespace engine
