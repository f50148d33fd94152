// SPDX-License-Identifier: Apache-2.0
#include "suites/cuda/kernels_arm.h"

#include <cuda_runtime_api.h>

#include <exception>
#include <memory>
#include <string>
#include <string_view>

#include "kernels/case_name.h"
#include "kernels/cuda/runtime/check_cuda.h"
#include "kernels/cuda/runtime/gpu.h"
#include "kernels/cuda/runtime/queue.h"
#include "suites/cuda/bound_case.h"
#include "suites/kernel_cases.h"

struct KernelsArm {
  KernelsArm() = default;
  KernelsArm(const KernelsArm&) = delete;
  KernelsArm& operator=(const KernelsArm&) = delete;
  virtual ~KernelsArm() = default;
  virtual void Launch(std::size_t set, cudaStream_t stream) = 0;
  virtual std::string Check(std::size_t set) = 0;
  virtual std::size_t sets() const = 0;
};

namespace suites {
namespace {

// Of the process: the library is for scripts with one device and one thread.
struct Device {
  kernels::cuda::Gpu gpu;
  kernels::cuda::Queue queue{gpu};
};
Device& TheDevice() {
  static Device device;
  return device;
}
std::string& LastError() {
  static std::string message;
  return message;
}

template <class Args>
class BoundArm final : public KernelsArm {
 public:
  BoundArm(const kernels::Row<Args>& row, const typename Args::Shape& shape, int sets)
      : row_(row), bound_(BindCase<Args>(row, shape, sets, pool_, TheDevice().queue)) {}

  void Launch(std::size_t set, cudaStream_t stream) override {
    kernels::Context context = TheDevice().queue.context();
    context.stream = stream;
    context.workspace = bound_.workspace;
    row_.launch(bound_.calls[set], context);
  }
  std::string Check(std::size_t set) override {
    kernels::cuda::CheckCuda(cudaDeviceSynchronize(), "waiting for the device");
    return bound_.Check(set, TheDevice().queue);
  }
  std::size_t sets() const override { return bound_.calls.size(); }

 private:
  DevicePool pool_;  // of this case: its memory goes with it
  const kernels::Row<Args>& row_;
  BoundCase<Args> bound_;
};

std::unique_ptr<KernelsArm> Bind(std::string_view name, int sets) {
  constexpr std::string_view kTime = "/manual_time";
  if (name.ends_with(kTime)) {
    name.remove_suffix(kTime.size());
  }
  if (sets < 1) {
    throw kernels::Error(std::string(name) + ": needs at least one set of buffers");
  }
  std::unique_ptr<KernelsArm> arm;
  bool known = false;
  kernels::ForEachOp([&]<class Args>() {
    for (const auto& row : kernels::cuda::AllRows<Args>()) {
      for (const auto& shape : CasesOf<Args>().cuda) {
        if (known || kernels::CaseName(row, shape) + "/cache:cold" != name) {
          continue;
        }
        known = true;
        if (const std::string_view reason = Unsupported(row, shape); !reason.empty()) {
          throw kernels::Error(std::string(name) + ": " + std::string(reason));
        }
        if (row.min_sm > TheDevice().gpu.limits().sm) {
          throw kernels::Error(std::string(name) + ": needs a later compute capability");
        }
        arm = std::make_unique<BoundArm<Args>>(row, shape, sets);
      }
    }
  });
  if (!known) {
    throw kernels::Error(std::string(name) +
                         ": no such case; kernels_cuda_bench --benchmark_list_tests shows them");
  }
  return arm;
}

// What `action` returns, or `failed`, with the reason kept.
template <class Result, class Action>
Result Guarded(Result failed, Action action) {
  try {
    return action();
  } catch (const std::exception& error) {
    LastError() = error.what();
  }
  return failed;
}

std::size_t SetOf(const KernelsArm& arm, int set) {
  if (set < 0 || static_cast<std::size_t>(set) >= arm.sets()) {
    throw kernels::Error("set " + std::to_string(set) + " of " + std::to_string(arm.sets()));
  }
  return static_cast<std::size_t>(set);
}

}  // namespace
}  // namespace suites

KernelsArm* kernels_arm_bind(const char* name, int sets) {
  return suites::Guarded<KernelsArm*>(nullptr, [&] { return suites::Bind(name, sets).release(); });
}

int kernels_arm_launch(KernelsArm* arm, int set, void* stream) {
  return suites::Guarded(1, [&] {
    arm->Launch(suites::SetOf(*arm, set), static_cast<cudaStream_t>(stream));
    return 0;
  });
}

int kernels_arm_check(KernelsArm* arm, int set) {
  return suites::Guarded(1, [&] {
    const std::string wrong = arm->Check(suites::SetOf(*arm, set));
    if (!wrong.empty()) {
      throw kernels::Error(wrong);
    }
    return 0;
  });
}

void kernels_arm_free(KernelsArm* arm) { delete arm; }

const char* kernels_arm_error(void) { return suites::LastError().c_str(); }
