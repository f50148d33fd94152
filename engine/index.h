// SPDX-License-Identifier: Apache-2.0
// index.h: sizes and positions are signed, what containers take is not.
#pragma once

#include "perfgate/base/index.h"

namespace engine {

using perfgate::Index;

}  // namespace engine
