// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/os/interrupt.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <string>

#include "perfgate/base/error.h"
#include "perfgate/base/os/system_reason.h"

namespace perfgate::inline base {
namespace {

constexpr std::array<int, 3> kSignals = {SIGINT, SIGTERM, SIGHUP};

// A signal handler reaches nothing but statics; the outermost scope owns them.
std::atomic<int> g_signal{0};  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<int> g_event{-1};  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
std::array<struct sigaction, kSignals.size()> g_previous{};

extern "C" void on_signal(int signal) {
  const int saved_errno = errno;
  int expected = 0;
  if (!g_signal.compare_exchange_strong(expected, signal)) {
    ::signal(signal, SIG_DFL);
    ::raise(signal);  // delivered when this handler returns
  } else {
    const std::uint64_t one = 1;
    const ssize_t written = ::write(g_event.load(), &one, sizeof one);
    static_cast<void>(written);
  }
  errno = saved_errno;
}

const char* signal_name(int signal) {
  switch (signal) {
    case SIGINT:
      return "SIGINT";
    case SIGTERM:
      return "SIGTERM";
    case SIGHUP:
      return "SIGHUP";
    default:
      return "a signal";
  }
}

}  // namespace

Interrupted::Interrupted(int signal)
    : signal_(signal), text_(std::string("interrupted by ") + signal_name(signal)) {}

InterruptScope::InterruptScope() : outermost_(g_event.load() < 0) {
  if (!outermost_) return;
  const int event = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (event < 0) {
    throw Error(Exit::kInternal, "cannot make an event descriptor: " + SystemReason(errno));
  }
  g_signal = 0;
  g_event = event;
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    ::sigaction(kSignals[i], nullptr, &g_previous[i]);
    if (g_previous[i].sa_handler == SIG_IGN) continue;
    struct sigaction action {};
    action.sa_handler = on_signal;
    ::sigemptyset(&action.sa_mask);
    ::sigaction(kSignals[i], &action, nullptr);
  }
}

InterruptScope::~InterruptScope() {
  if (!outermost_) return;
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    ::sigaction(kSignals[i], &g_previous[i], nullptr);
  }
  ::close(g_event.exchange(-1));
  g_signal = 0;
}

bool interrupted() { return g_signal.load() != 0; }

int interrupt_signal() { return g_signal.load(); }

void throw_if_interrupted() {
  if (const int signal = g_signal.load()) throw Interrupted(signal);
}

int interrupt_fd() { return g_event.load(); }

}  // namespace perfgate::inline base
