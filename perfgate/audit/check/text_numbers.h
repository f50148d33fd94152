// SPDX-License-Identifier: Apache-2.0
// text_numbers.h: sums and intervals that stand in a line of text or in one cell.
#pragma once

#include <string_view>

#include "perfgate/audit/read/finding.h"

namespace perfgate::audit {

// "win 5 + match 18 + loss 3 = 26": whole numbers with words in front, joined by " + " and ended by
// " = N". Other texts are left alone.
void check_text_sums(std::string_view text, const Finding& place, AuditResult& result);

// "5/33 (15.2 %) [5.1, 31.9]": the interval against the exact binomial one at 95 % of the two
// counts. Only for documents that call their intervals that.
void check_binomial(std::string_view text, const Finding& place, AuditResult& result);

// Whether a line says "exact binomial 95 %".
bool names_exact_binomial(std::string_view text);

}  // namespace perfgate::audit
