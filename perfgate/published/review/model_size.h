// SPDX-License-Identifier: Apache-2.0
// model_size.h: how much memory a model needs for serving, from nothing but its name.
//
// The name gives the parameters N (in 10^9) and the type of the weights: "8B", "8x7B", "405B-FP8",
// "30B-A3B", "AWQ". Memory is weights + KV cache + overhead, in GB of 10^9 bytes:
//
//   weights   N x bytes per weight: 4 (fp32), 2 (16 bit, also where nothing is stated), 1 (8 bit),
//             0.5 to 0.65 (4 bit; scales and layers that stay wider cost up to 30 %)
//   KV cache  tokens x 2 x layers x KV heads x head size x 2 bytes. A name states none of these, so
//             0.1 to 1 byte per parameter: 8192 tokens of a 70B model with 8 KV heads (2.7 GB of
//             70) are below, 65536 tokens of an 8B model with 8 KV heads (8.6 GB of 8) are at the
//             top
//   overhead  1 to 4 GB for the context of the device, activations, graphs and libraries
//
// "8x7B" shares all but the experts: 0.8 to 1 of the product (Mixtral: 46.7 of 56, 141 of 176).
// "17B-16E" states the active parameters and the number of experts: 1 to 16 times 17. These are
// ranges for planning; a list that has measured counts more.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace perfgate::published {

struct SizeRange {
  double lo = 0;
  double hi = 0;
};

struct ModelSize {
  SizeRange parameters;          // 10^9
  std::optional<double> active;  // 10^9, of "A3B"
  SizeRange bytes_per_weight;    // bytes
  std::string type;              // "16 bit", "8 bit", "4 bit", "32 bit"
  bool type_stated = false;      // else taken for 16 bit
};

// None where the name has no number of parameters.
std::optional<ModelSize> ModelSizeOf(std::string_view name);

struct MemoryEstimate {
  SizeRange weights_gb;
  SizeRange kv_cache_gb;
  SizeRange overhead_gb;
  SizeRange total_gb;
};

inline constexpr SizeRange kKvBytesPerParameter = {0.1, 1};
inline constexpr SizeRange kOverheadGb = {1, 4};

MemoryEstimate MemoryOf(const ModelSize& size);

// The smallest of 1, 2, 4 and 8 devices of so many GB that hold the memory; 16 and on in doubles.
int DevicesFor(double total_gb, double device_gb);

}  // namespace perfgate::published
