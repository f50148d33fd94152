// SPDX-License-Identifier: Apache-2.0
// avx2.cc: 16 lanes in two registers, lo has lanes 0-7. Compiled for AVX2 and FMA.
#include <immintrin.h>

#include "kernels/cpu/table.h"

namespace kernels::cpu {
namespace {

struct Pair {
  __m256 lo, hi;
};

struct Avx2 {
  using V = Pair;
  static constexpr bool kWide = false;

  static __m256 Widen(__m128i half) {
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(half), 16));
  }
  static V Load(const float* p, All) { return {_mm256_loadu_ps(p), _mm256_loadu_ps(p + 8)}; }
  static V Load(const Bf16* p, All) {
    return {Widen(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))),
            Widen(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p + 8)))};
  }
  template <class T>
  static V Load(const T* p, First part) {
    T lanes[kLanes] = {};
    for (int i = 0; i < part.n; ++i) {
      lanes[i] = p[i];
    }
    return Load(lanes, All{});
  }

  static V Held(V v) { return v; }

  static __m256i Narrow(__m256 v) {
    const __m256i bits = _mm256_castps_si256(v);
    const __m256i upper = _mm256_srli_epi32(bits, 16);
    const __m256i odd = _mm256_and_si256(upper, _mm256_set1_epi32(1));
    const __m256i half = _mm256_add_epi32(odd, _mm256_set1_epi32(0x7fff));
    const __m256i rounded = _mm256_srli_epi32(_mm256_add_epi32(bits, half), 16);
    const __m256i quiet = _mm256_or_si256(upper, _mm256_set1_epi32(0x40));
    const __m256 nan = _mm256_cmp_ps(v, v, _CMP_UNORD_Q);
    return _mm256_blendv_epi8(rounded, quiet, _mm256_castps_si256(nan));
  }
  static void Store(float* p, V v, All) {
    _mm256_storeu_ps(p, v.lo);
    _mm256_storeu_ps(p + 8, v.hi);
  }
  static void Store(Bf16* p, V v, All) {
    const __m256i mixed = _mm256_packus_epi32(Narrow(v.lo), Narrow(v.hi));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), _mm256_permute4x64_epi64(mixed, 0xd8));
  }
  template <class T>
  static void Store(T* p, V v, First part) {
    T lanes[kLanes];
    Store(lanes, v, All{});
    for (int i = 0; i < part.n; ++i) {
      p[i] = lanes[i];
    }
  }

  static V Fill(V v, All, float) { return v; }
  static V Fill(V v, First part, float x) {
    const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const __m256 other = _mm256_set1_ps(x);
    const __m256i in_lo = _mm256_cmpgt_epi32(_mm256_set1_epi32(part.n), lane);
    const __m256i in_hi = _mm256_cmpgt_epi32(_mm256_set1_epi32(part.n - 8), lane);
    return {_mm256_blendv_ps(other, v.lo, _mm256_castsi256_ps(in_lo)),
            _mm256_blendv_ps(other, v.hi, _mm256_castsi256_ps(in_hi))};
  }
  static V Set(float x) { return {_mm256_set1_ps(x), _mm256_set1_ps(x)}; }
  static V Add(V a, V b) { return {_mm256_add_ps(a.lo, b.lo), _mm256_add_ps(a.hi, b.hi)}; }
  static V Sub(V a, V b) { return {_mm256_sub_ps(a.lo, b.lo), _mm256_sub_ps(a.hi, b.hi)}; }
  static V Mul(V a, V b) { return {_mm256_mul_ps(a.lo, b.lo), _mm256_mul_ps(a.hi, b.hi)}; }
  static V Div(V a, V b) { return {_mm256_div_ps(a.lo, b.lo), _mm256_div_ps(a.hi, b.hi)}; }
  static V Fma(V a, V b, V c) {
    return {_mm256_fmadd_ps(a.lo, b.lo, c.lo), _mm256_fmadd_ps(a.hi, b.hi, c.hi)};
  }
  static V Fnma(V a, V b, V c) {
    return {_mm256_fnmadd_ps(a.lo, b.lo, c.lo), _mm256_fnmadd_ps(a.hi, b.hi, c.hi)};
  }
  static V Max(V a, V b) { return {_mm256_max_ps(a.lo, b.lo), _mm256_max_ps(a.hi, b.hi)}; }
  static V Min(V a, V b) { return {_mm256_min_ps(a.lo, b.lo), _mm256_min_ps(a.hi, b.hi)}; }

  // Lanes 8 and 4 apart.
  static __m128 SumToFour(V v) {
    const __m256 eight = _mm256_add_ps(v.lo, v.hi);
    return _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
  }
  static float Sum(V v) {
    const __m128 four = SumToFour(v);
    const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_add_ss(two, _mm_shuffle_ps(two, two, 1)));
  }
  static float MaxOf(V v) {
    const __m256 eight = _mm256_max_ps(v.lo, v.hi);
    const __m128 four = _mm_max_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
    const __m128 two = _mm_max_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_max_ss(two, _mm_shuffle_ps(two, two, 1)));
  }
  static void Sum4(V a, V b, V c, V d, float* out) {
    const __m128 fa = SumToFour(a), fb = SumToFour(b), fc = SumToFour(c), fd = SumToFour(d);
    const __m128 ab = _mm_add_ps(_mm_movelh_ps(fa, fb), _mm_movehl_ps(fb, fa));
    const __m128 cd = _mm_add_ps(_mm_movelh_ps(fc, fd), _mm_movehl_ps(fd, fc));
    _mm_storeu_ps(out, _mm_add_ps(_mm_shuffle_ps(ab, cd, 0x88), _mm_shuffle_ps(ab, cd, 0xdd)));
  }

  // An even lane holds codes 0 to 7, an odd one codes 8 to 15; the shift brings a lane's own down.
  // The permutation looks at its low three bits, the fourth is the sign.
  static __m256 Mxfp4Half(__m256i codes, __m256i shifts) {
    const __m256 magnitudes = _mm256_setr_ps(0, 0.5f, 1, 1.5f, 2, 3, 4, 6);
    const __m256i own = _mm256_srlv_epi32(codes, shifts);
    const __m256i sign = _mm256_and_si256(_mm256_slli_epi32(own, 28), _mm256_set1_epi32(INT32_MIN));
    return _mm256_xor_ps(_mm256_permutevar8x32_ps(magnitudes, own), _mm256_castsi256_ps(sign));
  }
  static V Mxfp4(const std::uint8_t* p) {
    long long bits = 0;
    __builtin_memcpy(&bits, p, sizeof(bits));
    const __m256i codes = _mm256_set1_epi64x(bits);
    return {Mxfp4Half(codes, _mm256_setr_epi32(0, 0, 4, 4, 8, 8, 12, 12)),
            Mxfp4Half(codes, _mm256_setr_epi32(16, 16, 20, 20, 24, 24, 28, 28))};
  }
  static V Interleave(V v) {
    const __m256 even = _mm256_unpacklo_ps(v.lo, v.hi);  // lanes 0, 1 and 4, 5 of both
    const __m256 odd = _mm256_unpackhi_ps(v.lo, v.hi);   // lanes 2, 3 and 6, 7
    return {_mm256_permute2f128_ps(even, odd, 0x20), _mm256_permute2f128_ps(even, odd, 0x31)};
  }

  static V NegativeAbs(V v) {
    const __m256 sign = _mm256_set1_ps(-0.0f);
    return {_mm256_or_ps(v.lo, sign), _mm256_or_ps(v.hi, sign)};
  }
  static V IfNegative(V s, V a, V b) {
    return {_mm256_blendv_ps(b.lo, a.lo, s.lo), _mm256_blendv_ps(b.hi, a.hi, s.hi)};
  }
  static __m256 PowerOf2(__m256i n) {
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_add_epi32(n, _mm256_set1_epi32(127)), 23));
  }
  static __m256 Scale(__m256 v, __m256 t) {
    const __m256i shift = _mm256_castps_si256(_mm256_set1_ps(kRoundShift));
    const __m256i n = _mm256_sub_epi32(_mm256_castps_si256(t), shift);
    const __m256i n1 = _mm256_srai_epi32(n, 1);
    const __m256i n2 = _mm256_sub_epi32(n, n1);
    return _mm256_mul_ps(_mm256_mul_ps(v, PowerOf2(n1)), PowerOf2(n2));
  }
  static V ScaleByPowerOf2(V v, V, V t) { return {Scale(v.lo, t.lo), Scale(v.hi, t.hi)}; }

  static unsigned Bits(__m256 lo, __m256 hi) {
    return static_cast<unsigned>(_mm256_movemask_ps(lo)) |
           static_cast<unsigned>(_mm256_movemask_ps(hi)) << 8;
  }
  static unsigned Above(V a, V b) {
    return Bits(_mm256_cmp_ps(a.lo, b.lo, _CMP_GT_OQ), _mm256_cmp_ps(a.hi, b.hi, _CMP_GT_OQ));
  }
  static unsigned AtLeast(V a, V b) {
    return Bits(_mm256_cmp_ps(a.lo, b.lo, _CMP_GE_OQ), _mm256_cmp_ps(a.hi, b.hi, _CMP_GE_OQ));
  }
};

}  // namespace

const Kernels kAvx2 = MakeKernels<Avx2>();

}  // namespace kernels::cpu
