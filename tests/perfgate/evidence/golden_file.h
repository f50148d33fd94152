// SPDX-License-Identifier: Apache-2.0
// golden_file.h: generated text against a checked-in file; `--update` writes the file instead.
//
// A test that includes this ends with PERFGATE_GOLDEN_MAIN.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

namespace perfgate::sample {

inline bool& updating() {
  static bool update = false;
  return update;
}

inline std::string source_text(const std::string& relative_path) {
  std::ifstream file(PERFGATE_SOURCE_DIR "/" + relative_path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

inline void expect_golden(const std::string& relative_path, const std::string& text) {
  if (updating()) {
    const std::filesystem::path path = PERFGATE_SOURCE_DIR "/" + relative_path;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }
  EXPECT_EQ(source_text(relative_path), text)
      << relative_path << " differs; if the change is meant, run this test with --update";
}

inline int golden_main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; ++i) updating() |= std::string_view(argv[i]) == "--update";
  return RUN_ALL_TESTS();
}

}  // namespace perfgate::sample

#define PERFGATE_GOLDEN_MAIN \
  int main(int argc, char** argv) { return perfgate::sample::golden_main(argc, argv); }
