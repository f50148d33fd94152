// SPDX-License-Identifier: Apache-2.0
#include "perfgate/code/stack_chains.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

#include "perfgate/base/index.h"

namespace perfgate::code {
namespace {

constexpr double kLeastShare = 0.01;

// Whether a call ends here: of 5 bytes to a fixed place, of 2 to 7 through a register or memory; on
// AArch64 BL, BLR and BLR with a signed address.
bool IsBehindCall(const ElfImage& image, std::uint64_t address) {
  constexpr std::uint64_t kLongest = 7;
  const Section* section = address == 0 ? nullptr : SectionAt(image, address - 1);
  if (section == nullptr || !section->executable) return false;
  const std::uint64_t most = std::min(address - section->address, kLongest);
  const std::string_view bytes = BytesAt(image, address - most, most);
  if (bytes.size() != most) return false;
  if (image.machine == Machine::kAArch64) {
    std::uint32_t word = 0;
    if (most < sizeof word) return false;
    std::memcpy(&word, bytes.data() + most - sizeof word, sizeof word);
    return (word & 0xfc000000) == 0x94000000 || (word & 0xfefff000) == 0xd63f0000;
  }
  const auto before = [&](std::size_t back) -> unsigned {
    return back > most ? 0 : static_cast<unsigned char>(bytes[most - back]);
  };
  if (before(5) == 0xe8) return true;
  for (const std::size_t length : {2U, 3U, 4U, 6U, 7U}) {
    if (before(length) == 0xff && (before(length - 1) >> 3 & 7) == 2) return true;
  }
  return false;
}

// They refer to every case of the executable.
bool IsProgramStart(std::string_view symbol) {
  const std::string_view bare = symbol.substr(symbol.rfind(':') + 1);
  return bare == "main" || bare == "_start" || bare.starts_with("_GLOBAL__sub_I_") ||
         bare.find("static_initialization_and_destruction") != std::string_view::npos;
}

class StackReader {
 public:
  StackReader(const ProgramSamples& samples, std::size_t arm, FilePairs& files)
      : samples_(samples), arm_(arm), files_(files) {
    for (const CodePlace& place : samples.stack_places) frames_.push_back(FrameAt(place));
  }

  StackChains Read() {
    int total = 0;
    for (const auto& [place, count] : samples_.counts) total += count;
    int seen = 0;
    std::map<std::pair<FilePair*, const Object*>, int> counts;
    std::map<std::string, int> troubles;
    for (const SampledStack& stack : samples_.stacks) {
      std::set<int> words(stack.words.begin(), stack.words.end());
      seen += stack.whole || HasMain(words) ? 1 : 0;
      const auto end = EndOf(stack.words);
      std::set<std::pair<FilePair*, const Object*>> functions;
      std::set<std::string> reasons;
      for (auto word = stack.words.begin(); word != end; ++word) {
        const StackFrame& frame = At(*word);
        if (frame.kind == StackFrame::Kind::kFunction) {
          functions.insert({frame.file, frame.function});
        }
        if (frame.kind == StackFrame::Kind::kTrouble) reasons.insert(frame.text);
      }
      for (const auto& function : functions) ++counts[function];
      for (const std::string& reason : reasons) ++troubles[reason];
    }
    StackChains chains;
    chains.unseen_share = total == 0 ? 1 : 1 - static_cast<double>(seen) / total;
    for (const auto& [function, count] : counts) {
      if (count >= kLeastShare * total) chains.functions.insert(function);
    }
    for (const auto& [reason, count] : troubles) {
      if (count >= kLeastShare * total) chains.trouble = reason;
    }
    return chains;
  }

 private:
  const StackFrame& At(int word) const { return frames_[Index(word)]; }

  StackFrame FrameAt(const CodePlace& place) {
    using Kind = StackFrame::Kind;
    if (place.path == "[vdso]") return {};
    if (place.path.empty() || place.path.front() != '/') {
      return {Kind::kTrouble, nullptr, nullptr, "a caller lies in no file"};
    }
    const std::string name = FileName(place.path);
    if (name.starts_with("libbenchmark")) return {Kind::kLibrary, nullptr, nullptr, ""};
    if (name.starts_with("libperfgate_sampler")) return {};
    FilePair* pair = files_.PairOf(arm_, place.path);
    if (pair == nullptr) {
      return {Kind::kTrouble, nullptr, nullptr, "only one arm loads " + name + ", which calls"};
    }
    const ElfImage& image = pair->images[arm_];
    const auto address = AddressOfOffset(image, place.offset);
    if (image.sections.empty()) {  // not read
      if (pair->same) return {Kind::kSame, pair, nullptr, ""};
      return {Kind::kTrouble, pair, nullptr, pair->trouble};
    }
    if (!address || !IsBehindCall(image, *address)) return {};
    // A call that does not return may be the last instruction of a function.
    const Object* function = ObjectAt(image, *address - 1, true);
    if (function != nullptr) {
      const std::string& symbol = function->names.front();
      if (IsOfTheLibrary(symbol)) return {Kind::kLibrary, pair, function, ""};
      if (IsProgramStart(symbol)) return {Kind::kStart, pair, function, ""};
    }
    if (pair->same) return {Kind::kSame, pair, function, ""};
    if (!pair->trouble.empty()) return {Kind::kTrouble, pair, nullptr, pair->trouble};
    return {function == nullptr ? Kind::kNone : Kind::kFunction, pair, function, ""};
  }

  // main() calls others from one depth of the stack: such a word lies where its callee began, and
  // all that is under way below lies before it. A word of the benchmark library may be the rest of
  // a call that has returned.
  bool HasMain(const std::set<int>& words) const {
    return std::any_of(words.begin(), words.end(), [&](int word) {
      return At(word).kind == StackFrame::Kind::kStart &&
             At(word).function->names.front() == "main";
    });
  }

  // Behind what was called by the outermost frame of the benchmark library; without one, by main().
  std::vector<int>::const_iterator EndOf(const std::vector<int>& words) const {
    for (const StackFrame::Kind kind : {StackFrame::Kind::kLibrary, StackFrame::Kind::kStart}) {
      const auto outermost = std::find_if(words.rbegin(), words.rend(),
                                          [&](int word) { return At(word).kind == kind; });
      if (outermost != words.rend()) return outermost.base();
    }
    return words.end();
  }

  const ProgramSamples& samples_;
  std::size_t arm_;
  FilePairs& files_;
  std::vector<StackFrame> frames_;  // of samples_.stack_places
};

}  // namespace

StackChains ReadStacks(const ProgramSamples& samples, std::size_t arm, FilePairs& files) {
  return StackReader(samples, arm, files).Read();
}

bool IsOfTheLibrary(std::string_view symbol) {
  if (symbol.starts_with("_ZN9benchmark8internal15LambdaBenchmark")) return false;
  return symbol.starts_with("_ZN9benchmark") || symbol.starts_with("_ZNK9benchmark");
}

}  // namespace perfgate::code
