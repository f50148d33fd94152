// SPDX-License-Identifier: Apache-2.0
// input_kinds.h: how large the files may be that commands are given, and that evidence is read from
// the file itself: a link could be turned to another file between two reads.
#pragma once

#include "perfgate/base/io/input_file.h"

namespace perfgate::inline evidence {

inline constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

inline constexpr InputKind kVerdictFile = {"verdict", 256 * kMiB, LastLink::kRefused};
inline constexpr InputKind kSessionFile = {"session", 2048 * kMiB, LastLink::kRefused};
inline constexpr InputKind kPolicyFile = {"policy", 4 * kMiB, LastLink::kRefused};
inline constexpr InputKind kEvidenceFile = {"evidence file", 256 * kMiB, LastLink::kRefused};
// Before its format is known.
inline constexpr InputKind kAnyEvidence = {"evidence file", 2048 * kMiB, LastLink::kRefused};
// Of other tools, or written by hand.
inline constexpr InputKind kResultFile = {"result file", 2048 * kMiB, LastLink::kFollowed};
inline constexpr InputKind kSettingsFile = {"settings file", 16 * kMiB, LastLink::kFollowed};

}  // namespace perfgate::inline evidence
