// SPDX-License-Identifier: Apache-2.0
// token.h: the secret that an API asks for.
#pragma once

#include <string>

namespace perfgate::ci {

// From a file, or from standard input for "-"; blanks and line ends around it do not count.
// Error(kUsage) where it is no token: empty, longer than 4096 bytes, or with other characters than
// visible ASCII.
std::string ReadToken(const std::string& file);

}  // namespace perfgate::ci
