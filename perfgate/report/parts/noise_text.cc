// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/parts/noise_text.h"

#include <cmath>

#include "perfgate/base/text/join.h"
#include "perfgate/report/text/format.h"

namespace perfgate::report {
namespace {

constexpr int kMostPrinted = 1000;

}  // namespace

std::string case_and_metric(const std::string& case_name, const Metric& metric) {
  return metric.name == "real_time" ? case_name : case_name + " [" + metric.name + "]";
}

std::string noise_text(double sd, const Metric& metric) {
  if (!std::isfinite(sd)) return "-";
  return format_change(sd, metric).substr(1);  // without the sign
}

std::string rounds_text(std::optional<int> rounds) {
  if (!rounds) return "never";
  return *rounds > kMostPrinted ? ">1000" : std::to_string(*rounds);
}

std::string counted(std::size_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

std::string sum_text(std::span<const std::size_t> counts, std::span<const std::string_view> words) {
  std::string text;
  std::size_t total = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    total += counts[i];
    if (counts[i] == 0) continue;
    AppendItem(text, std::string(words[i]) + " " + std::to_string(counts[i]), " + ");
  }
  return (text.empty() ? "nothing" : text) + " = " + std::to_string(total);
}

std::string about(double mean) {
  const double rounded = std::round(mean * 10) / 10;
  return format_value(rounded, {.name = "", .unit = "1", .kind = Kind::kCount});
}

}  // namespace perfgate::report
