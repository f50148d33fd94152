// SPDX-License-Identifier: Apache-2.0
// peak_rss.h: the largest resident memory of a process since a moment, from /proc.
#pragma once

#include <optional>

namespace perfgate::measure {

// From now on the peak is that of what follows (proc(5), clear_refs). False: the system refuses.
bool RestartPeakRss(int pid);

// Bytes; none where the process is gone or the system does not say.
std::optional<double> PeakRss(int pid);

}  // namespace perfgate::measure
