// SPDX-License-Identifier: Apache-2.0
#include "perfgate/published/review/proxy_baseline.h"

namespace perfgate::published {

std::vector<std::string> ProxyProblems(const PublishedValue& proxy, const PublishedValue& other) {
  std::vector<std::string> problems;
  const bool models = proxy.model && other.model;
  const bool configurations = proxy.configuration && other.configuration;
  if (models && *proxy.model != *other.model) problems.emplace_back("proxy_other_model");
  if ((configurations && *proxy.configuration != *other.configuration) ||
      (proxy.mode && other.mode && *proxy.mode != *other.mode)) {
    problems.emplace_back("proxy_other_configuration");
  }
  if (!models || !configurations) problems.emplace_back("proxy_unstated");
  return problems;
}

}  // namespace perfgate::published
