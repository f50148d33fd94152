// SPDX-License-Identifier: Apache-2.0
#include "perfgate/gate/recorded/store_folder.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <vector>

#include "perfgate/base/error.h"
#include "perfgate/base/text/join.h"
#include "perfgate/evidence/machine_class.h"
#include "perfgate/layouts/layout_folder.h"
#include "perfgate/store/git.h"

namespace perfgate::gate {
namespace {

namespace fs = std::filesystem;
constexpr std::string_view kGit = "git:";

// Fields in which the class nearest to this machine differs.
std::string NearestDifferences(const std::vector<store::SuiteFolder>& suites,
                               const Machine& machine, const SecretKey* key) {
  std::optional<std::vector<std::string>> fewest;
  std::string name;
  for (const store::SuiteFolder& suite : suites) {
    const store::Baseline baseline = store::read_baseline(suite, key);
    if (baseline.sessions.empty()) continue;
    std::vector<std::string> differences = class_differences(
        class_fields(baseline.sessions.back().session.machine), class_fields(machine));
    if (!fewest || differences.size() < fewest->size()) {
      fewest = std::move(differences);
      name = suite.machine_class;
    }
  }
  return fewest ? name + " differs in " + Join(*fewest, "; ") : "the store has no session";
}

}  // namespace

bool NamesStore(const std::string& name) {
  std::error_code error;
  return name.starts_with(kGit) || (fs::is_directory(name, error) && !layouts::NamesLayouts(name));
}

StoreFolder::StoreFolder(const std::string& name) : path_(name) {
  if (!name.starts_with(kGit)) return;
  const std::string rest = name.substr(kGit.size());
  const std::size_t colon = rest.find(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == rest.size()) {
    throw Error(Exit::kUsage, "\"" + name +
                                  "\": expected git:REVISION:FOLDER, such as "
                                  "git:origin/main:baselines");
  }
  const std::string path = rest.substr(colon + 1);
  temporary_.emplace("perfgate-store-");
  store::export_tree(rest.substr(0, colon), path, temporary_->path());
  path_ = (fs::path(temporary_->path()) / path).string();
}

store::Baseline BaselineOfMachine(const StoreFolder& folder, const std::string& suite,
                                  const Machine& machine, const SecretKey* key) {
  const std::string name = machine_class(class_fields(machine));
  const std::vector<store::SuiteFolder> all = store::list_suites(folder.path());
  std::vector<store::SuiteFolder> here;
  std::vector<store::SuiteFolder> elsewhere;
  for (const store::SuiteFolder& found : all) {
    if (!suite.empty() && found.suite != suite) continue;
    (found.machine_class == name ? here : elsewhere).push_back(found);
  }
  if (here.empty() && elsewhere.empty()) {
    throw Error(Exit::kNotComparable, folder.path() + ": has no baseline" +
                                          (suite.empty() ? "" : " of suite \"" + suite + "\"") +
                                          "; record one with `perfgate baseline record`");
  }
  if (here.empty()) {
    throw Error(Exit::kNotComparable,
                "hardware_mismatch: no baseline was recorded on a machine of "
                "this class, " +
                    name + ": " + NearestDifferences(elsewhere, machine, key));
  }
  if (here.size() > 1) {
    std::vector<std::string> names;
    names.reserve(here.size());
    for (const store::SuiteFolder& found : here) names.push_back(found.suite);
    throw Error(Exit::kUsage, "name the suite with --suite: " + Join(names));
  }
  store::Baseline baseline = store::read_baseline(here.front(), key);
  if (baseline.sessions.empty()) {
    throw Error(Exit::kNotComparable, here.front().folder + ": every session was pruned");
  }
  return baseline;
}

}  // namespace perfgate::gate
