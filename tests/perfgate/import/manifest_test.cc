// SPDX-License-Identifier: Apache-2.0
#include "perfgate/import/manifest.h"

#include <gmock/gmock.h>

#include "perfgate/base/io/read_file.h"
#include "tests/perfgate/import/import_samples.h"
#include "tests/support/arguments.h"

namespace perfgate::import {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string kHead = R"({"format":"perfgate-manifest","version":1)";

Manifest read_fields(const std::string& fields) {
  return manifest_from_json(kHead + fields + "}", "m");
}

TEST(Manifest, AnyFieldMayBeLeftOut) {
  EXPECT_TRUE(read_fields("").cases.empty());
  const Manifest manifest = read_fields(
      R"(,"cases":["a","b"],"workload":[{"name":"seed","value":"7"}],)"
      R"("environment":[{"name":"gpu","value":"x"}],"required":[{"name":"run","value":"1"}])");
  EXPECT_THAT(manifest.cases, ElementsAre("a", "b"));
  EXPECT_THAT(manifest.workload, ElementsAre(NamedValue{"seed", "7"}));
  EXPECT_THAT(manifest.environment, ElementsAre(NamedValue{"gpu", "x"}));
  EXPECT_THAT(manifest.required, ElementsAre(NamedValue{"run", "1"}));
}

TEST(Manifest, WhatIsNoManifestIsRefused) {
  const std::vector<std::pair<std::string, std::string>> texts = {
      {"", "empty"},
      {"{}", "/format"},
      {R"({"format":"perfgate-manifest","version":2})", "/version"},
      {R"({"format":"perfgate-policy","version":1})", "/format"},
      {kHead + R"(,"case":["a"]})", "did you mean \"cases\"?"},
      {kHead + R"(,"cases":"a"})", "/cases"},
      {kHead + R"(,"workload":{"seed":7}})", "/workload"},
      {kHead + R"(,"workload":[{"name":"seed","value":7}]})", "/workload/0/value"}};
  for (const auto& [text, words] : texts) {
    const auto refused = refusal([&, bytes = text] { manifest_from_json(bytes, "m"); });
    EXPECT_EQ(refused.exit, Exit::kData) << text;
    EXPECT_THAT(refused.message, HasSubstr(words)) << text;
  }
}

TEST(Manifest, TheExampleOfTheDocumentationIsOne) {
  const std::string page =
      read_file_text(perfgate::test_support::SourceFolder() + "/docs/import.md");
  const std::size_t begin = page.find("```json\n") + 8;
  const Manifest manifest =
      manifest_from_json(page.substr(begin, page.find("```", begin) - begin), "docs/import.md");
  EXPECT_THAT(manifest.cases, ElementsAre("sum/64", "sum/4096"));
  EXPECT_THAT(manifest.required, ElementsAre(NamedValue{"context.run", "a1b2"}));
}

TEST(Manifest, NamesStandOnce) {
  for (const std::string fields :
       {R"(,"cases":["a","a"])",
        R"(,"workload":[{"name":"n","value":"1"},{"name":"n","value":"2"}])",
        R"(,"environment":[{"name":"n","value":"1"},{"name":"n","value":"1"}])",
        R"(,"required":[{"name":"n","value":"1"},{"name":"n","value":"1"}])"}) {
    EXPECT_EQ(refusal([&, text = fields] { read_fields(text); }).exit, Exit::kInvalid) << fields;
  }
}

}  // namespace
}  // namespace perfgate::import
