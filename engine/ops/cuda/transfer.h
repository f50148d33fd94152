// SPDX-License-Identifier: Apache-2.0
// transfer.h: copies between host and device on a stream.
//
// Small uploads (what belongs to the rows of a step) go through pinned memory and return at once;
// the caller's memory is free then. A download waits for everything queued before it.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

struct CUstream_st;
struct CUevent_st;

namespace engine::cuda {

struct FreePinned {
  void operator()(std::byte* data) const;
};
using PinnedMemory = std::unique_ptr<std::byte, FreePinned>;
// Of the host; kernels may read and write it under the same address.
PinnedMemory Pinned(std::size_t bytes);

// Two places in a stream that the host can wait for.
class Marks {
 public:
  Marks();
  void Set(int mark, CUstream_st* stream);
  void Await(int mark);  // returns at once where it was never set

 private:
  struct Destroy {
    void operator()(CUevent_st* event) const;
  };
  std::unique_ptr<CUevent_st, Destroy> events_[2];
};

// Pinned memory in slots that are used in turn; a slot's last copy is waited for before it is used
// again.
class PinnedRing {
 public:
  PinnedRing(std::size_t slots, std::size_t slot_bytes);
  PinnedRing(const PinnedRing&) = delete;
  PinnedRing& operator=(const PinnedRing&) = delete;
  ~PinnedRing();

  std::size_t slot_bytes() const { return slot_bytes_; }
  void Upload(void* device, const void* host, std::size_t bytes, CUstream_st* stream);

 private:
  void Release();

  std::size_t slot_bytes_;
  PinnedMemory memory_;
  std::vector<CUevent_st*> events_;
  std::size_t next_ = 0;
};

class Transfer {
 public:
  // `pinned`: large uploads go through pinned memory too, else straight from where they lie.
  Transfer(CUstream_st* stream, bool pinned);
  ~Transfer();

  void Upload(void* device, const void* host, std::size_t bytes);
  void Download(void* host, const void* device, std::size_t bytes);

 private:
  CUstream_st* stream_;
  PinnedRing small_;
  std::unique_ptr<PinnedRing> large_;
  PinnedMemory back_;
};

}  // namespace engine::cuda
