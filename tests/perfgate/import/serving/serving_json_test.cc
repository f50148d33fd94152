// SPDX-License-Identifier: Apache-2.0
#include "perfgate/import/serving/serving_json.h"

#include <gmock/gmock.h>

#include <cmath>

#include "tests/perfgate/import/import_samples.h"

namespace perfgate::import {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::vector<Located> documents(const std::string& text) { return read_documents(text, "f.jsonl"); }

TEST(ServingJson, ReadsOneDocumentOrOnePerLine) {
  EXPECT_EQ(documents("{\"a\":1}").size(), 1U);
  EXPECT_EQ(documents("\n {\n \"a\": \"}{\\\"\",\n \"b\": [1, {}]\n}\n\n").size(), 1U);
  const auto three = documents("{\"a\":1}\n\n{\"a\":2}\r\n{\"a\":\n3}\n");
  ASSERT_EQ(three.size(), 3U);
  EXPECT_EQ(three[0].where, "f.jsonl:1");
  EXPECT_EQ(three[1].where, "f.jsonl:3");
  EXPECT_EQ(three[2].where, "f.jsonl:4");
  EXPECT_EQ(three[2].row, 3U);
  EXPECT_EQ(three[2].value["a"], 3);
}

TEST(ServingJson, KeepsWhatIsNotFinite) {
  const auto one = documents(R"({"a":NaN,"b":-Infinity,"c":"NaN \"Infinity","d":Infinity})");
  const JsonCursor root = one[0].cursor();
  EXPECT_TRUE(std::isnan(root.at("a").number()));
  EXPECT_EQ(root.at("b").number(), -INFINITY);
  EXPECT_EQ(root.at("d").number(), INFINITY);
  EXPECT_EQ(root.at("c").text(), "NaN \"Infinity");
  EXPECT_EQ(scalar_text(one[0].value["d"]), "inf");
  EXPECT_EQ(scalar_text(one[0].value["a"]), "nan");
}

TEST(ServingJson, RefusesWithTheRightLine) {
  const auto refused = [](const std::string& text) { return refusal([&] { documents(text); }); };
  for (const char* text : {"", " \n\t\n"}) {
    EXPECT_EQ(refused(text).exit, Exit::kData);
    EXPECT_THAT(refused(text).message, HasSubstr("empty"));
  }
  const Refusal cut = refused("{\"a\":1}\n{\"a\":1}\n{\"a\":");
  EXPECT_EQ(cut.exit, Exit::kData);
  EXPECT_THAT(cut.message, StartsWith("f.jsonl:3:"));
  const Refusal twice = refused("{\"a\":1}\n{\"a\":1,\n\"a\":2}");
  EXPECT_EQ(twice.exit, Exit::kInvalid);
  EXPECT_THAT(twice.message, StartsWith("f.jsonl:3:"));
  const Refusal one_line = refused("{\"a\":1}\n{\"a\":1}{\"a\":2}");
  EXPECT_EQ(one_line.exit, Exit::kInvalid);
  EXPECT_THAT(one_line.message, StartsWith("f.jsonl:2:"));
  EXPECT_EQ(refused("{\"a\":1} x").exit, Exit::kInvalid);
  for (const char* text : {"x", "}", "[1,2", "{\"a\":1}\nx\n", "\"open", "{\"a\":\"\xFF\"}"}) {
    EXPECT_EQ(refused(text).exit, Exit::kData) << text;
  }
}

TEST(ServingJson, ChecksTypes) {
  const auto all = documents(
      R"({"null":null,"n":1.5,"c":7,"t":"x","l":[1,2.5],"ll":[[1],[]],"e":["",null,"boom"],)"
      R"("minus":-1,"big":1e300,"true":true})");
  const JsonCursor one = all[0].cursor();
  EXPECT_FALSE(one.find("none", &JsonCursor::number));
  EXPECT_FALSE(one.find("null", &JsonCursor::number));
  EXPECT_EQ(one.find("c", &JsonCursor::count), 7);
  EXPECT_EQ(one.find("l", &JsonCursor::numbers), (std::vector<double>{1, 2.5}));
  EXPECT_EQ(one.at("ll").list(&JsonCursor::numbers), (std::vector<std::vector<double>>{{1}, {}}));
  EXPECT_EQ(one.at("e").list(text_or_empty), (std::vector<std::string>{"", "", "boom"}));
  EXPECT_EQ(scalar_at(one, "c"), "7");
  EXPECT_FALSE(scalar_at(one, "l"));
  EXPECT_FALSE(scalar_at(one, "null"));
  const auto pointer = [&](const auto& read) {
    const Refusal refused = refusal(read);
    EXPECT_EQ(refused.exit, Exit::kData);
    return refused.message.substr(0, refused.message.find(": expected"));
  };
  EXPECT_EQ(pointer([&] { one.find("t", &JsonCursor::number); }), "f.jsonl:1: /t");
  EXPECT_EQ(pointer([&] { one.find("true", &JsonCursor::number); }), "f.jsonl:1: /true");
  EXPECT_EQ(pointer([&] { one.find("n", &JsonCursor::count); }), "f.jsonl:1: /n");
  EXPECT_EQ(pointer([&] { one.find("minus", &JsonCursor::count); }), "f.jsonl:1: /minus");
  EXPECT_EQ(pointer([&] { one.find("big", &JsonCursor::count); }), "f.jsonl:1: /big");
  EXPECT_EQ(pointer([&] { one.find("l", &JsonCursor::counts); }), "f.jsonl:1: /l/1");
  EXPECT_EQ(pointer([&] { one.at("l").list(&JsonCursor::numbers); }), "f.jsonl:1: /l/0");
  EXPECT_EQ(pointer([&] { one.at("l").list(text_or_empty); }), "f.jsonl:1: /l/0");
  EXPECT_EQ(pointer([&] { one.find("n", &JsonCursor::text); }), "f.jsonl:1: /n");
  EXPECT_EQ(pointer([&] { documents("[1]")[0].cursor().find("n"); }), "f.jsonl:1: the document");
}

TEST(ServingJson, FieldsHaveOneValue) {
  Fields fields;
  add_field(&fields, "model", "a", "f:1");
  add_field(&fields, "model", "a", "f:2");
  const Refusal refused = refusal([&] { add_field(&fields, "model", "b", "f:3"); });
  EXPECT_EQ(refused.exit, Exit::kInvalid);
  EXPECT_THAT(refused.message, StartsWith("f:3: model is \"b\" and was \"a\""));
}

TEST(ServingJson, DetectionNeverThrows) {
  EXPECT_EQ(first_document("{\"a\":1}\n{\"a\":"), (nlohmann::json{{"a", 1}}));
  for (const char* text : {"", "x", "{\"a\":1,\"a\":2}", "[", "\xFF"}) {
    EXPECT_TRUE(first_document(text).is_null()) << text;
  }
}

}  // namespace
}  // namespace perfgate::import
