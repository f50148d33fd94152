// SPDX-License-Identifier: Apache-2.0
#include "perfgate/code/callers.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>

#include "perfgate/code/stack_chains.h"

namespace perfgate::code {
namespace {

constexpr double kUnseenShare = 0.01;

using CallMap = std::map<std::uint64_t, std::set<std::uint64_t>>;

// All that reach one of `open`, directly or through others.
std::set<std::uint64_t> Reaching(std::vector<std::uint64_t> open, const CallMap& callers) {
  std::set<std::uint64_t> reached;
  while (!open.empty()) {
    const auto found = callers.find(open.back());
    open.pop_back();
    if (found == callers.end()) continue;
    for (const std::uint64_t caller : found->second) {
      if (reached.insert(caller).second) open.push_back(caller);
    }
  }
  return reached;
}

class CallerComparer {
 public:
  explicit CallerComparer(FilePairs& files) : files_(files) {}

  void AddArm(const ProgramSamples& samples, std::size_t arm, const FunctionNames& hot) {
    const StackChains chains = ReadStacks(samples, arm, files_);
    if (!chains.trouble.empty()) result_.trouble = chains.trouble;
    for (const auto& [file, function] : chains.functions) Add(*file, arm, *function, true);
    for (const auto& [name, pair] : files_.all()) {
      if (pair->same || !pair->trouble.empty()) continue;
      const CodeScan& scan = pair->ReferencesOf(arm).scan();
      std::vector<std::uint64_t> open = HotAddresses(name, pair->images[arm], hot);
      if (chains.unseen_share > kUnseenShare) AddReaching(*pair, arm, Reaching(open, scan.callers));
      // Who ends with a jump to a function is not on the stack any more while that one runs.
      for (const auto& [file, function] : chains.functions) {
        if (file == pair.get()) open.push_back(function->address);
      }
      AddReaching(*pair, arm, Reaching(open, scan.jumpers));
    }
  }

  Callers Result() { return std::move(result_); }

 private:
  static std::vector<std::uint64_t> HotAddresses(const std::string& file, const ElfImage& image,
                                                 const FunctionNames& hot) {
    std::vector<std::uint64_t> addresses;
    for (const auto& [hot_file, symbol] : hot) {
      if (hot_file != file || IsOfTheLibrary(symbol)) continue;
      if (const Object* found = FunctionNamed(image, symbol)) addresses.push_back(found->address);
    }
    return addresses;
  }

  void AddReaching(FilePair& file, std::size_t arm, const std::set<std::uint64_t>& addresses) {
    for (const std::uint64_t address : addresses) {
      const Object* caller = ObjectAt(file.images[arm], address, true);
      if (caller == nullptr || IsOfTheLibrary(caller->names.front())) continue;
      Add(file, arm, *caller, false);
    }
  }

  // What was not seen running and is only in one arm is no change: its callers, if it has any that
  // run, call something else in the other.
  void Add(FilePair& file, std::size_t arm, const Object& caller, bool ran) {
    const std::string difference = files_.Difference(file, arm, caller);
    if (difference.empty() || (!ran && difference == kOneArmOnly)) return;
    const std::string symbol = Demangled(caller.names.front());
    if (std::none_of(result_.changed.begin(), result_.changed.end(),
                     [&](const HotFunction& h) { return h.symbol == symbol; })) {
      result_.changed.push_back({file.name, symbol, 0, difference});
    }
  }

  FilePairs& files_;
  Callers result_;
};

}  // namespace

Callers ChangedCallers(const ProgramSamples& baseline, const ProgramSamples& candidate,
                       const FunctionNames& hot, FilePairs& files) {
  CallerComparer comparer(files);
  comparer.AddArm(baseline, 0, hot);
  comparer.AddArm(candidate, 1, hot);
  return comparer.Result();
}

}  // namespace perfgate::code
