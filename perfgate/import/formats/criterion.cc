// SPDX-License-Identifier: Apache-2.0
#include "perfgate/import/formats/criterion.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "perfgate/base/json/json_cursor.h"
#include "perfgate/base/json/strict_json.h"
#include "perfgate/base/sha256.h"
#include "perfgate/evidence/files/input_kinds.h"
#include "perfgate/import/record_value.h"

namespace perfgate::import {
namespace {

namespace fs = std::filesystem;

constexpr double kNanosecond = 1e-9;
constexpr const char* kSample = "sample.json";
constexpr const char* kBenchmark = "benchmark.json";
constexpr const char* kEstimates = "estimates.json";

nlohmann::json parse(std::string_view bytes, const std::string& name) {
  return parse_strict_json(bytes, name, NonFinite::kKeep);
}

void add_iterations(const JsonCursor& root, const Record& base, Document& document) {
  const std::vector<double> times = root.at("times").numbers();
  const std::vector<double> iterations = root.at("iters").numbers();
  if (times.size() != iterations.size()) {
    root.invalid("has " + std::to_string(times.size()) + " times and " +
                 std::to_string(iterations.size()) + " iters");
  }
  for (std::size_t i = 0; i < times.size(); ++i) {
    // Criterion writes counts as floating-point numbers.
    const bool whole =
        iterations[i] >= 1 && iterations[i] < 9e15 &&
        static_cast<double>(static_cast<std::int64_t>(iterations[i])) == iterations[i];
    if (!whole) root.at("iters")[i].refuse("a whole number of at least 1");
    Record record = base;
    record.order = static_cast<int>(i);
    record.iterations = static_cast<std::int64_t>(iterations[i]);
    set_value(record, times[i] / iterations[i] * kNanosecond);
    document.records.push_back(std::move(record));
  }
}

void add_estimates(std::string_view bytes, const std::string& name, const Record& base,
                   Document& document) {
  const nlohmann::json json = parse(bytes, name);
  const JsonCursor root(json, name);
  for (const std::string_view statistic : {"mean", "median", "std_dev"}) {
    const auto estimate = root.find(statistic);
    if (!estimate) continue;
    Record record = base;
    record.kind = RecordKind::kAggregate;
    record.statistic = statistic == "std_dev" ? "stddev" : std::string(statistic);
    if (statistic == "std_dev") record.metric.kind = Kind::kScore;
    set_value(record, estimate->at("point_estimate").number() * kNanosecond);
    document.records.push_back(std::move(record));
  }
}

// Folders with samples: `folder` itself, or each `new` below it, sorted by path.
std::vector<fs::path> benchmark_folders(const fs::path& folder) {
  if (fs::is_regular_file(folder / kSample)) return {folder};
  std::vector<fs::path> found;
  const auto options = fs::directory_options::skip_permission_denied;
  for (auto entry = fs::recursive_directory_iterator(folder, options);
       entry != fs::recursive_directory_iterator(); ++entry) {
    if (entry->path().filename() == kSample && entry->path().parent_path().filename() == "new" &&
        entry->is_regular_file()) {
      found.push_back(entry->path().parent_path());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::string bytes_of(const fs::path& file, const std::string& purpose) {
  if (!fs::exists(file)) {
    throw Error(Exit::kData, file.string() + ": is missing; " + purpose);
  }
  return ReadInputFile(file.string(), kResultFile);
}

void append(Document&& part, Document& whole) {
  whole.records.insert(whole.records.end(), part.records.begin(), part.records.end());
  for (auto& [name, fields] : part.workload) {
    if (!whole.workload.emplace(name, std::move(fields)).second) {
      throw Error(Exit::kInvalid,
                  part.name + ": \"" + name + "\" is also the id of another folder");
    }
  }
}

}  // namespace

bool looks_like_criterion(const nlohmann::json& document) {
  if (!document.is_object()) return false;
  const auto has = [&](const char* key) { return document.contains(key); };
  return (has("iters") && has("times")) || (has("full_id") && has("group_id")) ||
         (has("median_abs_dev") && has("std_dev"));
}

Document read_criterion_benchmark(const CriterionFiles& files, const std::string& folder,
                                  std::size_t row) {
  Document document = new_document(
      "criterion", folder,
      sha256_hex(files.sample) + sha256_hex(files.benchmark) + sha256_hex(files.estimates));
  const std::string benchmark_name = folder + "/" + kBenchmark;
  const std::string sample_name = folder + "/" + kSample;
  const nlohmann::json benchmark = parse(files.benchmark, benchmark_name);
  const nlohmann::json sample = parse(files.sample, sample_name);
  const JsonCursor identity(benchmark, benchmark_name);
  const JsonCursor samples(sample, sample_name);
  Record base;
  base.case_name = identity.at("full_id").text();
  if (base.case_name.empty()) identity.at("full_id").refuse("an id");
  base.row = row;
  Fields& workload = document.workload[base.case_name];
  if (const auto throughput = identity.find("throughput")) {
    add_fields(workload, "throughput", throughput->json());
  }
  if (const auto mode = samples.find("sampling_mode")) workload["sampling_mode"] = mode->text();
  add_iterations(samples, base, document);
  if (!files.estimates.empty()) {
    add_estimates(files.estimates, folder + "/" + kEstimates, base, document);
  }
  return document;
}

Document read_criterion(const std::string& path) {
  fs::path folder(path);
  std::error_code unreadable;  // shows when its files are looked for
  if (!fs::is_directory(folder, unreadable)) folder = folder.parent_path();
  if (folder.empty()) folder = ".";
  Document document;
  document.format = "criterion";
  document.name = path;
  std::string digests;
  try {
    for (const fs::path& found : benchmark_folders(folder)) {
      const std::string sample = bytes_of(found / kSample, "it holds the times");
      const std::string benchmark = bytes_of(found / kBenchmark, "it holds the benchmark's id");
      const std::string estimates = fs::exists(found / kEstimates)
                                        ? ReadInputFile((found / kEstimates).string(), kResultFile)
                                        : std::string();
      Document part = read_criterion_benchmark(
          {.sample = sample, .benchmark = benchmark, .estimates = estimates}, found.string(),
          document.workload.size() + 1);
      digests += part.digest;
      append(std::move(part), document);
    }
  } catch (const fs::filesystem_error& error) {
    throw Error(Exit::kData, path + ": cannot be read: " + error.code().message());
  }
  if (document.workload.empty()) {
    throw Error(Exit::kData, path +
                                 ": no benchmark of criterion here; expected a folder with "
                                 "sample.json, or folders named `new` that have one");
  }
  document.digest = sha256_digest(digests);
  return document;
}

}  // namespace perfgate::import
