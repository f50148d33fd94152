// SPDX-License-Identifier: Apache-2.0
#include "perfgate/audit/read/model_names.h"

#include <algorithm>
#include <set>
#include <utility>

#include "perfgate/audit/read/words.h"

namespace perfgate::audit {
namespace {

std::string without_organisation(const std::string& name) {
  const std::size_t slash = name.find('/');
  return slash == std::string::npos ? name : name.substr(slash + 1);
}

// "Meta-Llama-3-8B" -> "llama": the first word that is not the maker's, without its version.
std::string family(const std::string& name) {
  for (const std::string& word : words_of(without_organisation(name))) {
    if (word == "meta") continue;
    const std::size_t end = word.find_first_of("0123456789");
    if (end != 0) return word.substr(0, end);
  }
  return {};
}

// "8b", "8x7b", "1.5b" among the parts of a name.
std::set<std::string> sizes(const std::string& name) {
  std::set<std::string> found;
  std::string part;
  for (const char c : lower(name) + "-") {
    if (c != '-' && c != '_' && c != '/') {
      part += c;
      continue;
    }
    if (part.size() > 1 && (part.ends_with('b') || part.ends_with('m')) && part[0] >= '0' &&
        part[0] <= '9' && part.find_first_not_of("0123456789.x") == part.size() - 1) {
      found.insert(part);
    }
    part.clear();
  }
  return found;
}

bool front_of(const ModelName& cut, const ModelName& full) {
  const bool organisations =
      cut.name.find('/') != std::string::npos && full.name.find('/') != std::string::npos;
  const std::string front = lower(organisations ? cut.name : without_organisation(cut.name));
  const std::string whole = lower(organisations ? full.name : without_organisation(full.name));
  // Without a slash, the cut name may be of the organisation alone.
  return whole.starts_with(front) || lower(full.name).starts_with(lower(cut.name));
}

}  // namespace

std::string model_conflict(const ModelName& a, const ModelName& b) {
  if (a.cut && b.cut) return {};
  if (a.cut || b.cut) {
    const ModelName& cut = a.cut ? a : b;
    const ModelName& full = a.cut ? b : a;
    if (front_of(cut, full)) return {};
    // A cut that ends in the maker's name has shown no family yet.
    const std::string shown = family(cut.name);
    const std::string other = family(full.name);
    if (!shown.empty() && !other.starts_with(shown) && !shown.starts_with(other)) {
      return std::string(kOtherFamily);
    }
    return "the full name does not begin with the cut one";
  }
  const std::string first = family(a.name);
  const std::string second = family(b.name);
  if (first.empty() || second.empty()) return {};
  if (!first.starts_with(second) && !second.starts_with(first)) return std::string(kOtherFamily);
  const std::set<std::string> own = sizes(a.name);
  const std::set<std::string> other = sizes(b.name);
  if (!own.empty() && !other.empty() && own != other &&
      std::none_of(own.begin(), own.end(),
                   [&](const std::string& s) { return other.contains(s); })) {
    return "two sizes of one family for one item";
  }
  return {};
}

}  // namespace perfgate::audit
