// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/os/interrupt.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <thread>

#include "perfgate/base/os/waiting.h"
#include "tests/perfgate/measure/fixtures/fixtures.h"

namespace perfgate::measure {
namespace {

TEST(Interrupt, FirstSignalSetsTheFlagAndEndsWaits) {
  const InterruptScope scope;
  EXPECT_FALSE(interrupted());
  EXPECT_GE(interrupt_fd(), 0);
  throw_if_interrupted();
  ::raise(SIGTERM);
  EXPECT_TRUE(interrupted());
  EXPECT_EQ(interrupt_signal(), SIGTERM);
  try {
    sleep_for(1e9);
    FAIL() << "the wait went on";
  } catch (const Interrupted& interruption) {
    EXPECT_EQ(interruption.signal(), SIGTERM);
    EXPECT_STREQ(interruption.what(), "interrupted by SIGTERM");
  }
  sleep_for(0.001, OnInterrupt::kIgnore);
}

TEST(Interrupt, WakesAWaitOfAnotherThread) {
  const InterruptScope scope;
  std::thread killer([] {
    sleep_for(0.02, OnInterrupt::kIgnore);
    ::kill(::getpid(), SIGINT);
  });
  EXPECT_THROW(sleep_for(kPatience), Interrupted);
  killer.join();
}

TEST(Interrupt, ScopesNestAndEnd) {
  const int before = open_descriptors();
  {
    const InterruptScope outer;
    {
      const InterruptScope inner;
      ::raise(SIGHUP);
    }
    EXPECT_TRUE(interrupted()) << "the inner scope must not clear the flag";
    EXPECT_GE(interrupt_fd(), 0);
  }
  EXPECT_FALSE(interrupted());
  EXPECT_EQ(interrupt_fd(), -1);
  EXPECT_EQ(open_descriptors(), before);
  struct sigaction action {};
  ::sigaction(SIGINT, nullptr, &action);
  EXPECT_EQ(action.sa_handler, SIG_DFL);
}

TEST(Interrupt, ASecondSignalKills) {
  const pid_t child = ::fork();
  if (child == 0) {
    const InterruptScope scope;
    ::raise(SIGINT);
    ::raise(SIGTERM);
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGTERM);
}

TEST(Interrupt, AnIgnoredSignalStaysIgnored) {
  ::signal(SIGHUP, SIG_IGN);
  {
    const InterruptScope scope;
    ::raise(SIGHUP);
    EXPECT_FALSE(interrupted());
  }
  ::signal(SIGHUP, SIG_DFL);
}

TEST(Waiting, DeadlinesPassAndReadinessIsSeen) {
  EXPECT_TRUE(Deadline::in(-1).passed());
  EXPECT_TRUE(Deadline::in(0.0 / 0.0).passed());
  EXPECT_FALSE(Deadline::in(1e300).passed());
  EXPECT_GT(Deadline::in(1e300).left_s(), 1e6);
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  std::array<pollfd, 2> fds = {{{-1, POLLIN, 0}, {ends[0], POLLIN, 0}}};
  EXPECT_FALSE(wait_ready(fds, Deadline::in(0.001)));
  EXPECT_EQ(fds[1].revents, 0);
  ASSERT_EQ(::write(ends[1], "x", 1), 1);
  EXPECT_TRUE(wait_ready(fds, Deadline::in(kPatience)));
  EXPECT_NE(fds[1].revents, 0);
  EXPECT_EQ(fds[0].revents, 0);
  ::close(ends[0]);
  ::close(ends[1]);
}

}  // namespace
}  // namespace perfgate::measure
