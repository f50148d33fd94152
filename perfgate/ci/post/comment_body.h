// SPDX-License-Identifier: Apache-2.0
// comment_body.h: the text of a comment, and the mark by which it is found again.
#pragma once

#include <cstddef>
#include <string>

namespace perfgate::ci {

// An HTML comment that pages do not show; the name is any text.
std::string MarkOf(const std::string& name);

// The mark, the report and a link, cut at a line so that it fits into `most` bytes.
std::string CommentBody(const std::string& mark, const std::string& report, const std::string& link,
                        std::size_t most);

// At most so many bytes, whole lines, with a last line that says how many are left out. A folded
// block that is cut open is closed.
std::string CutAtLine(const std::string& text, std::size_t most);

}  // namespace perfgate::ci
