// SPDX-License-Identifier: Apache-2.0
#include "perfgate/import/detect.h"

#include <array>
#include <filesystem>
#include <optional>

#include "perfgate/base/error.h"
#include "perfgate/base/json/strict_json.h"
#include "perfgate/base/text/join.h"
#include "perfgate/evidence/files/input_kinds.h"
#include "perfgate/import/formats/criterion.h"
#include "perfgate/import/formats/google_benchmark.h"
#include "perfgate/import/formats/hyperfine.h"
#include "perfgate/import/formats/llama_bench.h"
#include "perfgate/import/formats/pytest_benchmark.h"
#include "perfgate/import/formats/tracker.h"
#include "perfgate/import/nvbench/nvbench.h"
#include "perfgate/import/serving/sglang.h"
#include "perfgate/import/serving/vllm_latency.h"
#include "perfgate/import/serving/vllm_serve.h"
#include "perfgate/import/serving/vllm_throughput.h"

namespace perfgate::import {
namespace {

// Its identity is in the files beside it.
Document read_criterion_file(std::string_view, const std::string& name) {
  return read_criterion(name);
}

// A format in which every metric has its one name.
template <Document (*read)(std::string_view, const std::string&)>
Document read_fixed(std::string_view bytes, const std::string& name, const MetricRegistry&) {
  return read(bytes, name);
}

constexpr std::array kFormats = {
    Format{"google_benchmark", "Google Benchmark", looks_like_google_benchmark,
           read_google_benchmark},
    Format{"hyperfine", "hyperfine", looks_like_hyperfine, read_fixed<read_hyperfine>},
    Format{"pytest_benchmark", "pytest-benchmark", looks_like_pytest_benchmark,
           read_fixed<read_pytest_benchmark>},
    Format{"criterion", "criterion", looks_like_criterion, read_fixed<read_criterion_file>},
    Format{"vllm_serve", "vLLM bench serve", looks_like_vllm_serve, read_vllm_serve},
    Format{"vllm_latency", "vLLM bench latency", looks_like_vllm_latency,
           read_fixed<read_vllm_latency>},
    Format{"vllm_throughput", "vLLM bench throughput", looks_like_vllm_throughput,
           read_fixed<read_vllm_throughput>},
    Format{"sglang", "SGLang bench_serving", looks_like_sglang, read_sglang},
    Format{"llama_bench", "llama-bench", looks_like_llama_bench, read_fixed<read_llama_bench>},
    Format{"tracker", "tracked run records", looks_like_tracker, read_tracker},
    Format{"nvbench", "NVBench", looks_like_nvbench, read_fixed<read_nvbench>},
};

std::string known_formats() {
  std::string names;
  for (const Format& format : kFormats) {
    AppendItem(names, format.name);
  }
  return names;
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

// The first line, where the text has several and the first is a document by itself.
std::optional<nlohmann::json> first_line(std::string_view bytes, const std::string& name) {
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    const std::string_view line = bytes.substr(0, end);
    bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + 1);
    if (is_blank(line)) continue;
    if (is_blank(bytes)) return std::nullopt;
    try {
      return parse_strict_json(line, name, NonFinite::kKeep);
    } catch (const Error&) {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

}  // namespace

std::span<const Format> formats() { return kFormats; }

const Format& format_named(std::string_view name) {
  for (const Format& format : kFormats) {
    if (format.name == name) return format;
  }
  throw Error(Exit::kUsage,
              "unknown format '" + std::string(name) + "'; known: " + known_formats());
}

const Format& detect_format(std::string_view bytes, const std::string& name) {
  if (is_blank(bytes)) {
    throw Error(Exit::kData, name +
                                 ": the file is empty; the run ended before it wrote anything, or "
                                 "its filter matched no benchmark");
  }
  // Lines first: the second one makes no single document.
  std::optional<nlohmann::json> first = first_line(bytes, name);
  if (!first) first = parse_strict_json(bytes, name, NonFinite::kKeep);
  for (const Format& format : kFormats) {
    if (format.looks_like(*first)) return format;
  }
  if (first->is_object() && first->contains("format")) {
    const auto& word = (*first)["format"];
    if (word.is_string() && word.get<std::string>().starts_with("perfgate-")) {
      throw Error(Exit::kUsage, name + ": this is a file of perfgate; nothing is to be imported");
    }
  }
  throw Error(Exit::kData, name + ": no known format of benchmark results; known: " +
                               known_formats() + ". --format says which one it is");
}

Document read_foreign(const std::string& path, std::string_view format,
                      const MetricRegistry& registry) {
  std::error_code unreadable;  // shows when the file is read
  if (std::filesystem::is_directory(path, unreadable)) {
    if (!format.empty() && format != "criterion") {
      throw Error(Exit::kData, path + ": is a folder; " + std::string(format) + " needs a file");
    }
    return read_criterion(path);
  }
  const std::string bytes = ReadInputFile(path, kResultFile);
  const Format& chosen = format.empty() ? detect_format(bytes, path) : format_named(format);
  Document document = chosen.read(bytes, path, registry);
  document.name = path;
  return document;
}

}  // namespace perfgate::import
