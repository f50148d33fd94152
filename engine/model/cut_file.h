// SPDX-License-Identifier: Apache-2.0
// cut_file.h: the end of a process whose mapped file became shorter.
//
// Touching a mapping past the end of its file raises SIGBUS, which no check beforehand prevents.
// preload=pread reads instead, and reports it as an error of that file.
#pragma once

namespace engine {

// From now on SIGBUS prints the name of the mapped file and ends the process with code 65.
void TellCutFiles();

}  // namespace engine
