// SPDX-License-Identifier: Apache-2.0
// claim_text.h: claims written as one line, `c1: metric=x, args=["1", "2"], value=3`.
#pragma once

#include <string_view>

#include "perfgate/audit/read/table.h"

namespace perfgate::audit {

// False where the text is not such a line. Lists are in brackets, their items quoted or not.
bool parse_claim(std::string_view text, Claim& claim);

// "<!-- derived: op=sum, out=n, args=["win", "loss"], exact=true -->": what a Markdown file says
// about the cells of the table above. False for another comment.
bool parse_derived(std::string_view line, Derived& derived);

}  // namespace perfgate::audit
