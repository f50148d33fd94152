// SPDX-License-Identifier: Apache-2.0
#include "perfgate/bench/worker/checked.h"

#include <atomic>

namespace perfgate::bench {
namespace {

std::atomic<bool> was_checked{false};

}  // namespace

void NoteChecked() { was_checked = true; }

bool TakeChecked() { return was_checked.exchange(false); }

}  // namespace perfgate::bench
