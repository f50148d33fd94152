// SPDX-License-Identifier: Apache-2.0
// standings.h: which alternatives can be compared in a case, and why others cannot.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "perfgate/verdict/alternatives/question.h"

namespace perfgate::inline verdict {

// Per arm, with status, reason and value. Two at least are compared, with `only_reference` the
// reference among them, or none is. broken: what broken_promises() says of the session.
std::vector<Standing> standings_of(const Session& session, std::size_t case_index,
                                   std::size_t metric_index, std::span<const Fault> broken,
                                   const AlternativesQuestion& question);

// The first two arms that are one executable, as a reason; empty where none are.
std::string same_executables_among(const std::vector<ArmInfo>& arms);

}  // namespace perfgate::inline verdict
