// SPDX-License-Identifier: Apache-2.0
// top_k_groups.h: how a row is cut up to find its k largest elements
//
// A row is groups of consecutive elements. The k largest elements lie in the k groups with the
// largest maxima: an element outside of them is below k maxima. So a row is read once for the
// maxima, and only k groups of it again.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/row.h"

namespace kernels::cuda {

struct TopKGroups {
  int log2_group = 0;       // of the elements of a group
  std::int64_t groups = 0;  // of a row
  std::int64_t tiles = 0;   // of a row; a tile is what a warp takes: groups, at least 256 elements
  std::int64_t tiles_per_part = 0;
  int parts = 1;           // of a row: blocks that find its maxima
  bool staged = false;     // the maxima fit shared memory
  bool signalled = false;  // and parts send theirs to the last one through Context::counters

  std::size_t SharedBytes() const;
  std::size_t WorkspaceBytes(std::int64_t rows) const;  // the maxima
};

// Signals only where `may_signal`.
TopKGroups GroupsForTopK(std::int64_t rows, std::int64_t cols, std::int64_t k, bool may_signal,
                         const Context& context);

}  // namespace kernels::cuda
