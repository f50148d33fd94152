// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/counters/peak_rss.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "perfgate/base/io/read_file.h"
#include "perfgate/base/os/unique_fd.h"

namespace perfgate::measure {

bool RestartPeakRss(int pid) {
  const std::string path = "/proc/" + std::to_string(pid) + "/clear_refs";
  const UniqueFd file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  return file && ::write(file.get(), "5", 1) == 1;
}

std::optional<double> PeakRss(int pid) {
  constexpr double kKib = 1024;
  const std::string key = "VmHWM:";
  const std::string status = read_small_file("/proc/" + std::to_string(pid) + "/status");
  const std::size_t at = status.find(key);
  if (at == std::string::npos) return std::nullopt;
  return kKib * std::strtod(status.c_str() + at + key.size(), nullptr);
}

}  // namespace perfgate::measure
