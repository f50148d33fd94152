// SPDX-License-Identifier: Apache-2.0
// arms.h: the places of the arms in a session. A gate has a baseline and a candidate, parity has a
// baseline, a human's version and an agent's.
#pragma once

namespace perfgate::inline verdict {

inline constexpr int kBaseline = 0;
inline constexpr int kHuman = 1;
inline constexpr int kAgent = 2;

}  // namespace perfgate::inline verdict
