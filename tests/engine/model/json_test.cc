// SPDX-License-Identifier: Apache-2.0
#include "engine/model/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "engine/model/atomic_file.h"
#include "tests/engine/errors.h"
#include "tests/engine/temp_folder.h"

namespace engine {
namespace {

using ::testing::HasSubstr;

std::string ParseError(std::string_view text) {
  return ErrorOf([text] { ParseJson(text, "x.json"); });
}

TEST(Json, ReadsWhatDomParsersRead) {
  const std::string text = R"({"a":[1,-2,2.5,"s",null,true,{}],"b":{"c":[]}})";
  EXPECT_EQ(ParseJson(text, "x"), nlohmann::json::parse(text));
  EXPECT_EQ(ParseJson("7  ", "x"), 7);
}

TEST(Json, RefusesWithFileAndPlace) {
  EXPECT_THAT(ParseError(R"({"a":1,"b":{"c":1,"c":2}})"),
              HasSubstr(R"(x.json: the key "c" appears twice)"));
  EXPECT_THAT(ParseError(R"({"a":1)"), HasSubstr("x.json: not JSON at byte"));
  EXPECT_THAT(ParseError("{} {}"), HasSubstr("not JSON"));
  EXPECT_THAT(ParseError("1e999"), HasSubstr("beyond the range"));
  EXPECT_THAT(ParseError(std::string_view("{}\0{", 4)), HasSubstr("a zero byte at byte 2"));
  EXPECT_THAT(ParseError(std::string(65, '[') + std::string(65, ']')), HasSubstr("deeper than 64"));
  EXPECT_EQ(ParseError(std::string(64, '[') + std::string(64, ']')), "no error");
}

TEST(Json, AFileThatCannotBeReadSaysWhy) {
  const TempFolder folder;
  EXPECT_THAT(ErrorOf([&] { ReadFile(folder / "none"); }), HasSubstr("No such file"));
  EXPECT_THAT(ErrorOf([&] { ReadFile(folder.path()); }), HasSubstr("Is a directory"));
  EXPECT_THAT(ErrorOf([] { ReadFile("/dev/zero"); }), HasSubstr("not a regular file"));
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_THAT(ErrorOf([&] { ReadFile(folder / "pipe"); }), HasSubstr("not a regular file"));
  WriteFile(folder / "large", "{}");
  std::filesystem::resize_file(folder / "large", (std::uintmax_t{1} << 28U) + 1);
  EXPECT_THAT(ErrorOf([&] { ReadFile(folder / "large"); }), HasSubstr("more than 268435456"));
}

}  // namespace
}  // namespace engine
