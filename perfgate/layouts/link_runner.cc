// SPDX-License-Identifier: Apache-2.0
#include "perfgate/layouts/link_runner.h"

#include <algorithm>
#include <memory>

#include "perfgate/base/error.h"
#include "perfgate/base/os/process.h"

namespace perfgate::layouts {
namespace {

constexpr double kLongestLinkS = 600;
constexpr double kPollS = 0.01;
constexpr std::size_t kShownLinkerBytes = 1500;

std::unique_ptr<ChildProcess> StartLink(const LinkCommand& command) {
  SpawnOptions options;
  options.path = "/bin/sh";
  options.args = {"-c", R"(cd "$0" && exec "$@")", command.directory};
  options.args.insert(options.args.end(), command.arguments.begin(), command.arguments.end());
  return std::make_unique<ChildProcess>(options);
}

std::string Complaint(ChildProcess& link) {
  const std::string said = link.output_tail(kShownLinkerBytes);
  return said.empty() ? link.status().text() : said;
}

struct RunningJob {
  const LinkJob* job = nullptr;
  std::size_t step = 0;
  std::unique_ptr<ChildProcess> link{};
  Deadline limit = Deadline::in(kLongestLinkS);
};

[[noreturn]] void FailJob(const RunningJob& running, const std::string& why) {
  std::string words;
  for (const std::string& argument : running.job->commands[running.step].arguments) {
    words += (words.empty() ? "" : " ") + argument;
  }
  throw Error(Exit::kFailed, "linking the layout of seed " + std::to_string(running.job->seed) +
                                 " failed: " + why + "\nthe command was: " + words);
}

// True while the job has something left to do.
bool Advance(RunningJob& running) {
  if (!running.link->wait_exit(Deadline::in(kPollS))) {
    if (running.limit.passed()) FailJob(running, "it took longer than ten minutes");
    return true;
  }
  if (!running.link->status().ok()) FailJob(running, Complaint(*running.link));
  if (++running.step == running.job->commands.size()) return false;
  running.link = StartLink(running.job->commands[running.step]);
  running.limit = Deadline::in(kLongestLinkS);
  return true;
}

}  // namespace

void RunLinks(std::span<const LinkJob> jobs, std::size_t at_once, const LinkProgress& progress) {
  std::vector<RunningJob> running;
  std::size_t next = 0;
  std::size_t done = 0;
  while (done < jobs.size()) {
    while (next < jobs.size() && running.size() < std::max<std::size_t>(1, at_once)) {
      running.push_back({.job = &jobs[next], .link = StartLink(jobs[next].commands.front())});
      ++next;
    }
    for (std::size_t i = 0; i < running.size();) {
      if (Advance(running[i])) {
        ++i;
        continue;
      }
      running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
      ++done;
      if (progress) progress(done, jobs.size());
    }
  }
}

std::string TryLink(const LinkCommand& command) {
  const auto link = StartLink(command);
  if (!link->wait_exit(Deadline::in(kLongestLinkS))) return "it took longer than ten minutes";
  return link->status().ok() ? std::string() : Complaint(*link);
}

std::string VersionOf(const std::string& program) {
  SpawnOptions options;
  options.path = "/bin/sh";
  options.args = {"-c", "\"$0\" --version", program};
  options.separate_stdout = true;
  constexpr double kLongestS = 10;
  ChildProcess child(options);
  if (!child.wait_exit(Deadline::in(kLongestS)) || !child.status().ok()) return {};
  const std::string& text = child.standard_output();
  return text.substr(0, text.find('\n'));
}

}  // namespace perfgate::layouts
