// SPDX-License-Identifier: Apache-2.0
// kernel_log.h: which kernels ran on the GPU while the log was open, by CUPTI's activity records.
//
// CUPTI is loaded at run time and only here, in processes that inspect (run_mode.h): it slows a
// process down even after it has been switched off.
#pragma once

#include <memory>
#include <string>

#include "perfgate/bench/kernel_names.h"

namespace perfgate::bench {

class KernelLog {
 public:
  KernelLog();
  KernelLog(const KernelLog&) = delete;
  KernelLog& operator=(const KernelLog&) = delete;
  ~KernelLog();

  // Empty where it works, else why kernels cannot be named: "no CUPTI: ...".
  const std::string& unavailable() const { return unavailable_; }

  void Start();
  // What ran since Start(), once the device is idle. Names as KernelName() gives them.
  ObservedKernels Stop();

 private:
  struct Library;
  std::unique_ptr<Library> library_;
  std::string unavailable_;
};

}  // namespace perfgate::bench
