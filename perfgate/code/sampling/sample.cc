// SPDX-License-Identifier: Apache-2.0
#include "perfgate/code/sampling/sample.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <new>

#include "perfgate/base/error.h"
#include "perfgate/base/os/process.h"
#include "perfgate/base/os/unique_fd.h"
#include "perfgate/base/os/waiting.h"
#include "perfgate/code/sampling/kernel_sampler.h"
#include "perfgate/code/sampling/mappings.h"
#include "perfgate/code/sampling/shared_samples.h"

namespace perfgate::code {
namespace {

namespace fs = std::filesystem;

constexpr double kLookS = 0.02;  // libraries that come and go faster are not seen

// Beside perfgate in a build, in its library folder once installed; empty: in neither.
std::string SamplerLibrary() {
  std::error_code failed;
  const fs::path folder = fs::read_symlink("/proc/self/exe", failed).parent_path();
  for (const char* place : {".", PERFGATE_SAMPLER_FOLDER}) {
    const fs::path library = folder / place / "libperfgate_sampler.so";
    if (fs::exists(library, failed)) return fs::weakly_canonical(library, failed).string();
  }
  return {};
}

// Memory that a program can be given as a descriptor.
class SharedMemory {
 public:
  SharedMemory() : fd_(::memfd_create("perfgate-samples", MFD_CLOEXEC)) {
    if (!fd_ || ::ftruncate(fd_.get(), sizeof(SharedSamples)) != 0) return;
    void* memory =
        ::mmap(nullptr, sizeof(SharedSamples), PROT_READ | PROT_WRITE, MAP_SHARED, fd_.get(), 0);
    if (memory != MAP_FAILED) samples_ = new (memory) SharedSamples;
  }
  ~SharedMemory() {
    if (samples_ != nullptr) ::munmap(samples_, sizeof(SharedSamples));
  }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  int fd() const { return fd_.get(); }
  SharedSamples* samples() const { return samples_; }

 private:
  UniqueFd fd_;
  SharedSamples* samples_ = nullptr;
};

SpawnOptions OptionsOf(const SampleRequest& request) {
  SpawnOptions options;
  options.path = request.executable;
  options.args = request.args;
  options.cpus = request.cpus;
  return options;
}

void AddSamples(const Mappings& mappings, const std::vector<std::uint64_t>& addresses,
                ProgramSamples& samples) {
  for (const auto& [begin, range] : mappings.ranges) {
    if (!range.path.empty() && range.path.front() == '/') samples.files.insert(range.path);
  }
  for (const std::uint64_t address : addresses) ++samples.counts[PlaceOf(mappings, address)];
}

// Runs to the end and calls `look` meanwhile. The reason where the program failed; empty: it did
// not.
template <typename Look>
std::string RunSampled(const SampleRequest& request, ChildProcess& child, Mappings& mappings,
                       const Look& look) {
  const Deadline deadline = Deadline::in(request.limit_s);
  bool ended = false;
  do {
    AddMappings(child.pid(), mappings);
    ended = child.wait_exit(Deadline::in(kLookS));
    look();
  } while (!ended && !deadline.passed());
  if (ended && !child.status().ok()) {
    return "the sampled run " + child.status().text() + ": " + child.output_tail();
  }
  child.kill_all();
  return {};
}

std::string SampleByKernel(const SampleRequest& request, Mappings& mappings,
                           std::vector<std::uint64_t>& addresses) {
  ChildProcess child(OptionsOf(request));
  KernelSampler sampler(child.pid());  // of a program that has ended already it has nothing
  return RunSampled(request, child, mappings, [&] { sampler.Read(addresses); });
}

std::string SampleByPreload(const SampleRequest& request, Mappings& mappings,
                            std::vector<std::uint64_t>& addresses) {
  const std::string library = SamplerLibrary();
  if (library.empty()) return "libperfgate_sampler.so is not installed beside perfgate";
  const SharedMemory memory;
  SharedSamples* samples = memory.samples();
  if (samples == nullptr) return "no memory to share with the program";
  SpawnOptions options = OptionsOf(request);
  options.give_fd = memory.fd();
  options.variables = PreloadVariables(library);
  ChildProcess child(options);
  std::string trouble = RunSampled(request, child, mappings, [] {});
  if (!trouble.empty()) return trouble;
  if (samples->loaded != 1) return "a static executable cannot be sampled without perf_event_open";
  const std::size_t count = std::min<std::size_t>(samples->count, SharedSamples::kMost);
  addresses.assign(samples->addresses, samples->addresses + count);
  return {};
}

}  // namespace

std::string SampleProgram(const SampleRequest& request, SamplingMeans means,
                          ProgramSamples& samples) {
  Mappings mappings;
  std::vector<std::uint64_t> addresses;
  samples.executable = fs::canonical(request.executable).string();
  std::string trouble = means == SamplingMeans::kKernel
                            ? SampleByKernel(request, mappings, addresses)
                            : SampleByPreload(request, mappings, addresses);
  if (trouble.empty()) AddSamples(mappings, addresses, samples);
  return trouble;
}

bool KernelSamples() { return KernelSampler(::getpid()).works(); }

}  // namespace perfgate::code
