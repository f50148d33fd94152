// SPDX-License-Identifier: Apache-2.0
#include "perfgate/evidence/files/file_format.h"

#include "perfgate/base/error.h"
#include "perfgate/base/json/strict_json.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/evidence/files/input_kinds.h"

namespace perfgate::inline evidence {

std::string file_format(const std::string& path) {
  const nlohmann::json document = parse_strict_json(ReadInputFile(path, kAnyEvidence), path);
  const nlohmann::json format =
      document.is_object() ? document.value("format", nlohmann::json()) : nlohmann::json();
  std::string found;
  for_each_format([&]<class T>() {
    if (format == kFileFormat<T>.name()) found = kFileFormat<T>.word;
  });
  if (!found.empty()) return found;
  throw Error(Exit::kData,
              path +
                  ": /format: this is no file of perfgate; expected \"perfgate-session\", "
                  "\"perfgate-verdict\", \"perfgate-parity\", \"perfgate-policy\", "
                  "\"perfgate-calibration\", \"perfgate-plan\", \"perfgate-recorded\", "
                  "\"perfgate-layouts\", \"perfgate-comparison\", \"perfgate-fleet\", "
                  "\"perfgate-history\" or \"perfgate-bisection\"");
}

}  // namespace perfgate::inline evidence
