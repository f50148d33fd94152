// SPDX-License-Identifier: Apache-2.0
#include "perfgate/gate/bisect/executables.h"

#include <filesystem>

#include "perfgate/base/os/process.h"
#include "perfgate/measure/executable.h"
#include "perfgate/store/executable_cache.h"
#include "perfgate/store/worktree.h"

namespace perfgate::gate {
namespace {

namespace fs = std::filesystem;

std::string Checkout(const BisectRequest& request) {
  return fs::absolute(fs::path(request.folder) / "checkout").lexically_normal().string();
}

std::string Kept(const BisectRequest& request) { return request.folder + "/executables"; }

BuiltExecutable FromKept(const BisectRequest& request, const BisectCommit& commit) {
  if (commit.digest.empty()) return {};
  const auto path = store::cached_executable(Kept(request), commit.digest);
  if (!path || measure::inspect_executable(*path).digest != commit.digest) return {};
  return {*path, commit.digest, {}};
}

// A copy, so that the commit has it whatever is built next.
BuiltExecutable Keep(const BisectRequest& request, const std::string& path) {
  const measure::Executable found = measure::inspect_executable(path);
  store::cache_executable(Kept(request), found.digest, path, found.libraries);
  const auto kept = store::cached_executable(Kept(request), found.digest);
  return {kept.value_or(path), found.digest, {}};
}

std::string WithCommit(std::string text, const std::string& commit) {
  constexpr std::string_view kPlace = "{commit}";
  for (std::size_t at = text.find(kPlace); at != std::string::npos; at = text.find(kPlace)) {
    text.replace(at, kPlace.size(), commit);
  }
  return text;
}

// Empty: it was built.
std::string Build(const BisectRequest& request, const BisectCommit& commit) {
  const store::Worktree tree(Checkout(request));
  tree.CheckOut(commit.commit);
  std::error_code error;
  // What an earlier commit left must not be taken for this one's.
  fs::remove(fs::path(tree.folder()) / request.executable, error);
  SpawnOptions options;
  options.path = "/bin/sh";
  options.args = {"-c", "cd \"$1\" && eval \"$2\"", "sh", tree.folder(), request.build};
  ChildProcess shell(options);
  if (!shell.wait_exit(Deadline::in(request.build_limit_s))) {
    shell.kill_all();
    return "the build took longer than its limit";
  }
  shell.kill_leftovers(0);
  if (!shell.status().ok()) {
    return "cannot be built: the command " + shell.status().text() + ": " + shell.output_tail();
  }
  return {};
}

}  // namespace

BuiltExecutable ExecutableOf(const BisectRequest& request, const BisectCommit& commit,
                             GateDisplay& display) {
  try {
    if (BuiltExecutable kept = FromKept(request, commit); !kept.path.empty()) return kept;
    const std::string prebuilt = WithCommit(request.prebuilt, commit.commit);
    if (!prebuilt.empty() && fs::is_regular_file(prebuilt)) return Keep(request, prebuilt);
    if (request.build.empty()) return {{}, {}, "there is no " + prebuilt + ", and no --build"};
    display.Say("perfgate: building " + commit.commit.substr(0, 10) + " " + commit.subject);
    if (std::string trouble = Build(request, commit); !trouble.empty()) return {{}, {}, trouble};
    return Keep(request, (fs::path(Checkout(request)) / request.executable).string());
  } catch (const Error& error) {
    return {{}, {}, error.what()};
  }
}

void RemoveCheckout(const BisectRequest& request) {
  if (fs::exists(Checkout(request))) store::Worktree(Checkout(request)).Remove();
}

}  // namespace perfgate::gate
