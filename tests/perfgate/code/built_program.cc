// SPDX-License-Identifier: Apache-2.0
#include "tests/perfgate/code/built_program.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "perfgate/code/elf_image.h"
#include "perfgate/code/functions.h"
#include "perfgate/code/references.h"

namespace perfgate::code {

std::string BuildProgram(const std::string& folder, const std::vector<SourceFile>& files,
                         const std::string& flags, const std::string& compiler) {
  std::filesystem::create_directories(folder);
  std::string command = "cd " + folder + " && " + compiler + " " + flags + " -o program";
  for (const SourceFile& file : files) {
    std::ofstream(folder + "/" + file.name) << file.text;
    command += " " + file.name;
  }
  const int status = std::system(command.c_str());  // NOLINT(cert-env33-c)
  EXPECT_EQ(status, 0) << command;
  return status == 0 ? folder + "/program" : "";
}

std::string DifferenceInFunction(const std::string& baseline, const std::string& candidate,
                                 const std::string& name) {
  ElfImage one, other;
  ReadElf(baseline, one);
  ReadElf(candidate, other);
  const Object* before = FunctionNamed(one, name);
  const Object* after = FunctionNamed(other, name);
  if (before == nullptr || after == nullptr) return "no function " + name;
  References before_references(one), after_references(other);
  return DifferenceOf(one, before_references, *before, other, after_references, *after);
}

}  // namespace perfgate::code
