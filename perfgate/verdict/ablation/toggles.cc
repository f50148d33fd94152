// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/ablation/toggles.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include "perfgate/base/error.h"
#include "perfgate/base/text/join.h"

namespace perfgate::inline verdict {
namespace {

std::vector<std::string> parts_of(std::string_view name) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t slash = name.find('/');
    parts.emplace_back(name.substr(0, slash));
    if (slash == std::string_view::npos) return parts;
    name.remove_prefix(slash + 1);
  }
}

std::optional<std::size_t> index_of(std::span<const std::string> names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

}  // namespace

std::vector<Toggle> find_toggles(std::span<const std::string> names,
                                 std::span<const std::string> keys) {
  std::vector<Toggle> toggles;
  std::set<std::string> taken;
  for (const std::string& text : keys) {
    const std::size_t equals = text.find('=');
    const std::string key = text.substr(0, equals);
    const std::string base = equals == std::string::npos ? "" : key + ":" + text.substr(equals + 1);
    const std::size_t known = toggles.size();
    for (std::size_t after = 0; after < names.size(); ++after) {
      std::vector<std::string> parts = parts_of(names[after]);
      const auto part = std::find_if(parts.begin(), parts.end(), [&](const std::string& p) {
        return p.rfind(key + ":", 0) == 0;
      });
      if (part == parts.end() || *part == base) continue;
      Toggle toggle{
          .option = *part, .where = {}, .name = names[after], .before = 0, .after = after};
      std::vector<std::string> without = parts;
      without.erase(without.begin() + (part - parts.begin()));
      toggle.where = Join(without, "/");
      if (!base.empty()) *part = base;
      const auto before = index_of(names, base.empty() ? toggle.where : Join(parts, "/"));
      if (!before) continue;
      toggle.before = *before;
      // A case with two options may be compared without either.
      if (!taken.insert(toggle.name).second) {
        toggle.name += fmt::format(" ({})", toggle.option);
      }
      toggles.push_back(std::move(toggle));
    }
    if (toggles.size() == known) {
      throw Error(
          Exit::kUsage,
          fmt::format("--key {}: no case has a part '{}:...' and a partner {}; "
                      "--benchmark_list_tests shows the names",
                      text, key, base.empty() ? "without it" : fmt::format("with '{}'", base)));
    }
  }
  return toggles;
}

}  // namespace perfgate::inline verdict
