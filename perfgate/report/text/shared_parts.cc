// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/text/shared_parts.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "perfgate/base/text/join.h"

namespace perfgate::report {
namespace {

using Parts = std::vector<std::string_view>;

Parts SplitName(std::string_view name) {
  Parts parts;
  while (true) {
    const std::size_t slash = name.find('/');
    parts.push_back(name.substr(0, slash));
    if (slash == std::string_view::npos) return parts;
    name.remove_prefix(slash + 1);
  }
}

// A bare number says nothing without its place; "key:value" does.
bool IsSharedBy(const Parts& parts, std::string_view part, std::size_t place) {
  if (std::count(parts.begin(), parts.end(), part) != 1) return false;
  const bool has_key = part.find(':') != std::string_view::npos;
  return has_key || (place < parts.size() && parts[place] == part);
}

std::set<std::string_view> SharedBy(const std::vector<Parts>& all,
                                    std::vector<std::string>& order) {
  std::set<std::string_view> shared;
  for (std::size_t place = 0; place < all.front().size(); ++place) {
    const std::string_view part = all.front()[place];
    const bool by_all = !part.empty() && std::all_of(all.begin(), all.end(), [&](const Parts& p) {
      return IsSharedBy(p, part, place);
    });
    if (!by_all) continue;
    shared.insert(part);
    order.emplace_back(part);
  }
  return shared;
}

std::string Rest(const Parts& parts, const std::set<std::string_view>& shared) {
  std::string rest;
  bool gone = false;
  for (const std::string_view part : parts) {
    if (shared.contains(part)) {
      gone = true;
      continue;
    }
    if (!rest.empty()) rest += gone ? "/.*/" : "/";
    rest += part;
    gone = false;
  }
  return rest;
}

}  // namespace

ShownNames WithoutSharedParts(const std::vector<std::string>& names) {
  const std::set<std::string_view> different(names.begin(), names.end());
  if (different.size() < 2) return {{}, names};
  std::vector<Parts> all;
  all.reserve(names.size());
  for (const std::string& name : names) all.push_back(SplitName(name));
  ShownNames shown;
  const std::set<std::string_view> shared = SharedBy(all, shown.shared);
  for (const Parts& parts : all) shown.names.push_back(Rest(parts, shared));
  const std::set<std::string_view> left(shown.names.begin(), shown.names.end());
  if (shared.empty() || left.contains("") || left.size() < different.size()) return {{}, names};
  return shown;
}

std::string SharedPartsText(const ShownNames& names) {
  return names.shared.empty() ? "" : "In every name: " + Join(names.shared, ", ");
}

}  // namespace perfgate::report
