// SPDX-License-Identifier: Apache-2.0
#include "perfgate/code/hot_code.h"

#include <algorithm>
#include <array>
#include <utility>

#include "perfgate/code/callers.h"
#include "perfgate/code/elf_image.h"
#include "perfgate/code/file_pairs.h"

namespace perfgate::code {
namespace {

constexpr int kFewestSamples = 200;
constexpr double kSameShare = 0.99;

enum class Sameness { kSame, kChanged, kUnknown };

struct Seen {
  Sameness sameness = Sameness::kUnknown;
  std::string file;    // of the pair
  std::string symbol;  // empty: no function
  std::string text;    // the difference, or why nothing is known
};

class Comparer {
 public:
  Comparer(const ProgramSamples& baseline, const ProgramSamples& candidate)
      : programs_{&baseline, &candidate}, files_(baseline, candidate) {}

  CodeComparison Compare() {
    CodeComparison result;
    result.same_share = 1;
    double unknown_share = 0;
    std::map<std::pair<std::string, std::string>, HotFunction> changed;
    for (std::size_t arm = 0; arm < 2; ++arm) {
      int total = 0;
      for (const auto& [place, count] : programs_[arm]->counts) total += count;
      if (total < kFewestSamples) {
        result.same_share = 0;
        result.reason = "too few samples (" + std::to_string(total) + ")";
        return result;
      }
      double same = 0, unknown = 0;
      std::map<std::pair<std::string, std::string>, double> shares;
      for (const auto& [place, count] : programs_[arm]->counts) {
        const double share = static_cast<double>(count) / total;
        const Seen seen = Look(arm, place);
        if (seen.sameness == Sameness::kSame) same += share;
        if (seen.sameness == Sameness::kUnknown) {
          unknown += share;
          if (result.reason.empty()) result.reason = seen.text;
        }
        if (seen.sameness == Sameness::kChanged) {
          HotFunction& hot = changed[{seen.file, seen.symbol}];
          hot.object = seen.file;
          hot.symbol = Demangled(seen.symbol);
          hot.difference = seen.text;
        }
        if (!seen.symbol.empty()) shares[{seen.file, seen.symbol}] += share;
      }
      for (const auto& [key, share] : shares) {
        if (share >= 1 - kSameShare) hot_.insert(key);
        if (const auto found = changed.find(key); found != changed.end()) {
          found->second.share = std::max(found->second.share, share);
        }
      }
      result.same_share = std::min(result.same_share, same);
      unknown_share = std::max(unknown_share, unknown);
    }
    for (auto& [key, hot] : changed) result.changed.push_back(std::move(hot));
    std::stable_sort(result.changed.begin(), result.changed.end(),
                     [](const HotFunction& a, const HotFunction& b) { return a.share > b.share; });
    Conclude(unknown_share, result);
    return result;
  }

 private:
  void Conclude(double unknown_share, CodeComparison& result) {
    if (result.same_share >= kSameShare) {
      result.reason.clear();
      Callers callers = ChangedCallers(*programs_[0], *programs_[1], hot_, files_);
      result.changed = std::move(callers.changed);
      result.status = result.changed.empty() ? CodeStatus::kUnchanged : CodeStatus::kChanged;
      if (result.status == CodeStatus::kUnchanged && !callers.trouble.empty()) {
        result.status = CodeStatus::kUnknown;
        result.reason = callers.trouble;
      }
      if (result.status == CodeStatus::kUnchanged && !AnythingMoved()) {
        result.status = CodeStatus::kUnknown;
        result.reason =
            "it is the same and lies at the same addresses: its place is not the reason";
      }
    } else if (unknown_share > 1 - kSameShare || result.changed.empty()) {
      result.status = CodeStatus::kUnknown;
    } else {
      result.reason.clear();
      result.status = CodeStatus::kChanged;
    }
  }

  // Whether a function or data lies elsewhere in the candidate. What is the same at the same place
  // and still slower is given other data to work on.
  bool AnythingMoved() const {
    return std::any_of(files_.all().begin(), files_.all().end(), [](const auto& entry) {
      const FilePair& pair = *entry.second;
      if (pair.same) return false;
      const auto& [one, other] = pair.images;
      return !std::equal(one.objects.begin(), one.objects.end(), other.objects.begin(),
                         other.objects.end(), [](const Object& a, const Object& b) {
                           return a.address == b.address && a.names == b.names;
                         });
    });
  }

  Seen Look(std::size_t arm, const CodePlace& place) {
    if (place.path == "[vdso]") return {Sameness::kSame, "", "", ""};
    if (place.path.empty() || place.path.front() != '/') {
      return {Sameness::kUnknown, "", "", "code that lies in no file"};
    }
    FilePair* pair = files_.PairOf(arm, place.path);
    if (pair == nullptr) {
      return {Sameness::kChanged, FileName(place.path), "?", "only one arm loads it"};
    }
    if (pair->same) return {Sameness::kSame, pair->name, "", ""};
    if (!pair->trouble.empty()) return {Sameness::kUnknown, pair->name, "", pair->trouble};
    const ElfImage& image = pair->images[arm];
    const auto address = AddressOfOffset(image, place.offset);
    const Section* section = address ? SectionAt(image, *address) : nullptr;
    if (section != nullptr && section->name.rfind(".plt", 0) == 0) {
      return {Sameness::kSame, pair->name, "", ""};
    }
    const Object* function = address ? ObjectAt(image, *address, true) : nullptr;
    if (function == nullptr) {
      return {Sameness::kUnknown, pair->name, "",
              pair->name + " has code outside any known function"};
    }
    const std::string difference = files_.Difference(*pair, arm, *function);
    return {difference.empty() ? Sameness::kSame : Sameness::kChanged, pair->name,
            function->names.front(), difference};
  }

  std::array<const ProgramSamples*, 2> programs_;
  FilePairs files_;
  FunctionNames hot_;
};

}  // namespace

CodeComparison CompareHotCode(const ProgramSamples& baseline, const ProgramSamples& candidate) {
  return Comparer(baseline, candidate).Compare();
}

}  // namespace perfgate::code
