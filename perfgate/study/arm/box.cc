// SPDX-License-Identifier: Apache-2.0
#include "perfgate/study/arm/box.h"

#include <unistd.h>

#include <filesystem>
#include <sstream>

#include "perfgate/base/error.h"
#include "perfgate/base/io/read_file.h"
#include "perfgate/base/os/process.h"
#include "perfgate/base/os/process_tree.h"
#include "perfgate/base/text/duration.h"
#include "perfgate/base/text/format_number.h"
#include "perfgate/base/text/join.h"
#include "perfgate/base/text/shell_words.h"
#include "perfgate/measure/isolation/find_abilities.h"

namespace perfgate::study {
namespace {

constexpr double kLookS = 0.02;
constexpr std::uintmax_t kMostLogBytes = std::uintmax_t{64} << 20;
constexpr double kMebibyte = 1024.0 * 1024.0;
constexpr const char* kPrograms = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

// Bytes that a process has for itself; 0: it is gone.
double OwnBytes(int pid) {
  std::istringstream pages(read_small_file("/proc/" + std::to_string(pid) + "/statm"));
  double size = 0;
  double resident = 0;
  double shared = 0;
  if (!(pages >> size >> resident >> shared)) return 0;
  return (resident - shared) * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

double BytesOf(const ChildProcess& child) {
  double sum = OwnBytes(child.pid());
  for (const ProcessEntry& entry : descendants(child.pid())) sum += OwnBytes(entry.pid);
  return sum;
}

std::vector<std::pair<std::string, std::string>> StepVariables(const BoxStep& step, bool isolated) {
  std::vector<std::pair<std::string, std::string>> variables = {
      {"PATH", kPrograms},
      {"LC_ALL", "C.UTF-8"},
      {"SOURCE_DATE_EPOCH", "1"},
      {"GIT_CEILING_DIRECTORIES", std::filesystem::path(step.place).parent_path().string()}};
  if (isolated) return variables;
  const std::string map = "-ffile-prefix-map=" + step.tree + "/=";
  for (const char* name : {"CFLAGS", "CXXFLAGS"}) variables.emplace_back(name, map);
  variables.emplace_back("RUSTFLAGS", "--remap-path-prefix=" + step.tree + "/=");
  return variables;
}

SpawnOptions OptionsOf(const Boxes& boxes, const BoxStep& step) {
  SpawnOptions options;
  options.path = "/bin/sh";
  // stderr joins the log inside: what is left on the pipe is what the sandbox itself complains of.
  options.args = {"-c", "exec 2>&1\n" + step.command};
  options.output = step.log;
  options.variables = StepVariables(step, boxes.isolated);
  if (!boxes.isolated) {
    options.args[1] = "exec 2>&1\ncd " + ShellWord(step.tree) + " || exit\n" + step.command;
    return options;
  }
  measure::SandboxPlan plan;
  plan.read = step.read;
  plan.write = step.write;
  plan.write.push_back({step.tree, step.place});
  plan.folder = step.place;
  plan.network = step.network;
  measure::Sandbox(boxes.abilities, std::move(plan)).Wrap({}, options);
  return options;
}

std::uintmax_t SizeOf(const std::string& path) {
  std::error_code failed;
  const std::uintmax_t size = std::filesystem::file_size(path, failed);
  return failed ? 0 : size;
}

BoxResult Stopped(ChildProcess& child, BoxEnd end, const std::string& text) {
  child.kill_all();
  return {.end = end, .text = text};
}

BoxResult Watch(ChildProcess& child, const BoxStep& step) {
  const Deadline limit = Deadline::in(step.limit_s);
  while (!child.wait_exit(Deadline::in(kLookS))) {
    if (limit.passed()) {
      return Stopped(child, BoxEnd::kTimeout, "took longer than " + seconds_text(step.limit_s));
    }
    if (BytesOf(child) > step.memory_mib * kMebibyte) {
      return Stopped(child, BoxEnd::kMemory,
                     "used more than " + format_number(step.memory_mib) + " MiB");
    }
    if (SizeOf(step.log) > kMostLogBytes) {
      return Stopped(child, BoxEnd::kTooMuchOutput, "printed more than 64 MiB");
    }
  }
  const ExitStatus status = child.status();
  const std::string complaint = child.output_tail();
  child.kill_leftovers(0);
  if (!status.ok() && complaint.starts_with("bwrap: ")) {
    throw Error(Exit::kData, "the sandbox could not be made: " + complaint);
  }
  BoxResult result{.signal = status.signal, .text = status.text()};
  if (status.signal != 0) result.end = BoxEnd::kSignal;
  if (status.signal == 0 && status.code != 0) result.end = BoxEnd::kFailed;
  return result;
}

}  // namespace

Boxes FindBoxes(bool isolated) {
  if (!isolated) return {.isolated = false};
  Boxes boxes{measure::KnownAbilities(), true};
  if (boxes.abilities.bubblewrap.empty()) {
    throw Error(Exit::kData, "changes of others are built in a sandbox, and this machine lacks " +
                                 Join(boxes.abilities.lacking, "; ") +
                                 ". --isolate=no builds them as this user");
  }
  return boxes;
}

BoxResult RunStep(const Boxes& boxes, const BoxStep& step) {
  const auto start = Clock::now();
  ChildProcess child(OptionsOf(boxes, step));
  BoxResult result = Watch(child, step);
  result.seconds = seconds_since(start);
  return result;
}

std::string PlaceFor(const std::string& tree) {
  constexpr std::size_t kLongestName = 60;
  std::string place = "/";
  while (place.size() < tree.size()) {
    const bool cut = place.size() % kLongestName == 0 && place.size() + 1 < tree.size();
    place += cut ? '/' : '_';
  }
  return place;
}

}  // namespace perfgate::study
