// SPDX-License-Identifier: Apache-2.0
#include "kernels/check.h"

#include <limits>
#include <string>

#include "kernels/error.h"

namespace kernels {
namespace {

[[noreturn]] void Fail(std::string_view op, const std::string& what) {
  throw Error(std::string(op) + ": " + what);
}

}  // namespace

std::size_t Elements(std::string_view op, std::initializer_list<std::int64_t> sizes) {
  constexpr std::int64_t kLimit = std::numeric_limits<std::int64_t>::max() / 8;
  std::int64_t product = 1;
  bool empty = false;
  for (const std::int64_t size : sizes) {
    if (size < 0) {
      Fail(op, "a size is negative: " + std::to_string(size));
    }
    empty = empty || size == 0;
    if (!empty && (__builtin_mul_overflow(product, size, &product) || product > kLimit)) {
      Fail(op, "the sizes multiply to more than memory can hold");
    }
  }
  return empty ? 0 : static_cast<std::size_t>(product);
}

void CheckView(std::string_view op, std::string_view name, ConstView view, std::size_t count,
               DType dtype) {
  if (view.dtype != dtype) {
    Fail(op, std::string(name) + " is " + std::string(Name(view.dtype)) + ", expected " +
                 std::string(Name(dtype)));
  }
  if (view.count < count) {
    Fail(op, std::string(name) + " has " + std::to_string(view.count) + " elements, expected " +
                 std::to_string(count));
  }
  if (count > 0 && view.data == nullptr) {
    Fail(op, std::string(name) + " is null");
  }
  if (reinterpret_cast<std::uintptr_t>(view.data) % ByteSize(dtype) != 0) {
    Fail(op, std::string(name) + " is not aligned to its element of " +
                 std::to_string(ByteSize(dtype)) + " bytes");
  }
}

void CheckOverlap(std::string_view op, ConstView out, std::size_t out_count, ConstView in,
                  std::size_t in_count, bool may_be_same) {
  const auto a = reinterpret_cast<std::uintptr_t>(out.data);
  const auto b = reinterpret_cast<std::uintptr_t>(in.data);
  if (out_count == 0 || in_count == 0 || (may_be_same && a == b)) {
    return;
  }
  if (a < b + in_count * ByteSize(in.dtype) && b < a + out_count * ByteSize(out.dtype)) {
    Fail(op, may_be_same ? "output and input overlap without being the same buffer"
                         : "output overlaps an input");
  }
}

}  // namespace kernels
