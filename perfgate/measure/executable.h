// SPDX-License-Identifier: Apache-2.0
// executable.h: what can be known of a benchmark executable without running it.
#pragma once

#include <string>
#include <vector>

#include "perfgate/base/os/spawn.h"

namespace perfgate::measure {

// kDynamic: an ELF file that names a program loader; kStatic: any other ELF file.
enum class FileKind { kScript, kStatic, kDynamic };

// An executable as it lies on disk, inspected without running it.
struct Executable {
  std::string path;    // as given
  std::string digest;  // sha256 over the file and its resolved non-system libraries
  FileKind kind = FileKind::kDynamic;
  bool speaks_protocol = false;  // carries perfgate::main's marker
  // It, or one of its libraries, knows --benchmark_out; scripts may start what does.
  bool knows_benchmark = true;
  std::string sanitizer;  // seen in its symbols; empty: none
  // Libraries that the loader resolves for it and that do not come with the system, in its order.
  std::vector<std::string> libraries;
  // libbenchmark.so as the loader resolves it; empty: Google Benchmark is linked statically, or not
  // at all.
  std::string benchmark_library;
  // SHA-256 of the file and of each of `libraries`, 64 hexadecimal digits.
  std::vector<std::string> file_digests{};
};

struct Inspection {
  Wrapper loader{};  // starts the program loader; without words it is started as it is
  bool is_strangers = false;
};

// Checks that `path` is a file that this user may execute, and reads it once:
//   digest           "sha256:<hex>" over the digests of the file and of the libraries that the
//                    dynamic loader resolves for it outside /lib, /lib64, /usr/lib and /usr/lib64,
//                    so that a changed library is a changed executable. Libraries opened later
//                    with dlopen() are not seen. A renamed or moved copy has the same digest.
//   speaks_protocol  the file carries the marker that perfgate::main puts into it
//   sanitizer        "address", "thread", "memory", "undefined", joined by ","; empty: none seen
//   libraries, benchmark_library   what the loader resolves
// The executable itself is never run; for its libraries its own program loader is asked.
//
// Throws Error(kData) saying what to do for a missing file, a folder, a file without execute
// permission, a text file without "#!", and a library that the loader does not find.
// Of a stranger's executable nothing is believed: Error(kInvalid) where its loader is none of the
// system, whose answer its author would write, or where a library is no ELF file.
Executable inspect_executable(const std::string& path, const Inspection& how = {});

// "build/bench speaks the protocol" is decided by these bytes, followed by the newest version:
// perfgate-worker-protocol and a colon. Built at run time so that perfgate does not carry them.
std::string protocol_marker();

}  // namespace perfgate::measure
