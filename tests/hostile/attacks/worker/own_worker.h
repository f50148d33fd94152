// SPDX-License-Identifier: Apache-2.0
// own_worker.h: a worker without perfgate::main, which answers what it likes (docs/protocol.md).
#pragma once

#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>

#include "tests/hostile/attacks/work.h"

namespace attacks {

// perfgate knows a worker by this text in its file.
__attribute__((used)) inline const char kMarker[] = "perfgate-worker-protocol:2";

inline double NowS() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

inline void Iterate(long iterations, int steps) {
  for (long i = 0; i < iterations; ++i) {
    std::uint64_t result = Work(steps);
    benchmark::DoNotOptimize(result);
  }
}

inline double TimeOf(long iterations, int steps) {
  const double start_s = NowS();
  Iterate(iterations, steps);
  return NowS() - start_s;
}

struct Claim {
  double iteration_s = 0;
  double total_s = 0;
  long ran = 0;  // 0: as many as were asked for
};

class OwnWorker {
 public:
  std::function<void()> at_quit = [] {};
  std::function<void()> when_idle = [] {};

  // slice: does what it does for so many iterations, and calls Answer() once.
  int Serve(int argc, char** argv, const std::function<void(long)>& slice) {
    for (int i = 1; i < argc; ++i) {
      constexpr std::string_view kOption = "--perfgate_worker=";
      const std::string_view word = argv[i];
      if (word.starts_with(kOption)) fd_ = std::atoi(argv[i] + kOption.size());
    }
    Send(R"({"perfgate":2,"oldest":1,"library":"1.7.1"})");
    for (std::string line; Read(line);) {
      if (line.find("\"list\"") != std::string::npos) {
        Send(R"({"ok":"list","cases":[{"name":"work","threads":1,"time":"real",)"
             R"("fixed_iterations":0}],"metrics":[{"name":"real_time","unit":"s",)"
             R"("direction":"lower","kind":"time"}]})");
      } else if (line.find("\"quit\"") != std::string::npos) {
        at_quit();
        Send(R"({"ok":"quit"})");
        return 0;
      } else {
        nonce_ = TextAfter(line, "\"nonce\":\"");
        slice(std::atol(TextAfter(line, "\"iterations\":").c_str()));
        when_idle();
      }
    }
    return 0;
  }

  void Answer(long iterations, const Claim& claim) {
    char text[512];
    std::snprintf(text, sizeof text,
                  R"({"ok":"slice","case":0,"iterations":%ld,"real_s":%.12g,"cpu_s":%.12g,)"
                  R"("total_s":%.12g,"counters":{},)",
                  iterations, claim.iteration_s, claim.iteration_s, claim.total_s);
    std::string line = text;
    if (claim.ran > 0) line += "\"ran\":" + std::to_string(claim.ran) + ",";
    Send(line + "\"nonce\":\"" + nonce_ + "\"}");
  }

 private:
  static std::string TextAfter(const std::string& line, std::string_view key) {
    const std::size_t at = line.find(key);
    if (at == std::string::npos) return {};
    const std::size_t begin = at + key.size();
    return line.substr(begin, line.find_first_of("\",}", begin) - begin);
  }

  bool Read(std::string& line) {
    std::size_t end = 0;
    while ((end = read_.find('\n')) == std::string::npos) {
      char bytes[4096];
      const ssize_t got = ::recv(fd_, bytes, sizeof bytes, 0);
      if (got <= 0) return false;
      read_.append(bytes, static_cast<std::size_t>(got));
    }
    line = read_.substr(0, end);
    read_.erase(0, end + 1);
    return true;
  }

  void Send(std::string line) const {
    line += '\n';
    if (::send(fd_, line.data(), line.size(), MSG_NOSIGNAL) < 0) ::_exit(0);
  }

  int fd_ = 3;
  std::string read_;
  std::string nonce_;
};

}  // namespace attacks
