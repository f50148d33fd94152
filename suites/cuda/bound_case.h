// SPDX-License-Identifier: Apache-2.0
// bound_case.h: the calls of one CUDA case with their buffers, as the guards of perfgate want to
// see them, and its oracle: the op's plain device:cuda implementation, which the tests hold against
// the float64 reference on the CPU.
#pragma once

#include <string>
#include <type_traits>
#include <vector>

#include "kernels/cuda/registry.h"
#include "kernels/cuda/runtime/queue.h"
#include "kernels/registry.h"
#include "perfgate/bench/guard.h"
#include "suites/cuda/device_pool.h"
#include "suites/cuda/difference.h"
#include "suites/kernel_arguments.h"

namespace suites {

// Between two buffers of the pool; canaries lie there.
inline constexpr std::size_t kMargin = DevicePool::kMargin;

inline perfgate::bench::Content ContentOf(kernels::DType dtype, std::string_view name) {
  using perfgate::bench::Content;
  if (name == "scales") {
    return Content::kKeep;  // most bytes would make the sums overflow
  }
  switch (dtype) {
    case kernels::DType::kF32:
      return Content::kF32;
    case kernels::DType::kBf16:
      return Content::kBf16;
    case kernels::DType::kF16:
      return Content::kF16;
    case kernels::DType::kF8E4M3:
    case kernels::DType::kU8:
      break;
  }
  return Content::kBytes;
}

template <class Args>
struct BoundCase {
  std::vector<Args> calls;  // one per rotation
  Args oracle;              // outputs of its own
  std::span<std::byte> workspace;
  double bytes_written = 0;  // by one call

  perfgate::bench::Rotation Regions(std::size_t rotation) const;
  // Empty where the outputs of call `rotation` are what the oracle makes of its inputs.
  std::string Check(std::size_t rotation, kernels::cuda::Queue& queue) const;
};

// `sets` calls on distinct buffers, after rewinding the pool.
template <class Args>
BoundCase<Args> BindCase(const kernels::Row<Args>& row, const typename Args::Shape& shape, int sets,
                         DevicePool& pool, kernels::cuda::Queue& queue) {
  pool.Rewind();
  BoundCase<Args> bound;
  for (int set = 0; set < sets; ++set) {
    const Args* const first = set == 0 ? nullptr : &bound.calls.front();
    bound.calls.push_back(ArgumentsOf(shape, pool, first));
  }
  bound.oracle = ArgumentsOf(shape, pool, &bound.calls.front());
  const kernels::Context context = queue.context();
  std::size_t bytes = row.workspace == nullptr ? 0 : row.workspace(shape, context);
  const auto* const plain = kernels::cuda::Find<Args>("reference");
  if (plain->workspace != nullptr) {
    bytes = std::max(bytes, plain->workspace(shape, context));
  }
  const kernels::View workspace =
      pool.Output(kernels::DType::kU8, static_cast<std::int64_t>(bytes));
  bound.workspace = {static_cast<std::byte*>(workspace.data), bytes};
  for (const perfgate::bench::Region& output : bound.Regions(0).outputs) {
    bound.bytes_written += static_cast<double>(output.bytes);
  }
  return bound;
}

template <class Args>
perfgate::bench::Rotation BoundCase<Args>::Regions(std::size_t rotation) const {
  using perfgate::bench::Content;
  perfgate::bench::Rotation regions;
  const auto add = [](auto& to, std::string_view name, const auto& buffer) {
    if constexpr (requires { buffer.dtype; }) {
      // What is kept gets no canaries either: they would stay in it, where another case lays its
      // buffers out differently.
      const perfgate::bench::Content content = ContentOf(buffer.dtype, name);
      to.push_back({const_cast<void*>(static_cast<const void*>(buffer.data)),
                    buffer.count * ByteSize(buffer.dtype), content,
                    content == Content::kKeep ? 0 : kMargin});
    } else {  // integers: positions, slots, ids
      using Element = std::remove_cvref_t<decltype(buffer[0])>;
      void* const data = const_cast<Element*>(buffer.data());
      // Inputs of this kind are shared by all cases and lie side by side.
      constexpr bool kInput = std::is_const_v<std::remove_reference_t<decltype(*buffer.data())>>;
      to.push_back({data, buffer.size_bytes(), Content::kKeep, kInput ? 0 : kMargin});
    }
  };
  Args args = calls[rotation];
  VisitBuffers(
      args, [&](std::string_view name, auto& buffer) { add(regions.inputs, name, buffer); },
      [&](std::string_view name, auto& buffer) { add(regions.outputs, name, buffer); });
  std::erase_if(regions.inputs, [](const auto& region) { return region.bytes == 0; });
  return regions;
}

template <class Args>
std::string BoundCase<Args>::Check(std::size_t rotation, kernels::cuda::Queue& queue) const {
  // The oracle's inputs are those of the call, its outputs its own.
  Args want = calls[rotation];
  Args own = oracle;
  std::vector<const void*> outputs;
  VisitBuffers(
      own, [](std::string_view, auto&) {},
      [&](std::string_view, auto& buffer) { outputs.push_back(&buffer); });
  std::size_t next = 0;
  VisitBuffers(
      want, [](std::string_view, auto&) {},
      [&](std::string_view, auto& buffer) {
        buffer = *static_cast<std::remove_reference_t<decltype(buffer)> const*>(outputs[next++]);
      });
  kernels::Context context = queue.context();
  context.workspace = workspace;
  kernels::cuda::Find<Args>("reference")->launch(want, context);
  queue.Wait();

  std::string wrong;
  Args got = calls[rotation];
  std::vector<kernels::ConstView> wanted;
  const auto view = [](const auto& buffer) -> kernels::ConstView {
    if constexpr (requires { buffer.dtype; }) {
      return buffer;
    } else {
      using Element = std::remove_cvref_t<decltype(buffer[0])>;
      constexpr bool kFloat = std::is_same_v<Element, float>;
      const auto dtype = kFloat ? kernels::DType::kF32 : kernels::DType::kU8;
      return {buffer.data(), kFloat ? buffer.size() : buffer.size_bytes(), dtype};
    }
  };
  VisitBuffers(
      want, [](std::string_view, auto&) {},
      [&](std::string_view, auto& buffer) { wanted.push_back(view(buffer)); });
  next = 0;
  VisitBuffers(
      got, [](std::string_view, auto&) {},
      [&](std::string_view name, auto& buffer) {
        const std::string difference = Disagreement(name, view(buffer), wanted[next++]);
        wrong += (wrong.empty() || difference.empty() ? "" : "; ") + difference;
      });
  return wrong;
}

}  // namespace suites
