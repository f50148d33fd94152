// SPDX-License-Identifier: Apache-2.0
// noise_text.h: small texts that reports of calibrations and plans share.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "perfgate/evidence/metrics/metric.h"

namespace perfgate::report {

// The case, and the metric where it is not the time itself: "sort/n:16 [allocs]". Not escaped.
std::string case_and_metric(const std::string& case_name, const Metric& metric);

// A standard deviation: "0.61 %" for times and rates, "3 B" for others. NaN: "-".
std::string noise_text(double sd, const Metric& metric);

// "24", ">1000", or "never".
std::string rounds_text(std::optional<int> rounds);

// "1 round", "24 rounds".
std::string counted(std::size_t count, std::string_view noun);
inline std::string counted(int count, std::string_view noun) {
  return counted(static_cast<std::size_t>(count), noun);
}

// "win 5 + match 18 = 23": the counts of words with their sum; words without any are left out.
std::string sum_text(std::span<const std::size_t> counts, std::span<const std::string_view> words);

// A mean count: "8.3", "24".
std::string about(double mean);

}  // namespace perfgate::report
