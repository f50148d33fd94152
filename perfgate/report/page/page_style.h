// SPDX-License-Identifier: Apache-2.0
// page_style.h: the style sheet of a page. Its classes are those of charts (figures/chart.h), of
// the outcomes (bad, open, good, none) and of the parts of the page.
#pragma once

#include <string_view>

namespace perfgate::report {

// Without the element around it.
std::string_view PageStyle();

}  // namespace perfgate::report
