// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "perfgate/base/json/strict_json.h"
#include "perfgate/evidence/files/input_kinds.h"
#include "perfgate/published/studies/combined_file.h"
#include "perfgate/published/studies/study.h"
#include "perfgate/published/studies/study_files.h"

namespace perfgate::published {
namespace {

constexpr InputKind kStudyFile = {"benchmark result", 64 * kMiB, LastLink::kFollowed};

using Records = std::map<std::string, StudyRecord>;

void MarkUnreadable(StudyArm& arm, const std::string& path, const std::string& reason) {
  arm = {};
  arm.state = ArmState::kUnreadable;
  arm.path = path;
  arm.reason = reason;
  arm.kind = "unreadable_record";
}

// Two files for one arm: neither is believed.
void AddArm(StudyRecord& record, Arm name, StudyArm arm) {
  StudyArm& place = record.arms[index_of(name)];
  if (place.path.empty()) {
    place = std::move(arm);
    return;
  }
  MarkUnreadable(place, arm.path,
                 "this arm is stated by two files, also by " + place.path + "; keep one of them");
}

void AddRecord(Records& records, StudyRecord record, const std::string& path) {
  for (StudyArm& arm : record.arms) arm.path = path;
  const auto [place, is_new] = records.emplace(record.id, record);
  if (is_new) return;
  for (const Arm arm : kAllArms) {
    AddArm(place->second, arm, std::move(record.arms[index_of(arm)]));
  }
}

StudyRecord& RecordOf(Records& records, const std::string& id) {
  StudyRecord& record = records[id];
  record.id = id;
  return record;
}

Arm ArmOf(const StudyFile& file, const JsonCursor& root) {
  if (file.arm) {
    CheckArm(root, *file.arm);
    return *file.arm;
  }
  const auto stated = StatedArm(root);
  if (!stated) root.fail("does not say of which arm it is; add \"arm\": \"agent\"");
  return *stated;
}

// Reads one file into the records. Throws Error, and then has changed nothing.
void ReadOne(const StudyFile& file, Records& records, StudyReading& reading) {
  const std::string text = ReadInputFile(file.on_disk, kStudyFile);
  const nlohmann::json document = parse_strict_json(text, file.path);
  const JsonCursor root(document, file.path);
  root.require_object();
  const bool combined = file.layout == Layout::kCombined ||
                        (file.layout == Layout::kReruns && !file.arm && HoldsArms(root));
  if (combined) {
    AddRecord(records, ReadCombined(root, file.id, reading), file.path);
    return;
  }
  if (HoldsArms(root)) root.fail("holds several arms, but its name says that it is one arm's");
  const Arm name = ArmOf(file, root);
  if (name != Arm::kBaseline) CheckCommit(root, file.id);  // a baseline may name its own commit
  StudyArm arm = ReadArmObject(root, reading);
  NoteUnknown(root, {}, reading);
  arm.path = file.path;
  StudyRecord& record = RecordOf(records, file.id);
  if (!record.subject) record.subject = FirstText(root, {"commit_subject", "subject"});
  AddArm(record, name, std::move(arm));
}

// A file that cannot be read leaves its arms unreadable, all of them where it does not say whose.
void Lose(const StudyFile& file, const std::string& reason, Records& records) {
  StudyRecord& record = RecordOf(records, file.id);
  for (const Arm arm : kAllArms) {
    StudyArm& place = record.arms[index_of(arm)];
    const bool others = !file.arm && file.layout == Layout::kReruns && !place.path.empty();
    if ((file.arm && *file.arm != arm) || others) continue;
    MarkUnreadable(place, file.path, reason);
  }
}

// The model of separate files where those that state one agree.
void SetModel(StudyRecord& record) {
  if (record.shared_run) return;
  for (const StudyArm& arm : record.arms) {
    if (!arm.model) continue;
    if (record.model && *record.model != *arm.model) {
      record.model.reset();
      return;
    }
    record.model = arm.model;
  }
}

StudySource ReadLayout(Layout layout, const StudyFiles& found, const std::string& folder,
                       StudyReading& reading) {
  StudySource source;
  source.layout = layout;
  source.folder = folder;
  Records records;
  for (const StudyFile& file : found.files) {
    if (file.layout != layout) continue;
    try {
      ReadOne(file, records, reading);
      ++source.files_read;
    } catch (const Error& error) {
      source.unreadable.push_back({file.path, error.what()});
      Lose(file, error.what(), records);
    }
  }
  for (auto& [id, record] : records) {
    SetModel(record);
    source.records.push_back(std::move(record));
  }
  return source;
}

}  // namespace

Study ReadStudy(const std::string& folder) {
  const StudyFiles found = ListStudyFiles(folder);
  StudyReading reading;
  Study study;
  study.folder = folder;
  study.files = found.Count();
  study.ignored = found.ignored;
  for (const Layout layout : {Layout::kCombined, Layout::kArmFiles, Layout::kReruns}) {
    StudySource source = ReadLayout(layout, found, folder, reading);
    if (!source.records.empty()) study.sources.push_back(std::move(source));
  }
  if (study.sources.empty()) {
    throw Error(Exit::kData, folder +
                                 ": holds no result file of a known layout; expected "
                                 "COMMIT/benchmark_result.json, COMMIT_agent_result.json or "
                                 "COMMIT_agent_rerun.json");
  }
  study.sources.front().unreadable.insert(study.sources.front().unreadable.end(),
                                          found.lost.begin(), found.lost.end());
  for (const std::string& name : reading.unknown) {
    study.warnings.push_back(folder + ": fields named \"" + name + "\" are not read");
  }
  return study;
}

}  // namespace perfgate::published
