// SPDX-License-Identifier: Apache-2.0
#include "perfgate/gate/layouts.h"

#include <algorithm>
#include <thread>

#include "perfgate/base/error.h"
#include "perfgate/layouts/layout_folder.h"
#include "perfgate/layouts/relink.h"
#include "perfgate/measure/executable.h"

namespace perfgate::gate {

namespace {

layouts::LayoutFolder LinkedFolder(const std::string& path, Linking linking) {
  layouts::LayoutFolder folder = layouts::OpenLayouts(path);
  if (static_cast<int>(folder.set.layouts.size()) > folder.set.count) return folder;
  if (linking == Linking::kNever) {
    throw Error(Exit::kData, path +
                                 ": not every layout is linked, and an isolated gate runs no link "
                                 "commands; complete it with perfgate relink where the "
                                 "executable is built");
  }
  return layouts::LinkMissing(folder, std::max(1U, std::thread::hardware_concurrency()), {});
}

}  // namespace

void AddLayouts(const std::set<int>& used, Linking linking, measure::ArmPlan& arm) {
  if (arm.layouts_folder.empty()) return;
  const layouts::LayoutFolder folder = LinkedFolder(arm.layouts_folder, linking);
  layouts::RequireSound(folder);
  arm.layouts_digest = layouts::FolderDigest(folder.set);
  for (const Layout& layout : folder.set.layouts) {
    // The link as it is was seen before: by whoever made the change, and by a first stage.
    if (layout.seed == 0 || used.contains(layout.seed)) continue;
    arm.layouts.push_back({layout.seed, measure::inspect_executable(folder.FileOf(layout))});
  }
}

std::string DigestOfProgram(const std::string& path) {
  if (!layouts::NamesLayouts(path)) return measure::inspect_executable(path).digest;
  const layouts::LayoutFolder folder = layouts::OpenLayouts(path);
  layouts::RequireSound(folder);
  return layouts::FolderDigest(folder.set);
}

std::string OneSidedLayouts(const std::vector<measure::ArmPlan>& arms) {
  const auto has = [](const measure::ArmPlan& arm) { return !arm.layouts_folder.empty(); };
  const auto owner = std::find_if(arms.begin(), arms.end(), has);
  if (owner == arms.end() || std::all_of(arms.begin(), arms.end(), has)) return {};
  return "only the " + owner->label +
         " has layouts: one link of each arm is compared, which says less of the change";
}

LayoutUse LayoutsInUse(const Policy& policy, const std::vector<measure::ArmPlan>& arms) {
  const auto lacking = std::find_if(arms.begin(), arms.end(), [](const measure::ArmPlan& arm) {
    return arm.layouts_folder.empty();
  });
  if (lacking == arms.end()) return policy.layouts;
  if (policy.layouts == LayoutUse::kAlways) {
    throw Error(Exit::kUsage, "the policy decides always over layouts, and the " + lacking->label +
                                  ", " + lacking->executable.path +
                                  ", is one link: make layouts of it with perfgate relink, or give "
                                  "--layouts off");
  }
  return LayoutUse::kOff;
}

}  // namespace perfgate::gate
