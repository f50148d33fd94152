// SPDX-License-Identifier: Apache-2.0
#include "perfgate/import/aggregates.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <tuple>

#include "perfgate/base/error.h"
#include "perfgate/base/text/format_number.h"

namespace perfgate::import {
namespace {

using Key = std::tuple<std::string, std::string, int>;  // case, metric, round

Key key_of(const Record& record) { return {record.case_name, record.metric.name, record.round}; }

// Six digits survive every tool's printing and every order of summation.
constexpr double kPrintPrecision = 1e-6;

bool agree(double a, double b) {
  return std::abs(a - b) <= kPrintPrecision * std::max(std::abs(a), std::abs(b));
}

std::optional<double> recomputed_aggregate(const std::string& statistic,
                                           std::vector<double> values) {
  const auto n = static_cast<double>(values.size());
  if (statistic == "mean") return std::accumulate(values.begin(), values.end(), 0.0) / n;
  std::sort(values.begin(), values.end());
  if (statistic == "min") return values.front();
  if (statistic == "max") return values.back();
  const std::size_t half = values.size() / 2;
  if (statistic != "median") return std::nullopt;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

}  // namespace

bool is_location(const Record& record) {
  const std::string& s = record.statistic;
  const bool percentile = s.size() > 1 && s[0] == 'p' && s[1] >= '0' && s[1] <= '9';
  return s.empty() || percentile || s == "mean" || s == "median";
}

void check_aggregates(const Document& document) {
  std::map<Key, std::vector<double>> samples;
  std::map<std::string, bool> whole;
  for (const Record& record : document.records) {
    bool& ok = whole.emplace(record.case_name, true).first->second;
    if (record.kind != RecordKind::kSample) continue;
    if (record.status == Status::kOk) {
      samples[key_of(record)].push_back(record.value);
    } else if (!record.informational) {
      ok = false;
    }
  }
  for (const Record& record : document.records) {
    if (record.kind != RecordKind::kAggregate || record.status != Status::kOk) continue;
    const auto found = samples.find(key_of(record));
    if (found == samples.end() || !whole[record.case_name]) continue;
    const auto expected = recomputed_aggregate(record.statistic, found->second);
    if (!expected || agree(*expected, record.value)) continue;
    throw Error(Exit::kInvalid, document.name + ": row " + std::to_string(record.row) + ": the " +
                                    record.statistic + " of " + record.metric.name + " of \"" +
                                    record.case_name + "\" is " + format_number(record.value) +
                                    ", but its " + std::to_string(found->second.size()) +
                                    " samples give " + format_number(*expected) +
                                    "; samples or aggregates are not what was measured");
  }
}

}  // namespace perfgate::import
