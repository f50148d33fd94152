// SPDX-License-Identifier: Apache-2.0
// nvbench.h: result files of NVBench (--json, --jsonbin), file version 1.
//
// Only --jsonbin keeps samples: little-endian float32 seconds in files beside the JSON, named
// inside it. Plain --json holds aggregates. "Cold" times are isolated launches with a flushed
// cache, and "batch" times run back to back: they are different metrics (gpu_time, batch_gpu_time)
// and are never compared with each other.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "perfgate/import/record.h"

namespace perfgate::import {

// `first`: the document.
bool looks_like_nvbench(const nlohmann::json& first);

// `folder` holds the file, and the folders of its samples. Error(kInvalid) where a name leads out
// of it or a size is not 4 bytes per sample; Error(kData) where a named file is not there.
Document read_nvbench(std::string_view bytes, const std::string& name, const std::string& folder);

// `name` is the path of the file.
Document read_nvbench(std::string_view bytes, const std::string& name);

}  // namespace perfgate::import
