// SPDX-License-Identifier: Apache-2.0
// study_files.h: the files of a study's folder by their names: layout, commit and arm.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "perfgate/published/studies/study.h"

namespace perfgate::published {

struct StudyFile {
  std::string path;     // as messages show it
  std::string on_disk;  // the same with its own bytes
  Layout layout = Layout::kCombined;
  std::string id;
  std::optional<Arm> arm;  // nothing: the file says it, or holds all of them
};

struct StudyFiles {
  std::vector<StudyFile> files;      // in the order of their paths
  std::vector<std::string> ignored;  // of no known layout, and links to folders
  std::vector<UnreadableFile> lost;  // folders that cannot be opened
  std::size_t Count() const { return files.size() + ignored.size() + lost.size(); }
};

// Walks the folder. Links to folders are not followed, so that no loop can arise. A folder in the
// place of a result file counts as that file.
StudyFiles ListStudyFiles(const std::string& folder);

}  // namespace perfgate::published
