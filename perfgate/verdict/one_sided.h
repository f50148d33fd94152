// SPDX-License-Identifier: Apache-2.0
// one_sided.h: where only one of two arms reports a metric.
//
// Arms are compared by pairs of slices, and a pair without one of its values says nothing. An arm
// that reports a metric in some slices only would choose the rounds that it is judged by.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "perfgate/evidence/session.h"

namespace perfgate::inline verdict {

struct OneSided {
  std::array<bool, 2> reports = {};       // the arm has a value in some slice of the session
  std::array<std::vector<int>, 2> alone;  // rounds with a slice in which only this arm has one
};

// By index of the metric: those of the case that one of the two arms reports alone in some slice.
// What is recorded and never gated is left out.
std::map<std::size_t, OneSided> one_sided_metrics(const Session& session, std::size_t case_index,
                                                  std::size_t first, std::size_t second);

// "metric_mismatch: only the baseline reports it in slices of rounds 1-5, only the candidate in
// slices of round 7"; rounds count from 1. Where the other arm never reports it: "metric_mismatch:
// only the baseline reports it".
std::string one_sided_reason(const OneSided& found, const std::string& first,
                             const std::string& second);

}  // namespace perfgate::inline verdict
