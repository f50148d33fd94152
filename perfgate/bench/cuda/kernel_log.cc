// SPDX-License-Identifier: Apache-2.0
#include "perfgate/bench/cuda/kernel_log.h"

#include <cuda_runtime_api.h>
#include <cxxabi.h>
#include <dlfcn.h>

#include <cstdlib>
#include <mutex>
#include <utility>

#if PERFGATE_HAVE_CUPTI
#include <cupti.h>
#endif

#include "perfgate/bench/cuda/gpu_status.h"

namespace perfgate::bench {

#if PERFGATE_HAVE_CUPTI

namespace {

// The record's layout belongs to the version of the header.
#if CUPTI_API_VERSION >= 130000
using KernelRecord = CUpti_ActivityKernel10;
#else
using KernelRecord = CUpti_ActivityKernel9;
#endif

// From CUDA 13 on the number is that of the toolkit times 10,000; before it just counted.
constexpr bool kNewNumbers = CUPTI_API_VERSION >= 10000;

std::string Demangled(const char* name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name, nullptr, nullptr, &status), &std::free);
  return status == 0 && text ? text.get() : name;
}

// CUPTI hands buffers to functions without context, from threads of its own.
struct Collected {
  std::mutex mutex;
  ObservedKernels kernels;
  CUptiResult (*next)(uint8_t*, size_t, CUpti_Activity**) = nullptr;
};

Collected& TheCollected() {
  static Collected collected;
  return collected;
}

void CUPTIAPI GiveBuffer(uint8_t** buffer, size_t* size, size_t* records) {
  constexpr std::size_t kBytes = std::size_t{1} << 20;
  *buffer = static_cast<uint8_t*>(std::aligned_alloc(8, kBytes));
  *size = kBytes;
  *records = 0;
}

void CUPTIAPI TakeBuffer(CUcontext, uint32_t, uint8_t* buffer, size_t, size_t valid) {
  Collected& collected = TheCollected();
  CUpti_Activity* record = nullptr;
  {
    const std::lock_guard<std::mutex> lock(collected.mutex);
    while (collected.next(buffer, valid, &record) == CUPTI_SUCCESS) {
      if (record->kind != CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) continue;
      const auto* kernel = reinterpret_cast<const KernelRecord*>(record);
      if (kernel->name != nullptr) ++collected.kernels[KernelName(Demangled(kernel->name))];
    }
  }
  std::free(buffer);
}

}  // namespace

struct KernelLog::Library {
  void* handle = nullptr;
  CUptiResult (*enable)(CUpti_ActivityKind) = nullptr;
  CUptiResult (*disable)(CUpti_ActivityKind) = nullptr;
  CUptiResult (*flush)(uint32_t) = nullptr;

  template <class Function>
  bool Find(const char* name, Function*& function) {
    function = reinterpret_cast<Function*>(::dlsym(handle, name));
    return function != nullptr;
  }
};

KernelLog::KernelLog() : library_(std::make_unique<Library>()) {
  const std::string version = std::to_string(kNewNumbers ? CUPTI_API_VERSION / 10000 : 12);
  for (const std::string& name :
       {"libcupti.so." + version, std::string(PERFGATE_CUPTI_LIBRARY),
        std::string("/usr/local/cuda/extras/CUPTI/lib64/libcupti.so"),
        std::string("/usr/local/cuda/lib64/libcupti.so"), std::string("libcupti.so")}) {
    library_->handle = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library_->handle != nullptr) break;
  }
  if (library_->handle == nullptr) {
    unavailable_ = "no CUPTI: libcupti.so." + version + " was not found";
    return;
  }
  CUptiResult (*get_version)(uint32_t*) = nullptr;
  CUptiResult (*callbacks)(CUpti_BuffersCallbackRequestFunc, CUpti_BuffersCallbackCompleteFunc) =
      nullptr;
  uint32_t found = 0;
  const bool complete = library_->Find("cuptiGetVersion", get_version) &&
                        library_->Find("cuptiActivityRegisterCallbacks", callbacks) &&
                        library_->Find("cuptiActivityEnable", library_->enable) &&
                        library_->Find("cuptiActivityDisable", library_->disable) &&
                        library_->Find("cuptiActivityFlushAll", library_->flush) &&
                        library_->Find("cuptiActivityGetNextRecord", TheCollected().next);
  if (!complete || get_version(&found) != CUPTI_SUCCESS ||
      (kNewNumbers ? found / 10000 != CUPTI_API_VERSION / 10000 : found != CUPTI_API_VERSION)) {
    unavailable_ = "no CUPTI: the library is version " + std::to_string(found) +
                   ", this executable was built for " + std::to_string(CUPTI_API_VERSION);
    return;
  }
  if (callbacks(&GiveBuffer, &TakeBuffer) != CUPTI_SUCCESS ||
      library_->enable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) != CUPTI_SUCCESS) {
    unavailable_ = "no CUPTI: the driver does not permit profiling to this user";
  }
}

KernelLog::~KernelLog() {
  if (unavailable_.empty()) library_->disable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
}

void KernelLog::Start() { Stop(); }

ObservedKernels KernelLog::Stop() {
  if (!unavailable_.empty()) return {};
  CheckGpu(cudaDeviceSynchronize(), "waiting for the kernels of a call");
  library_->flush(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  Collected& collected = TheCollected();
  const std::lock_guard<std::mutex> lock(collected.mutex);
  return std::exchange(collected.kernels, {});
}

#else

struct KernelLog::Library {};
KernelLog::KernelLog() : unavailable_("no CUPTI: this executable was built without it") {}
KernelLog::~KernelLog() = default;
void KernelLog::Start() {}
ObservedKernels KernelLog::Stop() { return {}; }

#endif

}  // namespace perfgate::bench
