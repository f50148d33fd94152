// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/json/strict_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <string>

#include "perfgate/base/error.h"

namespace perfgate {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

void expect_refused(const std::string& text, Exit exit, const std::string& place,
                    const std::string& words = "") {
  try {
    parse_strict_json(text, "f.json");
    ADD_FAILURE() << text << " was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), exit) << text;
    EXPECT_THAT(error.what(), StartsWith("f.json:" + place + ": ")) << text;
    EXPECT_THAT(error.what(), HasSubstr(words)) << text;
  }
}

TEST(StrictJson, ReadsWhatIsJson) {
  const auto document = parse_strict_json(
      " {\"a\":[1,-2,0.5,1e-3,18446744073709551615,null,true,false],\"b\":{\"a\":\"\\u00e9\\n\"}}"
      "\n",
      "f.json");
  EXPECT_EQ(document["a"].size(), 8U);
  EXPECT_EQ(document["a"][4], 18446744073709551615ULL);
  EXPECT_EQ(document["b"]["a"], "\xC3\xA9\n");
  EXPECT_TRUE(parse_strict_json("null", "f.json").is_null());
}

// The same documents as the plain parser reads, for random ones.
TEST(StrictJson, AgreesWithThePlainParser) {
  std::mt19937_64 random(3);
  const std::function<nlohmann::json(int)> any = [&](int depth) -> nlohmann::json {
    switch (random() % (depth > 5 ? 4 : 6)) {
      case 0:
        return nullptr;
      case 1:
        return static_cast<std::int64_t>(random());
      case 2:
        return static_cast<double>(random()) / 3;
      case 3:
        return std::string(random() % 9, static_cast<char>('a' + random() % 26));
      case 4: {
        auto list = nlohmann::json::array();
        for (auto i = random() % 5; i > 0; --i) list.push_back(any(depth + 1));
        return list;
      }
      default: {
        auto object = nlohmann::json::object();
        for (auto i = random() % 5; i > 0; --i) object[std::to_string(i)] = any(depth + 1);
        return object;
      }
    }
  };
  for (int i = 0; i < 2000; ++i) {
    const std::string text = any(0).dump(static_cast<int>(random() % 3) - 1);
    ASSERT_EQ(parse_strict_json(text, "f.json"), nlohmann::json::parse(text)) << text;
  }
}

TEST(StrictJson, RefusesDuplicateKeysAtAnyDepth) {
  expect_refused(R"({"a":1,"a":1})", Exit::kInvalid, "1:10", "\"a\"");
  expect_refused("{\"b\":[\n  {\"x\":{}},\n  {\"k\":{\"y\":1,\n   \"y\":2}}]}", Exit::kInvalid,
                 "4:6", "\"y\"");
  // The same key spelled differently.
  expect_refused(R"({"a":1,"\u0061":2})", Exit::kInvalid, "1:15", "\"a\"");
  parse_strict_json(R"([{"a":1},{"a":1},{"b":{"a":1},"a":2}])", "f.json");
}

TEST(StrictJson, RefusesNonFiniteNumbers) {
  for (const std::string token :
       {"NaN", "nan", "-NaN", "Infinity", "-Infinity", "inf", "-inf", "INF"}) {
    expect_refused("{\"a\":\n" + token + "}", Exit::kInvalid,
                   "2:" + std::string(token[0] == '-' || token == "nan" ? "2" : "1"),
                   "NaN and infinite");
  }
  expect_refused("[1e999]", Exit::kInvalid, "1:6", "range of double");
  expect_refused("[-1e999]", Exit::kInvalid, "1:7", "range of double");
}

TEST(StrictJson, RefusesTheEmptyText) {
  try {
    parse_strict_json("", "f.json");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), Exit::kData);
    EXPECT_STREQ(error.what(), "f.json: the file is empty; expected a JSON document");
  }
}

TEST(StrictJson, NamesThePlace) {
  expect_refused("{} {}", Exit::kData, "1:4", "expected end of input");
  expect_refused("{}\n\nx", Exit::kData, "3:1", "expected end of input");
  expect_refused("{\"a\" 1}", Exit::kData, "1:6", "expected ':'");
  expect_refused("[1,]", Exit::kData, "1:4");
  expect_refused("[01]", Exit::kData, "1:3");
  expect_refused("// x\n[]", Exit::kData, "1:1");
  expect_refused("[nul]", Exit::kData, "1:5");
  expect_refused("{\"a\":\"\xFF\"}", Exit::kData, "1:7", "UTF-8");
  expect_refused("{\"a\":\"\xC3\"}", Exit::kData, "1:8", "UTF-8");
  expect_refused(std::string("[]\0", 3), Exit::kData, "1:3");
  expect_refused("[\"a\nb\"]", Exit::kData, "1:4");
}

TEST(StrictJson, RefusesDepthBeyond64) {
  const auto nested = [](int depth, const char* open, const char* close) {
    std::string text;
    for (int i = 0; i < depth; ++i) text += open;
    text += "1";
    for (int i = 0; i < depth; ++i) text += close;
    return text;
  };
  parse_strict_json(nested(64, "[", "]"), "f.json");
  parse_strict_json(nested(64, "{\"a\":", "}"), "f.json");
  expect_refused(nested(65, "[", "]"), Exit::kData, "1:65", "64");
  expect_refused(nested(65, "{\"a\":", "}"), Exit::kData, "1:321", "64");
  expect_refused(std::string(1000000, '['), Exit::kData, "1:65", "64");
}

TEST(StrictJson, EveryTruncationIsRefused) {
  const std::string text = R"({"a":[1,2.5e3,"x\u00e9",null],"b":{"c":true}})";
  parse_strict_json(text, "f.json");
  for (std::size_t length = 0; length < text.size(); ++length) {
    try {
      parse_strict_json(text.substr(0, length), "f.json");
      ADD_FAILURE() << length << " bytes were accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.exit(), Exit::kData) << length;
    }
  }
}

TEST(StrictJson, RandomBytesNeverCrash) {
  std::mt19937_64 random(4);
  const std::string seed = R"({"a":[1,-2.5e3,"x\u00e9",null],"b":{"c":true,"d":NaN}})";
  int accepted = 0;
  for (int i = 0; i < 50000; ++i) {
    std::string text = seed;
    for (auto edits = 1 + random() % 4; edits > 0; --edits) {
      text[random() % text.size()] = static_cast<char>(random());
    }
    try {
      parse_strict_json(text, "f.json");
      ++accepted;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), StartsWith("f.json:"));
    }
  }
  EXPECT_LT(accepted, 50000);
}

TEST(ReadStrictJson, NamesAPathThatCannotBeRead) {
  for (const std::string path : {"no-such-file.json", "/", "no-such-folder/x"}) {
    try {
      read_strict_json(path);
      ADD_FAILURE() << path << " was read";
    } catch (const Error& error) {
      EXPECT_EQ(error.exit(), Exit::kData);
      EXPECT_THAT(error.what(), StartsWith(path + ": cannot be read: "));
    }
  }
}

// Of a long file the object is easier to find by its place in the document.
TEST(StrictJson, DuplicateKeysAreNamedWithTheirObject) {
  expect_refused(R"({"rows":[{"a":1},{"a":1,"b":{"c":1,"c":2}}]})", Exit::kInvalid, "1:38",
                 "/rows/1/b: the key \"c\" appears twice");
  expect_refused(R"({"a":1,"a":2})", Exit::kInvalid, "1:10", ": the key \"a\" appears twice");
}

TEST(StrictJson, KeepsBareWordsWhereAsked) {
  const auto kept = [](const std::string& text) {
    return parse_strict_json(text, "f.json", NonFinite::kKeep);
  };
  const auto document = kept(
      R"({"a":NaN,"b":[1.5,-Infinity,"NaN",inf , -nan,Infinity],"NaN":"\"Infinity, NaN","z":0e0})");
  EXPECT_TRUE(std::isnan(document["a"].get<double>()));
  EXPECT_EQ(document["b"][0], 1.5);
  EXPECT_EQ(document["b"][1].get<double>(), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(document["b"][2], "NaN");
  EXPECT_EQ(document["b"][3].get<double>(), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(document["b"][4].get<double>()));
  EXPECT_EQ(document["b"][5].get<double>(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(document["NaN"], "\"Infinity, NaN");
  EXPECT_EQ(document["z"], 0.0);
  EXPECT_TRUE(std::isnan(kept("NaN").get<double>()));
  EXPECT_TRUE(std::isnan(kept(" -NaN ").get<double>()));
}

TEST(StrictJson, KeepsNothingElseThatIsNoJson) {
  for (const std::string text :
       {"1NaN", "NaN1", "+NaN", "--NaN", "NaNNaN", "NaN NaN", "[NaN", "{NaN:1}", "Nan.0", "nanx",
        "in", "- Infinity", "0.NaN", "truNaN", "[1,]", "", "NaN,", "\"NaN", "x"}) {
    EXPECT_THROW(parse_strict_json(text, "f.json", NonFinite::kKeep), Error) << text;
  }
  for (const std::string text : {R"({"a":1,"a":NaN})", "[1e400]"}) {
    try {
      parse_strict_json(text, "f.json", NonFinite::kKeep);
      ADD_FAILURE() << text << " was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.exit(), Exit::kInvalid) << text;
    }
  }
}

// Places in messages are those of the file, words or not.
TEST(StrictJson, KeptWordsMoveNoPlace) {
  try {
    parse_strict_json("{\"a\": -Infinity, \"b\": NaN, \"c\": ?}", "f.json", NonFinite::kKeep);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), StartsWith("f.json:1:33: "));
  }
}

}  // namespace
}  // namespace perfgate
