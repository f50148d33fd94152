// SPDX-License-Identifier: Apache-2.0
#include "perfgate/code/sampling/sample.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <new>

#include "perfgate/base/error.h"
#include "perfgate/base/os/child_environment.h"
#include "perfgate/base/os/process.h"
#include "perfgate/base/os/unique_fd.h"
#include "perfgate/base/os/waiting.h"
#include "perfgate/code/sampling/collector.h"
#include "perfgate/code/sampling/kernel_sampler.h"
#include "perfgate/code/sampling/shared_samples.h"

namespace perfgate::code {
namespace {

namespace fs = std::filesystem;

constexpr double kReadS = 0.005;  // samples with their stacks fill a buffer in 15 ms
constexpr int kReadsPerLook = 4;  // libraries that come and go faster are not seen

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
  options.variables = request.variables;
  options.cpus = request.cpus;
  return options;
}

// Runs to the end and calls `read` meanwhile and at the end. The reason where the program failed;
// empty: it did not.
template <typename Read>
std::string RunSampled(const SampleRequest& request, ChildProcess& child,
                       SampleCollector& collector, const Read& read) {
  const Deadline deadline = Deadline::in(request.limit_s);
  bool ended = false;
  for (int turn = 0; !ended && !deadline.passed(); ++turn) {
    if (child.program() > 0) collector.Follow(child.program());
    if (turn % kReadsPerLook == 0) collector.Look();
    ended = child.wait_exit(Deadline::in(kReadS));
    read();
  }
  if (ended && !child.status().ok()) {
    return "the sampled run " + child.status().text() + ": " + child.output_tail();
  }
  child.kill_all();
  collector.Finish();
  return {};
}

std::string SampleByKernel(const SampleRequest& request, ProgramSamples& samples) {
  SpawnOptions options = OptionsOf(request);
  if (request.isolate) request.isolate(options);
  ChildProcess child(options);
  KernelSampler sampler(child.pid());  // of a program that has ended already it has nothing
  SampleCollector collector(child.pid(), samples);
  return RunSampled(request, child, collector, [&] {
    sampler.Read([&](const RawSample& sample) { collector.Take(sample); });
  });
}

// A program that is killed in its signal handler leaves a slot that is never written: it is passed
// over once the ring is full, or at the end.
void ReadSlots(SharedSamples& shared, bool at_end, SampleCollector& collector) {
  std::uint64_t taken = shared.taken.load(std::memory_order_relaxed);
  const std::uint64_t begun = shared.begun.load(std::memory_order_acquire);
  const std::uint64_t count = std::min<std::uint64_t>(begun - taken, SharedSamples::kSlots);
  for (const std::uint64_t end = taken + count; taken != end; ++taken) {
    const SampleSlot& slot = shared.slots[taken % SharedSamples::kSlots];
    if (slot.turn.load(std::memory_order_acquire) == taken + 1) {
      const std::size_t bytes = std::min<std::size_t>(slot.stack_bytes, kStackBytes);
      collector.Take({slot.address, slot.link, slot.stack_at, {slot.stack, bytes}});
    } else if (!at_end && count < SharedSamples::kSlots) {
      break;
    }
  }
  shared.taken.store(taken, std::memory_order_release);
}

std::string SampleByPreload(const SampleRequest& request, ProgramSamples& samples) {
  const std::string library = SamplerLibrary();
  if (library.empty()) return "libperfgate_sampler.so is not installed beside perfgate";
  const SharedMemory memory;
  SharedSamples* shared = memory.samples();
  if (shared == nullptr) return "no memory to share with the program";
  SpawnOptions options = OptionsOf(request);
  options.give_fd = memory.fd();
  for (auto& variable : PreloadVariables(library)) options.variables.push_back(variable);
  if (request.isolate) request.isolate(options);
  ChildProcess child(options);
  SampleCollector collector(child.pid(), samples);
  std::string trouble =
      RunSampled(request, child, collector, [&] { ReadSlots(*shared, false, collector); });
  if (!trouble.empty()) return trouble;
  if (shared->loaded != 1) return "a static executable cannot be sampled without perf_event_open";
  ReadSlots(*shared, true, collector);
  return {};
}

}  // namespace

std::string SampleProgram(const SampleRequest& request, SamplingMeans means,
                          ProgramSamples& samples) {
  samples.executable = fs::canonical(request.executable).string();
  return means == SamplingMeans::kKernel ? SampleByKernel(request, samples)
                                         : SampleByPreload(request, samples);
}

bool KernelSamples() { return KernelSampler(::getpid()).works(); }

}  // namespace perfgate::code
