// SPDX-License-Identifier: Apache-2.0
// row.h: one implementation of one op, as the registry lists it, and the way to call it.
//
// An op is described by its argument type: Args::Shape (sizes and dtype, known before any data
// exists), Args::shape, and the specialisation Table<Args> with the op's name and its rows. Tables
// are constants, never filled by static initialisers, which a static library would drop.
//
// Beside these, an op's header declares
//   Check(args)                   throws Error for arguments that no implementation takes
//   Describe(shape)               the shape in case names: "rows:256/cols:4096/dtype:f32"
//   CostOf(shape)                 the work of a call
//   VisitBuffers(args, in, out)   in(name, buffer) for what the op reads, out(name, buffer) for
//                                 what it writes; `buffer` is the ConstView, View or span member
//                                 itself, so that a visitor may move, hash, guard or replace it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "kernels/error.h"
#include "kernels/isa.h"
#include "kernels/types.h"

struct CUstream_st;  // what cudaStream_t points to, so that nothing here needs CUDA's headers

namespace kernels {

namespace cuda {
class Gpu;
}

enum class Device : std::uint8_t { kCpu, kCuda };
constexpr std::string_view Name(Device device) { return device == Device::kCpu ? "cpu" : "cuda"; }

// Implementations of one class give equal bits on equal input; between classes only the bound of
// the class holds.
enum class Numerics : std::uint8_t {
  kExact,   // moves, compares or rounds values exactly: equal to the reference bit for bit
  kF64,     // float64 inside, rounded once
  kLanes,   // float32 inside, sums in the fixed lanes of cpu/lanes.h, rounded once
  kBlas,    // order of operations chosen by a library
  kDevice,  // float32 inside, sums in the kernel's own fixed order, rounded once
};

// The work that the op must do, whatever the implementation.
struct Cost {
  double bytes = 0;  // read and written once each, by the model in the op's header
  double flops = 0;  // additions, products, quotients and exponentials, one each
};

// What a launch may use beside its arguments. cuda/queue.h fills the lower part for device:cuda
// rows, whose launches return when the work is in the stream's queue, not when it is done.
struct Context {
  Isa isa = BestIsa();  // at most BestIsa(); lower to run what a lesser machine would

  cuda::Gpu* gpu = nullptr;
  CUstream_st* stream = nullptr;
  std::span<std::byte> workspace{};  // device memory, at least the row's workspace(); any content
  std::span<std::uint32_t> counters{};  // device memory: zero before a launch and again after it
};

class DTypes {
 public:
  constexpr DTypes(std::initializer_list<DType> list) {
    for (const DType t : list) {
      bits_ |= 1U << static_cast<unsigned>(t);
    }
  }
  constexpr bool Has(DType t) const { return ((bits_ >> static_cast<unsigned>(t)) & 1U) != 0; }

 private:
  unsigned bits_ = 0;
};

template <class Args>
struct Row {
  std::string_view impl;  // "reference", "vector", "blas": means the same for every op
  Device device;
  Isa isa;  // the lowest level it runs on
  DTypes dtypes;
  Numerics numerics;
  // Empty when the implementation takes the shape, else the reason why not.
  std::string_view (*supports)(const typename Args::Shape& shape);
  // Needs arguments that Check() accepts and a shape that supports() accepts.
  void (*launch)(const Args& args, const Context& context);
  // Bytes of Context::workspace that launch needs; null: none.
  std::size_t (*workspace)(const typename Args::Shape& shape, const Context& context) = nullptr;
  int min_sm = 0;  // device:cuda: lowest compute capability, 90 for 9.0
};

template <class Args>
struct Table;  // { static constexpr std::string_view op; static constexpr std::array rows; }

// Empty when `row` takes `shape`, else the reason why not.
template <class Args>
std::string_view Unsupported(const Row<Args>& row, const typename Args::Shape& shape) {
  if (!row.dtypes.Has(shape.dtype)) {
    return "dtype not implemented";
  }
  return row.supports(shape);
}

// What arguments in host memory must fulfil beyond Check(), which looks at no element. Ops whose
// integer inputs are indices overload it; a kernel on a device looks at them itself.
template <class Args>
void CheckValues(const Args&) {}

// Nullptr when the op has no CPU implementation of that name.
template <class Args>
constexpr const Row<Args>* Find(std::string_view impl) {
  for (const Row<Args>& row : Table<Args>::rows) {
    if (row.impl == impl) {
      return &row;
    }
  }
  return nullptr;
}

// Runs one CPU implementation. Throws Error, before anything is written, when the shape is not
// supported, a view is null, too small, misaligned or of the wrong dtype, buffers overlap in a way
// that the op does not allow, or context.isa is above what this machine has.
template <class Args>
void Run(const Row<Args>& row, const Args& args, const Context& context = {}) {
  const auto refuse = [&row](std::string_view reason) {
    throw Error(std::string(Table<Args>::op) + "/impl:" + std::string(row.impl) + ": " +
                std::string(reason));
  };
  if (context.isa > BestIsa()) {
    refuse(std::string(Name(context.isa)) + " asked for, but this machine has " +
           std::string(Name(BestIsa())));
  }
  if (context.isa < row.isa) {
    refuse("needs " + std::string(Name(row.isa)));
  }
  if (const std::string_view reason = Unsupported(row, args.shape); !reason.empty()) {
    refuse(reason);
  }
  Check(args);
  CheckValues(args);
  row.launch(args, context);
}

}  // namespace kernels
