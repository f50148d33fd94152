// SPDX-License-Identifier: Apache-2.0
// libraries.h: the shared libraries that the dynamic loader would give to an executable.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "perfgate/base/os/spawn.h"

namespace perfgate::measure {

// Path of the program loader named by an ELF file of this machine's class and byte order; empty for
// static programs, scripts and anything else.
std::string elf_interpreter(std::string_view file);

// Absolute paths of the libraries that `interpreter --list path` resolves, in its order. Asking the
// loader runs nothing of the program but the audit libraries that it may name. wrapper: starts the
// loader. Error(kData) when a library is not found.
std::vector<std::string> resolved_libraries(const std::string& interpreter, const std::string& path,
                                            const Wrapper& wrapper = {});

// Whether a library comes with the system: under /lib, /lib64, /usr/lib or /usr/lib64.
bool is_system_library(std::string_view path);

// The paths in the loader's answer. Names in `missing` were not found.
struct LoaderAnswer {
  std::vector<std::string> paths;
  std::vector<std::string> missing;
};
LoaderAnswer parse_loader_answer(std::string_view text);

}  // namespace perfgate::measure
