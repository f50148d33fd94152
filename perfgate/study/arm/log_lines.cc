// SPDX-License-Identifier: Apache-2.0
#include "perfgate/study/arm/log_lines.h"

#include <algorithm>
#include <map>

#include "perfgate/base/text/one_line.h"

namespace perfgate::study {
namespace {

struct LinePattern {
  std::string_view kind;
  std::string_view part;
};

// The first that a line has gives its kind: what is special stands before what is general.
constexpr LinePattern kPatterns[] = {
    {"undefined_reference", "undefined reference to"},
    {"undefined_reference", "undefined symbol"},
    {"undefined_reference", "Undefined symbols"},
    {"undefined_reference", "symbol lookup error"},
    {"missing_library", "cannot open shared object file"},
    {"missing_library", "cannot find -l"},
    {"out_of_memory", "CUDA out of memory"},
    {"out_of_memory", "OutOfMemoryError"},
    {"out_of_memory", "out of memory"},
    {"out_of_memory", "Out of memory"},
    {"out_of_memory", "bad_alloc"},
    {"out_of_memory", "Cannot allocate memory"},
    {"out_of_memory", "virtual memory exhausted"},
    {"out_of_memory", "MemoryError"},
    {"cuda", "CUDA error"},
    {"cuda", "CUDA_ERROR_"},
    {"cuda", "cudaError"},
    {"cuda", "no kernel image is available"},
    {"cuda", "nvcc fatal"},
    {"cuda", "CUDA driver version is insufficient"},
    {"hip", "HIP error"},
    {"hip", "hipError"},
    {"hip", "hipcc: error"},
    {"killed", "Killed"},
    {"killed", "killed by signal 9"},
    {"killed", "oom-kill"},
    {"context_length", "maximum context length"},
    {"context_length", "maximum model length"},
    {"context_length", "max_position_embeddings"},
    {"context_length", "exceeds the model's max"},
    {"unknown_option", "unrecognized command-line"},
    {"unknown_option", "unrecognized command line"},
    {"unknown_option", "unrecognized option"},
    {"unknown_option", "unrecognized arguments"},
    {"unknown_option", "unknown option"},
    {"unknown_option", "unknown argument"},
    {"unknown_option", "unknown flag"},
    {"unknown_option", "invalid option"},
    {"missing_module", "ModuleNotFoundError"},
    {"missing_module", "No module named"},
    {"missing_module", "ImportError"},
    {"missing_wheel", "No matching distribution found"},
    {"missing_wheel", "Could not find a version that satisfies"},
    {"missing_wheel", "is not a supported wheel"},
    {"missing_wheel", "Failed building wheel"},
    {"network", "Could not resolve host"},
    {"network", "Temporary failure in name resolution"},
    {"network", "Network is unreachable"},
    {"network", "unable to resolve host"},
    {"read_only", "Read-only file system"},
    {"read_only", "Permission denied"},
    {"missing_program", "command not found"},
    {"missing_program", ": not found"},
    {"missing_program", "is not a full path to an existing compiler"},
    {"missing_program", "No CMAKE_CXX_COMPILER could be found"},
    {"missing_package", "Could NOT find "},
    {"missing_package", "Could not find a package configuration file"},
    {"patch", "patch failed"},
    {"patch", "patch does not apply"},
    {"patch", "corrupt patch"},
    {"patch", "No valid patches in input"},
    {"patch", "already exists in working directory"},
    {"crash", "Segmentation fault"},
    {"crash", "core dumped"},
    {"crash", "Aborted"},
    {"crash", "terminate called"},
    {"crash", "Illegal instruction"},
    {"crash", "panicked at"},
    {"sanitizer", "ERROR: AddressSanitizer"},
    {"sanitizer", "runtime error:"},
    {"test", "[  FAILED  ]"},
    {"test", "***Failed"},
    {"test", "***Timeout"},
    {"test", "***Not Run"},
    {"test", "AssertionError"},
    {"test", "Assertion `"},
    {"test", "--- FAIL:"},
    {"test", "FAILED"},
    {"no_tests", "No tests were found"},
    {"no_tests", "no tests ran"},
    {"no_tests", "no tests to run"},
    {"compile", ": error:"},
    {"compile", "CMake Error"},
    {"compile", "error["},
    {"compile", "SyntaxError"},
    {"error", "Traceback (most recent call last)"},
    {"error", "RuntimeError"},
    {"error", "Error:"},
    {"error", "error:"},
    {"error", "ERROR"},
    {"error", "fatal:"},
};

constexpr std::string_view kMissingHeaderKind = "missing_header";
constexpr std::size_t kLongestLine = 300;
constexpr std::size_t kMostOfAKind = 2;
constexpr std::size_t kLastLines = 3;

bool Contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::size_t RankOfKind(std::string_view kind) {
  if (kind == kMissingHeaderKind) return 0;
  const auto* found = std::find_if(std::begin(kPatterns), std::end(kPatterns),
                                   [&](const LinePattern& p) { return p.kind == kind; });
  return static_cast<std::size_t>(found - std::begin(kPatterns)) + 1;
}

std::string Shortened(std::string_view line) {
  const bool is_long = line.size() > kLongestLine;
  return one_line_tail(line.substr(0, kLongestLine), 4 * kLongestLine) + (is_long ? "..." : "");
}

}  // namespace

std::string_view KindOfLine(std::string_view line) {
  if (Contains(line, "fatal error:") && Contains(line, "No such file or directory")) {
    return kMissingHeaderKind;
  }
  for (const LinePattern& pattern : kPatterns) {
    if (Contains(line, pattern.part)) return pattern.kind;
  }
  return {};
}

std::vector<LogLine> TellingLines(std::string_view log) {
  std::vector<LogLine> found;
  std::vector<LogLine> last;
  std::map<std::string_view, std::size_t> count;
  int number = 0;
  for (std::size_t at = 0; at < log.size();) {
    const std::size_t end = std::min(log.find('\n', at), log.size());
    const std::string_view line = log.substr(at, end - at);
    at = end + 1;
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    last.push_back({number, "last", Shortened(line)});
    if (last.size() > kLastLines) last.erase(last.begin());
    const std::string_view kind = KindOfLine(line);
    if (kind.empty() || ++count[kind] > kMostOfAKind) continue;
    found.push_back({number, std::string(kind), Shortened(line)});
  }
  if (found.empty()) return last;
  std::stable_sort(found.begin(), found.end(), [](const LogLine& a, const LogLine& b) {
    return RankOfKind(a.kind) < RankOfKind(b.kind);
  });
  if (found.size() > kMostLogLines) found.resize(kMostLogLines);
  std::stable_sort(found.begin(), found.end(),
                   [](const LogLine& a, const LogLine& b) { return a.line < b.line; });
  return found;
}

bool HasKind(const std::vector<LogLine>& lines, std::string_view kind) {
  return std::any_of(lines.begin(), lines.end(),
                     [&](const LogLine& line) { return line.kind == kind; });
}

}  // namespace perfgate::study
