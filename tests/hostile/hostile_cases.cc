// SPDX-License-Identifier: Apache-2.0
// A benchmark executable that misbehaves in the way that its own last bytes name
// ("HOSTILE=<what>;"), so that one build gives every fixture: copy it and append.
//
// Cases: good/first, bad, good/last. The good ones report constant times; bad is where it happens.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <string>
#include <thread>

#if defined(HOSTILE_WORKER)
#include "perfgate/bench/metrics.h"
#endif
#include "tests/support/jitter.h"

namespace {

constexpr int kSocket = 3;  // where a worker finds its end of the protocol

std::string own_last_bytes() {
  std::string tail(128, '\0');
  const int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  const off_t size = lseek(fd, 0, SEEK_END);
  const ssize_t got = pread(fd, tail.data(), tail.size(), size - static_cast<off_t>(tail.size()));
  close(fd);
  tail.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return tail;
}

std::string behaviour() {
  static const std::string kWhat = [] {
    const std::string tail = own_last_bytes();
    const std::size_t begin = tail.rfind("HOSTILE=");
    if (begin == std::string::npos) return std::string("none");
    return tail.substr(begin + 8, tail.find(';', begin) - begin - 8);
  }();
  return kWhat;
}

bool is(const char* what) { return behaviour() == what; }

bool is_worker() {
  int type = 0;
  socklen_t size = sizeof type;
  return getsockopt(kSocket, SOL_SOCKET, SO_TYPE, &type, &size) == 0;
}

void print_garbage() {
  std::string garbage;
  for (unsigned i = 0; i < 1U << 20U; ++i) garbage += static_cast<char>(i * 7919U >> 3U);
  for (const int fd : {STDOUT_FILENO, STDERR_FILENO}) {
    for (int i = 0; i < 2; ++i) {
      if (write(fd, garbage.data(), garbage.size()) < 0) return;
    }
  }
}

void write_socket(const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t n = send(kSocket, text.data() + done, text.size() - done, MSG_NOSIGNAL);
    if (n <= 0) return;
    done += static_cast<std::size_t>(n);
  }
}

void leave_child(bool daemonise) {
  if (fork() != 0) return;
  if (daemonise) {
    setsid();
    if (fork() != 0) _exit(0);
  }
  for (;;) pause();
}

[[noreturn]] void burn() {
  for (std::atomic<unsigned> turns = 0;;) ++turns;
}

void spin_for(double seconds) {
  const auto start = std::chrono::steady_clock::now();
  while (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() <
         seconds) {
  }
}

void misbehave(benchmark::State& state) {
  if (is("segv")) raise(SIGSEGV);
  if (is("abort")) std::abort();
  if (is("throw")) throw std::runtime_error("a benchmark throws");
  if (is("exit0")) _exit(0);
  if (is("exit3")) _exit(3);
  if (is("spin")) burn();
  if (is("sleep")) pause();
  if (is("ignore_term")) {
    for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGQUIT}) ::signal(signal, SIG_IGN);
    burn();
  }
  if (is("garbage")) print_garbage();
  if (is("garbage_socket")) write_socket("\x01 this is not \xff JSON {]\n");
  if (is("wrong_reply"))
    write_socket(R"({"ok":"slice","case":77,"iterations":-1,"real_s":"x"})"
                 "\n");
  if (is("huge_line")) write_socket(std::string(std::size_t{96} << 20, 'x'));
  if (is("close_socket")) close(kSocket);
  if (is("fork")) leave_child(false);
  if (is("daemon")) leave_child(true);
  if (is("affinity")) {
    cpu_set_t all;
    CPU_ZERO(&all);
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) CPU_SET(cpu, &all);
    sched_setaffinity(0, sizeof all, &all);
  }
  if (is("skip_error")) state.SkipWithError("no \"such\" luck");
}

double reported_time() {
  if (is("nan")) return std::numeric_limits<double>::quiet_NaN();
  if (is("infinite")) return std::numeric_limits<double>::infinity();
  if (is("zero")) return 0;
  if (is("negative")) return -1e-4;
  return perfgate::testing_jitter::Jittered(1e-4);
}

void constant(benchmark::State& state) {
  for (auto _ : state) state.SetIterationTime(perfgate::testing_jitter::Jittered(1e-4));
  if (!is("no_counter")) state.counters["gadgets"] = 3;
}

void bad(benchmark::State& state) {
  misbehave(state);
  for (auto _ : state) state.SetIterationTime(reported_time());
  state.counters["gadgets"] = 3;
}

// Real work, so that the clock decides: twice as much in the slow build's `work/slow`.
void work(benchmark::State& state, bool slow) {
  for (auto _ : state) {
    double x = 1;
    for (int i = 0; i < (slow ? 4000 : 2000); ++i)
      benchmark::DoNotOptimize(x = x * 1.0000001 + 1e-9);
  }
}

// Before main(): the executable as a whole misbehaves.
void misbehave_at_start() {
  if (is("silent")) _exit(0);
  if (is("crash_at_start")) raise(SIGSEGV);
  if (is("hang_at_start")) burn();
  if (is("garbage")) print_garbage();
  if (is("crash_as_worker") && is_worker()) raise(SIGSEGV);
  if (is("garbage_hello") && is_worker()) write_socket("\xff\xfe garbage \n");
  if (is("version") && is_worker()) {
    write_socket(
        R"({"perfgate":99,"oldest":98,"library":"9","build":{"compiler":"","optimized":true,)"
        R"("assertions":false,"sanitizer":""}})"
        "\n");
    sleep(30);
    _exit(0);
  }
  if (is("burn_idle")) {
    std::thread(burn).detach();
    spin_for(0.001);
  }
}

benchmark::internal::Benchmark* add(const std::string& name, void (*function)(benchmark::State&)) {
  return benchmark::RegisterBenchmark(name.c_str(), function)->UseManualTime();
}

const int kRegistered = [] {
  misbehave_at_start();
#if defined(HOSTILE_WORKER)
  perfgate::bench::DeclareMetric("gadgets", is("other_unit") ? "kg" : "1",
                                 perfgate::bench::Direction::kLower, perfgate::bench::Kind::kCount);
#endif
  if (is("work") || is("slow_work")) {
    for (const char* name : {"work/same", "work/slow", "work/other"}) {
      const bool slow = is("slow_work") && std::string(name) == "work/slow";
      benchmark::RegisterBenchmark(name, [slow](benchmark::State& state) { work(state, slow); });
    }
    return 0;
  }
  if (is("many") || is("many_too")) {
    for (int i = 0; i < 5000; ++i) add("case/" + std::to_string(i), constant);
    return 0;
  }
  if (is("no_cases")) return 0;
  add("good/first", constant);
  if (is("duplicates") || is("duplicates_too")) add("bad", constant);
  if (is("odd_names") || is("odd_names_too")) {
    std::string controls;
    for (char c = 1; c < 32; ++c) controls += c;
    for (const std::string& name :
         {controls + "\x7f", std::string("quote\" backslash\\ slash/"), std::string("two\nlines"),
          std::string("invalid \xff\xc0\xaf\xed\xa0\x80 bytes"), std::string("cut \xe2\x82"),
          std::string("euro \xe2\x82\xac"), std::string("<b>|`*_&amp;")}) {
      add(name, constant);
    }
  }
  if (!is("absent")) {
    auto* const added = add(is("renamed") ? "bad2" : "bad", bad);
#if !defined(HOSTILE_WORKER)
    // The library by itself would try a thousand million iterations where no time passes.
    added->Iterations(10);
#else
    (void)added;
#endif
  }
  add("good/last", constant);
  return 0;
}();

}  // namespace
