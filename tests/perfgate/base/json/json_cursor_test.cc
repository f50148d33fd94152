// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/json/json_cursor.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace perfgate {
namespace {

const std::string kFile = "f.json";

class CursorTest : public testing::Test {
 protected:
  JsonCursor root() const { return JsonCursor(document_, kFile); }

  static std::string refusal(const std::function<void()>& read, Exit exit = Exit::kData) {
    try {
      read();
    } catch (const Error& error) {
      EXPECT_EQ(error.exit(), exit);
      return error.what();
    }
    return "accepted";
  }

  const nlohmann::json document_ = nlohmann::json::parse(R"({
    "a/b": {"text": "t", "n": -3, "x": 1.5, "yes": true, "none": null},
    "list": [1, 2, "3"], "counts": [0, 7], "huge": 18446744073709551615, "~": []})");
};

TEST_F(CursorTest, ReadsEachType) {
  const JsonCursor object = root().at("a/b");
  EXPECT_EQ(object.at("text").text(), "t");
  EXPECT_EQ(object.at("n").integer(), -3);
  EXPECT_EQ(object.at("x").number(), 1.5);
  EXPECT_EQ(object.at("n").number(), -3);
  EXPECT_TRUE(object.at("yes").boolean());
  EXPECT_EQ(root().at("counts").counts(), (std::vector<std::int64_t>{0, 7}));
  EXPECT_EQ(root().at("counts").numbers(), (std::vector<double>{0, 7}));
  EXPECT_EQ(root().at("counts").elements().size(), 2U);
  EXPECT_EQ(root().at("counts")[1].count(), 7);
}

TEST_F(CursorTest, AbsentAndNullAreNone) {
  const JsonCursor object = root().at("a/b");
  EXPECT_TRUE(object.has("none"));
  EXPECT_FALSE(object.find("none"));
  EXPECT_FALSE(object.find("absent"));
  EXPECT_FALSE(object.find("absent", &JsonCursor::number));
  EXPECT_EQ(object.find("x", &JsonCursor::number), 1.5);
  EXPECT_EQ(object.find("text", &JsonCursor::text), "t");
}

TEST_F(CursorTest, RefusalsSayWhereAndWhat) {
  const JsonCursor object = root().at("a/b");
  const auto text = [](const JsonCursor& value) { return [value] { value.text(); }; };
  EXPECT_EQ(refusal(text(object.at("n"))), "f.json: /a~1b/n: expected text, found -3");
  EXPECT_EQ(refusal(text(object)), "f.json: /a~1b: expected text, found an object");
  EXPECT_EQ(refusal(text(root().at("~"))), "f.json: /~0: expected text, found a list of 0");
  EXPECT_EQ(refusal(text(root())), "f.json: the document: expected text, found an object");
  EXPECT_EQ(refusal([&] { object.at("text").number(); }),
            "f.json: /a~1b/text: expected a number, found \"t\"");
  EXPECT_EQ(refusal([&] { object.at("x").integer(); }),
            "f.json: /a~1b/x: expected an integer, found 1.5");
  EXPECT_EQ(refusal([&] { root().at("huge").integer(); }),
            "f.json: /huge: expected an integer, found 18446744073709551615");
  EXPECT_EQ(refusal([&] { object.at("none").boolean(); }),
            "f.json: /a~1b/none: expected true or false, found null");
  EXPECT_EQ(refusal([&] { object.size(); }), "f.json: /a~1b: expected a list, found an object");
  EXPECT_EQ(refusal([&] { root().at("list").find("x"); }),
            "f.json: /list: expected an object, found a list of 3");
}

TEST_F(CursorTest, ElementsHaveTheirPlace) {
  EXPECT_EQ(refusal([&] { root().at("list").numbers(); }),
            "f.json: /list/2: expected a number, found \"3\"");
  EXPECT_EQ(refusal([&] { root().at("list").counts(); }),
            "f.json: /list/2: expected a count (an integer of at least 0), found \"3\"");
}

TEST_F(CursorTest, CountsAreNotNegativeAndNotHuge) {
  for (const nlohmann::json& wrong : {nlohmann::json(-1), nlohmann::json(1.5),
                                      nlohmann::json(std::int64_t{1'000'000'000'000'001})}) {
    EXPECT_NE(refusal([&] { JsonCursor(wrong, kFile).count(); }), "accepted") << wrong;
  }
}

TEST_F(CursorTest, MissingFieldsHaveAHint) {
  EXPECT_EQ(refusal([&] { root().at("absent"); }),
            "f.json: /absent: this field is missing; the file was cut, edited or written by "
            "another program or version");
  EXPECT_EQ(refusal([&] { root().at("absent", "expected a row"); }),
            "f.json: /absent: this field is missing; expected a row");
}

TEST_F(CursorTest, ContradictionsAreInvalid) {
  EXPECT_EQ(refusal([&] { root().at("list").invalid("says 2"); }, Exit::kInvalid),
            "f.json: /list: says 2");
}

TEST_F(CursorTest, PartsOfAFileKeepTheirPointer) {
  const JsonCursor part(document_, kFile, "/body");
  EXPECT_EQ(part.at("list").pointer(), "/body/list");
}

}  // namespace
}  // namespace perfgate
