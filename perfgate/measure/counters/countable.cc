// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/counters/countable.h"

#include <unistd.h>

#include <map>

#include "perfgate/base/text/join.h"
#include "perfgate/measure/counters/peak_rss.h"

namespace perfgate::measure {

Countable FindCountable(const std::vector<std::string>& asked, const OpenEvent& open) {
  const std::map<std::string, std::string> refused = RefusedEvents(asked, open);
  Countable found;
  std::map<std::string, std::vector<std::string>> names_by_reason;
  for (const std::string& name : asked) {
    const auto refusal = refused.find(name);
    if (refusal != refused.end()) {
      names_by_reason[refusal->second].push_back(name);
    } else if (name == "peak_rss" && !RestartPeakRss(::getpid())) {
      names_by_reason["/proc/PID/clear_refs cannot be written"].push_back(name);
    } else {
      found.names.push_back(name);
    }
  }
  for (const auto& [reason, names] : names_by_reason) {
    found.warnings.push_back("not counted: " + Join(names) + ": " + reason);
  }
  return found;
}

}  // namespace perfgate::measure
