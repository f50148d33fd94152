// SPDX-License-Identifier: Apache-2.0
// rows.h: the rows of a comparison with the rounds of their pairs, before there are intervals.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "perfgate/verdict/alternatives/pairs.h"

namespace perfgate::inline verdict {

struct OpenRow {
  AlternativesRow row;
  std::vector<ArmPair> pairs;
  std::vector<stats::RoundSeries> series;  // one per pair, none empty
};

// Whether the case was measured and no alternative reports the metric.
bool is_silent(const Session& session, std::size_t case_index, std::size_t metric_index);

// broken: as standings_of().
OpenRow open_row(const Session& session, std::size_t case_index, std::size_t metric_index,
                 std::span<const Fault> broken, const AlternativesQuestion& question);

struct OpenMeans {
  OpenRow row;
  int cases = 0;
};

// Geometric means over the cases in which every alternative is compared that any case compares;
// none where those are fewer than 2.
std::optional<OpenMeans> open_means(std::span<const OpenRow> rows, std::size_t alternatives,
                                    const AlternativesQuestion& question);

}  // namespace perfgate::inline verdict
