// SPDX-License-Identifier: Apache-2.0
#include "perfgate/import/nvbench/nvbench.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "perfgate/base/error.h"
#include "perfgate/base/json/strict_json.h"
#include "perfgate/base/text/format_number.h"
#include "perfgate/evidence/metrics/metric_registry.h"
#include "perfgate/import/nvbench/nvbench_node.h"
#include "perfgate/import/nvbench/nvbench_samples.h"
#include "perfgate/import/record_value.h"
#include "perfgate/import/serving/serving_json.h"
#include "perfgate/import/summary_check.h"

namespace perfgate::import {
namespace {

using nlohmann::json;
using namespace nvbench;

constexpr std::string_view kCold = "nv/cold/";
constexpr std::string_view kCpuOnly = "nv/cpu_only/";

// One benchmark at one point of its axes on one device.
struct State {
  Node node;
  std::string case_name;
  Summaries summaries;
  std::size_t row = 0;
};

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

  void add(Record record, double value) {
    // Equal samples have no spread to speak of.
    if ((record.statistic == "stddev" || record.statistic == "cv") && value == 0) return;
    if (!std::isfinite(value) || value <= 0) {
      record.status = Status::kRejected;
      record.detail = std::isfinite(value)
                          ? "a value of " + format_number(value) + " " + record.metric.unit
                          : "not a finite number";
    } else {
      record.value = value;
    }
    document_->records.push_back(std::move(record));
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
      add(std::move(record), value);
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
      add(std::move(record), values[i]);
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

// The measurement that a state holds: isolated launches, CPU only, or batches alone.
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
  const auto skipped = member(state.node, "is_skipped");
  if (skipped && *skipped->value == true) {
    const auto reason = member(state.node, "skip_reason");
    writer.without_value(writer.blank(metric, RecordKind::kSample), Status::kSkipped,
                         reason ? required_text(state.node, "skip_reason") : "no reason given");
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

std::string case_name(const std::string& benchmark, const Node& state, bool many_devices) {
  std::string name = benchmark;
  for (const auto& [axis, value] : named_values(member(state, "axis_values"))) {
    name += "/" + axis + ":" + value;
  }
  if (many_devices) {
    const auto device = member(state, "device");
    name += "/device:" + (device ? device->value->dump() : std::string("none"));
  }
  return name;
}

Fields workload_of(const State& state) {
  constexpr std::string_view kNotSettings[] = {"name", "device", "type_config_index", "is_skipped",
                                               "skip_reason"};
  Fields fields;
  for (const auto& [key, value] : state.node.value->items()) {
    const bool setting =
        std::find(std::begin(kNotSettings), std::end(kNotSettings), key) == std::end(kNotSettings);
    if (const auto text = scalar_text(value); text && setting) fields["option." + key] = *text;
  }
  for (const auto& [axis, value] : named_values(member(state.node, "axis_values"))) {
    fields["axis." + axis] = value;
  }
  fields["mode"] = mode_of(state.summaries);
  return fields;
}

void read_environment(const Node& root, const std::set<std::string>& used, Document* document) {
  for (const Node& device : elements(member(root, "devices"))) {
    const auto id = member(device, "id");
    const std::string number = id ? id->value->dump() : "";
    if (!used.contains(number)) continue;
    const std::string prefix = used.size() == 1 ? "device." : "device" + number + ".";
    for (const auto& [key, value] : device.value->items()) {
      if (key == "id") continue;
      if (const auto text = scalar_text(value)) {
        add_field(&document->environment, prefix + key, *text, device.place());
      }
    }
  }
  const auto meta = member(root, "meta");
  const auto version = meta ? member(*meta, "version") : std::nullopt;
  const auto tool = version ? member(*version, "nvbench") : std::nullopt;
  if (!tool) return;
  if (member(*tool, "string")) {
    document->version = required_text(*tool, "string");
    document->environment["nvbench.version"] = document->version;
  }
  for (const char* key : {"git_sha", "git_is_dirty"}) {
    const auto value = member(*tool, key);
    const auto text = value ? scalar_text(*value->value) : std::nullopt;
    if (text) document->environment[std::string("nvbench.") + key] = *text;
  }
}

// The readers of another major version would misread this one.
void check_version(const Node& root) {
  const auto meta = member(root, "meta");
  const auto versions = meta ? member(*meta, "version") : std::nullopt;
  const auto version = versions ? member(*versions, "json") : std::nullopt;
  if (!version) {
    throw Error(Exit::kData, root.where +
                                 ": /meta/version/json: this field is missing; expected a result "
                                 "of nvbench --json or --jsonbin");
  }
  const std::string text = required_text(*version, "string");
  if (!text.starts_with("1.")) {
    refuse_value(root.where, version->pointer + "/string", "file version 1", text);
  }
}

}  // namespace

bool looks_like_nvbench(const json& first) {
  if (!first.is_object() || !first.contains("benchmarks") || !first.contains("meta")) return false;
  const json& meta = first["meta"];
  return meta.is_object() && meta.contains("version") && meta["version"].is_object() &&
         meta["version"].contains("json");
}

Document read_nvbench(std::string_view bytes, const std::string& name, const std::string& folder) {
  const json parsed = parse_strict_json(bytes, name);
  const Node root{&parsed, name, ""};
  check_version(root);
  Document document = new_document("nvbench", name, bytes);
  std::set<std::string> used_devices, names;
  std::size_t row = 0;
  for (const Node& benchmark : elements(member(root, "benchmarks"))) {
    const std::string benchmark_name = required_text(benchmark, "name");
    if (benchmark_name.empty()) {
      throw Error(Exit::kData, benchmark.place() + "/name: is empty; expected a name");
    }
    std::set<std::string> devices;
    const std::vector<Node> states = elements(member(benchmark, "states"));
    for (const Node& node : states) {
      const auto device = member(node, "device");
      if (device) devices.insert(device->value->dump());
    }
    used_devices.insert(devices.begin(), devices.end());
    for (const Node& node : states) {
      State state{node, case_name(benchmark_name, node, devices.size() > 1), read_summaries(node),
                  ++row};
      if (!names.insert(state.case_name).second) {
        throw Error(Exit::kInvalid, node.place() + ": a second state of " + state.case_name +
                                        "; one run measures each point once");
      }
      document.workload[state.case_name] = workload_of(state);
      add_state(state, folder, &document);
    }
  }
  drop_backed_aggregates(&document);
  read_environment(root, used_devices, &document);
  if (document.records.empty()) {
    throw Error(Exit::kInvalid, name + ": no state was run");
  }
  return document;
}

Document read_nvbench(std::string_view bytes, const std::string& name) {
  return read_nvbench(bytes, name, std::filesystem::path(name).parent_path().string());
}

}  // namespace perfgate::import
