// SPDX-License-Identifier: Apache-2.0
// alternatives.h: from a session of several alternatives to who is faster than whom.
//
// The round statistic of a pair in a case is that of a gate (gate/gate.h): the median over the
// round's slices of the log of the ratio. The observation of a geometric mean is the mean of those
// over cases, one per round. All intervals of a family hold together with 95 %
// (stats/inference/simultaneous.h). There is one look, at the end: how many rounds there are must
// not depend on what they show.
//
// An alternative that fails in a case, or cannot be compared there, is named with the reason and
// left out of the case; the others are compared.
#pragma once

#include <string>

#include "perfgate/evidence/alternatives.h"
#include "perfgate/verdict/alternatives/question.h"

namespace perfgate::inline verdict {

// Pure: the same session gives the same verdict. Error(kData) for fewer than 2 or more than
// kMostAlternatives arms, or a reference that is none of them; Error(kUsage) where no metric has
// that name, or it is no time and no rate.
AlternativesVerdict decide_alternatives(const Session& session,
                                        const AlternativesQuestion& question);

// Index of the metric of that name. Throws as decide_alternatives().
std::size_t compared_metric(const Session& session, const std::string& name);

// Comparisons in the largest family of so many alternatives and cases; with more than one case, the
// geometric means count as a case.
std::size_t comparisons_in_family(std::size_t alternatives, std::size_t cases,
                                  const AlternativesQuestion& question);

}  // namespace perfgate::inline verdict
