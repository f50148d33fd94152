// SPDX-License-Identifier: Apache-2.0
#include "perfgate/layouts/layout_folder.h"

#include <cstdio>
#include <filesystem>
#include <system_error>

#include "perfgate/base/error.h"
#include "perfgate/base/io/read_file.h"
#include "perfgate/base/sha256.h"
#include "perfgate/base/text/enum_words.h"
#include "perfgate/evidence/files/files.h"

namespace perfgate::layouts {
namespace {

namespace fs = std::filesystem;

constexpr const char* kManifest = "layouts.json";
constexpr const char* kRelink = "; make the folder again with perfgate relink";

void RequireLayout(const LayoutFolder& folder, const Layout& layout) {
  const std::string file = folder.FileOf(layout);
  std::error_code error;
  if (!fs::is_regular_file(file, error)) {
    throw Error(Exit::kData, file + ": the layout of seed " + std::to_string(layout.seed) +
                                 " is missing" + kRelink);
  }
  if (sha256_digest(read_file_text(file)) != layout.digest) {
    throw Error(Exit::kData, file + ": is not the file that " + folder.path + "/" + kManifest +
                                 " names: it was linked from other objects, or changed afterwards" +
                                 kRelink);
  }
}

}  // namespace

bool NamesLayouts(const std::string& path) {
  std::error_code error;
  return fs::is_directory(path, error) && fs::exists(fs::path(path) / kManifest, error);
}

std::string FolderOfSeed(int seed) {
  char name[16];
  std::snprintf(name, sizeof name, "%04d", seed);
  return name;
}

LayoutFolder OpenLayouts(const std::string& path) {
  LayoutFolder folder{path, read_layouts(path + "/" + kManifest)};
  RequireLayout(folder, folder.set.layouts.front());
  return folder;
}

void RequireSound(const LayoutFolder& folder) {
  for (const Layout& layout : folder.set.layouts) RequireLayout(folder, layout);
}

std::string FolderDigest(const LayoutSet& set) {
  std::string digests = PopulationDigest(set);
  for (const Layout& layout : set.layouts) {
    digests += "\n" + std::to_string(layout.seed) + " " + layout.digest;
  }
  return sha256_digest(digests);
}

std::string PopulationDigest(const LayoutSet& set) {
  return sha256_digest(set.name + "\n" + std::string(to_string(set.shuffling)) + "\n" + set.linker +
                       "\n" + set.objects + "\n" + set.layouts.front().digest);
}

}  // namespace perfgate::layouts
