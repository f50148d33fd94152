// SPDX-License-Identifier: Apache-2.0
#include "perfgate/gate/recorded/result_files.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>

#include "perfgate/base/error.h"
#include "perfgate/base/io/input_file.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/import/detect.h"
#include "perfgate/import/to_session.h"

namespace perfgate::gate {

bool NamesResults(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  std::ifstream file(path, std::ios::binary);
  char first = '\0';
  while (file.get(first)) {
    if (std::isspace(static_cast<unsigned char>(first)) == 0) break;
  }
  return first == '{' || first == '[';
}

bool IsSessionFile(const std::string& path) {
  // Sessions can be large, and lines of records are no single document.
  constexpr std::size_t kHead = 200;
  return ReadInputHead(path, kHead).find("\"perfgate-session\"") != std::string::npos;
}

Session ReadResults(const std::string& path, const std::string& label, const std::string& suite,
                    const Policy& policy, const MetricRegistry& registry) {
  if (IsSessionFile(path)) return read_session(path);
  import::SessionOptions options;
  options.arm = label;
  options.suite = suite;
  options.importer = "perfgate " PERFGATE_VERSION;
  options.policy = policy;
  const import::Document document = import::read_foreign(path, "", registry);
  return import::to_session({&document, 1}, options);
}

void RequireForeign(const std::string& metrics_file, const std::vector<std::string>& paths) {
  if (metrics_file.empty()) return;
  const bool any = std::any_of(paths.begin(), paths.end(), [](const std::string& path) {
    return NamesResults(path) && !IsSessionFile(path);
  });
  if (any) return;
  throw Error(Exit::kUsage,
              "--metrics says what names in files of other tools mean, and none is read here: "
              "executables and sessions say it themselves. Give it to `perfgate import`, which "
              "writes the session");
}

}  // namespace perfgate::gate
