// SPDX-License-Identifier: Apache-2.0
#include "engine/options.h"

#include <charconv>
#include <limits>
#include <type_traits>

#include "engine/error.h"
#include "kernels/isa.h"

namespace engine {
namespace {

// The spelling of each enumerator, in order.
template <class E>
constexpr std::array<std::string_view, 0> kNames{};
template <>
constexpr std::array<std::string_view, 2> kNames<DeviceKind>{"cpu", "cuda"};
template <>
constexpr std::array<std::string_view, 4> kNames<IsaChoice>{"auto", "generic", "avx2", "avx512"};
template <>
constexpr std::array<std::string_view, 3> kNames<Gemm>{"auto", "own", "cublaslt"};
template <>
constexpr std::array<std::string_view, 4> kNames<Gemv>{"auto", "own", "reference", "cublaslt"};
template <>
constexpr std::array<std::string_view, 4> kNames<Attention>{"auto", "reference", "split_kv",
                                                            "fused"};
template <>
constexpr std::array<std::string_view, 3> kNames<Ffn>{"auto", "batched", "separate"};
template <>
constexpr std::array<std::string_view, 3> kNames<Toggle>{"auto", "off", "on"};
template <>
constexpr std::array<std::string_view, 2> kNames<WeightCache>{"off", "16bit"};
template <>
constexpr std::array<std::string_view, 2> kNames<Convert>{"host", "device"};
template <>
constexpr std::array<std::string_view, 3> kNames<Preload>{"mmap", "pread", "pinned"};
template <>
constexpr std::array<std::string_view, 2> kNames<NumericsMode>{"fast", "hf_exact"};
template <>
constexpr std::array<std::string_view, 2> kNames<bool>{"off", "on"};

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

bool IsSwitch(const OptionRow& row) { return row.values.data() == kNames<bool>.data(); }

// Options that need device=cuda, with the value that does.
void CheckCpu(const EngineOptions& options, std::vector<std::string>& problems) {
  const auto needs_cuda = [&](bool asked, const char* what) {
    if (asked) {
      problems.push_back(std::string(what) + " needs device=cuda, but device=cpu");
    }
  };
  needs_cuda(options.gemm == Gemm::kCublasLt, "gemm=cublaslt");
  needs_cuda(options.gemv == Gemv::kCublasLt, "gemv=cublaslt");
  needs_cuda(options.attention == Attention::kSplitKv, "attention=split_kv");
  needs_cuda(options.attention == Attention::kFused, "attention=fused");
  needs_cuda(options.fuse_norm == Toggle::kOn, "fuse_norm=on");
  needs_cuda(options.convert == Convert::kDevice, "convert=device");
  needs_cuda(options.cuda_graph, "cuda_graph=on");
  needs_cuda(options.queue_ahead == Toggle::kOn, "queue_ahead=on");
  needs_cuda(options.preload == Preload::kPinned, "preload=pinned");
}

void CheckCuda(const EngineOptions& options, std::vector<std::string>& problems) {
  if (options.numerics == NumericsMode::kHfExact) {
    problems.emplace_back("numerics=hf_exact needs device=cpu, but device=cuda");
  }
  if (options.fuse_norm == Toggle::kOn &&
      (options.gemv == Gemv::kReference || options.gemv == Gemv::kCublasLt)) {
    problems.push_back("fuse_norm=on needs gemv=own, but gemv=" + Get<&O::gemv>(options));
  }
}

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

std::vector<std::string> Validate(const EngineOptions& options) {
  std::vector<std::string> problems;
  const auto refuse = [&problems](bool wrong, const std::string& what) {
    if (wrong) {
      problems.push_back(what);
    }
  };
  // What a command line or JSON gave is in range; a program may have set anything.
  for (const OptionRow& row : kTable) {
    EngineOptions copy = options;
    if (row.values.empty() && !row.set(copy, row.get(options))) {
      problems.push_back(std::string(row.name) + "=" + row.get(options) + ": expected " +
                         ValuesText(row));
    }
  }
  if (options.device == DeviceKind::kCpu) {
    CheckCpu(options, problems);
  } else {
    CheckCuda(options, problems);
  }
  if (options.isa != IsaChoice::kAuto) {
    const auto isa = static_cast<kernels::Isa>(static_cast<int>(options.isa) - 1);
    refuse(isa > kernels::BestIsa(), "isa=" + std::string(Name(isa)) + ", but this machine has " +
                                         std::string(Name(kernels::BestIsa())));
  }
  refuse(options.prebuild > 0 && !options.cuda_graph,
         "prebuild=" + std::to_string(options.prebuild) + " needs cuda_graph=on");
  refuse(options.numerics == NumericsMode::kHfExact && options.fuse_norm == Toggle::kOn,
         "numerics=hf_exact rounds the norm, which fuse_norm=on never writes");
  refuse(options.numerics == NumericsMode::kHfExact && options.weight_cache == WeightCache::k16Bit,
         "numerics=hf_exact keeps the weights of the file, weight_cache=16bit changes them");
  return problems;
}

void ThrowIfAny(const std::vector<std::string>& problems) {
  if (problems.empty()) {
    return;
  }
  std::string text = problems.size() == 1 ? "" : std::to_string(problems.size()) + " problems:";
  for (const std::string& problem : problems) {
    text += (problems.size() == 1 ? "" : "\n  ") + problem;
  }
  throw Error(Exit::kUsage, text);
}

nlohmann::ordered_json ToJson(const EngineOptions& options) {
  nlohmann::ordered_json root;
  for (const OptionRow& row : kTable) {
    const std::string value = row.get(options);
    const std::string key(row.name);
    if (row.values.empty()) {
      root[key] = std::stoull(value);
    } else if (IsSwitch(row)) {
      root[key] = value == "on";
    } else {
      root[key] = value;
    }
  }
  return root;
}

void FromJson(const nlohmann::json& root, EngineOptions& options,
              std::vector<std::string>& problems) {
  if (!root.is_object()) {
    problems.emplace_back("options are not a JSON object");
    return;
  }
  for (const auto& [key, value] : root.items()) {
    const OptionRow* const row = FindOption(key);
    const bool number = row != nullptr && row->values.empty();
    if (row == nullptr) {
      problems.push_back("unknown option '" + key + "'");
    } else if (number           ? !value.is_number_unsigned()
               : IsSwitch(*row) ? !value.is_boolean()
                                : !value.is_string()) {
      problems.push_back(key + " is " + value.dump() + ": expected " +
                         (number           ? "a number, " + ValuesText(*row)
                          : IsSwitch(*row) ? "true or false"
                                           : "text, " + ValuesText(*row)));
    } else if (value.is_boolean()) {
      SetOption(options, key, value.get<bool>() ? "on" : "off", problems);
    } else {
      SetOption(options, key, value.is_string() ? value.get<std::string>() : value.dump(),
                problems);
    }
  }
}

std::string CaseName(const EngineOptions& options) {
  const EngineOptions defaults;
  std::string name;
  for (const OptionRow& row : kTable) {
    if (const std::string value = row.get(options); row.in_name && value != row.get(defaults)) {
      name += (name.empty() ? "" : "/") + std::string(row.name) + ":" + value;
    }
  }
  return name;
}

EngineOptions FromCaseName(std::string_view name, std::vector<std::string>& problems) {
  EngineOptions options;
  while (!name.empty()) {
    const std::string_view part = name.substr(0, name.find('/'));
    name.remove_prefix(std::min(name.size(), part.size() + 1));
    const std::size_t colon = part.find(':');
    if (colon == std::string_view::npos) {
      problems.push_back("'" + std::string(part) + "' is not option:value");
    } else {
      SetOption(options, part.substr(0, colon), part.substr(colon + 1), problems);
    }
  }
  return options;
}

}  // namespace engine
