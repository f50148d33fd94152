// SPDX-License-Identifier: Apache-2.0
// Which options contradict each other, the device or this machine.
#include <string>
#include <vector>

#include "engine/error.h"
#include "engine/options.h"

namespace engine {
namespace {

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
    problems.push_back("fuse_norm=on needs gemv=own, but gemv=" + FindOption("gemv")->get(options));
  }
}

}  // namespace

kernels::Isa IsaOf(const EngineOptions& options) {
  return kernels::IsaFromName(FindOption("isa")->get(options)).value_or(kernels::BestIsa());
}

std::vector<std::string> Validate(const EngineOptions& options) {
  std::vector<std::string> problems;
  const auto refuse = [&problems](bool wrong, const std::string& what) {
    if (wrong) {
      problems.push_back(what);
    }
  };
  // What a command line or JSON gave is in range; a program may have set anything.
  for (const OptionRow& row : OptionTable()) {
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
  const kernels::Isa isa = IsaOf(options);
  refuse(isa > kernels::BestIsa(), "isa=" + std::string(Name(isa)) + ", but this machine has " +
                                       std::string(Name(kernels::BestIsa())));
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

}  // namespace engine
