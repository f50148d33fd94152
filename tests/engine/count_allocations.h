// SPDX-License-Identifier: Apache-2.0
// count_allocations.h: how often this process has called operator new, which its source replaces.
#pragma once

#include <cstddef>

namespace engine {

std::size_t Allocations();

}  // namespace engine
