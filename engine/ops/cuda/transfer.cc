// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/cuda/transfer.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstring>

#include "kernels/cuda/runtime/check_cuda.h"

namespace engine::cuda {
namespace {

using kernels::cuda::CheckCuda;

constexpr std::size_t kSmallBytes = std::size_t{64} << 10;
constexpr std::size_t kSmallSlots = 8;
constexpr std::size_t kLargeBytes = std::size_t{8} << 20;
constexpr std::size_t kLargeSlots = 3;  // one is filled, one is copied, one waits

CUevent_st* NewEvent() {
  cudaEvent_t event = nullptr;
  CheckCuda(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cudaEventCreate");
  return event;
}

}  // namespace

void FreePinned::operator()(std::byte* data) const { (void)cudaFreeHost(data); }

PinnedMemory Pinned(std::size_t bytes) {
  void* data = nullptr;
  CheckCuda(cudaMallocHost(&data, bytes), "pinning host memory");
  return PinnedMemory(static_cast<std::byte*>(data));
}

Marks::Marks() {
  for (auto& event : events_) {
    event.reset(NewEvent());
  }
}

void Marks::Destroy::operator()(CUevent_st* event) const { (void)cudaEventDestroy(event); }

void Marks::Set(int mark, CUstream_st* stream) {
  CheckCuda(cudaEventRecord(events_[mark].get(), stream), "cudaEventRecord");
}

void Marks::Await(int mark) {
  CheckCuda(cudaEventSynchronize(events_[mark].get()), "waiting for a step");
}

PinnedRing::PinnedRing(std::size_t slots, std::size_t slot_bytes) : slot_bytes_(slot_bytes) {
  try {
    memory_ = Pinned(slots * slot_bytes);
    for (std::size_t i = 0; i < slots; ++i) {
      events_.push_back(NewEvent());
    }
  } catch (...) {
    Release();
    throw;
  }
}

PinnedRing::~PinnedRing() { Release(); }

void PinnedRing::Release() {
  for (CUevent_st* const event : events_) {
    (void)cudaEventSynchronize(event);
    (void)cudaEventDestroy(event);
  }
}

void PinnedRing::Upload(void* device, const void* host, std::size_t bytes, CUstream_st* stream) {
  const auto* from = static_cast<const std::byte*>(host);
  auto* to = static_cast<std::byte*>(device);
  while (bytes > 0) {
    const std::size_t size = std::min(bytes, slot_bytes_);
    const std::size_t slot = next_;
    next_ = (next_ + 1) % events_.size();
    // One that was never recorded is done.
    CheckCuda(cudaEventSynchronize(events_[slot]), "waiting for an upload");
    std::byte* const staged = memory_.get() + slot * slot_bytes_;
    std::memcpy(staged, from, size);
    CheckCuda(cudaMemcpyAsync(to, staged, size, cudaMemcpyHostToDevice, stream), "upload");
    CheckCuda(cudaEventRecord(events_[slot], stream), "cudaEventRecord");
    from += size;
    to += size;
    bytes -= size;
  }
}

Transfer::Transfer(CUstream_st* stream, bool pinned)
    : stream_(stream), small_(kSmallSlots, kSmallBytes), back_(Pinned(kSmallBytes)) {
  if (pinned) {
    large_ = std::make_unique<PinnedRing>(kLargeSlots, kLargeBytes);
  }
}

Transfer::~Transfer() = default;

void Transfer::Upload(void* device, const void* host, std::size_t bytes) {
  if (bytes <= kSmallBytes) {
    small_.Upload(device, host, bytes, stream_);
  } else if (large_ != nullptr) {
    large_->Upload(device, host, bytes, stream_);
  } else {
    CheckCuda(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream_), "upload");
    CheckCuda(cudaStreamSynchronize(stream_), "waiting for an upload");
  }
}

void Transfer::Download(void* host, const void* device, std::size_t bytes) {
  const bool small = bytes <= kSmallBytes;
  void* const to = small ? back_.get() : host;
  CheckCuda(cudaMemcpyAsync(to, device, bytes, cudaMemcpyDeviceToHost, stream_), "download");
  CheckCuda(cudaStreamSynchronize(stream_), "waiting for a download");
  if (small) {
    std::memcpy(host, to, bytes);
  }
}

}  // namespace engine::cuda
