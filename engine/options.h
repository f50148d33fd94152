// SPDX-License-Identifier: Apache-2.0
// options.h: everything about an engine that can be chosen, as one plain struct and one table.
//
// The table has a row per field and is what the command line, its help, JSON, and the names of
// benchmark cases are made of. No environment variable configures an engine, nothing is global: two
// engines with different options share a process.
//
// `auto` is a value of its own: what it becomes depends on the device, see docs/engine.md.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/isa.h"

namespace engine {

enum class DeviceKind : std::uint8_t { kCpu, kCuda };
enum class IsaChoice : std::uint8_t { kAuto, kGeneric, kAvx2, kAvx512 };
enum class Gemm : std::uint8_t { kAuto, kOwn, kCublasLt };
enum class Gemv : std::uint8_t { kAuto, kOwn, kReference, kCublasLt };
enum class Attention : std::uint8_t { kAuto, kReference, kSplitKv, kFused };
enum class Ffn : std::uint8_t { kAuto, kBatched, kSeparate };
enum class Toggle : std::uint8_t { kAuto, kOff, kOn };
enum class WeightCache : std::uint8_t { kOff, k16Bit };
enum class Convert : std::uint8_t { kHost, kDevice };
enum class Preload : std::uint8_t { kMmap, kPread, kPinned };
enum class NumericsMode : std::uint8_t { kFast, kHfExact };

struct EngineOptions {
  DeviceKind device = DeviceKind::kCpu;
  std::int64_t threads = 0;
  IsaChoice isa = IsaChoice::kAuto;
  Gemm gemm = Gemm::kAuto;
  Gemv gemv = Gemv::kAuto;
  Attention attention = Attention::kAuto;
  Ffn ffn = Ffn::kAuto;
  Toggle fuse_qkv = Toggle::kAuto;
  Toggle fuse_norm = Toggle::kAuto;
  Toggle queue_ahead = Toggle::kAuto;
  WeightCache weight_cache = WeightCache::kOff;
  Convert convert = Convert::kHost;
  bool cuda_graph = false;
  std::int64_t prebuild = 0;
  Preload preload = Preload::kMmap;
  bool uncertainty = false;
  NumericsMode numerics = NumericsMode::kFast;
  std::int64_t batch = 1;
  std::int64_t max_seq = 0;
  std::int64_t chunk = 256;
  std::uint64_t seed = 1;

  bool operator==(const EngineOptions&) const = default;
};

// Whether an option keeps every bit of a result; else results are compared by the ratio rule.
enum class KeptBits : std::uint8_t { kAll, kAllOnCpu, kNotAll };

struct OptionRow {
  std::string_view name;
  std::string_view help;
  std::span<const std::string_view> values;  // of an enum or switch; empty for a number
  std::uint64_t least, most;                 // of a number
  bool in_name;                              // part of case names
  KeptBits bits;
  std::string (*get)(const EngineOptions&);
  // False when the text is no value of this option.
  bool (*set)(EngineOptions&, std::string_view);
};

std::span<const OptionRow> OptionTable();

bool KeepsBits(const OptionRow& row, DeviceKind device);

// "cpu|cuda", or "1..4096".
std::string ValuesText(const OptionRow& row);

// Nullptr when there is no such option.
const OptionRow* FindOption(std::string_view name);

// Sets one option. What is wrong is added to `problems`, so that all can be told at once.
void SetOption(EngineOptions& options, std::string_view name, std::string_view value,
               std::vector<std::string>& problems);

// Every number out of range and every contradiction between options, each naming both sides; empty
// when there is none.
std::vector<std::string> Validate(const EngineOptions& options);

// What the CPU kernels run at.
kernels::Isa IsaOf(const EngineOptions& options);

// Throws Error(kUsage) listing `problems`, unless there are none.
void ThrowIfAny(const std::vector<std::string>& problems);

// All rows: numbers as numbers, off|on as booleans, the rest as text.
nlohmann::ordered_json ToJson(const EngineOptions& options);

// Changes the options that `root` names; the others stay. Unknown keys and bad values are added to
// `problems`.
void FromJson(const nlohmann::json& root, EngineOptions& options,
              std::vector<std::string>& problems);

// "gemv:own/cuda_graph:on": the in_name rows that differ from the defaults, in table order.
std::string CaseName(const EngineOptions& options);

// The defaults changed by a name as CaseName writes it.
EngineOptions FromCaseName(std::string_view name, std::vector<std::string>& problems);

}  // namespace engine
