// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/executable.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <memory>
#include <set>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <vector>

#include "perfgate/base/error.h"
#include "perfgate/base/os/system_reason.h"
#include "perfgate/base/os/unique_fd.h"
#include "perfgate/base/sha256.h"
#include "perfgate/base/text/join.h"
#include "perfgate/measure/libraries.h"

namespace perfgate::measure {
namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw Error(Exit::kData, path + ": " + why);
}

constexpr off_t kLargestProgram = off_t{16} << 30;

// A file's bytes. Read rather than mapped: a build that rewrites the file meanwhile must not kill
// perfgate with a bus error.
class FileBytes {
 public:
  explicit FileBytes(const std::string& path) {
    const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    struct stat status {};
    if (!fd || ::fstat(fd.get(), &status) != 0) {
      refuse(path, "cannot be read (" + SystemReason(errno) +
                       "); perfgate needs to read what it measures");
    }
    if (!S_ISREG(status.st_mode)) refuse(path, "is not a regular file; name a program or library");
    if (status.st_size > kLargestProgram) refuse(path, "is larger than 16 GiB; strip it");
    const auto size = static_cast<std::size_t>(status.st_size);
    data_.reset(new char[size]);  // not zeroed, unlike a vector
    while (size_ < size) {
      const ssize_t got = ::read(fd.get(), data_.get() + size_, size - size_);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) refuse(path, "cannot be read (" + SystemReason(errno) + ")");
      if (got == 0) break;
      size_ += static_cast<std::size_t>(got);
    }
  }

  std::string_view bytes() const { return {data_.get(), size_}; }

 private:
  std::unique_ptr<char[]> data_;
  std::size_t size_ = 0;
};

// As the library has it in its text, whatever release it is of.
constexpr std::string_view kBenchmarkFlag = "benchmark_out";

// memmem() is several times faster than std::string_view::find on megabytes.
bool holds(std::string_view bytes, std::string_view needle) {
  return ::memmem(bytes.data(), bytes.size(), needle.data(), needle.size()) != nullptr;
}

std::string sanitizers_in(std::string_view bytes) {
  struct Runtime {
    std::string_view name;
    std::string_view symbol;
  };
  // Split so that perfgate's own file does not hold the symbols; the undefined behaviour sanitizer
  // has no start function, but every check ends in a handler.
  constexpr std::array<Runtime, 4> kRuntimes = {{{"address", "asan_init"},
                                                 {"thread", "tsan_init"},
                                                 {"memory", "msan_init"},
                                                 {"undefined", "ubsan_handle"}}};
  std::string found;
  if (!holds(bytes, "san_")) return found;
  for (const Runtime& runtime : kRuntimes) {
    const std::string symbol = std::string(2, '_') + std::string(runtime.symbol);
    if (holds(bytes, symbol)) AppendItem(found, runtime.name, ",");
  }
  return found;
}

void check_file(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) {
      refuse(path, "no such file; build the benchmark first, or correct the path");
    }
    refuse(path, "cannot be reached: " + SystemReason(errno));
  }
  if (S_ISDIR(status.st_mode)) {
    refuse(path, "is a folder; name a benchmark executable inside it");
  }
  if (!S_ISREG(status.st_mode)) refuse(path, "is not a regular file; name a benchmark executable");
  if (status.st_size == 0) refuse(path, "is empty; build the benchmark again");
  if (::access(path.c_str(), X_OK) != 0) {
    refuse(path,
           "may not be executed; it needs execute permission (chmod +x), and its file system "
           "must not be mounted noexec");
  }
}

std::vector<std::string> not_of_the_system(const std::vector<std::string>& libraries) {
  std::vector<std::string> own;
  for (const std::string& library : libraries) {
    std::error_code error;
    const std::string real = std::filesystem::canonical(library, error).string();
    if (is_system_library(library) || (!error && is_system_library(real))) continue;
    own.push_back(library);
  }
  return own;
}

// Where the system keeps its programs and loaders.
bool IsSystemProgram(const std::string& path) {
  std::error_code error;
  const std::string real = std::filesystem::canonical(path, error).string();
  struct stat status {};
  if (error || ::stat(real.c_str(), &status) != 0 || status.st_uid != 0) return false;
  constexpr std::string_view kFolders[] = {"/usr/", "/lib", "/nix/store/", "/gnu/store/"};
  return std::any_of(std::begin(kFolders), std::end(kFolders),
                     [&](std::string_view folder) { return real.starts_with(folder); });
}

void RequireSystemLoader(const std::string& path, const std::string& interpreter) {
  if (IsSystemProgram(interpreter)) return;
  throw Error(Exit::kInvalid, path + ": names the program loader " + interpreter +
                                  ", which is none of the system: its author could have it run "
                                  "anything; link it with the system's loader");
}

void RequireLibrary(const std::string& library, std::string_view bytes) {
  if (bytes.starts_with(std::string_view(ELFMAG, SELFMAG))) return;
  throw Error(Exit::kInvalid, library + ": stands where a library should be, and is none");
}

std::string benchmark_library_of(const std::vector<std::string>& libraries) {
  for (const std::string& library : libraries) {
    const std::string name = std::filesystem::path(library).filename().string();
    if (name.rfind("libbenchmark.so", 0) == 0) return library;
  }
  return {};
}

}  // namespace

std::string protocol_marker() {
  std::string marker;
  for (const char* word : {"perfgate", "worker", "protocol"}) {
    marker += (marker.empty() ? "" : "-") + std::string(word);
  }
  return marker + ":";
}

Executable inspect_executable(const std::string& path, const Inspection& how) {
  check_file(path);
  const FileBytes file(path);
  const std::string_view bytes = file.bytes();
  const bool elf = bytes.substr(0, 4) == "\177ELF";
  if (!elf && bytes.substr(0, 2) != "#!") {
    refuse(path,
           "is neither a program nor a script that begins with \"#!\"; name a benchmark "
           "executable");
  }
  Executable executable;
  executable.path = path;
  executable.speaks_protocol = holds(bytes, protocol_marker());
  executable.sanitizer = elf ? sanitizers_in(bytes) : "";
  executable.knows_benchmark = !elf || holds(bytes, kBenchmarkFlag);
  executable.file_digests = {sha256_hex(bytes)};
  const std::string interpreter = elf_interpreter(bytes);
  executable.kind = !elf                  ? FileKind::kScript
                    : interpreter.empty() ? FileKind::kStatic
                                          : FileKind::kDynamic;
  if (!interpreter.empty()) {
    if (how.is_strangers) RequireSystemLoader(path, interpreter);
    const std::vector<std::string> libraries = resolved_libraries(interpreter, path, how.loader);
    executable.libraries = not_of_the_system(libraries);
    for (const std::string& library : executable.libraries) {
      const FileBytes content(library);
      if (how.is_strangers) RequireLibrary(library, content.bytes());
      executable.file_digests.push_back(sha256_hex(content.bytes()));
      executable.knows_benchmark =
          executable.knows_benchmark || holds(content.bytes(), kBenchmarkFlag);
    }
    executable.benchmark_library = benchmark_library_of(libraries);
    executable.knows_benchmark =
        executable.knows_benchmark || !executable.benchmark_library.empty();
  }
  executable.digest = "sha256:" + sha256_hex(Join(executable.file_digests, "\n"));
  return executable;
}

}  // namespace perfgate::measure
