// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/exchange/source_lines.h"

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>
#include <vector>

#include "perfgate/base/error.h"
#include "perfgate/base/io/read_file.h"

namespace perfgate::report {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 20000;

bool IsSource(const fs::path& path) {
  static const std::set<std::string> kEndings = {".cc",  ".cpp", ".cxx", ".c++", ".cu",
                                                 ".cuh", ".h",   ".hh",  ".hpp"};
  return kEndings.contains(path.extension().string());
}

bool IsLeftOut(const fs::path& folder) {
  const std::string name = folder.filename().string();
  return name.starts_with(".") || name.starts_with("build");
}

std::vector<fs::path> SourcesBelow(const std::string& folder) {
  std::error_code error;
  std::vector<fs::path> sources;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error);
  if (error) throw Error(Exit::kData, "--sources " + folder + ": " + error.message());
  for (const fs::recursive_directory_iterator end; at != end && !error; at.increment(error)) {
    if (at->is_directory(error) && IsLeftOut(at->path())) at.disable_recursion_pending();
    if (!at->is_regular_file(error) || !IsSource(at->path())) continue;
    sources.push_back(at->path());
    if (sources.size() > kMostFiles) {
      throw Error(Exit::kData, "--sources " + folder + ": more than " + std::to_string(kMostFiles) +
                                   " sources; name the folder of the benchmarks");
    }
  }
  std::ranges::sort(sources);
  return sources;
}

// BENCHMARK(BM_Sort), BENCHMARK_CAPTURE(BM_Sort, ..), BENCHMARK_TEMPLATE(BM_Sort, int), and
// RegisterBenchmark("sort/...").
void ReadFamilies(const fs::path& file, SourceLines& lines) {
  static const std::regex kMacro(R"(\bBENCHMARK\w*\s*\(\s*([A-Za-z_]\w*))");
  static const std::regex kCall(R"rx(\bRegister\w*\s*\(\s*"([^"/<]+))rx");
  std::istringstream text(read_small_file(file.string()));
  std::string line;
  for (int number = 1; std::getline(text, line); ++number) {
    // Cheaper than the expressions, and what they both need.
    if (line.find("BENCHMARK") == std::string::npos && line.find("Register") == std::string::npos) {
      continue;
    }
    constexpr std::size_t kLongestLine = 1000;
    std::smatch match;
    if (line.size() > kLongestLine) continue;
    if (std::regex_search(line, match, kMacro) || std::regex_search(line, match, kCall)) {
      lines.try_emplace(match[1].str(), SourceLine{file.lexically_normal().string(), number});
    }
  }
}

}  // namespace

SourceLines FindSourceLines(const std::string& folder) {
  SourceLines lines;
  for (const fs::path& source : SourcesBelow(folder)) ReadFamilies(source, lines);
  return lines;
}

SourceLine LineOfCase(const SourceLines& lines, const std::string& case_name) {
  const auto found = lines.find(case_name.substr(0, case_name.find_first_of("/<")));
  return found == lines.end() ? SourceLine{} : found->second;
}

}  // namespace perfgate::report
