// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/identity/identity.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <system_error>
#include <vector>

#include "perfgate/base/error.h"
#include "perfgate/base/io/read_file.h"
#include "perfgate/base/sha256.h"
#include "perfgate/measure/identity/known_maps.h"
#include "perfgate/measure/identity/observe.h"
#include "perfgate/measure/identity/one_library.h"

namespace perfgate::measure {
namespace {

namespace fs = std::filesystem;

Identity Proven() { return {.proven = true, .one_library = "", .why_not = ""}; }

Identity Unproven(const std::string& why_not) {
  return {.proven = false, .one_library = "", .why_not = why_not};
}

// What is loaded, of what is mapped: data that both read is not meant.
std::vector<std::string> LoadedOf(const std::vector<std::string>& files) {
  std::vector<std::string> loaded;
  for (const std::string& file : files) {
    if (fs::path(file).filename().string().find(".so") != std::string::npos) loaded.push_back(file);
  }
  return loaded;
}

std::optional<std::string> OneMappedForBoth(const MeasurePlan& plan,
                                            const std::vector<std::vector<std::string>>& mapped) {
  Executable first = plan.arms[0].executable;
  Executable second = plan.arms[1].executable;
  first.libraries = LoadedOf(mapped[0]);
  second.libraries = LoadedOf(mapped[1]);
  return OneLibraryForBoth(first, second);
}

// What an arm maps beside the executable itself, which the digests cover.
std::vector<std::string> BesideItself(std::vector<std::string> files,
                                      const Executable& executable) {
  std::error_code error;
  const std::string own = fs::canonical(executable.path, error).string();
  std::erase(files, own);
  return files;
}

std::vector<std::string> OnlyIn(const std::vector<std::string>& these,
                                const std::vector<std::string>& those) {
  std::vector<std::string> rest;
  std::set_difference(these.begin(), these.end(), those.begin(), those.end(),
                      std::back_inserter(rest));
  return rest;
}

// Digest to a file that has it.
std::multimap<std::string, std::string> ByDigest(const std::vector<std::string>& files) {
  std::multimap<std::string, std::string> digests;
  for (const std::string& file : files) digests.emplace(sha256_hex(read_file_text(file)), file);
  return digests;
}

// Files that both arms map are the same; the others have to pair up by content.
Identity CompareMapped(const std::vector<std::string>& first,
                       const std::vector<std::string>& second) {
  auto left = ByDigest(OnlyIn(first, second));
  for (const auto& [digest, file] : ByDigest(OnlyIn(second, first))) {
    const auto twin = left.find(digest);
    if (twin == left.end())
      return Unproven("the candidate maps " + file + ", the baseline does not");
    left.erase(twin);
  }
  if (left.empty()) return Proven();
  return Unproven("the baseline maps " + left.begin()->second + ", the candidate does not");
}

// What an arm opens can depend on what it is given.
std::string SettingsOf(const ArmPlan& arm) {
  std::string text;
  for (const std::string& argument : arm.arguments) text += "\nargument " + argument;
  for (const auto& [name, value] : arm.environment) text.append("\n").append(name) += "=" + value;
  return text;
}

}  // namespace

Identity ProveIdentical(const MeasurePlan& plan, const std::string& known_folder) {
  const Executable& first = plan.arms.at(0).executable;
  const Executable& second = plan.arms.at(1).executable;
  if (first.digest != second.digest) return Unproven("their digests differ");
  if (first.kind == FileKind::kScript) {
    return Unproven("they are scripts: which program they start cannot be known");
  }
  std::error_code error;
  if (fs::equivalent(first.path, second.path, error)) return Proven();
  if (first.kind == FileKind::kStatic) return Proven();

  std::vector<std::vector<std::string>> mapped;
  for (std::size_t i = 0; i < 2; ++i) {
    const ArmPlan& arm = plan.arms[i];
    const KnownMaps known(known_folder, plan.policy.filter + SettingsOf(arm));
    auto files = known.Find(arm.executable);
    if (!files) {
      std::string why_not;
      files = ObserveMappedFiles(plan, arm, &why_not);
      if (!files) return Unproven(arm.label + ": " + why_not);
      known.Keep(arm.executable, *files);
    }
    mapped.push_back(BesideItself(std::move(*files), arm.executable));
  }
  if (const auto library = OneMappedForBoth(plan, mapped)) {
    return {.proven = false, .one_library = *library, .why_not = ""};
  }
  try {
    return CompareMapped(mapped[0], mapped[1]);
  } catch (const Error& gone) {
    return Unproven(gone.what());
  }
}

}  // namespace perfgate::measure
