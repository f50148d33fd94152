// SPDX-License-Identifier: Apache-2.0
#include "perfgate/layouts/relink.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "perfgate/base/error.h"
#include "perfgate/base/io/read_file.h"
#include "perfgate/base/sha256.h"
#include "perfgate/base/text/enum_words.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/layouts/link_command.h"
#include "perfgate/layouts/shuffling.h"

namespace perfgate::layouts {
namespace {

namespace fs = std::filesystem;

struct Links {
  ParsedLink executable;
  std::vector<ParsedLink> libraries;
};

Links ParseLinks(const LinkCommand& command, const std::vector<LinkCommand>& libraries) {
  Links links{ParseLink(command), {}};
  if (links.executable.shared) {
    throw Error(Exit::kUsage,
                "the link command makes a shared library, not an executable; give the command of "
                "the benchmark, and that of the library as --library FILE");
  }
  for (const LinkCommand& library : libraries) {
    links.libraries.push_back(ParseLink(library));
    if (!links.libraries.back().shared) {
      throw Error(Exit::kUsage, "the command of a library has no -shared: " +
                                    links.libraries.back().output + " is an executable");
    }
  }
  return links;
}

std::string ObjectsDigest(const Links& links) {
  std::set<std::string> made;
  for (const ParsedLink& library : links.libraries) {
    made.insert((fs::path(library.command.directory) / library.output).lexically_normal().string());
  }
  std::string digests;
  const auto add = [&](const ParsedLink& link) {
    for (const std::string& input : link.inputs) {
      // What is linked anew is known by its own objects.
      if (!made.contains(input)) digests += sha256_hex(read_file_text(input)) + "\n";
    }
  };
  add(links.executable);
  for (const ParsedLink& library : links.libraries) add(library);
  return sha256_digest(digests);
}

std::string NameOfOutput(const ParsedLink& link) {
  return fs::path(link.output).filename().string();
}

LinkJob JobOfSeed(const Links& links, Shuffling shuffling, int seed, const std::string& folder) {
  LinkJob job{seed, {}};
  const std::string here = folder + "/" + FolderOfSeed(seed);
  // The link as it is uses the libraries where they are.
  for (const ParsedLink& library : links.libraries) {
    if (seed == 0) break;
    job.commands.push_back(
        ShuffledLink(library, shuffling, seed, here, here + "/" + NameOfOutput(library)));
  }
  LinkCommand executable = ShuffledLink(links.executable, shuffling, seed, here,
                                        here + "/" + NameOfOutput(links.executable));
  if (seed != 0 && !links.libraries.empty()) LookBesideItself(links.executable, executable);
  job.commands.push_back(std::move(executable));
  return job;
}

void MakeFolder(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) {
    throw Error(Exit::kData, path.string() + ": cannot be made (" + error.message() +
                                 "); give --output a folder that you may write to");
  }
}

// The first way of shuffling that links this program, and why the others did not.
Shuffling ChooseShuffling(const Links& links, const std::string& folder,
                          std::vector<std::string>& notes) {
  const std::string trial = folder + "/" + FolderOfSeed(1);
  MakeFolder(trial);
  for (const Shuffling shuffling : {Shuffling::kLld, Shuffling::kMold}) {
    const std::string complaint = TryLink(JobOfSeed(links, shuffling, 1, folder).commands.front());
    if (complaint.empty()) return shuffling;
    notes.push_back("not linked with " + std::string(to_string(shuffling)) + ": " + complaint);
  }
  notes.emplace_back(
      "without lld or mold only whole object files change places: install lld (package lld) for "
      "layouts of single functions");
  return Shuffling::kOrder;
}

std::string LinkerVersion(Shuffling shuffling) {
  switch (shuffling) {
    case Shuffling::kLld:
      return VersionOf("ld.lld");
    case Shuffling::kMold:
      return VersionOf("mold");
    case Shuffling::kOrder:
      return VersionOf("ld");
  }
  return {};
}

Layout DescribeLayout(const LayoutSet& set, const std::string& folder, int seed) {
  Layout layout{seed, FolderOfSeed(seed) + "/" + set.name, {}};
  layout.digest = sha256_digest(read_file_text(folder + "/" + layout.file));
  return layout;
}

// Layouts of an earlier call that are what this one would link.
std::map<int, Layout> KeptLayouts(const LayoutSet& wanted, const std::string& path) {
  std::map<int, Layout> kept;
  if (!NamesLayouts(path)) return kept;
  LayoutFolder before{path, {}};
  try {
    before.set = read_layouts(path + "/layouts.json");
  } catch (const Error&) {
    return kept;  // of another version, or cut: made again
  }
  const LayoutSet& set = before.set;
  if (set.name != wanted.name || set.shuffling != wanted.shuffling || set.linker != wanted.linker ||
      set.objects != wanted.objects || set.command.arguments != wanted.command.arguments) {
    return kept;
  }
  for (const Layout& layout : set.layouts) {
    std::error_code error;
    const std::string file = before.FileOf(layout);
    if (layout.seed <= wanted.count && fs::is_regular_file(file, error) &&
        sha256_digest(read_file_text(file)) == layout.digest) {
      kept.emplace(layout.seed, layout);
    }
  }
  return kept;
}

// Links whose functions cannot move are one layout under many names.
void RequireDifferent(const LayoutSet& set, const std::string& folder) {
  std::set<std::string> digests;
  for (const Layout& layout : set.layouts) digests.insert(layout.digest);
  if (set.layouts.size() < 3 || digests.size() > set.layouts.size() / 2) return;
  throw Error(Exit::kData,
              folder + ": " + std::to_string(set.layouts.size()) + " links gave only " +
                  std::to_string(digests.size()) +
                  " different executable(s): the linker found nothing to shuffle. Compile with "
                  "-ffunction-sections -fdata-sections and link again");
}

int LinkSeeds(const Links& links, int last, const RelinkRequest& request,
              const LinkProgress& progress, LayoutSet& set) {
  std::map<int, Layout> layouts = KeptLayouts(set, request.folder);
  std::error_code ignored;
  fs::remove(fs::path(request.folder) / "layouts.json", ignored);
  std::vector<LinkJob> jobs;
  for (int seed = 0; seed <= last; ++seed) {
    if (layouts.contains(seed)) continue;
    MakeFolder(request.folder + "/" + FolderOfSeed(seed));
    jobs.push_back(JobOfSeed(links, set.shuffling, seed, request.folder));
  }
  RunLinks(jobs, request.at_once, progress);
  for (const LinkJob& job : jobs) {
    layouts[job.seed] = DescribeLayout(set, request.folder, job.seed);
  }
  for (auto& [seed, layout] : layouts) set.layouts.push_back(std::move(layout));
  RequireDifferent(set, request.folder);
  write_layouts(request.folder + "/layouts.json", set);
  return static_cast<int>(jobs.size());
}

}  // namespace

RelinkResult Relink(const RelinkRequest& request, const LinkProgress& progress) {
  if (request.count < 1 || request.count > 9999) {
    throw Error(Exit::kUsage, "--count must be from 1 to 9999");
  }
  const Links links = ParseLinks(request.command, request.libraries);
  RelinkResult result;
  RelinkRequest absolute = request;
  absolute.folder = fs::absolute(request.folder).lexically_normal().string();
  MakeFolder(absolute.folder);
  LayoutSet& set = result.folder.set;
  set.name = NameOfOutput(links.executable);
  set.tool = "perfgate " PERFGATE_VERSION;
  set.shuffling = request.shuffling ? *request.shuffling
                                    : ChooseShuffling(links, absolute.folder, result.notes);
  set.linker = LinkerVersion(set.shuffling);
  set.objects = ObjectsDigest(links);
  set.count = request.count;
  set.command = links.executable.command;
  for (const ParsedLink& library : links.libraries) set.libraries.push_back(library.command);
  result.folder.path = request.folder;
  result.linked = LinkSeeds(links, request.later ? 0 : request.count, absolute, progress, set);
  result.kept = static_cast<int>(set.layouts.size()) - result.linked;
  return result;
}

LayoutFolder LinkMissing(const LayoutFolder& folder, std::size_t at_once,
                         const LinkProgress& progress) {
  if (static_cast<int>(folder.set.layouts.size()) > folder.set.count) return folder;
  RelinkRequest request{.command = folder.set.command,
                        .libraries = folder.set.libraries,
                        .folder = folder.path,
                        .count = folder.set.count,
                        .at_once = at_once,
                        .shuffling = folder.set.shuffling};
  const Links links = ParseLinks(request.command, request.libraries);
  if (ObjectsDigest(links) != folder.set.objects) {
    throw Error(Exit::kData, folder.path +
                                 ": the object files have changed since the first link; run "
                                 "perfgate relink again, on the objects of this executable");
  }
  return Relink(request, progress).folder;
}

}  // namespace perfgate::layouts
