// SPDX-License-Identifier: Apache-2.0
// errors.h: the message of the Error that a piece of code ends in.
#pragma once

#include <string>

#include "engine/error.h"

namespace engine {

template <class Code>
std::string ErrorOf(const Code& code) {
  try {
    code();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace engine
