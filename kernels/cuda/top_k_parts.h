// SPDX-License-Identifier: Apache-2.0
// top_k_parts.h: how a row is cut into parts, one block each, to find its k largest.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/row.h"

namespace kernels::cuda {

struct TopKParts {
  int parts = 1;           // of each row
  int slots = 0;           // keys that a part hands on at most
  std::int64_t chunk = 0;  // elements of a part, but for the last
  bool staged = false;     // a part fits shared memory

  std::size_t SharedBytes() const;  // beside what the selection itself needs
  // Of all rows: slots of keys, then their numbers.
  std::size_t KeyBytes(std::int64_t rows) const;
  std::size_t WorkspaceBytes(std::int64_t rows) const;
};

TopKParts PartsForTopK(std::int64_t rows, std::int64_t cols, std::int64_t k,
                       const Context& context);

}  // namespace kernels::cuda
