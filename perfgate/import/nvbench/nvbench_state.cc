// SPDX-License-Identifier: Apache-2.0
#include "perfgate/import/nvbench/nvbench_state.h"

#include <cmath>
#include <optional>
#include <vector>

#include "perfgate/base/error.h"
#include "perfgate/base/text/format_number.h"
#include "perfgate/evidence/metrics/metric_registry.h"
#include "perfgate/import/nvbench/nvbench_samples.h"
#include "perfgate/import/record_value.h"
#include "perfgate/import/summary_check.h"

namespace perfgate::import::nvbench {
namespace {

constexpr std::string_view kCold = "nv/cold/";
constexpr std::string_view kCpuOnly = "nv/cpu_only/";

class Writer {
 public:
  Writer(Document* document, const State& state) : document_(document), state_(state) {}

  Record blank(const std::string& metric, RecordKind kind) const {
    Record record;
    record.case_name = state_.case_name;
    record.row = state_.row;
    record.kind = kind;
    const auto known = registry_.resolve(metric);
    // Shown, never judged.
    record.metric = known ? known->metric : Metric{metric, "Hz", Direction::kHigher, Kind::kScore};
    record.informational = !known;
    return record;
  }

  void without_value(Record record, Status status, const std::string& why) {
    record.status = status;
    record.detail = why;
    document_->records.push_back(std::move(record));
  }

  // The aggregates under `prefix`, checked against the samples where there are any. Beside the
  // metric that a benchmark is about, others are shown only.
  void aggregates(const std::string& prefix, const std::string& metric,
                  const std::vector<double>& samples, bool primary) {
    constexpr std::pair<const char*, const char*> kStatistics[] = {{"mean", "mean"},
                                                                   {"median", "median"},
                                                                   {"min", "min"},
                                                                   {"max", "max"},
                                                                   {"q1", "p25"},
                                                                   {"q3", "p75"},
                                                                   {"stdev/absolute", "stddev"},
                                                                   {"stdev/relative", "cv"}};
    for (const auto& [tag, statistic] : kStatistics) {
      const std::string* text = find_value(state_.summaries, prefix + tag);
      if (text == nullptr) continue;
      const std::string where = state_.node.place() + ": " + prefix + tag;
      const double value = number_of(*text, where);
      // Quartiles are by rank and spreads by n - 1, each with its own rounding.
      const std::string word = statistic;
      const bool exact = word == "mean" || word == "min" || word == "max";
      const auto expected = exact ? recomputed(word, samples) : std::nullopt;
      if (expected && std::isfinite(value) &&
          std::fabs(value - *expected) > kFloatPrecision * *expected) {
        throw Error(Exit::kInvalid, where + " is " + format_number(value) +
                                        " and the samples give " + format_number(*expected) +
                                        "; result and sample files are of different runs");
      }
      Record record = blank(metric, RecordKind::kAggregate);
      record.statistic = statistic;
      record.informational = !primary || (word != "mean" && word != "median");
      append_value(*document_, std::move(record), value);
    }
  }

  // The samples of one tag; empty where the tool could not write the file.
  std::vector<double> samples(const std::string& tag, const std::string& metric,
                              const std::string& folder) {
    const auto summary = state_.summaries.find(tag);
    if (summary == state_.summaries.end()) return {};
    const std::string where = state_.node.place() + ": " + tag;
    const std::string* filename = find_value(state_.summaries, tag, "filename");
    const std::string* size = find_value(state_.summaries, tag, "size");
    if (filename == nullptr || size == nullptr) {
      document_->warnings.push_back(where +
                                    ": the tool could not write its samples; only aggregates");
      return {};
    }
    std::vector<double> values =
        read_nvbench_samples(folder, *filename, count_of(*size, where), where);
    for (std::size_t i = 0; i < values.size(); ++i) {
      Record record = blank(metric, RecordKind::kSample);
      record.order = static_cast<int>(i);
      append_value(*document_, std::move(record), values[i]);
    }
    return values;
  }

 private:
  // The tool averages doubles and writes their float32 roundings.
  static constexpr double kFloatPrecision = 1e-6;

  Document* document_;
  const State& state_;
  MetricRegistry registry_ = MetricRegistry::built_in();
};

void check_count(const State& state, std::string_view prefix, std::size_t samples) {
  const std::string tag = std::string(prefix) + "sample_size";
  const std::string* text = find_value(state.summaries, tag);
  if (text == nullptr) return;
  const std::string where = state.node.place() + ": " + tag;
  if (count_of(*text, where) != static_cast<std::int64_t>(samples)) {
    throw Error(Exit::kInvalid, where + " is " + *text + " and the sample file holds " +
                                    std::to_string(samples) +
                                    "; result and sample files are of different runs");
  }
}

}  // namespace

std::string mode_of(const Summaries& summaries) {
  const auto any = [&](std::string_view prefix) {
    const auto found = summaries.lower_bound(std::string(prefix));
    return found != summaries.end() && found->first.starts_with(prefix);
  };
  if (any(kCold)) return "cold";
  if (any(kCpuOnly)) return "cpu_only";
  return any("nv/batch/") ? "batch" : "none";
}

void add_state(const State& state, const std::string& folder, Document* document) {
  Writer writer(document, state);
  const std::string mode = mode_of(state.summaries);
  const std::string metric = mode == "cpu_only" ? "wall_time" : "gpu_time";
  const auto skipped = state.node.find("is_skipped");
  if (skipped && skipped->json() == true) {
    const auto reason = state.node.find("skip_reason");
    writer.without_value(writer.blank(metric, RecordKind::kSample), Status::kSkipped,
                         reason ? state.node.at("skip_reason").text() : "no reason given");
    return;
  }
  const std::string prefix = mode == "cpu_only" ? "nv/cpu_only/" : "nv/cold/";
  const std::vector<double> times =
      writer.samples("nv/json/bin:" + prefix + "sample_times", metric, folder);
  if (!times.empty()) check_count(state, prefix, times.size());
  if (mode == "cold") {
    const std::vector<double> clocks =
        writer.samples("nv/json/freqs-bin:nv/cold/sample_freqs", "sm_clock", folder);
    if (!clocks.empty() && clocks.size() != times.size()) {
      document->warnings.push_back(state.node.place() + ": " + std::to_string(clocks.size()) +
                                   " clock readings for " + std::to_string(times.size()) +
                                   " samples; they cannot be matched");
    }
    writer.aggregates("nv/cold/time/gpu/", "gpu_time", times, true);
    writer.aggregates("nv/cold/time/cpu/", "wall_time", {}, false);
  }
  if (mode == "cpu_only") writer.aggregates("nv/cpu_only/time/cpu/", "wall_time", times, true);
  const std::string* count = find_value(state.summaries, prefix + "sample_size");
  const std::string* mean = find_value(
      state.summaries, prefix + (mode == "cpu_only" ? "time/cpu/mean" : "time/gpu/mean"));
  if (times.empty() && mean == nullptr && mode != "batch") {
    const bool none = count != nullptr && count_of(*count, state.node.place()) == 0;
    writer.without_value(writer.blank(metric, RecordKind::kSample),
                         none ? Status::kUnmeasured : Status::kMissing,
                         none ? "no sample was accepted: all were discarded, as throttled ones are"
                              : "the state holds no measurement");
  }
  writer.aggregates("nv/batch/time/gpu/", "batch_gpu_time", {}, mode == "batch");
}

}  // namespace perfgate::import::nvbench
