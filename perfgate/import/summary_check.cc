// SPDX-License-Identifier: Apache-2.0
#include "perfgate/import/summary_check.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "perfgate/base/error.h"
#include "perfgate/base/text/format_number.h"
#include "perfgate/base/text/number_text.h"

namespace perfgate::import {
namespace {

double mean_of(std::span<const double> samples) {
  return std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(samples.size());
}

double percentile_of(std::span<const double> samples, double percent) {
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  const double place = percent / 100 * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - std::floor(place)) * (sorted[above] - sorted[below]);
}

}  // namespace

std::optional<double> recomputed(const std::string& statistic, std::span<const double> samples) {
  if (samples.empty()) return std::nullopt;
  if (std::any_of(samples.begin(), samples.end(), [](double x) { return !std::isfinite(x); })) {
    return std::nullopt;
  }
  if (statistic == "mean") return mean_of(samples);
  if (statistic == "median") return percentile_of(samples, 50);
  if (statistic == "min") return *std::min_element(samples.begin(), samples.end());
  if (statistic == "max") return *std::max_element(samples.begin(), samples.end());
  if (statistic == "stddev") {
    const double mean = mean_of(samples);
    double squares = 0;
    for (const double x : samples) squares += (x - mean) * (x - mean);
    return std::sqrt(squares / static_cast<double>(samples.size()));
  }
  if (!statistic.starts_with("p")) return std::nullopt;
  const auto percent = leading_number(std::string_view(statistic).substr(1));
  if (!percent || !percent->second.empty() || percent->first < 0 || percent->first > 100) {
    return std::nullopt;
  }
  return percentile_of(samples, percent->first);
}

double print_precision(double printed) {
  constexpr std::size_t kFewest = 2;
  const std::string text = format_number(std::fabs(printed));
  const std::size_t point = text.find('.');
  const std::size_t exponent = text.find('e');
  double decimals = kFewest;
  if (point != std::string::npos || exponent != std::string::npos) {
    const std::size_t end = std::min(exponent, text.size());
    const double shown = point < end ? static_cast<double>(end - point - 1) : 0;
    const auto power = exponent == std::string::npos
                           ? std::nullopt
                           : leading_number(std::string_view(text).substr(exponent + 1));
    decimals = std::max(decimals, shown - (power ? power->first : 0));
  }
  // A little more than half a unit, as neither number is exact in binary.
  return std::max(0.50001 * std::pow(10, -decimals), 1e-6 * std::fabs(printed));
}

void check_summary(const std::string& where, const std::string& field, double printed,
                   double expected, double allowed) {
  if (std::fabs(printed - expected) <= std::max(allowed, print_precision(printed))) return;
  throw Error(Exit::kInvalid, where + ": " + field + " is " + format_number(printed) +
                                  " and the rest of the file gives " + format_number(expected) +
                                  "; the file was edited or mixed from two runs, restore it from "
                                  "the run that wrote it");
}

void drop_backed_aggregates(Document* document) {
  std::set<std::pair<std::string, std::string>> sampled;
  for (const Record& record : document->records) {
    if (record.kind == RecordKind::kSample) sampled.insert({record.case_name, record.metric.name});
  }
  const auto backed = [&](const Record& record) {
    return record.kind == RecordKind::kAggregate &&
           sampled.contains({record.case_name, record.metric.name});
  };
  std::set<std::string> extremes;
  for (const Record& record : document->records) {
    if (!backed(record)) continue;
    document->percentiles[record.metric.name].insert(record.statistic);
    if (record.statistic == "max") extremes.insert(record.metric.name);
  }
  for (const std::string& metric : extremes) {
    document->warnings.push_back(document->name + ": the maximum of " + metric +
                                 " is one request and is not judged; its p99 and tail_mean are");
  }
  std::erase_if(document->records, backed);
}

}  // namespace perfgate::import
