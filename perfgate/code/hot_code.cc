// SPDX-License-Identifier: Apache-2.0
#include "perfgate/code/hot_code.h"

#include <cxxabi.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "perfgate/base/error.h"
#include "perfgate/base/index.h"
#include "perfgate/base/io/read_file.h"
#include "perfgate/base/sha256.h"
#include "perfgate/code/elf_image.h"
#include "perfgate/code/functions.h"
#include "perfgate/code/references.h"

namespace perfgate::code {
namespace {

constexpr int kFewestSamples = 200;
constexpr double kSameShare = 0.99;

std::string Demangled(const std::string& name) {
  const std::size_t colon = name.rfind(':');
  const bool qualified = colon != std::string::npos && name.compare(colon + 1, 2, "_Z") == 0;
  const std::string mangled = qualified ? name.substr(colon + 1) : name;
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 && text ? text.get() : name;
}

std::string FileName(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

// A file as both arms map it: two files of one name, or one in both.
struct FilePair {
  bool same = false;    // of one content
  std::string trouble;  // why it cannot be compared; empty: it can
  std::array<ElfImage, 2> images;
  std::array<std::unique_ptr<References>, 2> references;

  References& ReferencesOf(std::size_t arm) {
    if (!references[arm]) references[arm] = std::make_unique<References>(images[arm]);
    return *references[arm];
  }
};

void OpenPair(const std::string& one, const std::string& other, FilePair& pair) {
  try {
    pair.same =
        one == other || sha256_digest(read_file_text(one)) == sha256_digest(read_file_text(other));
    if (pair.same) return;
    ReadElf(one, pair.images[0]);
    ReadElf(other, pair.images[1]);
  } catch (const Error& error) {
    pair.trouble = error.what();
    return;
  }
  for (const ElfImage& image : pair.images) {
    if (image.machine == Machine::kOther) pair.trouble = "code of another kind of machine";
    if (image.stripped) pair.trouble = "stripped: " + FileName(image.path) + " has no symbols";
  }
}

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
      : programs_{&baseline, &candidate} {}

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
      result.changed = ChangedCallers();
      result.status = result.changed.empty() ? CodeStatus::kUnchanged : CodeStatus::kChanged;
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
    return std::any_of(files_.begin(), files_.end(), [](const auto& entry) {
      const FilePair& pair = *entry.second;
      if (pair.same) return false;
      const auto& [one, other] = pair.images;
      return !std::equal(one.objects.begin(), one.objects.end(), other.objects.begin(),
                         other.objects.end(), [](const Object& a, const Object& b) {
                           return a.address == b.address && a.names == b.names;
                         });
    });
  }

  // The pair of files that `path` of one arm belongs to; none: the other arm has no such file.
  std::optional<std::string> PairOf(std::size_t arm, const std::string& path) {
    const ProgramSamples& own = *programs_[arm];
    const ProgramSamples& other = *programs_[1 - arm];
    std::string twin;
    if (path == own.executable) {
      twin = other.executable;
    } else {
      for (const std::string& file : other.files) {
        if (FileName(file) == FileName(path) && file != other.executable) twin = file;
      }
    }
    if (twin.empty()) return std::nullopt;
    const std::string& one = arm == 0 ? path : twin;
    const std::string name =
        path == own.executable ? FileName(programs_[1]->executable) : FileName(path);
    const auto [entry, is_new] = files_.try_emplace(name);
    if (is_new) {
      entry->second = std::make_unique<FilePair>();
      OpenPair(one, arm == 0 ? twin : path, *entry->second);
    }
    return name;
  }

  Seen Look(std::size_t arm, const CodePlace& place) {
    if (place.path == "[vdso]") return {Sameness::kSame, "", "", ""};
    if (place.path.empty() || place.path.front() != '/') {
      return {Sameness::kUnknown, "", "", "code that lies in no file"};
    }
    const std::optional<std::string> name = PairOf(arm, place.path);
    if (!name) return {Sameness::kChanged, FileName(place.path), "?", "only one arm loads it"};
    FilePair& pair = *files_[*name];
    if (pair.same) return {Sameness::kSame, *name, "", ""};
    if (!pair.trouble.empty()) return {Sameness::kUnknown, *name, "", pair.trouble};
    const ElfImage& image = pair.images[arm];
    const auto address = AddressOfOffset(image, place.offset);
    const Section* section = address ? SectionAt(image, *address) : nullptr;
    if (section != nullptr && section->name.rfind(".plt", 0) == 0) {
      return {Sameness::kSame, *name, "", ""};
    }
    const Object* function = address ? ObjectAt(image, *address, true) : nullptr;
    if (function == nullptr) {
      return {Sameness::kUnknown, *name, "", *name + " has code outside any known function"};
    }
    const std::string difference = Difference(pair, arm, *function);
    return {difference.empty() ? Sameness::kSame : Sameness::kChanged, *name,
            function->names.front(), difference};
  }

  std::string Difference(FilePair& pair, std::size_t arm, const Object& function) {
    const auto [entry, is_new] = differences_[arm].try_emplace(&function);
    if (!is_new) return entry->second;
    const Object* twin = nullptr;
    for (const std::string& name : function.names) {
      if (twin == nullptr) twin = FunctionNamed(pair.images[1 - arm], name);
    }
    std::string difference = "only one arm has it";
    if (twin != nullptr) {
      const Object& one = arm == 0 ? function : *twin;
      const Object& other = arm == 0 ? *twin : function;
      difference = DifferenceOf(pair.images[0], pair.ReferencesOf(0), one, pair.images[1],
                                pair.ReferencesOf(1), other);
    }
    return differences_[arm][&function] = difference;
  }

  // Of functions that both arms have and that call a hot one: those that differ.
  std::vector<HotFunction> ChangedCallers() {
    std::vector<HotFunction> changed;
    for (auto& [name, pair] : files_) {
      if (pair->same || !pair->trouble.empty()) continue;
      for (std::size_t arm = 0; arm < 2; ++arm) AddChangedCallers(name, *pair, arm, changed);
    }
    return changed;
  }

  void AddChangedCallers(const std::string& file, FilePair& pair, std::size_t arm,
                         std::vector<HotFunction>& changed) {
    const ElfImage& image = pair.images[arm];
    const auto& callers = pair.ReferencesOf(arm).scan().callers;
    std::set<std::uint64_t> reached;
    std::vector<std::uint64_t> open;
    for (const auto& [hot_file, symbol] : hot_) {
      if (hot_file != file || IsOfTheLibrary(symbol)) continue;
      if (const Object* hot = FunctionNamed(image, symbol)) open.push_back(hot->address);
    }
    while (!open.empty()) {
      const std::uint64_t callee = open.back();
      open.pop_back();
      const auto found = callers.find(callee);
      if (found == callers.end()) continue;
      for (const std::uint64_t address : found->second) {
        if (!reached.insert(address).second) continue;
        open.push_back(address);
        const Object* caller = ObjectAt(image, address, true);
        if (caller == nullptr || IsOfTheLibrary(caller->names.front())) continue;
        const std::string difference = Difference(pair, arm, *caller);
        if (difference.empty() || difference == "only one arm has it") continue;
        const std::string symbol = Demangled(caller->names.front());
        if (std::none_of(changed.begin(), changed.end(),
                         [&](const HotFunction& h) { return h.symbol == symbol; })) {
          changed.push_back({file, symbol, 0, difference});
        }
      }
    }
  }

  // Every case calls it.
  static bool IsOfTheLibrary(const std::string& symbol) {
    return symbol.rfind("_ZN9benchmark", 0) == 0 || symbol.rfind("_ZNK9benchmark", 0) == 0;
  }

  std::array<const ProgramSamples*, 2> programs_;
  std::map<std::string, std::unique_ptr<FilePair>> files_;
  std::array<std::map<const Object*, std::string>, 2> differences_;
  std::set<std::pair<std::string, std::string>> hot_;
};

}  // namespace

CodeComparison CompareHotCode(const ProgramSamples& baseline, const ProgramSamples& candidate) {
  return Comparer(baseline, candidate).Compare();
}

}  // namespace perfgate::code
