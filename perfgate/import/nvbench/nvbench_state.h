// SPDX-License-Identifier: Apache-2.0
// nvbench_state.h: the measurements of one state of an NVBench file as records.
#pragma once

#include <cstddef>
#include <string>

#include "perfgate/base/json/json_cursor.h"
#include "perfgate/import/nvbench/nvbench_values.h"
#include "perfgate/import/record.h"

namespace perfgate::import::nvbench {

// One benchmark at one point of its axes on one device.
struct State {
  JsonCursor node;
  std::string case_name;
  Summaries summaries;
  std::size_t row = 0;
};

// The measurement that a state holds: isolated launches, CPU only, or batches alone.
std::string mode_of(const Summaries& summaries);

// Appends the samples and aggregates of the state. `folder`: where its sample files are.
void add_state(const State& state, const std::string& folder, Document* document);

}  // namespace perfgate::import::nvbench
