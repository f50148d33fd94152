// SPDX-License-Identifier: Apache-2.0
#include "perfgate/published/studies/inventory.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

namespace perfgate::published {
namespace {

using Json = nlohmann::ordered_json;

std::string SumText(const std::array<std::size_t, kStateWords.size()>& counts) {
  std::string text;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    text += fmt::format("{}{} {}", i == 0 ? "" : " + ", kStateWords[i], counts[i]);
  }
  return text;
}

std::size_t FilesOf(const Study& study) {
  std::size_t files = study.ignored.size();
  for (const StudySource& source : study.sources) {
    files += source.files_read + source.unreadable.size();
  }
  if (files != study.files) throw std::logic_error("the files of a study do not add up");
  return files;
}

Json SourceJson(const StudySource& source) {
  const SourceCounts counts = CountSource(source);
  Json json = {{"layout", word_of(source.layout)},
               {"commits", counts.commits},
               {"files_read", counts.files_read},
               {"files_unreadable", counts.files_unreadable}};
  for (const Arm arm : kAllArms) {
    for (std::size_t i = 0; i < kStateWords.size(); ++i) {
      json["arms"][std::string(name_of(arm))][std::string(kStateWords[i])] =
          counts.arms[index_of(arm)][i];
    }
  }
  json["not_measured"] = Json::array();
  for (const StudyRecord& record : source.records) {
    for (const Arm arm : kAllArms) {
      const StudyArm& state = record.arms[index_of(arm)];
      if (state.state == ArmState::kMeasured) continue;
      json["not_measured"].push_back({{"commit", record.id},
                                      {"arm", name_of(arm)},
                                      {"state", word_of(state.state)},
                                      {"reason", state.reason},
                                      {"path", state.path}});
    }
  }
  json["unreadable"] = Json::array();
  for (const UnreadableFile& file : source.unreadable) {
    json["unreadable"].push_back({{"path", file.path}, {"reason", file.reason}});
  }
  return json;
}

}  // namespace

SourceCounts CountSource(const StudySource& source) {
  SourceCounts counts;
  counts.commits = source.records.size();
  counts.files_read = source.files_read;
  counts.files_unreadable = source.unreadable.size();
  for (const StudyRecord& record : source.records) {
    for (const Arm arm : kAllArms) {
      const ArmState state = record.arms[index_of(arm)].state;
      ++counts.arms[index_of(arm)].at(static_cast<std::size_t>(state));
    }
  }
  for (const auto& states : counts.arms) {
    std::size_t sum = 0;
    for (const std::size_t count : states) sum += count;
    if (sum != counts.commits) throw std::logic_error("the states of an arm do not add up");
  }
  return counts;
}

std::string InventoryText(const std::vector<Study>& studies) {
  std::string text;
  for (const Study& study : studies) {
    std::string read;
    for (const StudySource& source : study.sources) {
      const SourceCounts counts = CountSource(source);
      text +=
          fmt::format("{}  {}: {} commits\n", study.folder, word_of(source.layout), counts.commits);
      for (const Arm arm : kAllArms) {
        text += fmt::format("  {:<9} {} = {}\n", name_of(arm), SumText(counts.arms[index_of(arm)]),
                            counts.commits);
      }
      read += fmt::format("{} read {} + {} unreadable {} + ", word_of(source.layout),
                          counts.files_read, word_of(source.layout), counts.files_unreadable);
    }
    text +=
        fmt::format("  files     {}ignored {} = {}\n", read, study.ignored.size(), FilesOf(study));
    for (const StudySource& source : study.sources) {
      for (const UnreadableFile& file : source.unreadable) {
        const bool named = file.reason.starts_with(file.path);
        text += "  unreadable " + (named ? "" : file.path + ": ") + file.reason + "\n";
      }
    }
    for (const std::string& warning : study.warnings) text += "  warning: " + warning + "\n";
  }
  return text;
}

std::string InventoryJson(const std::vector<Study>& studies) {
  Json json = {{"format", "perfgate-parity-inventory/1"}, {"studies", Json::array()}};
  for (const Study& study : studies) {
    Json one = {{"folder", study.folder}, {"files", FilesOf(study)}};
    one["sources"] = Json::array();
    for (const StudySource& source : study.sources) one["sources"].push_back(SourceJson(source));
    one["ignored"] = study.ignored;
    one["warnings"] = study.warnings;
    json["studies"].push_back(std::move(one));
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace perfgate::published
