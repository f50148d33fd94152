// SPDX-License-Identifier: Apache-2.0
// study.h: the result files of a study of agents, as values: commits, arms, and what each file
// said.
//
// Every arm of every commit ends in one state, and every file in one place, so that the counts of
// the inventory add up. Nothing here is judged; population.h makes records of it that
// published_parity.h reads.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "perfgate/published/published_parity.h"

namespace perfgate::published {

enum class Layout {
  kCombined,  // one file per commit with all arms: <project>/<commit>/benchmark_result.json
  kArmFiles,  // one file per arm: <commit>_human_result.json
  kReruns,    // runs in a container that replace older ones
};
inline constexpr std::size_t kLayouts = 3;
// Also the `source` of the measurements in the population file.
inline constexpr std::array<std::string_view, kLayouts> kLayoutWords = {"combined", "separate",
                                                                        "docker_rerun"};
constexpr std::string_view word_of(Layout v) { return kLayoutWords[static_cast<std::size_t>(v)]; }

enum class ArmState { kMeasured, kFailed, kNotRun, kMissing, kUnreadable };
inline constexpr std::array<std::string_view, 5> kStateWords = {"measured", "failed", "not_run",
                                                                "missing", "unreadable"};
constexpr std::string_view word_of(ArmState v) { return kStateWords[static_cast<std::size_t>(v)]; }

struct StudyMetric {
  std::string name;  // as the population file has it: "ttft_mean"
  std::optional<std::string> unit;
  Direction better = Direction::kLower;
  double value = 0;
  int decimals = 0;
};

struct StudyArm {
  ArmState state = ArmState::kMissing;
  std::string reason;  // why it is not measured
  std::string path;    // of the file that says so; empty where there is none
  std::string kind;    // of a failure: "out_of_memory"
  std::optional<std::string> model;
  std::optional<std::string> mode;
  std::optional<int> output_len;
  std::vector<StudyMetric> metrics;  // of a measured arm only, names unique
};

struct StudyRecord {
  std::string id;
  std::optional<std::string> subject;
  std::optional<std::string> model;
  std::optional<std::string> pipeline_status;
  std::string run_error;    // a token, where the whole run failed
  bool shared_run = false;  // all arms ran in one job
  std::array<StudyArm, kArms> arms;
};

struct UnreadableFile {
  std::string path;
  std::string reason;
};

// What one folder holds in one layout.
struct StudySource {
  Layout layout = Layout::kCombined;
  std::string folder;
  std::vector<StudyRecord> records;  // in the order of their ids
  std::size_t files_read = 0;
  std::vector<UnreadableFile> unreadable;
};

struct Study {
  std::string folder;
  std::vector<StudySource> sources;  // in the order of Layout, none of them empty
  std::size_t files = 0;             // all that the folder holds
  std::vector<std::string> ignored;  // paths of no known layout
  std::vector<std::string> warnings;
};

// Reads a folder. Error(kData) where it is none or holds no result file of a known layout. A file
// that cannot be read leaves its arms `unreadable`, with the reason, and the rest goes on.
Study ReadStudy(const std::string& folder);

}  // namespace perfgate::published
