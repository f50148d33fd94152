// SPDX-License-Identifier: Apache-2.0
#include "tests/perfgate/published/studies/study_samples.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

namespace perfgate::published::test_support {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<const char*, 3> kMetricNames = {"throughput_tok_s", "tpot_mean", "ttft_mean"};
const std::map<std::string, std::array<const char*, 3>> kSpellings = {
    {"throughput_tok_s", {"throughput_tok_s", "throughput_tok_s", "throughput_tok_s"}},
    {"tpot_mean", {"tpot_mean", "mean_tpot_ms", "tpot_mean_ms"}},
    {"ttft_mean", {"ttft_mean", "mean_ttft_ms", "avg_ttft_ms"}}};

bool IsRate(const std::string& name) { return name == "throughput_tok_s"; }

// With a last digit that is not 0, so that the number of decimals is that of the text.
double Printed(std::mt19937_64& random, double about) {
  const int decimals = static_cast<int>(random() % 4);
  std::string text = std::to_string(static_cast<std::uint64_t>(about));
  if (decimals > 0) text += ".";
  for (int i = 1; i < decimals; ++i) text += static_cast<char>('0' + random() % 10);
  if (decimals > 0) text += static_cast<char>('1' + random() % 9);
  return std::stod(text);
}

int DecimalsIn(double value) {
  const std::string text = Json(value).dump();
  const std::string end = text.substr(text.find('.') + 1);
  return end == "0" ? 0 : static_cast<int>(end.size());
}

Json MetricsOf(const SampleCommit& commit, const SampleArm& arm) {
  Json metrics = Json::object();
  const std::size_t spelling = static_cast<std::size_t>(commit.hash[9]) % 3;
  for (const auto& [name, value] : arm.metrics) {
    metrics[kSpellings.at(name).at(spelling)] = value;
  }
  return metrics;
}

Json ArmObject(const SampleCommit& commit, Arm name) {
  const SampleArm& arm = commit.arms[index_of(name)];
  Json object = {{"arm", name_of(name)}, {"model", commit.model}};
  if (arm.state == ArmState::kFailed) {
    object["status"] = "error";
    object["error"] = "CUDA out of memory: tried to allocate 2 GiB";
    object["metrics"] = nullptr;
  } else {
    object["status"] = "success";
    object["metrics"] = MetricsOf(commit, arm);
  }
  object["raw_output"] = "Mean TTFT: \"12\"";
  return object;
}

Json ChangeOf(const SampleArm& first, const SampleArm& second) {
  Json change = Json::object();
  for (const auto& [name, value] : second.metrics) {
    const auto before = first.metrics.find(name);
    if (before == first.metrics.end()) continue;
    change[name] = (value / before->second - 1) * (IsRate(name) ? 100 : -100);
  }
  return change;
}

Json CombinedFile(const SampleCommit& commit) {
  Json result = {{"status", "success"}, {"model", commit.model}, {"gpu_config", "H100:1"}};
  for (const Arm name : kAllArms) {
    const SampleArm& arm = commit.arms[index_of(name)];
    const std::string word(name_of(name));
    if (arm.state == ArmState::kMissing) continue;
    if (commit.as_objects) {
      result["results"][word] = ArmObject(commit, name);
    } else if (arm.state == ArmState::kFailed) {
      result[word + "_metrics"] = nullptr;
      result[word + "_error"] = "out of memory";
    } else {
      result[word + "_metrics"] = MetricsOf(commit, arm);
    }
  }
  result["human_improvement"] = ChangeOf(commit.arms[0], commit.arms[1]);
  result["agent_improvement"] = ChangeOf(commit.arms[0], commit.arms[2]);
  result["agent_vs_human"] = ChangeOf(commit.arms[1], commit.arms[2]);
  return {{"instance", {{"commit_hash", commit.hash}, {"repo", "a/b"}}}, {"result", result}};
}

}  // namespace

std::vector<SampleCommit> MakeCommits(std::uint64_t seed, std::size_t count) {
  std::mt19937_64 random(seed);
  std::vector<SampleCommit> commits;
  for (std::size_t i = 0; i < count; ++i) {
    SampleCommit commit;
    for (int digit = 0; digit < 40; ++digit) commit.hash += "0123456789abcdef"[random() % 16];
    commit.model = "org/model-" + std::to_string(random() % 5);
    commit.as_objects = random() % 2 == 0;
    const bool all_metrics = random() % 2 == 0;
    for (std::size_t arm = 0; arm < kArms; ++arm) {
      const std::uint64_t dice = i == 0 || arm == i % kArms ? 9 : random() % 10;
      SampleArm& sample = commit.arms.at(arm);
      sample.state = dice < 2   ? ArmState::kFailed
                     : dice < 4 ? ArmState::kMissing
                                : ArmState::kMeasured;
      if (sample.state != ArmState::kMeasured) continue;
      for (const char* name : kMetricNames) {
        if (!all_metrics && std::string(name) != "tpot_mean") continue;
        const double about = 1000.0 + static_cast<double>(arm * 300 + random() % 200);
        sample.metrics[name] = Printed(random, about);
      }
    }
    commits.push_back(std::move(commit));
  }
  return commits;
}

std::map<std::string, std::string> StudyFilesOf(const std::vector<SampleCommit>& commits,
                                                Layout layout) {
  std::map<std::string, std::string> files;
  for (std::size_t i = 0; i < commits.size(); ++i) {
    const SampleCommit& commit = commits[i];
    if (layout == Layout::kCombined) {
      files["project/" + commit.hash + "/benchmark_result.json"] = CombinedFile(commit).dump(1);
      continue;
    }
    for (const Arm name : kAllArms) {
      if (commit.arms[index_of(name)].state == ArmState::kMissing) continue;
      const std::string arm(name_of(name));
      const std::string path = layout == Layout::kArmFiles
                                   ? (i % 2 == 0 ? "" : arm + "_benchmark_results/") + commit.id() +
                                         "_" + arm + "_result.json"
                               : i % 2 == 0 ? "reruns/" + commit.id() + "_" + arm + "_rerun.json"
                                            : "docker_reruns/" + arm + "/" + commit.id() + ".json";
      files[path] = ArmObject(commit, name).dump(1);
    }
  }
  return files;
}

void WriteFiles(const std::string& folder, const std::map<std::string, std::string>& files) {
  for (const auto& [path, text] : files) {
    const std::filesystem::path whole = std::filesystem::path(folder) / path;
    std::filesystem::create_directories(whole.parent_path());
    std::ofstream(whole, std::ios::binary) << text;
  }
}

std::string ExpectedPopulation(const std::vector<SampleCommit>& commits, Layout layout) {
  std::map<std::string, Json> records;
  const std::string source(word_of(layout));
  for (const SampleCommit& commit : commits) {
    Json status = Json::object();
    Json errors = Json::array();
    std::map<std::string, Json> arms;
    for (const Arm name : kAllArms) {
      const SampleArm& arm = commit.arms[index_of(name)];
      const std::string word(name_of(name));
      status[word] = arm.state == ArmState::kMissing ? "no_record" : word_of(arm.state);
      if (arm.state == ArmState::kFailed) {
        errors.push_back({{"arm", word}, {"kind", "out_of_memory"}, {"by", source}});
      }
      for (const auto& [metric, value] : arm.metrics) {
        arms[metric][word] = {{"value", value},
                              {"decimals", DecimalsIn(value)},
                              {"model", commit.model},
                              {"mode", nullptr}};
      }
    }
    Json measurements = Json::array();
    for (const auto& [metric, values] : arms) {
      measurements.push_back({{"source", source},
                              {"shared_run", layout == Layout::kCombined},
                              {"metric", metric},
                              {"unit", IsRate(metric) ? "tok/s" : "ms"},
                              {"better", IsRate(metric) ? "higher" : "lower"},
                              {"arms", values}});
    }
    records[commit.id()] = {
        {"id", commit.id()},
        {"subject", nullptr},
        {"pr", nullptr},
        {"model", commit.model},
        {"model_by", nullptr},
        {"pipeline_status", layout == Layout::kCombined ? Json("success") : Json()},
        {"status", status},
        {"measurements", measurements},
        {"verification", nullptr},
        {"errors", errors},
        {"gpu_need", Json::array()}};
  }
  Json population = {{"format", "perfgate-parity-commits/1"},
                     {"n", records.size()},
                     {"arms", kArmNames},
                     {"commits", Json::array()}};
  for (const auto& [id, record] : records) population["commits"].push_back(record);
  return population.dump(1) + "\n";
}

}  // namespace perfgate::published::test_support
