// SPDX-License-Identifier: Apache-2.0
// Benchmarks that look fast by not doing the work.
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/perfgate/bench/cuda/fixture.h"

namespace perfgate::bench {
namespace {

// A thread that goes on after the call has returned.
void Late(std::function<void()> work) {
  std::thread([work = std::move(work)] {
    std::this_thread::sleep_for(std::chrono::microseconds(100));
    work();
  }).detach();
}

}  // namespace

std::vector<Fixture> CheatsInTime() {
  return {
      {"rt_side_stream", "gate+poison",
       [](Data& d) -> Call {
         return [&d](int r, cudaStream_t) { LaunchIterate(d.X(r), d.Y(r), kCount, d.side); };
       }},
      {"rt_side_stream_by_wall", "wall",
       [](Data& d) -> Call {
         return [&d](int r, cudaStream_t) { LaunchIterate(d.X(r), d.Y(r), kCount, d.side); };
       }},
      {"rt_side_stream_unheld", "wall",
       [](Data& d) -> Call {
         return [&d](int r, cudaStream_t) { LaunchIterate(d.X(r), d.Y(r), kCount, d.side); };
       },
       [](Data&, GpuSpec& spec) { spec.hold = false; }},
      {"rt_late_thread", "threads",
       [](Data& d) -> Call {
         return [&d](int r, cudaStream_t) {
           Late([&d, r] { LaunchIterate(d.X(r), d.Y(r), kCount, d.side); });
         };
       }},
      // Correct when it returns, changed afterwards.
      {"rt_written_after_return", "settled+poison",
       [](Data& d) -> Call {
         return [&d](int r, cudaStream_t stream) {
           LaunchIterate(d.X(r), d.Y(r), kCount / 2, stream);
           Late([&d, r] {
             std::this_thread::sleep_for(std::chrono::microseconds(100));
             LaunchIterate(d.X(r) + kCount / 2, d.Y(r) + kCount / 2, kCount / 2, d.side);
           });
         };
       }},
      {"rt_below_floor", "floor", [](Data&) -> Call { return [](int, cudaStream_t) {}; }},
      {"rt_persist_l2", "persisting",
       [](Data& d) -> Call {
         constexpr std::size_t kBytes = kKeptCount * sizeof(float);
         cudaDeviceProp device{};
         CheckGpu(cudaGetDeviceProperties(&device, 0), "asking for the cache's size");
         const auto most = static_cast<std::size_t>(device.persistingL2CacheMaxSize);
         if (most == 0) throw GpuError("gpu_error", "no persisting lines on this device");
         // More than unasked, or nothing would have been set aside.
         CheckGpu(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, std::min(most, 2 * kBytes)),
                  "setting lines aside");
         const auto window_bytes =
             std::min(kBytes, static_cast<std::size_t>(device.accessPolicyMaxWindowSize));
         return [&d, window_bytes](int r, cudaStream_t stream) {
           cudaStreamAttrValue window{};
           window.accessPolicyWindow.base_ptr = d.X(r);
           window.accessPolicyWindow.num_bytes = window_bytes;
           window.accessPolicyWindow.hitRatio = 1.0F;
           window.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
           window.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
           cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &window);
           LaunchPartialSums(d.X(r), d.Y(r), kKeptCount, stream);
         };
       },
       [](Data& d, GpuSpec& spec) { ReadOneSet(d, spec); }},
      {"rt_evict_last", "persisting",
       [](Data& d) -> Call {
         cudaDeviceProp device{};
         CheckGpu(cudaGetDeviceProperties(&device, 0), "asking for the cache's size");
         if (device.persistingL2CacheMaxSize == 0) {
           throw GpuError("gpu_error", "no persisting lines on this device");
         }
         return [&d](int r, cudaStream_t stream) {
           LaunchPartialSumsKept(d.X(r), d.Y(r), kKeptCount, stream);
         };
       },
       [](Data& d, GpuSpec& spec) { ReadOneSet(d, spec); }},
  };
}

std::vector<Fixture> CheatsInResults() {
  return {
      {"rt_skip_after_first", "checks+poison",
       [](Data& d) -> Call {
         auto calls = std::make_shared<std::map<int, int>>();
         return [&d, calls](int r, cudaStream_t stream) {
           if ((*calls)[r]++ < 4) LaunchIterate(d.X(r), d.Y(r), kCount, stream);
         };
       }},
      {"rt_memo_pointer", "checks+refill+poison",
       [](Data& d) -> Call {
         auto known = std::make_shared<std::set<const float*>>();
         return [&d, known](int r, cudaStream_t stream) {
           if (known->insert(d.X(r)).second) {
             LaunchIterate(d.X(r), d.Y(r), kCount, stream);
             LaunchCopy(d.Y(r), d.Kept(r), kCount, stream);
           } else {
             LaunchCopy(d.Kept(r), d.Y(r), kCount, stream);
           }
         };
       }},
      {"rt_constant", "checks",
       [](Data& d) -> Call {
         return [&d](int r, cudaStream_t stream) { LaunchConstant(d.Y(r), kCount, 1, stream); };
       }},
      {"rt_fp16", "checks",
       [](Data& d) -> Call {
         return
             [&d](int r, cudaStream_t stream) { LaunchIterateF16(d.X(r), d.Y(r), kCount, stream); };
       }},
      {"rt_out_of_bounds", "canaries",
       [](Data& d) -> Call {
         return [&d](int r, cudaStream_t stream) {
           LaunchIterate(d.X(r), d.Y(r), kCount, stream);
           LaunchWriteOne(d.Y(r) + kCount, 0, stream);
         };
       }},
      {"rt_wrong_kernel", "kernels",
       [](Data& d) -> Call {
         return [&d](int r, cudaStream_t stream) { LaunchCopy(d.X(r), d.Y(r), kCount, stream); };
       },
       [](Data& d, GpuSpec& spec) {
         spec.buffers = d.Described(kSets, false);
         spec.kernels = {{"*FixtureIterate"}};
       }},
  };
}

}  // namespace perfgate::bench
