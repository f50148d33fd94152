// SPDX-License-Identifier: Apache-2.0
// interrupt.h: Ctrl-C and friends end a measurement in order, with what was measured kept.
//
// While an InterruptScope lives, the first SIGINT, SIGTERM or SIGHUP sets a flag and wakes every
// wait of this library, which then throws Interrupted; the scheduler catches it, ends its arms and
// writes a partial session. A second signal kills perfgate at once; its arms die with it.
#pragma once

#include <exception>
#include <string>

namespace perfgate::inline base {

class Interrupted : public std::exception {
 public:
  explicit Interrupted(int signal);
  int signal() const { return signal_; }
  const char* what() const noexcept override { return text_.c_str(); }  // "interrupted by SIGINT"

 private:
  int signal_;
  std::string text_;
};

// Installs the handlers; the destructor puts the previous ones back and clears the flag. Scopes
// nest: only the outermost one acts. A signal that was ignored at the start (nohup) stays ignored.
class InterruptScope {
 public:
  InterruptScope();
  ~InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;

 private:
  bool outermost_;
};

bool interrupted();
int interrupt_signal();  // 0: none yet
void throw_if_interrupted();

// Readable once interrupted, for poll(); -1 outside a scope. Never read from it.
int interrupt_fd();

}  // namespace perfgate::inline base
