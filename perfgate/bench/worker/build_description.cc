// SPDX-License-Identifier: Apache-2.0
#include "perfgate/bench/worker/build_description.h"

#define PERFGATE_INTERNAL_TEXT2(x) #x
#define PERFGATE_INTERNAL_TEXT(x) PERFGATE_INTERNAL_TEXT2(x)
#define PERFGATE_INTERNAL_VERSION(a, b, c) \
  PERFGATE_INTERNAL_TEXT(a) "." PERFGATE_INTERNAL_TEXT(b) "." PERFGATE_INTERNAL_TEXT(c)

#if defined(__clang__)
#define PERFGATE_INTERNAL_COMPILER \
  "Clang " PERFGATE_INTERNAL_VERSION(__clang_major__, __clang_minor__, __clang_patchlevel__)
#elif defined(__GNUC__)
#define PERFGATE_INTERNAL_COMPILER \
  "GNU " PERFGATE_INTERNAL_VERSION(__GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__)
#else
#define PERFGATE_INTERNAL_COMPILER "unknown"
#endif

#if defined(__has_feature)
#define PERFGATE_INTERNAL_FEATURE(x) __has_feature(x)
#else
#define PERFGATE_INTERNAL_FEATURE(x) 0
#endif

// `retain` keeps the section through -Wl,--gc-sections; compilers without it rely on the reference
// from ThisBuild() below. An allocated section survives strip in any case.
#if defined(__has_attribute)
#if __has_attribute(retain)
#define PERFGATE_INTERNAL_RETAIN retain,
#endif
#endif
#if !defined(PERFGATE_INTERNAL_RETAIN)
#define PERFGATE_INTERNAL_RETAIN
#endif

namespace perfgate::bench {
namespace {

__attribute__((used, PERFGATE_INTERNAL_RETAIN section(".perfgate"))) const char kMarker[] =
    "perfgate-worker-protocol:1";

constexpr const char* Sanitizer() {
#if defined(__SANITIZE_ADDRESS__) || PERFGATE_INTERNAL_FEATURE(address_sanitizer)
#if PERFGATE_INTERNAL_FEATURE(undefined_behavior_sanitizer)
  return "address,undefined";
#else
  return "address";
#endif
#elif defined(__SANITIZE_THREAD__) || PERFGATE_INTERNAL_FEATURE(thread_sanitizer)
  return "thread";
#elif PERFGATE_INTERNAL_FEATURE(memory_sanitizer)
  return "memory";
#elif PERFGATE_INTERNAL_FEATURE(undefined_behavior_sanitizer)
  return "undefined";
#else
  return "";
#endif
}

#if defined(__OPTIMIZE__)
constexpr bool kOptimized = true;
#else
constexpr bool kOptimized = false;
#endif

#if defined(NDEBUG)
constexpr bool kAssertions = false;
#else
constexpr bool kAssertions = true;
#endif

constexpr const char kCodegen[] =
    ""
#if defined(__AVX512F__)
    " avx512f"
#endif
#if defined(__AVX2__)
    " avx2"
#elif defined(__AVX__)
    " avx"
#elif defined(__SSE4_2__)
    " sse4.2"
#elif defined(__SSE2__)
    " sse2"
#endif
#if defined(__FMA__)
    " fma"
#endif
#if defined(__ARM_FEATURE_SVE)
    " sve"
#endif
#if defined(__ARM_NEON)
    " neon"
#endif
#if defined(__OPTIMIZE_SIZE__)
    " size"
#endif
#if defined(__FAST_MATH__)
    " fast-math"
#elif defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__
    " finite-math"
#endif
#if defined(__NO_INLINE__)
    " no-inline"
#endif
#if defined(__PIE__)
    " pie"
#elif defined(__PIC__)
    " pic"
#endif
#if defined(_FORTIFY_SOURCE) && _FORTIFY_SOURCE > 0
    " fortify=" PERFGATE_INTERNAL_TEXT(_FORTIFY_SOURCE)
#endif
#if defined(_GLIBCXX_ASSERTIONS)
        " library-assertions"
#endif
    ;

}  // namespace

BuildDescription ThisBuild() {
  return {PERFGATE_INTERNAL_COMPILER,
          kOptimized,
          kAssertions,
          Sanitizer(),
          kCodegen[0] == ' ' ? kCodegen + 1 : kCodegen,
          static_cast<const char*>(kMarker)};
}

}  // namespace perfgate::bench
