// SPDX-License-Identifier: Apache-2.0
#include "perfgate/published/review/skip_list.h"

#include <algorithm>
#include <set>

#include "perfgate/base/error.h"
#include "perfgate/base/text/utf8.h"
#include "perfgate/evidence/files/input_kinds.h"

namespace perfgate::published {
namespace {

constexpr std::string_view kBlank = " \t\r";
constexpr std::string_view kUnstated = "not stated";

std::string without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(kBlank) - first + 1));
}

// One line; the id is empty for a comment.
SkippedItem skipped_from_line(std::string_view line) {
  if (without_blanks(line).starts_with('#')) return {};
  const std::size_t mark = std::min(line.find(" #"), line.find("\t#"));
  SkippedItem item;
  item.id = without_blanks(line.substr(0, mark));
  if (mark != std::string_view::npos) item.reason = without_blanks(line.substr(mark + 2));
  if (item.reason.empty()) item.reason = kUnstated;
  return item;
}

std::string without_controls(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  return text;
}

}  // namespace

std::vector<SkippedItem> skip_list_from_text(std::string_view text, const std::string& where) {
  std::vector<SkippedItem> list;
  std::set<std::string> ids;
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::string place = where + ":" + std::to_string(number) + ": ";
    if (well_formed_utf8(line) != line || line.find('\0') != std::string_view::npos) {
      throw Error(Exit::kData, place + "not text; expected one id a line, \"ID  # REASON\"");
    }
    SkippedItem item = skipped_from_line(line);
    if (item.id.empty()) continue;
    if (!ids.insert(item.id).second) {
      throw Error(Exit::kInvalid,
                  place + "the id \"" + item.id + "\" stands twice; remove one of the lines");
    }
    list.push_back(std::move(item));
  }
  return list;
}

std::vector<SkippedItem> ReadSkipList(const std::string& path) {
  return skip_list_from_text(ReadInputFile(path, kResultFile), path);
}

void LeaveOut(const std::vector<SkippedItem>& list, const std::string& where, PublishedSet& set) {
  for (const SkippedItem& skipped : list) {
    const auto removed =
        std::erase_if(set.items, [&](const PublishedItem& item) { return item.id == skipped.id; });
    if (removed > 0) continue;
    throw Error(Exit::kData, where + ": there is no item \"" + skipped.id +
                                 "\" in the published values; remove the line, or give the list "
                                 "that belongs to this file");
  }
}

std::string SkipListText(const std::vector<SkippedItem>& list, const std::string& source) {
  std::string text = "# perfgate skip list of " + without_controls(source) + ": ID  # REASON\n";
  for (const SkippedItem& item : list) {
    const SkippedItem back = skipped_from_line(item.id);
    if (back.id != item.id || without_controls(item.id) != item.id) {
      throw Error(Exit::kData, source + ": the id \"" + without_controls(item.id) +
                                   "\" cannot stand on a line of a skip list; rename the item, or "
                                   "leave --skip-list out");
    }
    text += item.id + "  # " + without_controls(item.reason) + "\n";
  }
  return text;
}

}  // namespace perfgate::published
