// SPDX-License-Identifier: Apache-2.0
// kernel_sampler.h: program counters and stacks of a process, from the kernel.
#pragma once

#include <memory>
#include <vector>

#include "perfgate/code/sampling/raw_sample.h"

namespace perfgate::code {

// Samples a process, its threads and what it starts from now on, 1000 times a second of CPU time.
class KernelSampler {
 public:
  // One ring buffer for every processor: a buffer cannot follow threads across them.
  explicit KernelSampler(int pid);
  ~KernelSampler();
  KernelSampler(const KernelSampler&) = delete;
  KernelSampler& operator=(const KernelSampler&) = delete;

  bool works() const { return !rings_.empty(); }

  // Returns the samples since the last call. Call it every 15 ms, or samples may be lost.
  void Read(const TakeSample& take);

 private:
  struct Ring;
  std::vector<std::unique_ptr<Ring>> rings_;
};

}  // namespace perfgate::code
