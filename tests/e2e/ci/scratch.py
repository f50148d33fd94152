#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A small project to gate, and git without anybody's settings."""
import os
import subprocess

KEPT = {name: value for name, value in os.environ.items() if not name.startswith(("GITHUB_", "CI_", "GITLAB_", "GIT_"))}
BENCH = """#include <benchmark/benchmark.h>
unsigned long work(unsigned long);
static void chain(benchmark::State& state) {
  unsigned long value = 1;
  for (auto _ : state) benchmark::DoNotOptimize(value = work(value));
}
BENCHMARK(chain);
BENCHMARK_MAIN();
"""
WORK = """unsigned long work(unsigned long value) {
  for (unsigned long i = 0; i < %d; ++i) {
    value = value * 6364136223846793005UL + 1442695040888963407UL;
    __asm__ volatile("" : "+r"(value));
  }
  return value;
}
"""
MAKE = """g++ $CXXFLAGS -O2 -c lib/work.cc -o work.o && mkdir -p out && g++ work.o bench.o -lbenchmark -lpthread -o out/bench
"""
CMAKE = """cmake_minimum_required(VERSION 3.16)
project(scratch CXX)
find_package(benchmark REQUIRED)
add_executable(scratch_bench bench.cc lib/work.cc)
target_link_libraries(scratch_bench PRIVATE benchmark::benchmark)
"""
SLOW, USUAL = 5200, 4000


def git(repo, *arguments):
    return subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@t", "-C", str(repo), *arguments], check=True,
                          capture_output=True, text=True, env=KEPT).stdout.strip()
