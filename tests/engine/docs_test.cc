// SPDX-License-Identifier: Apache-2.0
// docs/engine.md says what the option table says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/model/text_file.h"
#include "engine/options.h"
#include "tests/support/arguments.h"

namespace engine {
namespace {

std::string Table() {
  const EngineOptions defaults;
  std::string text = "| option | values | default | what it chooses |\n|---|---|---|---|\n";
  for (const OptionRow& row : OptionTable()) {
    std::string values = ValuesText(row);
    for (std::size_t at = 0; (at = values.find('|', at)) != std::string::npos; at += 2) {
      values.replace(at, 1, ", ");
    }
    text += "| `" + std::string(row.name) + "` | " + values + " | " + row.get(defaults) + " | " +
            std::string(row.help) + (row.bits == KeptBits::kAll ? "" : " *") + " |\n";
  }
  return text;
}

TEST(Docs, TheOptionTableIsCurrent) {
  const std::string text = ReadFile(perfgate::test_support::SourceFolder() + "/docs/engine.md");
  EXPECT_THAT(text, ::testing::HasSubstr(Table())) << "docs/engine.md needs this table:\n"
                                                   << Table();
}

}  // namespace
}  // namespace engine
