// SPDX-License-Identifier: Apache-2.0
#include "perfgate/import/nvbench/nvbench.h"

#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>

#include "perfgate/import/nvbench/nvbench_samples.h"
#include "tests/perfgate/evidence/temporary_folder.h"
#include "tests/perfgate/import/import_samples.h"

namespace perfgate::import {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using sample::TemporaryFolder;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* kNvbenchTimes = "nv/json/bin:nv/cold/sample_times";

std::string folder() { return sample_path("nvbench"); }

json nvbench_json(const std::string& file) { return json::parse(sample_bytes("nvbench/" + file)); }

Document nvbench_of(const json& document) {
  return read_nvbench(document.dump(), "f.json", folder());
}

Document nvbench_sample(const std::string& file) {
  return read_nvbench(sample_bytes("nvbench/" + file), sample_path("nvbench/" + file));
}

json& state_of(json& document, std::size_t index = 0) {
  return document["benchmarks"][0]["states"][index];
}

json& summary_of(json& document, const std::string& tag, std::size_t index = 0) {
  for (json& summary : state_of(document, index)["summaries"]) {
    if (summary["tag"] == tag) return summary;
  }
  ADD_FAILURE() << tag;
  return state_of(document, index);
}

// The value of one name in a summary.
json& value_of(json& document, const std::string& tag, const std::string& name) {
  json& summary = summary_of(document, tag);
  for (json& entry : summary["data"]) {
    if (entry["name"] == name) return entry["value"];
  }
  ADD_FAILURE() << tag << " " << name;
  return summary;
}

Refusal nvbench_refused(const std::function<void(json&)>& change) {
  json document = nvbench_json("copy.json");
  change(document);
  return refusal([&] { nvbench_of(document); });
}

void write_floats(const std::string& path, const std::vector<float>& values) {
  fs::create_directories(fs::path(path).parent_path());
  std::ofstream out(path, std::ios::binary);
  out.write(reinterpret_cast<const char*>(values.data()),
            static_cast<std::streamsize>(values.size() * sizeof(float)));
}

TEST(Nvbench, IsRecognised) {
  EXPECT_TRUE(looks_like_nvbench(nvbench_json("copy.json")));
  EXPECT_FALSE(looks_like_nvbench(json()));
  EXPECT_FALSE(looks_like_nvbench({{"benchmarks", 1}, {"meta", 2}}));
  EXPECT_FALSE(looks_like_nvbench({{"benchmarks", json::array()}, {"context", 1}}));
}

TEST(Nvbench, BinaryFilesHoldTheSamples) {
  const Document document = nvbench_sample("copy.json");
  expect_consistent(document);
  EXPECT_EQ(document.format, "nvbench");
  EXPECT_EQ(document.version, "0.2.0");
  // Axes sorted by name, the device not in it.
  const std::string name = "copy/N:1024/T:F32";
  const auto times = records_of(document, name, "gpu_time");
  ASSERT_EQ(times.size(), 12U);
  std::ifstream in(folder() + "/copy.json-bin/0.bin", std::ios::binary);
  for (std::size_t i = 0; i < times.size(); ++i) {
    float value = 0;
    in.read(reinterpret_cast<char*>(&value), sizeof value);  // tests run on little-endian machines
    EXPECT_EQ(times[i].value, static_cast<double>(value));
    EXPECT_EQ(times[i].order, static_cast<int>(i));
    EXPECT_GT(times[i].value, 1.1e-5);
    EXPECT_LT(times[i].value, 1.3e-5);
  }
  const auto clocks = records_of(document, name, "sm_clock");
  ASSERT_EQ(clocks.size(), 12U);
  EXPECT_TRUE(clocks[0].informational);
  EXPECT_EQ(clocks[0].metric.unit, "Hz");
  EXPECT_EQ(records_of(document, "copy/N:4096/T:F32", "gpu_time").size(), 9U);
}

// Back to back in a warm cache is another quantity than isolated and cold.
TEST(Nvbench, BatchAndColdAreDifferentMetrics) {
  const Document document = nvbench_sample("copy.json");
  const auto batch =
      records_of(document, "copy/N:1024/T:F32", "batch_gpu_time", RecordKind::kAggregate);
  ASSERT_THAT(batch, SizeIs(1));
  EXPECT_EQ(batch[0].statistic, "mean");
  EXPECT_TRUE(batch[0].informational);
  EXPECT_THAT(records_of(document, "copy/N:1024/T:F32", "gpu_time", RecordKind::kAggregate),
              IsEmpty());
  EXPECT_EQ(document.workload.at("copy/N:1024/T:F32").at("mode"), "cold");
}

TEST(Nvbench, WorkloadAndEnvironment) {
  const Document document = nvbench_sample("copy.json");
  const Fields& fields = document.workload.at("copy/N:1024/T:F32");
  EXPECT_EQ(fields.at("axis.N"), "1024");
  EXPECT_EQ(fields.at("option.min_samples"), "10");
  EXPECT_EQ(fields.at("option.timeout"), "15");
  EXPECT_FALSE(fields.contains("option.device"));
  EXPECT_FALSE(fields.contains("option.name"));
  EXPECT_EQ(document.environment.at("device.name"), "Example GPU 80GB");
  EXPECT_EQ(document.environment.at("device.sm_version"), "900");
  EXPECT_EQ(document.environment.at("nvbench.git_is_dirty"), "false");
  EXPECT_FALSE(document.environment.contains("device.id"));
}

TEST(Nvbench, SkippedAndUnmeasuredStates) {
  const Document document = nvbench_sample("copy.json");
  const auto skipped = records_of(document, "copy/N:1024/T:F64");
  ASSERT_THAT(skipped, SizeIs(1));
  EXPECT_EQ(skipped[0].status, Status::kSkipped);
  EXPECT_EQ(skipped[0].detail, "not enough memory");
  // Not skipped, and yet without one sample: all were throttled.
  const auto none = records_of(document, "copy/N:4096/T:F64");
  ASSERT_THAT(none, SizeIs(1));
  EXPECT_EQ(none[0].status, Status::kUnmeasured);
  EXPECT_THAT(none[0].detail, HasSubstr("no sample was accepted"));
}

// Samples of one metric are not devalued by aggregates of another.
TEST(Nvbench, OnlyTheBenchmarksOwnMetricIsJudged) {
  for (const char* file : {"copy.json", "cpu.json"}) {
    for (const Record& record : nvbench_sample(file).records) {
      if (record.kind == RecordKind::kAggregate) {
        EXPECT_TRUE(record.informational) << record.metric.name << " " << record.statistic;
      }
    }
  }
  std::size_t judged = 0;
  for (const Record& record : nvbench_sample("plain.json").records) {
    judged += record.informational ? 0U : 1U;
  }
  EXPECT_EQ(judged, 2U);  // mean and median
}

TEST(Nvbench, WithoutBinaryFilesOnlyAggregates) {
  for (const char* file : {"plain.json", "sidecar_failed.json"}) {
    const Document document = nvbench_sample(file);
    expect_consistent(document);
    EXPECT_THAT(records_of(document, "copy/N:1024"), IsEmpty()) << file;
    const auto records = records_of(document, "copy/N:1024", "gpu_time", RecordKind::kAggregate);
    EXPECT_EQ(records.size(), 8U) << file;
    EXPECT_EQ(document.warnings.empty(), std::string(file) == "plain.json");
  }
}

TEST(Nvbench, DevicesNameCasesOnlyWhereThereAreSeveral) {
  const Document document = nvbench_sample("two_devices.json");
  EXPECT_EQ(records_of(document, "copy/device:0", "gpu_time").size(), 12U);
  EXPECT_EQ(records_of(document, "copy/device:1", "gpu_time").size(), 9U);
  EXPECT_EQ(document.environment.at("device1.name"), "Example GPU 80GB");
}

TEST(Nvbench, CpuOnlyBenchmarksAreTimedOnTheHost) {
  const Document document = nvbench_sample("cpu.json");
  expect_consistent(document);
  EXPECT_EQ(records_of(document, "parse", "wall_time").size(), 5U);
  EXPECT_THAT(records_of(document, "parse", "gpu_time"), IsEmpty());
  EXPECT_EQ(document.workload.at("parse").at("mode"), "cpu_only");
}

TEST(Nvbench, PathsStayInTheFolder) {
  for (const char* path :
       {"/etc/passwd", "../copy.json-bin/0.bin", "copy.json-bin/../../x", "..", "a/../../b", ""}) {
    const Refusal refusal =
        nvbench_refused([&](json& f) { value_of(f, kNvbenchTimes, "filename") = path; });
    EXPECT_EQ(refusal.exit, Exit::kInvalid) << path;
    EXPECT_THAT(refusal.message, HasSubstr("/benchmarks/0/states/0: nv/json/bin")) << path;
  }
  // Folders and pipes are no sample files.
  EXPECT_EQ(nvbench_refused([](json& f) {
              value_of(f, kNvbenchTimes, "filename") = "copy.json-bin";
            }).exit,
            Exit::kInvalid);
  EXPECT_EQ(nvbench_refused([](json& f) {
              value_of(f, kNvbenchTimes, "filename") = "gone-bin/0.bin";
            }).exit,
            Exit::kData);
  const TemporaryFolder outside, inside;
  write_floats(outside / "0.bin", {1.0F, 2.0F});
  fs::create_directory(inside / "f-bin");
  fs::create_symlink(outside / "0.bin", inside / "f-bin/0.bin");
  fs::create_directory_symlink(outside.path(), inside / "g-bin");
  for (const char* path : {"f-bin/0.bin", "g-bin/0.bin"}) {
    const Refusal link = refusal([&] { read_nvbench_samples(inside.path(), path, 2, "f.json"); });
    EXPECT_EQ(link.exit, Exit::kInvalid) << path;
    EXPECT_THAT(link.message, HasSubstr("leads out")) << path;
  }
}

// Older versions wrote the path relative to where the benchmark was started.
TEST(Nvbench, PathsOfOlderVersionsAreTriedBesideTheFile) {
  json document = nvbench_json("copy.json");
  value_of(document, kNvbenchTimes, "filename") = "build/results/copy.json-bin/0.bin";
  EXPECT_EQ(records_of(nvbench_of(document), "copy/N:1024/T:F32", "gpu_time").size(), 12U);
}

TEST(Nvbench, BytesAreFourPerSample) {
  for (const char* size : {"11", "13", "0", "48", "1000000000000"}) {
    const Refusal refusal =
        nvbench_refused([&](json& f) { value_of(f, kNvbenchTimes, "size") = size; });
    EXPECT_EQ(refusal.exit, Exit::kInvalid) << size;
    EXPECT_THAT(refusal.message, HasSubstr("has 48 bytes")) << size;
  }
  for (const json& size : {json("twelve"), json("-1"), json("1.5"), json("12x"), json(12)}) {
    EXPECT_EQ(nvbench_refused([&](json& f) { value_of(f, kNvbenchTimes, "size") = size; }).exit,
              Exit::kData)
        << size;
  }
  const TemporaryFolder folder;
  std::ofstream(folder / "odd.bin") << "12345";
  EXPECT_EQ(refusal([&] { read_nvbench_samples(folder.path(), "odd.bin", 1, "f"); }).exit,
            Exit::kInvalid);
  write_floats(folder / "empty.bin", {});
  EXPECT_THAT(read_nvbench_samples(folder.path(), "empty.bin", 0, "f"), IsEmpty());
  write_floats(folder / "two.bin", {0.5F, -1.25F});
  EXPECT_THAT(read_nvbench_samples(folder.path(), "two.bin", 2, "f"), ElementsAre(0.5, -1.25));
}

TEST(Nvbench, ImpossibleSamplesAreRejected) {
  const TemporaryFolder folder;
  json document = nvbench_json("sidecar_failed.json");
  json& state = state_of(document);
  state["summaries"] = json::array();
  state["summaries"].push_back(
      {{"tag", kNvbenchTimes},
       {"data",
        {{{"name", "filename"}, {"type", "string"}, {"value", "f-bin/0.bin"}},
         {{"name", "size"}, {"type", "int64"}, {"value", "4"}}}}});
  // The mode is told by the cold summaries.
  state["summaries"].push_back(
      {{"tag", "nv/cold/sample_size"},
       {"data", {{{"name", "value"}, {"type", "int64"}, {"value", "4"}}}}});
  write_floats(folder / "f-bin/0.bin", {1e-5F, 0.0F, -1e-5F, NAN});
  const auto records =
      records_of(read_nvbench(document.dump(), "f.json", folder.path()), "copy/N:1024");
  ASSERT_EQ(records.size(), 4U);
  EXPECT_EQ(records[0].status, Status::kOk);
  for (std::size_t i = 1; i < 4; ++i) EXPECT_EQ(records[i].status, Status::kRejected) << i;
}

TEST(Nvbench, AggregatesMustFitTheSamples) {
  for (const char* statistic : {"mean", "min", "max"}) {
    const std::string tag = std::string("nv/cold/time/gpu/") + statistic;
    const Refusal refusal =
        nvbench_refused([&](json& f) { value_of(f, tag, "value") = "1.1e-05"; });
    EXPECT_EQ(refusal.exit, Exit::kInvalid) << tag;
    EXPECT_THAT(refusal.message, HasSubstr(tag));
  }
  const Refusal count =
      nvbench_refused([](json& f) { value_of(f, "nv/cold/sample_size", "value") = "13"; });
  EXPECT_EQ(count.exit, Exit::kInvalid);
  // The samples of another state.
  EXPECT_EQ(nvbench_refused([](json& f) {
              value_of(f, kNvbenchTimes, "filename") = "copy.json-bin/1.bin";
              value_of(f, kNvbenchTimes, "size") = "9";
            }).exit,
            Exit::kInvalid);
}

TEST(Nvbench, NumbersAreText) {
  const char* mean = "nv/cold/time/gpu/mean";
  for (const json& value : {json(1.2e-5), json("1.2e-5 s"), json("")}) {
    const Refusal refusal = nvbench_refused([&](json& f) { value_of(f, mean, "value") = value; });
    EXPECT_EQ(refusal.exit, Exit::kData) << value;
  }
  // A spread of one sample is infinite: no value, and nothing else is lost.
  json document = nvbench_json("plain.json");
  value_of(document, "nv/cold/time/gpu/stdev/relative", "value") = "inf";
  std::size_t rejected = 0;
  for (const Record& record : nvbench_of(document).records) {
    rejected += record.status == Status::kRejected ? 1U : 0U;
  }
  EXPECT_EQ(rejected, 1U);
}

TEST(Nvbench, Refuses) {
  EXPECT_EQ(nvbench_refused([](json& f) { f["meta"]["version"]["json"]["string"] = "2.0.0"; }).exit,
            Exit::kData);
  EXPECT_EQ(nvbench_refused([](json& f) { f.erase("meta"); }).exit, Exit::kData);
  EXPECT_EQ(nvbench_refused([](json& f) { f["benchmarks"] = json::array(); }).exit, Exit::kInvalid);
  EXPECT_EQ(nvbench_refused([](json& f) { f["benchmarks"] = 3; }).exit, Exit::kData);
  EXPECT_EQ(nvbench_refused([](json& f) { state_of(f, 1) = state_of(f, 0); }).exit, Exit::kInvalid);
  EXPECT_EQ(nvbench_refused([](json& f) {
              json& summaries = state_of(f)["summaries"];
              summaries.push_back(summaries[0]);
            }).exit,
            Exit::kInvalid);
  const std::string bytes = sample_bytes("nvbench/copy.json");
  EXPECT_EQ(refusal([&] { read_nvbench(bytes.substr(0, 900), "f", folder()); }).exit, Exit::kData);
  EXPECT_EQ(refusal([&] { read_nvbench("", "f", folder()); }).exit, Exit::kData);
  EXPECT_EQ(refusal([&] {
              read_nvbench(replaced(bytes, "\"device\":", "\"device\": 0, \"device\":"), "f",
                           folder());
            }).exit,
            Exit::kInvalid);
}

TEST(Nvbench, SurvivesAnyFieldBeingAnything) {
  const json values[] = {
      nullptr, true, -1, 0, 1e300, "x", json::array(), json::array({nullptr}), json::object(), 3.5};
  const json document = nvbench_json("copy.json");
  const json flat = document.flatten();
  for (const auto& [pointer, ignored] : flat.items()) {
    if (pointer.find("/summaries/") != std::string::npos &&
        pointer.find("/name") != std::string::npos)
      continue;
    for (const json& value : values) {
      for (json::json_pointer at(pointer); !at.empty(); at.pop_back()) {
        if (at.to_string().find("states/1") != std::string::npos) continue;
        json changed = document;
        changed[at] = value;
        const Refusal refusal = import::refusal([&] { nvbench_of(changed); });
        EXPECT_THAT(refusal.exit, testing::AnyOf(Exit::kPass, Exit::kData, Exit::kInvalid));
        if (at.back() != "data") break;
      }
    }
  }
}

}  // namespace
}  // namespace perfgate::import
