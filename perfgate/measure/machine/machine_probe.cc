// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/machine/machine_probe.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <set>
#include <string>
#include <utility>

#include "perfgate/base/io/read_file.h"
#include "perfgate/base/os/affinity.h"
#include "perfgate/base/text/join.h"
#include "perfgate/base/text/one_line.h"
#include "perfgate/measure/machine/gpu_probe.h"

namespace perfgate::measure {
namespace {

std::string first_line(const std::string& path) {
  std::string text = read_small_file(path);
  text.resize(std::min(text.find('\n'), text.size()));
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || text[at - 1] == ' ') && (end == text.size() || text[end] == ' ')) return true;
  }
  return false;
}

// "on" or "off" as far as a driver says.
std::string boost_state() {
  const std::string boost = first_line("/sys/devices/system/cpu/cpufreq/boost");
  if (boost == "1") return "on";
  if (boost == "0") return "off";
  const std::string no_turbo = first_line("/sys/devices/system/cpu/intel_pstate/no_turbo");
  if (no_turbo == "0") return "on";
  if (no_turbo == "1") return "off";
  return "";
}

std::string container() {
  if (::access("/.dockerenv", F_OK) == 0) return "docker";
  if (::access("/run/.containerenv", F_OK) == 0) return "podman";
  const std::string groups = read_small_file("/proc/1/cgroup");
  for (const char* name : {"kubepods", "docker", "lxc", "containerd"}) {
    if (groups.find(name) != std::string::npos) return name;
  }
  return "";
}

std::string hypervisor(std::string_view flags) {
  std::string type = first_line("/sys/hypervisor/type");
  if (!type.empty()) return type;
  if (!has_word(flags, "hypervisor")) return "";
  const std::string product = first_line("/sys/class/dmi/id/product_name");
  return product.empty() ? "virtual machine" : "virtual machine (" + product + ")";
}

struct Topology {
  int cores = 0;
  int sockets = 0;
};

// Distinct sockets and cores among the processors that are online; 0 where sysfs does not say.
Topology topology() {
  constexpr int kMostCpus = 4096;
  std::set<std::string> sockets;
  std::set<std::string> cores;
  for (int cpu = 0; cpu < kMostCpus; ++cpu) {
    const std::string folder = "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/";
    const std::string siblings = first_line(folder + "thread_siblings_list");
    if (siblings.empty() && cpu >= ::sysconf(_SC_NPROCESSORS_CONF)) break;
    if (siblings.empty()) continue;
    cores.insert(siblings);
    sockets.insert(first_line(folder + "physical_package_id"));
  }
  return {static_cast<int>(cores.size()), static_cast<int>(sockets.size())};
}

double number_of(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return end == text.c_str() ? 0 : value;
}

// "max 100000" or "200000 100000" (cgroup v2), or quota and period in two files (v1).
double container_cpu_limit() {
  const std::string v2 = first_line("/sys/fs/cgroup/cpu.max");
  const std::size_t space = v2.find(' ');
  double quota = number_of(v2);
  double period = space == std::string::npos ? 0 : number_of(v2.substr(space + 1));
  if (v2.empty()) {
    quota = number_of(first_line("/sys/fs/cgroup/cpu/cpu.cfs_quota_us"));
    period = number_of(first_line("/sys/fs/cgroup/cpu/cpu.cfs_period_us"));
  }
  return quota > 0 && period > 0 ? quota / period : 0;
}

double container_memory_limit_gib(double memory_gib) {
  std::string text = first_line("/sys/fs/cgroup/memory.max");
  if (text.empty()) text = first_line("/sys/fs/cgroup/memory/memory.limit_in_bytes");
  const double limit = number_of(text) / 1073741824.0;
  return limit < memory_gib ? limit : 0;  // v1 says "none" by a number beyond any memory
}

}  // namespace

std::string_view cpuinfo_field(std::string_view cpuinfo, std::string_view key) {
  while (!cpuinfo.empty()) {
    const std::size_t end = std::min(cpuinfo.find('\n'), cpuinfo.size());
    const std::string_view line = cpuinfo.substr(0, end);
    const std::size_t colon = line.find(':');
    if (colon != std::string_view::npos && trimmed(line.substr(0, colon)) == key) {
      return trimmed(line.substr(colon + 1));
    }
    cpuinfo.remove_prefix(std::min(end + 1, cpuinfo.size()));
  }
  return {};
}

std::string_view isa_of_flags(std::string_view flags) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kByWidth = {
      {{"avx512f", "avx512"},
       {"avx2", "avx2"},
       {"avx", "avx"},
       {"sse4_2", "sse4.2"},
       {"sse2", "sse2"},
       {"sve", "sve"},
       {"asimd", "neon"}}};
  for (const auto& [flag, isa] : kByWidth) {
    if (has_word(flags, flag)) return isa;
  }
  return {};
}

Machine probe_machine() {
  Machine machine;
  const std::string cpuinfo = read_small_file("/proc/cpuinfo");
  const bool arm = cpuinfo_field(cpuinfo, "flags").empty();
  const std::string_view flags = cpuinfo_field(cpuinfo, arm ? "Features" : "flags");
  machine.cpu_model = cpuinfo_field(cpuinfo, "model name");
  if (machine.cpu_model.empty() && arm) {
    const std::string_view part = cpuinfo_field(cpuinfo, "CPU part");
    if (!part.empty()) {
      machine.cpu_model = "implementer " + std::string(cpuinfo_field(cpuinfo, "CPU implementer")) +
                          " part " + std::string(part);
    }
  }
  machine.isa = isa_of_flags(flags);
  utsname names{};
  if (::uname(&names) == 0) {
    machine.kernel = std::string(names.sysname) + " " + names.release;
    machine.hostname = names.nodename;
  }
  machine.allowed_cpus = current_affinity();
  const int first = machine.allowed_cpus.empty() ? 0 : machine.allowed_cpus.front();
  machine.governor = first_line("/sys/devices/system/cpu/cpu" + std::to_string(first) +
                                "/cpufreq/scaling_governor");
  machine.boost = boost_state();
  machine.virtualization = hypervisor(flags);
  const std::string inside = container();
  if (!inside.empty()) AppendItem(machine.virtualization, inside);
  machine.logical_cpus = static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN));
  const auto pages = static_cast<double>(::sysconf(_SC_PHYS_PAGES));
  const auto page_bytes = static_cast<double>(::sysconf(_SC_PAGESIZE));
  if (pages > 0 && page_bytes > 0) machine.memory_gib = pages * page_bytes / 1073741824.0;
  const Topology layout = topology();
  machine.physical_cores = layout.cores;
  machine.sockets = layout.sockets;
  machine.cpu_limit = container_cpu_limit();
  machine.memory_limit_gib = container_memory_limit_gib(machine.memory_gib);
  machine.gpus = probe_gpus();
  return machine;
}

}  // namespace perfgate::measure
