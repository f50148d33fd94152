// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/parity/primary_choice.h"

#include "perfgate/published/primary_metric.h"

namespace perfgate::inline verdict {

PrimaryChoice choose_primary(const std::vector<Metric>& metrics,
                             const std::vector<std::size_t>& reported, const std::string& named) {
  for (const std::size_t m : reported) {
    if (!named.empty() && metrics[m].name == named) return {m, "named_by_the_user"};
  }
  std::vector<std::string> names;
  names.reserve(reported.size());
  for (const std::size_t m : reported) names.push_back(metrics[m].name);
  if (const auto chosen = published::ChoosePrimary(names)) {
    return {reported[chosen->index], std::string(published::WordOf(chosen->rule))};
  }
  return {reported.front(), "first_reported"};
}

}  // namespace perfgate::inline verdict
