// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/io/atomic_file.h"
#include "perfgate/evidence/files/consistency.h"
#include "perfgate/evidence/files/file_format.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/evidence/files/input_kinds.h"
#include "perfgate/evidence/files/layouts_fields.h"

namespace perfgate::inline evidence {
namespace {

void check_layout_set(const LayoutSet& set, const std::string& where) {
  if (set.layouts.empty() || set.layouts.front().seed != 0) {
    contradict(where, "/linked", "the first layout is the link as it is, of seed 0");
  }
  for (std::size_t i = 1; i < set.layouts.size(); ++i) {
    if (set.layouts[i].seed <= set.layouts[i - 1].seed) {
      contradict(where, "/linked/" + std::to_string(i) + "/seed", "seeds must rise");
    }
  }
  if (set.layouts.size() > static_cast<std::size_t>(set.count) + 1) {
    contradict(where, "/count",
               "is " + std::to_string(set.count) + ", but /linked has " +
                   std::to_string(set.layouts.size() - 1) + " beside the link as it is");
  }
  if (set.command.arguments.empty()) contradict(where, "/command/arguments", "no command");
}

}  // namespace

std::string layouts_to_json(const LayoutSet& set) { return write_format(set); }

LayoutSet layouts_from_json(std::string_view text, const std::string& where) {
  auto set = read_format<LayoutSet>(text, where);
  check_layout_set(set, where);
  return set;
}

void write_layouts(const std::string& path, const LayoutSet& set) {
  write_file_atomically(path, layouts_to_json(set));
}

LayoutSet read_layouts(const std::string& path) {
  return layouts_from_json(ReadInputFile(path, kEvidenceFile), path);
}

}  // namespace perfgate::inline evidence
