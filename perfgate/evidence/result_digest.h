// SPDX-License-Identifier: Apache-2.0
// result_digest.h: the counter in which a case shows what it computed.
//
// A whole number of at most 52 bits, so that a double holds it: equal numbers mean equal results,
// bit for bit. It is recorded in sessions and never gated: that two builds compute different bits
// is no regression. Where cases state that they compute the same (CaseInfo::result), an ablation
// holds them to it.
#pragma once

#include <string_view>

namespace perfgate::inline evidence {

inline constexpr std::string_view kResultDigest = "result_digest";

}  // namespace perfgate::inline evidence
