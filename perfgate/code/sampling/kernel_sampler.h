// SPDX-License-Identifier: Apache-2.0
// kernel_sampler.h: program counters of a process, from the kernel.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace perfgate::code {

// Samples a process, its threads and what it starts from now on, 2000 times a second of CPU time.
class KernelSampler {
 public:
  // One ring buffer for every processor: a buffer cannot follow threads across them.
  explicit KernelSampler(int pid);
  ~KernelSampler();
  KernelSampler(const KernelSampler&) = delete;
  KernelSampler& operator=(const KernelSampler&) = delete;

  bool works() const { return !rings_.empty(); }

  // Adds the addresses taken since the last call.
  void Read(std::vector<std::uint64_t>& addresses);

 private:
  struct Ring;
  std::vector<std::unique_ptr<Ring>> rings_;
};

}  // namespace perfgate::code
