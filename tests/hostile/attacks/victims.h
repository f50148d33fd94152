// SPDX-License-Identifier: Apache-2.0
// victims.h: how an attack finds the others: by the folders of the run and by /proc.
//
// The runner lays every run out as RUN/baseline/bench and RUN/candidate/bench. An attack looks for
// nothing outside RUN.
#pragma once

#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <thread>

namespace attacks {

inline std::string OwnFile() {
  std::error_code failed;
  return std::filesystem::read_symlink("/proc/self/exe", failed).string();
}

inline std::string RunFolder() {
  return std::filesystem::path(OwnFile()).parent_path().parent_path().string();
}

inline std::string BaselineFile() { return RunFolder() + "/baseline/bench"; }

// A process that runs this file; 0: none.
inline int ProcessOf(const std::string& file) {
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", failed)) {
    const int pid = std::atoi(entry.path().filename().c_str());
    if (pid <= 0) continue;
    const auto exe = std::filesystem::read_symlink(entry.path() / "exe", failed);
    if (!failed && exe == file) return pid;
  }
  return 0;
}

// 'S' sleeping, 'R' running, ...; '?' gone.
inline char StateOf(int pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  const std::string text((std::istreambuf_iterator<char>(stat)), std::istreambuf_iterator<char>());
  const std::size_t name_end = text.rfind(") ");
  return name_end == std::string::npos ? '?' : text[name_end + 2];
}

inline void Pause(int microseconds) {
  std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
}

// Makes this process look like one of somebody else's launch: its mark is written over where /proc
// shows it.
inline void ForgeMark() {
  if (char* mark = std::getenv("PERFGATE_LAUNCH")) std::memset(mark, 'f', std::strlen(mark));
}

// Goes to where nothing is measured: on the core of the arms it would wait for its turn.
inline void LeaveCore() {
  cpu_set_t set;
  CPU_ZERO(&set);
  const int here = ::sched_getcpu();
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (cpu != here) CPU_SET(cpu, &set);
  }
  ::sched_setaffinity(0, sizeof set, &set);
}

// Runs `deed` for as long as this process lives, but 20 s at most, in a process that no longer
// looks like a child of it: a session of its own, a forged mark, adopted by whoever adopts.
template <typename Deed>
void Haunt(const Deed& deed) {
  const int self = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) {
    if (::fork() != 0) ::_exit(0);
    ::setsid();
    ForgeMark();
    LeaveCore();
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (StateOf(self) != '?' && StateOf(self) != 'Z' && std::chrono::steady_clock::now() < end) {
      deed(self);
    }
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
}

}  // namespace attacks
