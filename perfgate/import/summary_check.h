// SPDX-License-Identifier: Apache-2.0
// summary_check.h: the aggregates of a file against its own samples.
//
// A tool computes its means from the samples that it writes, so the two differ by rounding only.
// Where they differ by more, one of them was edited or they come from different runs.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "perfgate/import/record.h"

namespace perfgate::import {

// "mean", "median", "stddev" (divided by n), "min", "max" or "p<q>" by linear interpolation;
// nothing for other words and for an empty list.
std::optional<double> recomputed(const std::string& statistic, std::span<const double> samples);

// Half a unit of the last decimal that the shortest form of `printed` shows, but of the second one
// at least; or one part in a million, whichever is more.
double print_precision(double printed);

// Error(kInvalid) where they differ by more than the precision of `printed`, or by more than
// `allowed` where that is more.
void check_summary(const std::string& where, const std::string& field, double printed,
                   double expected, double allowed = 0);

// Drops the aggregates of every case and metric that has samples: once checked they say nothing
// more. Which percentiles the file names is kept (Document::percentiles), and a maximum is told of.
void drop_backed_aggregates(Document* document);

}  // namespace perfgate::import
