// SPDX-License-Identifier: Apache-2.0
// mirror.h: a copy of an op's host arguments in device memory, with guard bytes.
//
// Every buffer is an allocation of its own at the host buffer's alignment. An input ends where its
// allocation ends, so that compute-sanitizer sees a read of one element too many; an output has
// guard bytes on both sides, so that a write is seen without it.
#pragma once

#include <cstddef>
#include <map>

#include "kernels/cuda/runtime/memory.h"
#include "kernels/registry.h"

namespace kernels::testing {

class Mirror {
 public:
  // The arguments with every buffer replaced by its copy on the device.
  template <class Args>
  Args ToDevice(Args args) {
    const auto in = [this](const char*, auto& buffer) { Replace(buffer, false); };
    const auto out = [this](const char*, auto& buffer) { Replace(buffer, true); };
    // Outputs first: one that is also an input gets guard bytes.
    VisitBuffers(
        args, [](const char*, auto&) {}, out);
    VisitBuffers(args, in, [](const char*, auto&) {});
    return args;
  }

  // Copies every output back to where it came from.
  void ToHost();

  // Whether no byte around an output was written.
  bool GuardsIntact() const;

 private:
  struct Buffer {
    cuda::DeviceMemory memory;
    std::size_t begin = 0;
    std::size_t size = 0;
    bool output = false;
  };

  void* Copy(const void* host, std::size_t size, bool output);

  void Replace(ConstView& view, bool output) {
    view.data = Copy(view.data, view.count * ByteSize(view.dtype), output);
  }
  void Replace(View& view, bool output) {
    view.data = Copy(view.data, view.count * ByteSize(view.dtype), output);
  }
  template <class T>
  void Replace(std::span<T>& span, bool output) {
    span = {static_cast<T*>(Copy(span.data(), span.size_bytes(), output)), span.size()};
  }

  std::map<const void*, Buffer> buffers_;  // by host address
};

}  // namespace kernels::testing
