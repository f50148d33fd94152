// SPDX-License-Identifier: Apache-2.0
#include "perfgate/code/file_pairs.h"

#include <cxxabi.h>

#include <cstdlib>
#include <filesystem>

#include "perfgate/base/error.h"
#include "perfgate/base/io/read_file.h"
#include "perfgate/base/sha256.h"
#include "perfgate/code/functions.h"

namespace perfgate::code {
namespace {

void OpenPair(const std::string& one, const std::string& other, bool executable, FilePair& pair) {
  try {
    pair.same =
        one == other || sha256_digest(read_file_text(one)) == sha256_digest(read_file_text(other));
    if (pair.same && !executable) return;
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

}  // namespace

References& FilePair::ReferencesOf(std::size_t arm) {
  if (!references[arm]) references[arm] = std::make_unique<References>(images[arm]);
  return *references[arm];
}

FilePair* FilePairs::PairOf(std::size_t arm, const std::string& path) {
  const ProgramSamples& own = *programs_[arm];
  const ProgramSamples& other = *programs_[1 - arm];
  const bool executable = path == own.executable;
  std::string twin;
  if (executable) {
    twin = other.executable;
  } else {
    for (const std::string& file : other.files) {
      if (FileName(file) == FileName(path) && file != other.executable) twin = file;
    }
  }
  if (twin.empty()) return nullptr;
  const std::string name = FileName(executable ? programs_[1]->executable : path);
  std::unique_ptr<FilePair>& pair = pairs_[name];
  if (!pair) {
    pair = std::make_unique<FilePair>();
    pair->name = name;
    OpenPair(arm == 0 ? path : twin, arm == 0 ? twin : path, executable, *pair);
  }
  return pair.get();
}

std::string FilePairs::Difference(FilePair& pair, std::size_t arm, const Object& function) {
  const auto [entry, is_new] = differences_[arm].try_emplace(&function);
  if (!is_new) return entry->second;
  const Object* twin = nullptr;
  for (const std::string& name : function.names) {
    if (twin == nullptr) twin = FunctionNamed(pair.images[1 - arm], name);
  }
  std::string difference = kOneArmOnly;
  if (twin != nullptr) {
    const Object& one = arm == 0 ? function : *twin;
    const Object& other = arm == 0 ? *twin : function;
    difference = DifferenceOf(pair.images[0], pair.ReferencesOf(0), one, pair.images[1],
                              pair.ReferencesOf(1), other);
  }
  return differences_[arm][&function] = difference;
}

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

}  // namespace perfgate::code
