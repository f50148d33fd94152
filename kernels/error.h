// SPDX-License-Identifier: Apache-2.0
// error.h: the one exception type of kernels/.
//
// Thrown at the edges for what a caller got wrong: the message names the op and the argument, what
// was expected and what was found. A kernel that has started does not throw.
#pragma once

#include <stdexcept>

namespace kernels {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace kernels
