// SPDX-License-Identifier: Apache-2.0
// markup.h: text from elsewhere inside HTML, SVG and XML.
#pragma once

#include <string>
#include <string_view>

namespace perfgate::report {

// Literal text for an element or a quoted attribute, valid in HTML and in XML 1.0: markup is
// escaped. What no document may hold, or what would turn the text around it (control characters,
// bad bytes, bidirectional overrides), is shown as an escape. Other UTF-8 stays.
std::string MarkupText(std::string_view text);

}  // namespace perfgate::report
