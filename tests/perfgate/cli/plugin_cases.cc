// SPDX-License-Identifier: Apache-2.0
// A benchmark that opens a plugin beside it in its case, and takes the time that the plugin names.
// PLUGIN_CASES_LOG: a file that gets a byte for every start. PLUGIN_CASES_OWN: the program chooses
// its cases itself, so that it cannot be a preloaded worker. PLUGIN_CASES_NAME: the plugin by a
// name that the loader looks for.
#include <benchmark/benchmark.h>
#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace {

void FromPlugin(benchmark::State& state) {
  static const auto kSeconds = [] {
    const auto beside = std::filesystem::read_symlink("/proc/self/exe").parent_path();
    const char* const name = std::getenv("PLUGIN_CASES_NAME");
    const std::string path = name != nullptr ? name : (beside / "plugin.so").string();
    void* const plugin = dlopen(path.c_str(), RTLD_NOW);
    return plugin == nullptr ? nullptr
                             : reinterpret_cast<double (*)()>(dlsym(plugin, "library_seconds"));
  }();
  if (kSeconds == nullptr) state.SkipWithError("no plugin");
  for (auto _ : state) state.SetIterationTime(kSeconds());
}
BENCHMARK(FromPlugin)->UseManualTime();

}  // namespace

int main(int argc, char** argv) {
  if (const char* log = std::getenv("PLUGIN_CASES_LOG")) std::ofstream(log, std::ios::app) << ".";
  benchmark::Initialize(&argc, argv);
  if (std::getenv("PLUGIN_CASES_OWN") != nullptr) {
    benchmark::RunSpecifiedBenchmarks("^FromPlugin");
  } else {
    benchmark::RunSpecifiedBenchmarks();
  }
  return 0;
}
