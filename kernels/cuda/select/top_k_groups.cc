// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/select/top_k_groups.h"

#include <algorithm>

#include "kernels/cuda/runtime/gpu.h"

namespace kernels::cuda {
namespace {

constexpr int kLog2Tile = 8;
constexpr std::int64_t kMostStaged = 16384;

}  // namespace

std::size_t TopKGroups::SharedBytes() const {
  return staged ? static_cast<std::size_t>(groups) * sizeof(std::uint32_t) : 0;
}

std::size_t TopKGroups::WorkspaceBytes(std::int64_t rows) const {
  return signalled || (parts == 1 && staged)
             ? 0
             : static_cast<std::size_t>(rows * groups) * sizeof(std::uint32_t);
}

TopKGroups GroupsForTopK(std::int64_t rows, std::int64_t cols, std::int64_t k, bool may_signal,
                         const Context& context) {
  TopKGroups cut;
  // One block of a row looks at cols / group maxima and about k * group elements.
  cut.log2_group = 3;
  while ((k << (2 * cut.log2_group + 1)) < cols) {
    ++cut.log2_group;
  }
  // Signals are worth a group of twice the size.
  const auto words = static_cast<std::int64_t>(context.counters.size());
  const auto groups_of = [cols](int log2) { return ((cols - 1) >> log2) + 1; };
  if (may_signal && rows * groups_of(cut.log2_group) > words &&
      rows * groups_of(cut.log2_group + 1) <= words) {
    ++cut.log2_group;
  }
  cut.groups = groups_of(cut.log2_group);
  cut.staged = cut.groups <= kMostStaged;
  const int log2_tile = std::max(cut.log2_group, kLog2Tile);
  cut.tiles = (cols + (std::int64_t{1} << log2_tile) - 1) >> log2_tile;
  const std::int64_t blocks = context.gpu->limits().multiprocessors;
  const std::int64_t each = blocks / std::max<std::int64_t>(rows, 1);
  // A block more or less of 8 is little, and leaves the next launch room beside the last blocks.
  const bool spare = each < 8 || (each + 1) * rows <= blocks;
  const std::int64_t most = std::clamp<std::int64_t>(spare ? each : each - 1, 1, cut.tiles);
  cut.tiles_per_part = (cut.tiles + most - 1) / most;
  cut.parts = static_cast<int>((cut.tiles + cut.tiles_per_part - 1) / cut.tiles_per_part);
  cut.signalled = may_signal && cut.parts > 1 && cut.staged && rows * cut.groups <= words;
  return cut;
}

}  // namespace kernels::cuda
