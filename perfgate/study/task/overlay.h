// SPDX-License-Identifier: Apache-2.0
// overlay.h: files of the task that take the place of a source tree's own, such as its benchmark.
//
// Every arm gets the same ones after its change is applied. So an older commit can be measured by a
// newer benchmark, and no change decides what is measured.
#pragma once

#include <string>

namespace perfgate::study {

// Of the names, the modes and the bytes of all files in the folder. Error(kData) where it is no
// folder, is empty, or holds something else than files, folders and symbolic links.
std::string DigestOfOverlay(const std::string& folder);

// Whatever stands at the place of a file is replaced, symbolic links and folders included: nothing
// is written outside the tree.
void LayOver(const std::string& folder, const std::string& tree);

}  // namespace perfgate::study
