// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/driver/preload.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>

namespace perfgate::measure {
namespace {

namespace fs = std::filesystem;

// Of perfgate/bench/preload/preload.cc; in two pieces so that perfgate's own file does not hold it.
constexpr std::string_view kMarkerHead = "perfgate-worker-for-";
constexpr std::string_view kMarkerTail = "libbenchmark:";

// The overload whose name tells with which standard library libbenchmark was compiled.
constexpr std::string_view kRunSymbol =
    "_ZN9benchmark22RunSpecifiedBenchmarksEPNS_17BenchmarkReporterE"
    "NSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE";

std::string BytesOfLibrary(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string VersionOfShim(const std::string& shim) {
  const std::string bytes = BytesOfLibrary(shim);
  const std::string marker = std::string(kMarkerHead) + std::string(kMarkerTail);
  const std::size_t at = bytes.find(marker);
  return at == std::string::npos ? "" : bytes.c_str() + at + marker.size();
}

Preloading NotPossible(const std::string& why) { return {false, why}; }

}  // namespace

std::string FindWorkerShim() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return {};
  for (const char* folder : {"", PERFGATE_LIBRARIES_FROM_PROGRAM}) {
    const fs::path shim = (program.parent_path() / folder / "libperfgate_worker.so");
    if (fs::is_regular_file(shim, error)) return shim.lexically_normal().string();
  }
  return {};
}

std::string LibraryVersion(const std::string& library) {
  constexpr std::string_view kStem = "libbenchmark.so.";
  std::error_code error;
  const std::string name = fs::canonical(library, error).filename().string();
  if (error || name.rfind(kStem, 0) != 0) return {};
  const std::string version = name.substr(kStem.size());
  // "1" is the name of the interface, not of a release.
  const bool is_release = version.find_first_not_of("0123456789.") == std::string::npos &&
                          version.find('.') != std::string::npos;
  return is_release ? version : "";
}

Preloading PreloadingOf(const Executable& executable, const std::string& shim) {
  if (shim.empty() || executable.speaks_protocol || executable.benchmark_library.empty()) return {};
  if (!executable.sanitizer.empty()) {
    return NotPossible("its " + executable.sanitizer + " sanitizer has to be loaded first");
  }
  if (shim.find_first_of(": ") != std::string::npos) {
    return NotPossible("the path " + shim +
                       " has a space or a colon, where LD_PRELOAD ends a path");
  }
  const std::string& library = executable.benchmark_library;
  const std::string ours = VersionOfShim(shim);
  const std::string theirs = LibraryVersion(library);
  if (theirs.empty()) {
    return NotPossible("the file name of " + library + " does not tell its version");
  }
  if (theirs != ours) {
    return NotPossible("it uses Google Benchmark " + theirs + " (" + library +
                       "), and this perfgate was built with " + ours);
  }
  if (BytesOfLibrary(library).find(kRunSymbol) == std::string::npos) {
    return NotPossible(library + " was compiled with another C++ standard library");
  }
  return {true, ""};
}

}  // namespace perfgate::measure
