// SPDX-License-Identifier: Apache-2.0
// target.h: defines a fuzz target.
//
//   PERFGATE_FUZZ_TARGET(session) { ... reads `bytes`, an std::string_view ... }
//
// A libFuzzer executable is built of one target, with PERFGATE_FUZZ_PARAMETER set to what else it
// takes (the format of `format`, the ending of `audit`). The replay is one executable of them all:
// there a target is known by its name, and `parameter` is what the command line says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace perfgate::fuzz {

using Target = void (*)(std::string_view bytes, std::string_view parameter);

// Enters a target for the replay; defined there.
bool Register(std::string_view name, Target target);

}  // namespace perfgate::fuzz

#ifdef PERFGATE_FUZZ_PARAMETER
#define PERFGATE_FUZZ_TARGET(name)                                                     \
  static void Fuzz_##name(std::string_view bytes, std::string_view parameter);         \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {  \
    Fuzz_##name({reinterpret_cast<const char*>(data), size}, PERFGATE_FUZZ_PARAMETER); \
    return 0;                                                                          \
  }                                                                                    \
  static void Fuzz_##name([[maybe_unused]] std::string_view bytes,                     \
                          [[maybe_unused]] std::string_view parameter)
#else
#define PERFGATE_FUZZ_TARGET(name)                                             \
  static void Fuzz_##name(std::string_view bytes, std::string_view parameter); \
  [[maybe_unused]] static const bool kRegistered_##name =                      \
      perfgate::fuzz::Register(#name, Fuzz_##name);                            \
  static void Fuzz_##name([[maybe_unused]] std::string_view bytes,             \
                          [[maybe_unused]] std::string_view parameter)
#endif
