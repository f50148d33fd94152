// SPDX-License-Identifier: Apache-2.0
#include "kernels/convert.h"

#include "kernels/bf16.h"
#include "kernels/check.h"
#include "kernels/cpu/kernels.h"
#include "kernels/describe.h"
#include "kernels/f16.h"
#include "kernels/f8.h"

namespace kernels {
namespace {

float AsFloat(float value) { return value; }
template <class T>
float AsFloat(T value) {
  return ToFloat(value);
}

void Assign(float& to, float value) { to = value; }
void Assign(Bf16& to, float value) { to = ToBf16(value); }
void Assign(F16& to, float value) { to = ToF16(value); }
void Assign(F8E4M3& to, float value) { to = ToF8E4M3(value); }

// f(null pointer to the element type).
template <class F>
void WithElement(DType dtype, F f) {
  switch (dtype) {
    case DType::kF32:
      return f(static_cast<float*>(nullptr));
    case DType::kBf16:
      return f(static_cast<Bf16*>(nullptr));
    case DType::kF16:
      return f(static_cast<F16*>(nullptr));
    case DType::kF8E4M3:
      return f(static_cast<F8E4M3*>(nullptr));
    case DType::kU8:
      break;  // refused by ConvertSupports
  }
}

bool IsFloat(DType dtype) { return dtype <= DType::kF8E4M3; }

}  // namespace

void Check(const ConvertArgs& args) {
  constexpr auto kOp = Table<ConvertArgs>::op;
  const std::size_t count = Elements(kOp, {args.shape.count});
  CheckView(kOp, "x", args.x, count, args.shape.dtype);
  CheckView(kOp, "y", args.y, count, Target(args.shape));
  CheckOverlap(kOp, args.y, count, args.x, count, false);
}

std::string_view ConvertSupports(const ConvertShape& shape) {
  if (!IsFloat(shape.dtype) || !IsFloat(Target(shape))) {
    return "only f32, bf16, f16 and f8e4m3 are converted";
  }
  return shape.dtype == Target(shape) ? "source and target have the same dtype" : "";
}

std::string_view ConvertVectorSupports(const ConvertShape& shape) {
  const bool pair = (shape.dtype == DType::kF32 && Target(shape) == DType::kBf16) ||
                    (shape.dtype == DType::kBf16 && Target(shape) == DType::kF32);
  return pair ? "" : "only f32 to bf16 and back";
}

void ConvertReference(const ConvertArgs& args, const Context&) {
  WithElement(args.shape.dtype, [&args]<class From>(From*) {
    WithElement(Target(args.shape), [&args]<class To>(To*) {
      const auto* x = static_cast<const From*>(args.x.data);
      auto* y = static_cast<To*>(args.y.data);
      for (std::int64_t i = 0; i < args.shape.count; ++i) {
        Assign(y[i], AsFloat(x[i]));
      }
    });
  });
}

void ConvertVector(const ConvertArgs& args, const Context& context) {
  cpu::For(context.isa).convert(args);
}

std::string Describe(const ConvertShape& s) {
  return JoinSizes({{"count", s.count}}, FromTo(s.dtype, Target(s)));
}

Cost CostOf(const ConvertShape& s) {
  return {Product({s.count}) * (ByteCount(s.dtype) + ByteCount(Target(s))), 0};
}

}  // namespace kernels
