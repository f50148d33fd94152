// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/error.h"
#include "perfgate/base/json/strict_json.h"
#include "perfgate/evidence/files/files.h"

namespace perfgate::inline evidence {

std::string file_format(const std::string& path) {
  constexpr std::string_view kPrefix = "perfgate-";
  const nlohmann::json document = read_strict_json(path);
  if (document.is_object()) {
    const auto format = document.find("format");
    if (format != document.end() && format->is_string()) {
      const auto& word = format->get_ref<const std::string&>();
      for (const std::string_view known :
           {"session", "verdict", "parity", "policy", "calibration", "plan", "recorded"}) {
        if (word == std::string(kPrefix) + std::string(known)) return std::string(known);
      }
    }
  }
  throw Error(Exit::kData,
              path +
                  ": /format: this is no file of perfgate; expected \"perfgate-session\", "
                  "\"perfgate-verdict\", \"perfgate-parity\", \"perfgate-policy\", "
                  "\"perfgate-calibration\", \"perfgate-plan\" or \"perfgate-recorded\"");
}

}  // namespace perfgate::inline evidence
