// SPDX-License-Identifier: Apache-2.0
// generic.cc: 16 lanes in plain C++, for any processor; loops the compiler can vectorise.
#include "kernels/cpu/table.h"

namespace kernels::cpu {
namespace {

struct Sixteen {
  float lane[kLanes];
};

std::uint32_t Bits(float x) { return __builtin_bit_cast(std::uint32_t, x); }
float FromBits(std::uint32_t x) { return __builtin_bit_cast(float, x); }

#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
float FusedMultiplyAdd(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
#else
// ab is exact in double. The sum is rounded to odd there (its low bit is set when anything was
// lost), after which rounding to float is the only rounding (Boldo and Melquiond, 2005). The error
// of the sum is Knuth's two-sum. NaN and infinity have an error of NaN and are left alone.
float FusedMultiplyAdd(float a, float b, float c) {
  const double product = static_cast<double>(a) * static_cast<double>(b);
  const auto addend = static_cast<double>(c);
  const double sum = product + addend;
  const double part = sum - product;
  const double error = (product - (sum - part)) + (addend - part);
  const auto bits = __builtin_bit_cast(std::int64_t, sum);
  const bool lost = (error < 0) | (error > 0);
  const bool outward = (error > 0) == (sum > 0);
  const std::int64_t step = outward ? 1 : -1;
  const std::int64_t odd = (bits & 1) == 0 && lost ? bits + step : bits;
  return static_cast<float>(__builtin_bit_cast(double, odd));
}
#endif

struct Generic {
  using V = Sixteen;
  static constexpr bool kWide = false;

  template <class F>
  static V Each(F f) {
    V v;
    for (int i = 0; i < kLanes; ++i) {
      v.lane[i] = f(i);
    }
    return v;
  }

  static float Read(float x) { return x; }
  static float Read(Bf16 x) { return FromBits(static_cast<std::uint32_t>(x.bits) << 16); }
  static void Write(float& to, float x) { to = x; }
  static void Write(Bf16& to, float x) {
    const std::uint32_t bits = Bits(x);
    const std::uint32_t upper = bits >> 16;
    const std::uint32_t rounded = (bits + 0x7fffU + (upper & 1U)) >> 16;
    const bool nan = (bits & 0x7fffffffU) > 0x7f800000U;
    to.bits = static_cast<std::uint16_t>(nan ? upper | 0x40U : rounded);
  }

  template <class T>
  static V Load(const T* p, All) {
    return Each([p](int i) { return Read(p[i]); });
  }
  template <class T>
  static V Load(const T* p, First part) {
    V v = Set(0);
    for (int i = 0; i < part.n; ++i) {
      v.lane[i] = Read(p[i]);
    }
    return v;
  }
  template <class T>
  static void Store(T* p, const V& v, All) {
    for (int i = 0; i < kLanes; ++i) {
      Write(p[i], v.lane[i]);
    }
  }
  template <class T>
  static void Store(T* p, const V& v, First part) {
    for (int i = 0; i < part.n; ++i) {
      Write(p[i], v.lane[i]);
    }
  }

  static V Held(const V& v) { return v; }
  static V Fill(const V& v, All, float) { return v; }
  static V Fill(const V& v, First part, float x) {
    return Each([&](int i) { return i < part.n ? v.lane[i] : x; });
  }
  static V Set(float x) {
    return Each([x](int) { return x; });
  }
  static V Add(const V& a, const V& b) {
    return Each([&](int i) { return a.lane[i] + b.lane[i]; });
  }
  static V Sub(const V& a, const V& b) {
    return Each([&](int i) { return a.lane[i] - b.lane[i]; });
  }
  static V Mul(const V& a, const V& b) {
    return Each([&](int i) { return a.lane[i] * b.lane[i]; });
  }
  static V Div(const V& a, const V& b) {
    return Each([&](int i) { return a.lane[i] / b.lane[i]; });
  }
  static V Fma(const V& a, const V& b, const V& c) {
    return Each([&](int i) { return FusedMultiplyAdd(a.lane[i], b.lane[i], c.lane[i]); });
  }
  static V Fnma(const V& a, const V& b, const V& c) {
    return Each([&](int i) { return FusedMultiplyAdd(-a.lane[i], b.lane[i], c.lane[i]); });
  }
  static V Max(const V& a, const V& b) {
    return Each([&](int i) { return a.lane[i] > b.lane[i] ? a.lane[i] : b.lane[i]; });
  }
  static V Min(const V& a, const V& b) {
    return Each([&](int i) { return a.lane[i] < b.lane[i] ? a.lane[i] : b.lane[i]; });
  }

  static float Sum(V v) {
    for (int apart = kLanes / 2; apart > 0; apart /= 2) {
      for (int i = 0; i < apart; ++i) {
        v.lane[i] = v.lane[i] + v.lane[i + apart];
      }
    }
    return v.lane[0];
  }
  static float MaxOf(V v) {
    for (int apart = kLanes / 2; apart > 0; apart /= 2) {
      for (int i = 0; i < apart; ++i) {
        v.lane[i] = v.lane[i] > v.lane[i + apart] ? v.lane[i] : v.lane[i + apart];
      }
    }
    return v.lane[0];
  }
  static void Sum4(const V& a, const V& b, const V& c, const V& d, float* out) {
    out[0] = Sum(a);
    out[1] = Sum(b);
    out[2] = Sum(c);
    out[3] = Sum(d);
  }

  static V Mxfp4(const std::uint8_t* p) {
    constexpr float kMagnitudes[] = {0, 0.5f, 1, 1.5f, 2, 3, 4, 6};
    return Each([&](int i) {
      const int code = i / 2 + i % 2 * 8;
      const unsigned bits = static_cast<unsigned>(p[code / 2]) >> (code % 2 * 4);
      return (bits & 8U) != 0 ? -kMagnitudes[bits & 7U] : kMagnitudes[bits & 7U];
    });
  }
  static V Interleave(const V& v) {
    return Each([&](int i) { return v.lane[i / 2 + i % 2 * 8]; });
  }

  static V NegativeAbs(const V& v) {
    return Each([&](int i) { return FromBits(Bits(v.lane[i]) | 0x80000000U); });
  }
  static V IfNegative(const V& s, const V& a, const V& b) {
    return Each([&](int i) { return Bits(s.lane[i]) >> 31 != 0 ? a.lane[i] : b.lane[i]; });
  }
  static float PowerOf2(std::int32_t n) {
    return FromBits(static_cast<std::uint32_t>(n + 127) << 23);
  }
  static V ScaleByPowerOf2(const V& v, const V&, const V& t) {
    return Each([&](int i) {
      // Unsigned first: the bits of a NaN may be any number.
      const auto n = static_cast<std::int32_t>(Bits(t.lane[i]) - Bits(kRoundShift));
      const std::int32_t n1 = n >> 1;
      return v.lane[i] * PowerOf2(n1) * PowerOf2(n - n1);
    });
  }
  static unsigned Above(const V& a, const V& b) {
    unsigned bits = 0;
    for (int i = 0; i < kLanes; ++i) {
      bits |= static_cast<unsigned>(a.lane[i] > b.lane[i]) << i;
    }
    return bits;
  }
  static unsigned AtLeast(const V& a, const V& b) {
    unsigned bits = 0;
    for (int i = 0; i < kLanes; ++i) {
      bits |= static_cast<unsigned>(a.lane[i] >= b.lane[i]) << i;
    }
    return bits;
  }
};

}  // namespace

const Kernels kGeneric = MakeKernels<Generic>();

}  // namespace kernels::cpu
