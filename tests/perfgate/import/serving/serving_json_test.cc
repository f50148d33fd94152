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
  EXPECT_TRUE(std::isnan(number_at(one[0], "a").value()));
  EXPECT_EQ(number_at(one[0], "b"), -INFINITY);
  EXPECT_EQ(number_at(one[0], "d"), INFINITY);
  EXPECT_EQ(text_at(one[0], "c"), "NaN \"Infinity");
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
  const auto one = documents(
      R"({"null":null,"n":1.5,"c":7,"t":"x","l":[1,2.5],"ll":[[1],[]],"e":["",null,"boom"],)"
      R"("minus":-1,"big":1e300,"true":true})")[0];
  EXPECT_FALSE(number_at(one, "none"));
  EXPECT_FALSE(number_at(one, "null"));
  EXPECT_EQ(count_at(one, "c"), 7);
  EXPECT_EQ(numbers_at(one, "l"), (std::vector<double>{1, 2.5}));
  EXPECT_EQ(nested_numbers_at(one, "ll"), (std::vector<std::vector<double>>{{1}, {}}));
  EXPECT_EQ(texts_at(one, "e"), (std::vector<std::string>{"", "", "boom"}));
  const auto pointer = [&](const auto& read) {
    const Refusal refused = refusal(read);
    EXPECT_EQ(refused.exit, Exit::kData);
    return refused.message.substr(0, refused.message.find(": expected"));
  };
  EXPECT_EQ(pointer([&] { number_at(one, "t"); }), "f.jsonl:1: /t");
  EXPECT_EQ(pointer([&] { number_at(one, "true"); }), "f.jsonl:1: /true");
  EXPECT_EQ(pointer([&] { count_at(one, "n"); }), "f.jsonl:1: /n");
  EXPECT_EQ(pointer([&] { count_at(one, "minus"); }), "f.jsonl:1: /minus");
  EXPECT_EQ(pointer([&] { count_at(one, "big"); }), "f.jsonl:1: /big");
  EXPECT_EQ(pointer([&] { counts_at(one, "l"); }), "f.jsonl:1: /l/1");
  EXPECT_EQ(pointer([&] { nested_numbers_at(one, "l"); }), "f.jsonl:1: /l/0");
  EXPECT_EQ(pointer([&] { texts_at(one, "l"); }), "f.jsonl:1: /l/0");
  EXPECT_EQ(pointer([&] { text_at(one, "n"); }), "f.jsonl:1: /n");
  EXPECT_EQ(pointer([&] { object_of(documents("[1]")[0]); }), "f.jsonl:1: /");
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
