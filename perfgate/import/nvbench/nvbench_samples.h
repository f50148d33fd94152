// SPDX-License-Identifier: Apache-2.0
// nvbench_samples.h: the binary sample files beside an NVBench result.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace perfgate::import {

// The float32 values of `filename`, which is relative to `folder`. Older NVBench wrote it relative
// to the working directory of the run: where it is not found, its last two components
// ("F.json-bin/0.bin") are looked up in `folder`. `where` starts the messages.
//
// Error(kInvalid): absolute names, "..", links that lead out of the folder, other sizes than 4
// bytes times `size`. Error(kData): no such file.
std::vector<double> read_nvbench_samples(const std::string& folder, const std::string& filename,
                                         std::int64_t size, const std::string& where);

}  // namespace perfgate::import
