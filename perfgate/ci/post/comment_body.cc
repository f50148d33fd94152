// SPDX-License-Identifier: Apache-2.0
#include "perfgate/ci/post/comment_body.h"

#include <algorithm>

#include "perfgate/base/sha256.h"

namespace perfgate::ci {
namespace {

constexpr const char* kDetails = "<details>";
constexpr const char* kDetailsEnd = "</details>";

}  // namespace

std::string MarkOf(const std::string& name) {
  constexpr std::size_t kDigits = 16;
  return "<!-- perfgate " + sha256_hex(name).substr(0, kDigits) + " -->";
}

std::string CutAtLine(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  constexpr std::size_t kRoom = 120;  // for what is put behind it
  const std::size_t end = most > kRoom ? text.rfind('\n', most - kRoom) : std::string::npos;
  std::string cut = end == std::string::npos ? "" : text.substr(0, end + 1);
  const auto left =
      std::count(text.begin() + static_cast<std::ptrdiff_t>(cut.size()), text.end(), '\n');
  const std::size_t open = cut.rfind(kDetails);
  const bool unclosed =
      open != std::string::npos && cut.find(kDetailsEnd, open) == std::string::npos;
  if (unclosed) cut += std::string("\n") + kDetailsEnd + "\n";
  return cut + "\n" + std::to_string(left) + " more lines are in the files of the run.\n";
}

std::string CommentBody(const std::string& mark, const std::string& report, const std::string& link,
                        std::size_t most) {
  const std::string head = mark + "\n### perfgate\n\n";
  const std::string tail = link.empty() ? "" : "\n[Run with all files](" + link + ")\n";
  const std::size_t used = head.size() + tail.size();
  return head + CutAtLine(report, most > used ? most - used : 0) + tail;
}

}  // namespace perfgate::ci
