// SPDX-License-Identifier: Apache-2.0
// run_folder.h: a place for data that takes seconds to make and is not what is measured.
//
// perfgate launches an executable anew in every round. What every launch would make again, such as
// a model of a gigabyte that a GPU then copies, is made by the first one and found by the others:
//
//   const std::string& folder = perfgate::bench::RunFolder();
//   if (folder.empty()) ...                     // by hand: make it in this process
//   else if (exists(folder + "/model")) ...     // made by an earlier launch of this run
//   else ...                                    // make it beside, then rename it to that name
//
// The folder belongs to one run and one executable: nothing is in it but what launches of the same
// digest have put there in this run, so that nothing is stale or foreign. It lies in memory where
// /dev/shm has 13 GiB of room, else on a disk, and goes with the run. What needs more than is free
// there is better made in the process.
//
// Not for data that the measured code reads in place: its pages are part of what a fresh launch
// draws anew, and two arms of different executables would keep their draw for the whole run.
#pragma once

#include <string>

namespace perfgate::bench {

// Empty where the executable was started by hand, or perfgate could make no folder.
const std::string& RunFolder();

// Set by the worker before any case runs.
void SetRunFolder(std::string folder);

}  // namespace perfgate::bench
