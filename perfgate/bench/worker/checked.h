// SPDX-License-Identifier: Apache-2.0
// checked.h: whether the slice under way held its results against an oracle.
#pragma once

namespace perfgate::bench {

// A guard that has checked a slice says so.
void NoteChecked();

// Whether one did since the last call. The worker asks after every slice.
bool TakeChecked();

}  // namespace perfgate::bench
