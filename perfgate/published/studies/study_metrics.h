// SPDX-License-Identifier: Apache-2.0
// study_metrics.h: metrics of a result file under the names of the population file.
//
// Times are named stem_statistic whatever their spelling: "mean_ttft_ms" and "ttft_mean" are
// "ttft_mean", "avg_latency" is "latency_avg". Rates keep their own name, since tools count
// different tokens in names that look alike. Values are never converted.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "perfgate/base/json/json_cursor.h"
#include "perfgate/evidence/metrics/metric_registry.h"
#include "perfgate/published/studies/study.h"

namespace perfgate::published {

// A name that stands for a time or a rate of a version.
bool IsStudyMetric(const MetricRegistry& registry, std::string_view name);

// Adds the value under `name`: a number, {"value": .., "unit": ..}, or null for none. Refuses other
// types, values that are negative or beyond any machine, a unit that cannot be the metric's, and a
// second spelling of a metric with another value.
void AddStudyMetric(const MetricRegistry& registry, std::string_view name, const JsonCursor& value,
                    std::vector<StudyMetric>& metrics);

// All metrics of an object. Names of no known metric go to `unknown`.
void AddStudyMetrics(const MetricRegistry& registry, const JsonCursor& object,
                     std::vector<StudyMetric>& metrics, std::set<std::string>& unknown);

// Checks percentages that the file states for a pair of arms, {"ttft_mean": 3.2}, positive where
// `second` is better, against the values. Error(kInvalid) where they contradict each other.
void CheckStatedChange(const MetricRegistry& registry, const JsonCursor& stated,
                       const std::vector<StudyMetric>& first,
                       const std::vector<StudyMetric>& second);

}  // namespace perfgate::published
