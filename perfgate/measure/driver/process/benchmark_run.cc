// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/driver/process/benchmark_run.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>

#include "perfgate/base/error.h"
#include "perfgate/base/text/duration.h"
#include "perfgate/base/text/one_line.h"
#include "perfgate/measure/driver/slice_clock.h"
#include "perfgate/measure/isolation/sandbox.h"

namespace perfgate::measure {
namespace {

constexpr double kLookS = 0.25;  // how often the result file is looked at while waiting
constexpr off_t kLargestFile = off_t{1} << 28;

off_t size_of(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? status.st_size : 0;
}

std::string read_result(const std::string& path) {
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  std::string text;
  std::array<char, 65536> chunk;  // NOLINT(cppcoreguidelines-pro-type-member-init)
  while (fd && text.size() <= static_cast<std::size_t>(kLargestFile)) {
    const ssize_t got = ::read(fd.get(), chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    text.append(chunk.data(), static_cast<std::size_t>(got));
  }
  return text;
}

// Waits for the end. The library writes each case's row as soon as the case has ended, so that a
// hanging case shows as a file that does not grow.
void wait_for_end(ChildProcess& child, const std::string& file, const RunRequest& request,
                  RunOutcome* outcome) {
  const Deadline whole = Deadline::in(request.limit_s);
  Deadline step = Deadline::in(request.step_limit_s);
  off_t size = 0;
  for (;;) {
    const double look = std::min({kLookS, whole.left_s(), step.left_s()});
    if (child.wait_exit(Deadline::in(look))) return;
    const off_t now = file.empty() ? 0 : size_of(file);
    if (now > kLargestFile) {
      outcome->file_too_large = true;
      return;
    }
    if (now > size) step = Deadline::in(request.step_limit_s);
    size = now;
    if (whole.passed() || step.passed()) {
      outcome->timed_out = true;
      outcome->waited_s = whole.passed() ? request.limit_s : request.step_limit_s;
      return;
    }
  }
}

RunOutcome run(const Launch& launch, std::vector<std::string> args, const std::string& file,
               const RunRequest& request, bool separate_stdout) {
  RunOutcome outcome;
  const SliceClock clock;
  SpawnOptions options;
  options.path = launch.exec_path;
  options.args = std::move(args);
  options.args.insert(options.args.end(), launch.arguments.begin(), launch.arguments.end());
  options.cpus = launch.cpus;
  options.nice = launch.nice;
  options.memory_bytes = launch.memory_bytes;
  options.variables = launch.variables;
  options.separate_stdout = separate_stdout;
  try {
    if (launch.sandbox) {
      std::vector<std::string> writable;
      if (!file.empty()) writable.push_back(std::filesystem::path(file).parent_path().string());
      launch.sandbox->Wrap(writable, options);
    }
    ChildProcess child(options);
    wait_for_end(child, file, request, &outcome);
    const double ended_s = clock.wall_s();
    outcome.core_wait_s = clock.waited_s();
    if (child.status().exited) outcome.leftovers = child.kill_leftovers(kLeftoverGraceS);
    child.kill_all();
    outcome.wall_s = clock.wall_s();
    outcome.after_s = outcome.wall_s - ended_s;
    outcome.status = child.status();
    outcome.cpu_s = std::max(0.0, child.cpu_seconds());
    outcome.tail = child.output_tail(kShownBytes);
    outcome.standard_output = child.standard_output();
  } catch (const Error& error) {
    outcome.launch_error = error.what();
  }
  return outcome;
}

}  // namespace

FaultKind RunOutcome::fault() const {
  if (!launch_error.empty()) return FaultKind::kLaunch;
  if (timed_out) return FaultKind::kTimeout;
  if (file_too_large) return FaultKind::kNoOutput;
  if (!status.ok()) return FaultKind::kCrashed;
  return file_empty || file.complete ? FaultKind::kNoOutput : FaultKind::kExited;
}

std::string RunOutcome::detail(const std::string& doing) const {
  if (!launch_error.empty()) return launch_error;
  std::string text;
  if (timed_out) {
    text = "no result within " + seconds_text(waited_s) + " " + doing;
  } else if (file_too_large) {
    text = "its result file grew beyond 256 MiB " + doing;
  } else if (!status.ok()) {
    text = status.text() + " " + doing;
  } else if (file_empty) {
    text = "wrote no result " + doing + " (it ran no benchmark, or none of that name)";
  } else if (file.complete) {
    text = "no row " + doing + " (families that report only aggregates need perfgate::main)";
  } else {
    text = "ended with exit code 0 in the middle of the work " + doing;
  }
  return with_tail(text, tail);
}

RunOutcome run_benchmarks(const Launch& launch, const PrivateFolder& scratch,
                          const RunRequest& request) {
  // A folder of its own: what one launch leaves the next would be work that nobody times.
  const std::string folder = scratch.file("launch");
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  std::filesystem::create_directory(folder, ignored);
  const std::string file = folder + "/result.json";
  std::vector<std::string> args = {"--benchmark_out=" + file, "--benchmark_out_format=json",
                                   "--benchmark_repetitions=1"};
  if (!request.filter.empty()) args.push_back("--benchmark_filter=" + request.filter);
  args.insert(args.end(), request.options.begin(), request.options.end());
  RunOutcome outcome = run(launch, std::move(args), file, request, /*separate_stdout=*/false);
  if (!outcome.launch_error.empty() || outcome.file_too_large) return outcome;
  const std::string text = read_result(file);
  outcome.file_empty = text.empty();
  outcome.file = read_benchmark_json(text);
  std::filesystem::remove_all(folder, ignored);
  return outcome;
}

RunOutcome run_list_tests(const Launch& launch, const std::string& filter, double limit_s) {
  std::vector<std::string> args = {"--benchmark_list_tests=true"};
  if (!filter.empty()) args.push_back("--benchmark_filter=" + filter);
  RunRequest request;
  request.limit_s = limit_s;
  request.step_limit_s = limit_s;
  return run(launch, std::move(args), "", request, /*separate_stdout=*/true);
}

std::string iterations_option(std::int64_t iterations) {
  return "--benchmark_min_time=" + std::to_string(iterations) + "x";
}

std::string seconds_option(double seconds) {
  std::array<char, 64> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "--benchmark_min_time=%.9f", seconds);
  return buffer.data();
}

}  // namespace perfgate::measure
