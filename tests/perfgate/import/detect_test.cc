// SPDX-License-Identifier: Apache-2.0
#include "perfgate/import/detect.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "perfgate/base/io/atomic_file.h"
#include "perfgate/base/io/read_file.h"
#include "tests/perfgate/evidence/temporary_folder.h"
#include "tests/perfgate/import/import_samples.h"

namespace perfgate::import {
namespace {

using testing::HasSubstr;

// Every sample of every format, by the folder it is in.
std::map<std::string, std::string> samples() {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(sample_path(""))) {
    const std::string extension = entry.path().extension();
    if (extension != ".json" && extension != ".jsonl") continue;
    const auto inside = std::filesystem::relative(entry.path(), sample_path(""));
    files[entry.path().string()] = inside.begin()->string();
  }
  return files;
}

TEST(Detect, EverySampleIsKnownByItsContent) {
  std::map<std::string, int> seen;
  for (const auto& [path, folder] : samples()) {
    const std::string bytes = read_file_text(path);
    const bool known = std::any_of(formats().begin(), formats().end(),
                                   [&](const Format& format) { return format.name == folder; });
    if (bytes.empty() || !known) continue;
    EXPECT_EQ(detect_format(bytes, "results.txt").name, folder) << path;
    ++seen[folder];
  }
  for (const Format& format : formats())
    EXPECT_GT(seen[std::string(format.name)], 0) << format.name;
}

TEST(Detect, NoTwoFormatsClaimOneSample) {
  for (const auto& [path, folder] : samples()) {
    const std::string bytes = read_file_text(path);
    const auto document = nlohmann::json::parse(bytes, nullptr, false);
    if (document.is_discarded()) continue;
    int claims = 0;
    for (const Format& format : formats()) claims += format.looks_like(document) ? 1 : 0;
    EXPECT_LE(claims, 1) << path;
  }
}

// Odd shapes must not be taken for anything, nor trip a detector.
TEST(Detect, OtherJsonIsNoResult) {
  for (const std::string text :
       {"{}", "[]", "null", "7", "\"benchmarks\"", R"({"benchmarks":[]})", R"({"results":[]})",
        R"({"results":{"command":1}})", R"({"results":[7]})", R"({"context":1,"benchmarks":2})",
        R"({"context":{},"benchmarks":{}})", R"({"machine_info":{}})", R"({"iters":[]})", "[[[]]]",
        R"([{"name":"a"}])"}) {
    const auto refused = refusal([&, bytes = text] { detect_format(bytes, "x.json"); });
    EXPECT_EQ(refused.exit, Exit::kData) << text;
    EXPECT_THAT(refused.message, HasSubstr("x.json: no known format")) << text;
  }
}

TEST(Detect, UnreadableFilesSayWhatIsWrong) {
  EXPECT_THAT(refusal([] { detect_format("", "x.json"); }).message, HasSubstr("the file is empty"));
  EXPECT_THAT(refusal([] { detect_format("\n \n", "x.json"); }).message,
              HasSubstr("the file is empty"));
  const auto cut = refusal([] { detect_format(R"({"context":{},"benchmarks":[{)", "x.json"); });
  EXPECT_EQ(cut.exit, Exit::kData);
  EXPECT_THAT(cut.message, HasSubstr("x.json:1:"));
  EXPECT_EQ(refusal([] { detect_format("name,time\na,1\n", "x.csv"); }).exit, Exit::kData);
  const auto twice = refusal([] { detect_format(R"({"context":{},"context":{}})", "x.json"); });
  EXPECT_EQ(twice.exit, Exit::kInvalid);
}

TEST(Detect, PerfgatesOwnFilesNeedNoImport) {
  const auto refused =
      refusal([] { detect_format(R"({"format":"perfgate-session","version":1})", "s.json"); });
  EXPECT_EQ(refused.exit, Exit::kUsage);
  EXPECT_THAT(refused.message, HasSubstr("a file of perfgate"));
}

TEST(Detect, TheFormatCanBeSaid) {
  EXPECT_EQ(format_named("hyperfine").program, "hyperfine");
  const auto refused = refusal([] { format_named("csv"); });
  EXPECT_EQ(refused.exit, Exit::kUsage);
  EXPECT_THAT(refused.message, HasSubstr("google_benchmark"));
  const std::string path = sample_path("hyperfine/plain.json");
  EXPECT_EQ(read_foreign(path).format, "hyperfine");
  EXPECT_EQ(read_foreign(path, "hyperfine").name, path);
  EXPECT_EQ(refusal([&] { read_foreign(path, "google_benchmark"); }).exit, Exit::kData);
}

TEST(Detect, FoldersAreCriterions) {
  EXPECT_EQ(read_foreign(sample_path("criterion/first")).format, "criterion");
  EXPECT_EQ(refusal([] { read_foreign(sample_path("criterion/first"), "hyperfine"); }).exit,
            Exit::kData);
  EXPECT_EQ(refusal([] { read_foreign(sample_path("hyperfine")); }).exit, Exit::kData);
  EXPECT_EQ(refusal([] { read_foreign(sample_path("none.json")); }).exit, Exit::kData);
}

}  // namespace
}  // namespace perfgate::import
