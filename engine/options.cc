// SPDX-License-Identifier: Apache-2.0
#include "engine/options.h"

#include <charconv>
#include <limits>
#include <type_traits>

namespace engine {
namespace {

using namespace std::string_view_literals;

// The spelling of each enumerator, in order; none of numbers.
constexpr auto NamesOf(DeviceKind) { return std::array{"cpu"sv, "cuda"sv}; }
constexpr auto NamesOf(IsaChoice) {
  return std::array{"auto"sv, "generic"sv, "avx2"sv, "avx512"sv};
}
constexpr auto NamesOf(Gemm) { return std::array{"auto"sv, "own"sv, "cublaslt"sv}; }
constexpr auto NamesOf(Gemv) { return std::array{"auto"sv, "own"sv, "reference"sv, "cublaslt"sv}; }
constexpr auto NamesOf(Attention) {
  return std::array{"auto"sv, "reference"sv, "split_kv"sv, "fused"sv};
}
constexpr auto NamesOf(Ffn) { return std::array{"auto"sv, "batched"sv, "separate"sv}; }
constexpr auto NamesOf(Toggle) { return std::array{"auto"sv, "off"sv, "on"sv}; }
constexpr auto NamesOf(WeightCache) { return std::array{"off"sv, "16bit"sv}; }
constexpr auto NamesOf(Convert) { return std::array{"host"sv, "device"sv}; }
constexpr auto NamesOf(Preload) { return std::array{"mmap"sv, "pread"sv, "pinned"sv}; }
constexpr auto NamesOf(NumericsMode) { return std::array{"fast"sv, "hf_exact"sv}; }
constexpr auto NamesOf(bool) { return std::array{"off"sv, "on"sv}; }
constexpr auto NamesOf(std::int64_t) { return std::array<std::string_view, 0>{}; }
constexpr auto NamesOf(std::uint64_t) { return std::array<std::string_view, 0>{}; }

template <class T>
constexpr auto kNames = NamesOf(T{});

template <auto Member>
using FieldOf = std::remove_reference_t<decltype(std::declval<EngineOptions&>().*Member)>;

template <class T>
constexpr bool kIsNumber = std::is_integral_v<T> && !std::is_same_v<T, bool>;

template <auto Member>
std::string Get(const EngineOptions& options) {
  using T = FieldOf<Member>;
  if constexpr (kIsNumber<T>) {
    return std::to_string(options.*Member);
  } else {
    return std::string(kNames<T>[static_cast<std::size_t>(options.*Member)]);
  }
}

template <auto Member, std::uint64_t least, std::uint64_t most>
bool Set(EngineOptions& options, std::string_view text) {
  using T = FieldOf<Member>;
  if constexpr (kIsNumber<T>) {
    std::uint64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || stop != end || value < least || value > most) {
      return false;
    }
    options.*Member = static_cast<T>(value);
    return true;
  } else {
    for (std::size_t i = 0; i < kNames<T>.size(); ++i) {
      if (kNames<T>[i] == text) {
        options.*Member = static_cast<T>(i);
        return true;
      }
    }
    return false;
  }
}

constexpr bool kInName = true, kNotInName = false;

template <auto Member, std::uint64_t least = 0, std::uint64_t most = 0>
constexpr OptionRow Row(std::string_view name, std::string_view help, bool in_name, KeptBits bits) {
  return {name, help,         kNames<FieldOf<Member>>,  least, most, in_name,
          bits, &Get<Member>, &Set<Member, least, most>};
}

using O = EngineOptions;
constexpr std::array kTable = {
    Row<&O::device>("device", "where the model runs", kInName, KeptBits::kNotAll),
    Row<&O::threads, 0, 1024>("threads", "CPU threads; 0: one per CPU of this process", kInName,
                              KeptBits::kAll),
    Row<&O::isa>("isa", "instruction set of the CPU kernels; auto: the best of this machine",
                 kInName, KeptBits::kAll),
    Row<&O::gemm>("gemm", "linear layers over several rows", kInName, KeptBits::kNotAll),
    Row<&O::gemv>("gemv", "linear layers over one row", kInName, KeptBits::kNotAll),
    Row<&O::attention>("attention", "attention over the cache", kInName, KeptBits::kNotAll),
    Row<&O::ffn>("ffn", "gate and up projection as one product or two", kInName,
                 KeptBits::kAllOnCpu),
    Row<&O::fuse_qkv>("fuse_qkv", "q, k and v projection as one product", kInName,
                      KeptBits::kAllOnCpu),
    Row<&O::fuse_norm>("fuse_norm", "norms inside the products that follow", kInName,
                       KeptBits::kNotAll),
    Row<&O::weight_cache>("weight_cache", "16bit: hold f32 weights as bf16", kInName,
                          KeptBits::kNotAll),
    Row<&O::convert>("convert", "where weights change their type at load", kInName, KeptBits::kAll),
    Row<&O::cuda_graph>("cuda_graph", "replay captured decode steps and short prompts", kInName,
                        KeptBits::kAll),
    Row<&O::queue_ahead>("queue_ahead", "queue a step before the tokens of the last are read",
                         kInName, KeptBits::kAll),
    Row<&O::prebuild, 0, 64>("prebuild", "decode steps captured before the first request", kInName,
                             KeptBits::kAll),
    Row<&O::preload>("preload", "how weights come from their files", kInName, KeptBits::kAll),
    Row<&O::uncertainty>("uncertainty",
                         "log-probability, entropy and margin of every generated token", kInName,
                         KeptBits::kAll),
    Row<&O::numerics>("numerics",
                      "fast: f32 between products; hf_exact: the roundings of transformers",
                      kInName, KeptBits::kNotAll),
    Row<&O::batch, 1, 256>("batch", "sequences at a time", kInName, KeptBits::kNotAll),
    Row<&O::max_seq, 0, 1 << 20>("max_seq", "positions per sequence; 0: the model's, at most 2048",
                                 kNotInName, KeptBits::kAll),
    Row<&O::chunk, 1, 1 << 16>("chunk", "rows of a prompt that are fed at a time", kInName,
                               KeptBits::kNotAll),
    Row<&O::seed, 0, std::numeric_limits<std::uint64_t>::max()>(
        "seed", "of sampling; a step draws from (seed, step)", kNotInName, KeptBits::kAll),
};

}  // namespace

std::span<const OptionRow> OptionTable() { return kTable; }

bool KeepsBits(const OptionRow& row, DeviceKind device) {
  return row.bits == KeptBits::kAll ||
         (row.bits == KeptBits::kAllOnCpu && device == DeviceKind::kCpu);
}

std::string ValuesText(const OptionRow& row) {
  if (row.values.empty()) {
    return std::to_string(row.least) + ".." + std::to_string(row.most);
  }
  std::string text;
  for (const std::string_view value : row.values) {
    text += (text.empty() ? "" : "|") + std::string(value);
  }
  return text;
}

const OptionRow* FindOption(std::string_view name) {
  for (const OptionRow& row : kTable) {
    if (row.name == name) {
      return &row;
    }
  }
  return nullptr;
}

void SetOption(EngineOptions& options, std::string_view name, std::string_view value,
               std::vector<std::string>& problems) {
  const OptionRow* const row = FindOption(name);
  if (row == nullptr) {
    problems.push_back("unknown option '" + std::string(name) + "'");
  } else if (!row->set(options, value)) {
    problems.push_back(std::string(name) + "=" + std::string(value) + ": expected " +
                       ValuesText(*row));
  }
}

}  // namespace engine
