// SPDX-License-Identifier: Apache-2.0
#include "perfgate/import/to_session.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <set>

#include "perfgate/base/error.h"
#include "perfgate/base/sha256.h"
#include "perfgate/base/text/format_number.h"
#include "perfgate/base/text/join.h"
#include "perfgate/evidence/files/consistency.h"
#include "perfgate/import/aggregates.h"
#include "perfgate/import/completeness.h"
#include "perfgate/import/distributions.h"
#include "perfgate/import/fingerprint.h"
#include "perfgate/import/round_values.h"
#include "perfgate/import/troubles.h"

namespace perfgate::import {
namespace {

class Builder {
 public:
  explicit Builder(const SessionOptions& options) : options_(options) {
    session_.tool = options.importer;
    session_.suite = options.suite;
    session_.complete = true;
    session_.schedule.seed = "0000000000000000";
    session_.policy = options.policy;
    for (const std::string& name : options.manifest.cases) {
      auto& expected = session_.policy.expected;
      if (std::find(expected.begin(), expected.end(), name) == expected.end()) {
        expected.push_back(name);
      }
    }
  }

  void add(Document document) {
    if (!digests_.insert(document.digest).second) {
      throw Error(
          Exit::kInvalid,
          document.name + ": the same bytes were given before; a copied file is no further round");
    }
    if (!session_.origins.empty() && session_.origins.front().format != document.format) {
      throw Error(Exit::kUsage, document.name + " is a " + document.format + " file and " +
                                    session_.origins.front().file + " a " +
                                    session_.origins.front().format +
                                    " file; rounds of one arm have one format");
    }
    check_aggregates(document);
    apply_manifest(options_.manifest, document);
    take_pending(document);
    unstated_.insert(document.unstated.begin(), document.unstated.end());
    session_.origins.push_back({.format = document.format,
                                .version = document.version,
                                .importer = options_.importer,
                                .file = document.name,
                                .digest = document.digest,
                                .recorded = document.recorded,
                                .commit = document.commit});
    for (const std::string& warning : document.warnings) session_.warnings.push_back(warning);
    for (const auto& [metric, words] : document.percentiles) {
      for (const std::string& word : words) distributions_.add_word(metric, word);
    }
    environment_.add(document.environment, document.name, session_.warnings);
    for (const auto& [name, fields] : document.workload) {
      workload_[name].add(name, fields, document.name, session_.warnings);
    }
    add_records(document);
  }

  Session take() {
    if (session_.cases.empty() && options_.manifest.cases.empty()) {
      throw Error(Exit::kData, "no benchmark result in " + session_.origins.front().file +
                                   (session_.origins.size() > 1 ? " and the others" : ""));
    }
    if (session_.metrics.empty()) session_.metrics.emplace_back();
    session_.faults = troubles_.faults();
    note_missing_cases();
    for (std::size_t r = 0; r < rounds_.size(); ++r) {
      session_.rounds.push_back(round_info(rounds_[r], r, session_.metrics.size()));
    }
    for (std::size_t c = 0; c < session_.cases.size(); ++c) describe_case(c);
    session_.environment = environment_.fields();
    note_unstated();
    session_.grade = only_aggregates() ? "aggregate" : "imported";
    add_gating();
    distributions_.enter(session_);
    session_.started = session_.origins.front().recorded;
    add_arm();
    check_session(session_, "imported session");
    return std::move(session_);
  }

 private:
  std::size_t case_index(const std::string& name) {
    const auto [entry, added] = case_indices_.try_emplace(name, session_.cases.size());
    if (added) session_.cases.push_back({.name = name});
    return entry->second;
  }

  const Metric* declaration(const std::string& name) const {
    for (const Metric& metric : options_.policy.metrics) {
      if (metric.name == name) return &metric;
    }
    return nullptr;
  }

  std::size_t metric_index(const Metric& metric, const Document& document, const Record& record) {
    for (std::size_t m = 0; m < session_.metrics.size(); ++m) {
      if (session_.metrics[m].name != metric.name) continue;
      if (session_.metrics[m] == metric) return m;
      throw Error(Exit::kInvalid, row_of(document, record) + ": \"" + metric.name +
                                      "\" has unit, kind or direction other than before");
    }
    session_.metrics.push_back(metric);
    return session_.metrics.size() - 1;
  }

  void add_records(const Document& document) {
    std::map<int, std::size_t> rounds;
    std::set<std::pair<std::string, std::string>> sampled;
    for (const Record& record : document.records) {
      rounds[record.round];
      if (record.kind == RecordKind::kSample) {
        sampled.insert({record.case_name, record.metric.name});
      }
    }
    // A file in which nothing is left is a round in which everything is missing.
    if (rounds.empty()) rounds[0];
    for (auto& [number, index] : rounds) {
      index = rounds_.size();
      rounds_.emplace_back();
      distributions_.begin_round();
    }
    for (const Record& record : document.records) {
      const bool aggregate = record.kind == RecordKind::kAggregate;
      if (aggregate &&
          (!is_location(record) || sampled.contains({record.case_name, record.metric.name}))) {
        continue;
      }
      add_record(document, record, rounds[record.round]);
    }
  }

  void add_record(const Document& document, const Record& record, std::size_t round) {
    const std::size_t c = case_index(record.case_name);
    auto& values = rounds_[round].of(c);
    if (record.status != Status::kOk && record.status != Status::kRejected) {
      troubles_.add(document, record, c, round, "");
      return;
    }
    const Metric* declared = declaration(record.metric.name);
    Metric metric = declared != nullptr ? *declared : record.metric;
    const bool aggregate = record.kind == RecordKind::kAggregate;
    if (aggregate && !record.statistic.empty()) metric.name += "_" + record.statistic;
    const std::size_t m = metric_index(metric, document, record);
    if (declared != nullptr && is_relative(metric.kind) && record.value <= 0) {
      throw Error(Exit::kInvalid, row_of(document, record) + ": the policy declares " +
                                      metric.name + " a " + std::string(to_string(metric.kind)) +
                                      ", which is above 0; here it is " +
                                      format_number(record.value));
    }
    if (record.status == Status::kRejected) {
      troubles_.add(document, record, c, round, metric.name);
    }
    // The place of a rejected value is kept, so that the slices of metrics stay side by side.
    values[m].push_back(record.status == Status::kOk ? record.value
                                                     : std::numeric_limits<double>::quiet_NaN());
    distributions_.add(round, c, m, record);
    if (aggregate) aggregates_[c].insert(metric.name);
    if (!record.informational || declared != nullptr) gated_.insert(metric.name);
    if (record.unknown && declared == nullptr) unknown_.insert(metric.name);
    const auto [entry, added] = iterations_.try_emplace(c, record.iterations);
    if (!added && entry->second != record.iterations) entry->second = 0;
  }

  void note_missing_cases() {
    for (const std::string& name : options_.manifest.cases) {
      const std::size_t c = case_index(name);
      for (std::size_t r = 0; r < rounds_.size(); ++r) {
        if (rounds_[r].values.contains(c)) continue;
        session_.faults.push_back({.case_index = c,
                                   .arm = 0,
                                   .round = static_cast<int>(r),
                                   .kind = FaultKind::kAbsent,
                                   .detail = "the manifest expects it"});
      }
    }
    for (std::size_t c = 0; c < session_.cases.size(); ++c) {
      const auto rounds = static_cast<std::size_t>(
          std::count_if(rounds_.begin(), rounds_.end(),
                        [&](const RoundValues& round) { return round.values.contains(c); }));
      if (rounds == rounds_.size() || rounds == 0) continue;
      session_.warnings.push_back("\"" + session_.cases[c].name + "\" is in " +
                                  std::to_string(rounds) + " of " + std::to_string(rounds_.size()) +
                                  " rounds");
    }
  }

  // A field that the files do not agree on is left out of the environment, and missing then.
  void note_unstated() {
    Fields environment;
    for (const auto& [name, value] : session_.environment) environment[name] = value;
    std::map<std::string, Fields> workload;
    for (const CaseInfo& info : session_.cases) {
      for (const auto& [name, value] : info.workload) workload[info.name][name] = value;
    }
    add_missing(options_.manifest.complete, environment, workload, unstated_);
    for (const auto& [field, state] : unstated_) session_.unstated.push_back({field, state});
  }

  void describe_case(std::size_t c) {
    CaseInfo& info = session_.cases[c];
    const auto aggregates = aggregates_.find(c);
    if (aggregates != aggregates_.end()) {
      info.aggregates.assign(aggregates->second.begin(), aggregates->second.end());
    }
    if (const auto found = iterations_.find(c); found != iterations_.end()) {
      info.iterations = found->second;
    }
    const auto workload = workload_.find(info.name);
    if (workload == workload_.end()) return;
    info.workload = workload->second.fields();
    if (const auto threads = workload->second.value("threads")) {
      int count = 0;
      const auto [end, error] =
          std::from_chars(threads->data(), threads->data() + threads->size(), count);
      if (error == std::errc() && count >= 1) info.threads = count;
    }
    if (workload->second.value("time") == "manual") info.time = "manual";
  }

  // Some case has a gated metric that no sample backs.
  bool only_aggregates() const {
    return std::any_of(aggregates_.begin(), aggregates_.end(), [&](const auto& entry) {
      return std::any_of(entry.second.begin(), entry.second.end(),
                         [&](const std::string& metric) { return gated_.contains(metric); });
    });
  }

  void add_gating() {
    session_.unknown_metrics.assign(unknown_.begin(), unknown_.end());
    for (const Metric& metric : session_.metrics) {
      // Where nothing succeeded the first metric stands for the case, and its failure counts.
      const bool placeholder = gated_.empty() && !unknown_.contains(metric.name);
      if (gated_.contains(metric.name) || placeholder) continue;
      session_.policy.cases.push_back(
          {.match = "*", .metric = metric.name, .tolerance = std::nullopt, .gate = false});
    }
  }

  void add_arm() {
    ArmInfo arm;
    arm.label = options_.arm;
    arm.driver = DriverKind::kProcessPerSuite;
    std::string digests;
    for (const Origin& origin : session_.origins) {
      AppendItem(arm.path, origin.file);
      digests += origin.digest + "\n";
    }
    const bool alone = session_.origins.size() == 1;
    arm.digest = alone ? session_.origins.front().digest : sha256_digest(digests);
    if (session_.origins.front().format == "google_benchmark") {
      arm.library = session_.origins.front().version;
    }
    session_.arms.push_back(arm);
    session_.id =
        sha256_hex(options_.arm + "\n" + options_.importer + "\n" + digests).substr(0, 32);
  }

  const SessionOptions& options_;
  Session session_;
  std::set<std::string> digests_;
  std::map<std::string, std::size_t> case_indices_;
  std::vector<RoundValues> rounds_;
  Distributions distributions_;
  Troubles troubles_;
  std::map<std::size_t, std::set<std::string>> aggregates_;  // metrics by case
  std::map<std::size_t, std::int64_t> iterations_;           // by case; 0: they vary
  std::set<std::string> gated_;                              // metrics
  std::set<std::string> unknown_;                            // metrics
  MergedEnvironment environment_;
  Fields unstated_;
  std::map<std::string, MergedWorkload> workload_;
};

}  // namespace

Session to_session(std::span<const Document> documents, const SessionOptions& options) {
  if (documents.empty()) throw Error(Exit::kUsage, "no file to import");
  Builder builder(options);
  for (const Document& document : documents) builder.add(document);
  return builder.take();
}

}  // namespace perfgate::import
