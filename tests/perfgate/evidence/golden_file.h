// SPDX-License-Identifier: Apache-2.0
// golden_file.h: generated text against a checked-in file; `--update` writes the file instead.
//
// `--update` is an option of every test executable (tests/support/main.cc).
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "tests/support/arguments.h"

namespace perfgate::sample {

inline bool updating() { return test_support::HasFlag("--update"); }

inline std::string source_text(const std::string& relative_path) {
  std::ifstream file(perfgate::test_support::SourceFolder() + "/" + relative_path,
                     std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

inline void expect_golden(const std::string& relative_path, const std::string& text) {
  if (updating()) {
    const std::filesystem::path path = perfgate::test_support::SourceFolder() + "/" + relative_path;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }
  EXPECT_EQ(source_text(relative_path), text)
      << relative_path << " differs; if the change is meant, run this test with --update";
}

}  // namespace perfgate::sample
