// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/libraries.h"

#include <elf.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <filesystem>
#include <optional>
#include <sstream>

#include "perfgate/base/error.h"
#include "perfgate/base/os/process.h"
#include "perfgate/base/text/join.h"

namespace perfgate::measure {
namespace {

constexpr double kLoaderLimitS = 20;

// A structure at an offset of the file; none beyond its end.
template <typename T>
std::optional<T> structure_at(std::string_view file, std::uint64_t offset) {
  if (offset > file.size() || file.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, file.data() + offset, sizeof value);
  return value;
}

template <typename Header, typename Segment>
std::string interpreter_of(std::string_view file) {
  const auto header = structure_at<Header>(file, 0);
  if (!header || header->e_phentsize != sizeof(Segment)) return {};
  for (std::uint64_t i = 0; i < header->e_phnum; ++i) {
    const auto segment = structure_at<Segment>(file, header->e_phoff + i * sizeof(Segment));
    if (!segment) return {};
    if (segment->p_type != PT_INTERP) continue;
    const std::uint64_t offset = segment->p_offset, size = segment->p_filesz;
    if (offset > file.size() || size > file.size() - offset) return {};
    const std::string_view text = file.substr(offset, size);
    return std::string(text.substr(0, text.find('\0')));
  }
  return {};
}

}  // namespace

std::string elf_interpreter(std::string_view file) {
  if (file.size() < EI_NIDENT || file.substr(0, SELFMAG) != std::string_view(ELFMAG, SELFMAG)) {
    return {};
  }
  const char own_order = std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;
  if (file[EI_DATA] != own_order) return {};
  if (file[EI_CLASS] == ELFCLASS64) return interpreter_of<Elf64_Ehdr, Elf64_Phdr>(file);
  if (file[EI_CLASS] == ELFCLASS32) return interpreter_of<Elf32_Ehdr, Elf32_Phdr>(file);
  return {};
}

LoaderAnswer parse_loader_answer(std::string_view text) {
  LoaderAnswer answer;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    // "\tlibx.so.1 => /path/libx.so.1 (0x00007f...)", "\tlibx.so.1 => not found",
    // "\t/lib64/ld-linux-x86-64.so.2 (0x...)", "\tlinux-vdso.so.1 (0x...)"
    line.erase(0, line.find_first_not_of(" \t"));
    const std::size_t arrow = line.find(" => ");
    std::string target = arrow == std::string::npos ? line : line.substr(arrow + 4);
    if (arrow != std::string::npos && target.rfind("not found", 0) == 0) {
      answer.missing.push_back(line.substr(0, arrow));
      continue;
    }
    const std::size_t address = target.rfind(" (0x");
    if (address != std::string::npos) target.resize(address);
    if (!target.empty() && target.front() == '/') answer.paths.push_back(target);
  }
  return answer;
}

std::vector<std::string> resolved_libraries(const std::string& interpreter, const std::string& path,
                                            const Wrapper& wrapper) {
  SpawnOptions options;
  options.wrapper = wrapper;
  options.path = interpreter;
  // A bare name would be looked for among the libraries, and $ORIGIN is the folder of the name that
  // is given here, but of the file itself when the kernel starts it.
  std::error_code error;
  const std::filesystem::path file = std::filesystem::canonical(path, error);
  options.args = {"--list", (error ? std::filesystem::absolute(path) : file).string()};
  options.separate_stdout = true;
  LoaderAnswer answer;
  std::string complaint;
  {
    ChildProcess loader(options);
    loader.wait_exit(Deadline::in(kLoaderLimitS));
    answer = parse_loader_answer(loader.standard_output());
    if (!loader.status().ok()) complaint = loader.output_tail();
  }
  if (!answer.missing.empty()) {
    throw Error(Exit::kData, path + " needs " + Join(answer.missing) +
                                 ", which the program loader does not find; set its rpath or "
                                 "LD_LIBRARY_PATH");
  }
  if (!complaint.empty()) {
    throw Error(Exit::kData, path + ": the program loader refuses it: " + complaint);
  }
  return answer.paths;
}

bool is_system_library(std::string_view path) {
  constexpr std::array<std::string_view, 4> kFolders = {"/lib/", "/lib64/", "/usr/lib/",
                                                        "/usr/lib64/"};
  return std::any_of(kFolders.begin(), kFolders.end(), [&](std::string_view folder) {
    return path.substr(0, folder.size()) == folder;
  });
}

}  // namespace perfgate::measure
