// SPDX-License-Identifier: Apache-2.0
#include "perfgate/bench/worker/library_flags.h"

#include <benchmark/benchmark.h>

#include <array>
#include <iostream>
#include <streambuf>

namespace perfgate::bench {
namespace {

// While it lives, std::cerr is dumb. The library repeats its complaints about BENCHMARK_CONTEXT in
// the environment at every benchmark::Initialize.
class Hush {
 public:
  Hush() : buffer_(std::cerr.rdbuf(nullptr)) {}
  ~Hush() { std::cerr.rdbuf(buffer_); }
  Hush(const Hush&) = delete;
  Hush& operator=(const Hush&) = delete;

 private:
  std::streambuf* buffer_;
};

}  // namespace

void SetLibraryFlag(const std::string& flag) {
  const Hush hush;
  // The library keeps the pointer to argv[0] but not to the flags.
  static std::array<char, 7> program = {"worker"};
  std::string text = flag;
  std::array<char*, 3> argv = {program.data(), text.data(), nullptr};
  int argc = 2;
  benchmark::Initialize(&argc, argv.data());
}

}  // namespace perfgate::bench
