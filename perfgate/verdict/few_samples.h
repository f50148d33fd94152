// SPDX-License-Identifier: Apache-2.0
// few_samples.h: whether a percentile rests on enough calls a round to be gated
// (evidence/metrics/distribution.h).
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "perfgate/evidence/recorded.h"
#include "perfgate/evidence/session.h"

namespace perfgate::inline verdict {

// "few_samples: p99 of 400 calls a round, gated from 2000; ..." of a summary of a distribution that
// rests on fewer calls; empty: it rests on enough, or is no such summary. The arm with the fewest
// calls counts, in the first round of the case, so that a comparison does not enter or leave the
// family of gated ones from look to look.
std::string FewSamples(const Session& session, std::size_t case_index, std::size_t metric_index);

// The same of recorded sessions, by the session with the fewest on either side.
std::string FewSamples(std::span<const RecordedSession> baseline,
                       std::span<const RecordedSession> candidate, const std::string& case_name,
                       const std::string& metric_name);

}  // namespace perfgate::inline verdict
