// SPDX-License-Identifier: Apache-2.0
// avx512.cc: 16 lanes in one register. Compiled for AVX-512 F, BW, DQ and VL.
#include <immintrin.h>

#include "kernels/cpu/table.h"

namespace kernels::cpu {
namespace {

struct Avx512 {
  using V = __m512;
  static constexpr bool kWide = true;

  static __mmask16 Mask(First part) { return static_cast<__mmask16>((1U << part.n) - 1U); }

  static V Widen(__m256i half) {
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(half), 16));
  }
  static V Load(const float* p, All) { return _mm512_loadu_ps(p); }
  static V Load(const float* p, First part) { return _mm512_maskz_loadu_ps(Mask(part), p); }
  static V Load(const Bf16* p, All) {
    return Widen(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
  }
  static V Load(const Bf16* p, First part) {
    return Widen(_mm256_maskz_loadu_epi16(Mask(part), p));
  }

  // In a register: the compiler would load it again for each product.
  static V Held(V v) {
    asm("" : "+v"(v));
    return v;
  }

  static __m256i Narrow(V v) {
    const __m512i bits = _mm512_castps_si512(v);
    const __mmask16 odd = _mm512_test_epi32_mask(bits, _mm512_set1_epi32(0x10000));
    const __mmask16 nan = _mm512_cmp_ps_mask(v, v, _CMP_UNORD_Q);
    __m512i sum = _mm512_add_epi32(bits, _mm512_set1_epi32(0x7fff));
    sum = _mm512_mask_add_epi32(sum, odd, bits, _mm512_set1_epi32(0x8000));
    sum = _mm512_mask_or_epi32(sum, nan, bits, _mm512_set1_epi32(0x400000));
    return _mm512_cvtepi32_epi16(_mm512_srli_epi32(sum, 16));
  }
  static void Store(float* p, V v, All) { _mm512_storeu_ps(p, v); }
  static void Store(float* p, V v, First part) { _mm512_mask_storeu_ps(p, Mask(part), v); }
  static void Store(Bf16* p, V v, All) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), Narrow(v));
  }
  static void Store(Bf16* p, V v, First part) {
    _mm256_mask_storeu_epi16(p, Mask(part), Narrow(v));
  }

  static V Fill(V v, All, float) { return v; }
  static V Fill(V v, First part, float x) {
    return _mm512_mask_mov_ps(_mm512_set1_ps(x), Mask(part), v);
  }
  static V Set(float x) { return _mm512_set1_ps(x); }
  static V Add(V a, V b) { return _mm512_add_ps(a, b); }
  static V Sub(V a, V b) { return _mm512_sub_ps(a, b); }
  static V Mul(V a, V b) { return _mm512_mul_ps(a, b); }
  static V Div(V a, V b) { return _mm512_div_ps(a, b); }
  static V Fma(V a, V b, V c) { return _mm512_fmadd_ps(a, b, c); }
  static V Fnma(V a, V b, V c) { return _mm512_fnmadd_ps(a, b, c); }
  static V Max(V a, V b) { return _mm512_max_ps(a, b); }
  static V Min(V a, V b) { return _mm512_min_ps(a, b); }

  // Lanes 8 and 4 apart.
  template <class Op4, class Op8>
  static __m128 ToFour(V v, Op4 op4, Op8 op8) {
    const __m256 eight = op8(_mm512_castps512_ps256(v), _mm512_extractf32x8_ps(v, 1));
    return op4(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
  }
  static __m128 SumToFour(V v) {
    return ToFour(
        v, [](__m128 a, __m128 b) { return _mm_add_ps(a, b); },
        [](__m256 a, __m256 b) { return _mm256_add_ps(a, b); });
  }
  static float Sum(V v) {
    const __m128 four = SumToFour(v);
    const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_add_ss(two, _mm_shuffle_ps(two, two, 1)));
  }
  static float MaxOf(V v) {
    const __m128 four = ToFour(
        v, [](__m128 a, __m128 b) { return _mm_max_ps(a, b); },
        [](__m256 a, __m256 b) { return _mm256_max_ps(a, b); });
    const __m128 two = _mm_max_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_max_ss(two, _mm_shuffle_ps(two, two, 1)));
  }
  static void Sum4(V a, V b, V c, V d, float* out) {
    const __m128 fa = SumToFour(a), fb = SumToFour(b), fc = SumToFour(c), fd = SumToFour(d);
    const __m128 ab = _mm_add_ps(_mm_movelh_ps(fa, fb), _mm_movehl_ps(fb, fa));
    const __m128 cd = _mm_add_ps(_mm_movelh_ps(fc, fd), _mm_movehl_ps(fd, fc));
    _mm_storeu_ps(out, _mm_add_ps(_mm_shuffle_ps(ab, cd, 0x88), _mm_shuffle_ps(ab, cd, 0xdd)));
  }

  // An even lane holds codes 0 to 7, an odd one codes 8 to 15; the shift brings a lane's own down,
  // and the permutation looks at the low four bits of its indices only.
  static V Mxfp4(const std::uint8_t* p) {
    long long bits = 0;
    __builtin_memcpy(&bits, p, sizeof(bits));
    const __m512i shifts =
        _mm512_setr_epi32(0, 0, 4, 4, 8, 8, 12, 12, 16, 16, 20, 20, 24, 24, 28, 28);
    const __m512 values =
        _mm512_setr_ps(0, 0.5f, 1, 1.5f, 2, 3, 4, 6, -0.0f, -0.5f, -1, -1.5f, -2, -3, -4, -6);
    return _mm512_permutexvar_ps(_mm512_srlv_epi32(_mm512_set1_epi64(bits), shifts), values);
  }
  static V Interleave(V v) {
    return _mm512_permutexvar_ps(
        _mm512_setr_epi32(0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15), v);
  }

  static V NegativeAbs(V v) {
    return _mm512_castsi512_ps(
        _mm512_or_si512(_mm512_castps_si512(v), _mm512_set1_epi32(INT32_MIN)));
  }
  static V IfNegative(V s, V a, V b) {
    return _mm512_mask_mov_ps(b, _mm512_movepi32_mask(_mm512_castps_si512(s)), a);
  }
  static V ScaleByPowerOf2(V v, V n, V) { return _mm512_scalef_ps(v, n); }
  static unsigned Above(V a, V b) { return _mm512_cmp_ps_mask(a, b, _CMP_GT_OQ); }
  static unsigned AtLeast(V a, V b) { return _mm512_cmp_ps_mask(a, b, _CMP_GE_OQ); }
};

}  // namespace

const Kernels kAvx512 = MakeKernels<Avx512>();

}  // namespace kernels::cpu
