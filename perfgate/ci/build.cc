// SPDX-License-Identifier: Apache-2.0
#include "perfgate/ci/build.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "perfgate/base/error.h"
#include "perfgate/base/io/atomic_file.h"
#include "perfgate/base/io/input_file.h"
#include "perfgate/base/io/read_file.h"
#include "perfgate/base/json/json_reader.h"
#include "perfgate/base/json/json_writer.h"
#include "perfgate/base/sha256.h"
#include "perfgate/base/text/shell_words.h"
#include "perfgate/measure/executable.h"
#include "perfgate/study/arm/built_files.h"

namespace perfgate::ci {

namespace fs = std::filesystem;

// OUTPUT/base.json
struct KeptBase {
  std::string key{};
  std::string executable{};
  std::string digest{};
};

template <class V, IsStruct<KeptBase> K>
void describe(V& v, K& k) {
  v("key", k.key, "digest of what the build depends on");
  v("executable", k.executable, "where it was built");
  v("digest", k.digest, "of the executable and its libraries");
}

namespace {

constexpr const char* kBuildFolder = "perfgate-build";
constexpr const char* kKeptFormat = "perfgate-ci-base";
constexpr InputKind kBuildLog = {"log", std::uint64_t{1} << 30, LastLink::kRefused};
constexpr InputKind kKeptBase = {"record of a build", std::uint64_t{1} << 20, LastLink::kRefused};

std::string TreeOf(const std::string& output, const std::string& arm) {
  return (fs::path(output) / arm / "src").string();
}

std::string PlaceOf(const study::Boxes& boxes, const std::string& tree) {
  return boxes.isolated ? study::PlaceFor(tree) : tree;
}

std::string CmakeCommand(const BuildPlan& plan) {
  std::vector<std::string> configure = {"cmake",
                                        "-S",
                                        plan.source,
                                        "-B",
                                        kBuildFolder,
                                        "-DCMAKE_BUILD_TYPE=Release",
                                        "-DCMAKE_BUILD_RPATH_USE_ORIGIN=ON"};
  const std::vector<std::string> more = SplitShellWords(plan.configure, "--configure");
  configure.insert(configure.end(), more.begin(), more.end());
  return "if command -v ninja >/dev/null 2>&1; then export CMAKE_GENERATOR=Ninja; fi\n" +
         ShellLine(configure) + " && " +
         ShellLine({"cmake", "--build", kBuildFolder, "--parallel", std::to_string(plan.jobs),
                    "--target", plan.target});
}

bool IsExecutable(const fs::path& path) {
  std::error_code failed;
  return fs::is_regular_file(path, failed) && ::access(path.c_str(), X_OK) == 0;
}

// The executable of a target, the one nearest to the top where several have its name.
std::optional<fs::path> FindTarget(const fs::path& build, const std::string& target) {
  std::vector<fs::path> found;
  std::error_code failed;
  for (fs::recursive_directory_iterator entry(build, failed), end; entry != end;
       entry.increment(failed)) {
    if (failed) break;
    if (entry->path().filename() == target && IsExecutable(entry->path())) {
      found.push_back(entry->path());
    }
  }
  if (found.empty()) return std::nullopt;
  return *std::min_element(found.begin(), found.end(), [](const fs::path& a, const fs::path& b) {
    const auto depth = [](const fs::path& path) { return std::distance(path.begin(), path.end()); };
    return std::pair(depth(a), a) < std::pair(depth(b), b);
  });
}

std::optional<fs::path> FindBench(const BuildPlan& plan, const fs::path& tree) {
  if (plan.bench.empty()) return FindTarget(tree / kBuildFolder, plan.target);
  const fs::path path = (tree / plan.bench).lexically_normal();
  if (!IsExecutable(path)) return std::nullopt;
  std::error_code failed;
  const std::string real = fs::canonical(path, failed).string();
  if (failed || !real.starts_with(fs::canonical(tree).string() + "/")) return std::nullopt;
  return path;
}

}  // namespace

void RequireComplete(const BuildPlan& plan) {
  if (plan.target.empty() == plan.command.empty()) {
    throw Error(Exit::kUsage,
                "name what to build: --target NAME of a CMake project, or --build 'COMMAND' with "
                "--bench PATH of the executable that it makes");
  }
  if (!plan.command.empty() && plan.bench.empty()) {
    throw Error(Exit::kUsage,
                "--bench is missing: the executable that --build makes, as a path "
                "from the top of the repository");
  }
  if (fs::path(plan.bench).is_absolute() || plan.bench.starts_with("..")) {
    throw Error(Exit::kUsage,
                "--bench " + plan.bench + ": give a path from the top of the repository");
  }
}

// Flags from the environment reach CMake, make and most others; without paths inside, equal sources
// give equal executables wherever they are built.
std::string BuildCommand(const BuildPlan& plan, const std::string& place) {
  const std::string map = "-ffile-prefix-map=" + place + "=.";
  return "export CFLAGS=" + ShellWord(map) + " CXXFLAGS=" + ShellWord(map) + "\n" +
         (plan.command.empty() ? CmakeCommand(plan) : plan.command);
}

BuiltArm BuildArm(const BuildPlan& plan, const study::Boxes& boxes, const std::string& output,
                  const std::string& arm) {
  const std::string tree = TreeOf(output, arm);
  const std::string place = PlaceOf(boxes, tree);
  BuiltArm built{.log = (fs::path(output) / (arm + ".log")).string()};
  const study::BoxResult result = RunStep(boxes, {.command = BuildCommand(plan, place),
                                                  .tree = tree,
                                                  .place = place,
                                                  .log = built.log,
                                                  .limit_s = plan.limit_s,
                                                  .memory_mib = plan.memory_mib,
                                                  .network = plan.network});
  built.seconds = result.seconds;
  if (result.end != study::BoxEnd::kDone) {
    built.trouble = "the build " + result.text;
    built.lines = study::TellingLines(ReadInputFile(built.log, kBuildLog));
    return built;
  }
  const std::optional<fs::path> bench = FindBench(plan, tree);
  if (!bench) {
    built.end = BuildEnd::kNoExecutable;
    built.trouble = "the build made no executable " +
                    (plan.bench.empty() ? plan.target : plan.bench) + " in the source tree";
    return built;
  }
  if (boxes.isolated) study::MoveBuiltFiles(tree, place);
  built.end = BuildEnd::kBuilt;
  built.executable = bench->string();
  built.digest = DigestNow(boxes, built.executable);
  return built;
}

std::string DigestNow(const study::Boxes& boxes, const std::string& executable) {
  try {
    const Wrapper loader = boxes.isolated ? measure::ReadOnlyWrapper(boxes.abilities) : Wrapper{};
    return measure::inspect_executable(executable, {.loader = loader}).digest;
  } catch (const Error&) {
    return "";
  }
}

std::string BuildKey(const BuildPlan& plan, const study::Boxes& boxes, const std::string& output,
                     const std::string& sources) {
  const std::string tree = TreeOf(output, "base");
  const std::string log = (fs::path(output) / "tools.log").string();
  const std::string scratch = (fs::path(output) / "tools").string();
  constexpr double kLimitS = 60;
  fs::create_directories(scratch);
  RunStep(boxes, {.command = "c++ --version; cc --version; ld --version; cmake --version; true",
                  .tree = scratch,
                  .place = PlaceOf(boxes, scratch),
                  .log = log,
                  .limit_s = kLimitS,
                  .memory_mib = plan.memory_mib});
  const std::string tools = read_file_text(log);
  fs::remove(log);
  fs::remove_all(scratch);
  std::string text;
  for (const std::string& part : {sources, tree, BuildCommand(plan, PlaceOf(boxes, tree)),
                                  plan.bench, tools, std::string(plan.network ? "network" : "")}) {
    text += sha256_hex(part);
  }
  return sha256_digest(text);
}

BuiltArm FindBuiltBase(const study::Boxes& boxes, const std::string& output,
                       const std::string& key) {
  BuiltArm built{.log = (fs::path(output) / "base.log").string()};
  const std::string file = (fs::path(output) / "base.json").string();
  if (!fs::exists(file)) return built;
  try {
    const auto kept =
        json_io::read_file_object<KeptBase>(ReadInputFile(file, kKeptBase), file, kKeptFormat, 1);
    if (kept.key != key || DigestNow(boxes, kept.executable) != kept.digest) return built;
    built.end = BuildEnd::kBuilt;
    built.executable = kept.executable;
    built.digest = kept.digest;
  } catch (const Error&) {
    // A damaged record is none: the base is built again.
  }
  return built;
}

void KeepBuiltBase(const std::string& output, const std::string& key, const BuiltArm& base) {
  write_file_atomically(
      (fs::path(output) / "base.json").string(),
      json_io::write_file_object(KeptBase{key, base.executable, base.digest}, kKeptFormat, 1));
}

}  // namespace perfgate::ci
