// SPDX-License-Identifier: Apache-2.0
// A program that turns on the gate that measures it. ATTACK chooses how.
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/user.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <regex>
#include <sstream>

#include "tests/hostile/attacks/victims.h"
#include "tests/hostile/attacks/work.h"

namespace {

// The gate is the nearest process above that runs RUN/perfgate; 0: none can be seen.
[[maybe_unused]] int Gate() { return attacks::ProcessOf(attacks::RunFolder() + "/perfgate"); }

// Has the gate end with exit code 0 at the system call that it waits in.
[[maybe_unused]] void EndByPtrace(int gate) {
#if defined(__x86_64__)
  if (::ptrace(PTRACE_ATTACH, gate, nullptr, nullptr) != 0) return;
  ::waitpid(gate, nullptr, __WALL);
  user_regs_struct registers{};
  ::ptrace(PTRACE_GETREGS, gate, nullptr, &registers);
  registers.rip -= 2;  // the instruction that made the call
  registers.rax = SYS_exit_group;
  registers.orig_rax = static_cast<decltype(registers.orig_rax)>(-1);
  registers.rdi = 0;
  ::ptrace(PTRACE_SETREGS, gate, nullptr, &registers);
  ::ptrace(PTRACE_DETACH, gate, nullptr, nullptr);
#endif
}

// The same by writing instructions where it will go on.
[[maybe_unused]] void EndByMemory(int gate) {
  const std::string folder = "/proc/" + std::to_string(gate);
  std::ifstream call(folder + "/syscall");
  std::string text;
  std::getline(call, text);
  const std::size_t last = text.rfind(' ');
  if (last == std::string::npos) return;
  const std::uintptr_t at = std::stoull(text.substr(last + 1), nullptr, 16);
  const unsigned char code[] = {0x31, 0xff, 0xb8, 0xe7, 0, 0, 0, 0x0f, 0x05};  // exit_group(0)
  const int memory = ::open((folder + "/mem").c_str(), O_WRONLY);
  if (memory < 0) return;
  if (::pwrite(memory, code, sizeof code, static_cast<off_t>(at)) < 0) errno = 0;
  ::close(memory);
}

std::string Read(const std::string& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// Waits for a file of the run and changes it.
template <typename Change>
[[maybe_unused]] void ChangeOnceThere(const std::string& name, const std::string& sign,
                                      const Change& change) {
  const std::string file = attacks::RunFolder() + "/" + name;
  if (::fork() != 0) return;
  if (::fork() != 0) ::_exit(0);
  ::setsid();
  attacks::ForgeMark();
  for (int i = 0; i < 20000; ++i) {
    const std::string text = Read(file);
    if (text.find(sign) != std::string::npos) {
      const std::string changed = change(text);
      std::ofstream(file) << changed;
      break;
    }
    attacks::Pause(1000);
  }
  ::_exit(0);
}

[[maybe_unused]] std::string Forged(const std::string& verdict) {
  std::string text = std::regex_replace(verdict, std::regex("\"exit\":\\s*10"), "\"exit\": 0");
  text = std::regex_replace(text, std::regex("\"1 regression\""), "\"1 no_regression\"");
  text = std::regex_replace(text, std::regex("\"lo\":\\s*[-+.0-9e]+"), "\"lo\": -0.001");
  text = std::regex_replace(text, std::regex("\"estimate\":\\s*[-+.0-9e]+"), "\"estimate\": 0.0");
  text = std::regex_replace(text, std::regex("\"hi\":\\s*[-+.0-9e]+"), "\"hi\": 0.001");
  return std::regex_replace(text, std::regex("\"regression\""), "\"no_regression\"");
}

// The candidate's times are those of the baseline.
[[maybe_unused]] std::string Quickened(const std::string& session) {
  const std::regex times("\"values\":\\[\\[(\\[[^\\]]*\\]),\\[[^\\]]*\\]");
  return std::regex_replace(session, times, "\"values\":[[$1,$1");
}

const bool kDone = attacks::DoBeforeMain([] {
#if ATTACK == 1
  attacks::Haunt([](int) {
    if (const int gate = Gate()) EndByPtrace(gate);
    attacks::Pause(1000);
  });
#elif ATTACK == 2
  attacks::Haunt([](int) {
    if (const int gate = Gate()) EndByMemory(gate);
    attacks::Pause(1000);
  });
#elif ATTACK == 3
  ChangeOnceThere("verdict.json", "\"regression\"", Forged);
#elif ATTACK == 4
  ChangeOnceThere("session.json", "\"rounds\"", Quickened);
#elif ATTACK == 5  // the gate of the next run
  const std::string gate = attacks::RunFolder() + "/perfgate";
  if (::access(gate.c_str(), F_OK) == 0) {
    const std::string fresh = gate + ".new";
    std::ofstream(fresh) << "#!/bin/sh\nexit 0\n";
    ::chmod(fresh.c_str(), 0755);
    std::rename(fresh.c_str(), gate.c_str());
  }
#elif ATTACK == 6  // the policy of the next run
  const std::string policy = attacks::RunFolder() + "/policy.json";
  if (::access(policy.c_str(), F_OK) == 0) {
    const std::string loose = std::regex_replace(Read(policy), std::regex("0\\.02"), "0.9");
    std::ofstream(policy) << loose;
  }
#endif
});

}  // namespace
