// SPDX-License-Identifier: Apache-2.0
// What holds for the files of every format. Contradictions inside one file are the format's own and
// stand in its test.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "perfgate/base/io/atomic_file.h"
#include "perfgate/evidence/files/files.h"
#include "tests/perfgate/evidence/file_formats.h"
#include "tests/perfgate/evidence/spoil_json.h"
#include "tests/perfgate/evidence/temporary_folder.h"

namespace perfgate {
namespace {

using sample::Json;
using testing::HasSubstr;

template <class Format>
class EveryFormat : public testing::Test {
 protected:
  static std::string Text() { return Format::Write(Format::Full()); }
  static Json Document() { return Json::parse(Text()); }
  static void Read(const std::string& text) { Format::Read(text); }
};

using Formats = testing::Types<sample::SessionFormat, sample::VerdictFormat, sample::PolicyFormat,
                               sample::CalibrationFormat, sample::PlanFormat, sample::ParityFormat,
                               sample::ParityAgentsFormat, sample::RecordedFormat,
                               sample::LayoutsFormat, sample::AlternativesFormat,
                               sample::FleetFormat, sample::HistoryFormat, sample::BisectionFormat>;

struct FormatName {
  template <class Format>
  static std::string GetName(int) {
    if constexpr (requires { Format::kTestName; }) return std::string(Format::kTestName);
    return std::string(Format::kName);
  }
};

TYPED_TEST_SUITE(EveryFormat, Formats, FormatName);

TYPED_TEST(EveryFormat, RoundTripsRandomValues) {
  sample::Random random(5);
  for (int i = 0; i < 300; ++i) {
    const auto value = TypeParam::Draw(random);
    const std::string text = TypeParam::Write(value);
    const auto again = TypeParam::Read(text);
    // Equal texts are equal values, as long as different values have different texts; the spot
    // checks look at the values themselves.
    ASSERT_EQ(TypeParam::Write(again), text);
    ASSERT_NO_FATAL_FAILURE(TypeParam::ExpectSame(again, value));
  }
}

TYPED_TEST(EveryFormat, EveryDeletionIsRefused) {
  if (TypeParam::kWrittenByHand) GTEST_SKIP() << "people leave fields out";
  sample::expect_deletions_refused(this->Document(), this->Read, TypeParam::LaterFields());
}

TYPED_TEST(EveryFormat, EveryWrongTypeIsRefused) {
  sample::expect_type_changes_refused(this->Document(), this->Read,
                                      [](const Json::json_pointer& pointer, const Json& other) {
                                        return TypeParam::MayBe(pointer.to_string(), other);
                                      });
}

TYPED_TEST(EveryFormat, UnknownFieldsAreRefusedAndNameTheNearest) {
  sample::expect_additions_refused(this->Document(), this->Read);
  Json document = this->Document();
  document["versoin"] = 1;
  sample::expect_refused(this->Read, document,
                         "f.json: /versoin: unknown field; did you mean \"version\"?", "typo");
}

TYPED_TEST(EveryFormat, TruncationIsRefused) {
  sample::expect_truncations_refused(this->Text(), this->Read);
}

TYPED_TEST(EveryFormat, OtherVersionsAreNamed) {
  Json document = this->Document();
  const int version = document["version"];
  for (const int other : {version - 1, version + 1}) {
    document["version"] = other;
    try {
      this->Read(document.dump());
      ADD_FAILURE() << other << " was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.exit(), Exit::kData);
      EXPECT_THAT(error.what(), HasSubstr("/version: version " + std::to_string(other)));
      EXPECT_THAT(error.what(), HasSubstr("reads version " + std::to_string(version)));
    }
  }
  for (const Json& wrong : {Json(-1), Json(1.5), Json("1"), Json(1e30), Json()}) {
    document["version"] = wrong;
    sample::expect_refused(this->Read, document, "/version", wrong.dump());
  }
}

TYPED_TEST(EveryFormat, HeaderIsNeeded) {
  const std::string format = "perfgate-" + std::string(TypeParam::kName);
  sample::expect_refused(this->Read, Json::object(),
                         "/format: this field is missing; expected \"format\":\"" + format + "\"",
                         "no format");
  sample::expect_refused(this->Read, Json({{"format", format}}), "/version", "no version");
  sample::expect_refused(this->Read, Json::array(), "the document", "a list");
  Json document = this->Document();
  document["format"] = "perfgate-other";
  sample::expect_refused(this->Read, document, "/format: expected \"" + format + "\"", "other");
}

TYPED_TEST(EveryFormat, ValuesOutOfRangeAreRefused) {
  for (const auto& [pointer, value] : TypeParam::OutOfRange()) {
    Json document = this->Document();
    ASSERT_TRUE(document.contains(Json::json_pointer(pointer))) << pointer;
    document[Json::json_pointer(pointer)] = value;
    try {
      this->Read(document.dump());
      ADD_FAILURE() << pointer << " = " << value << " was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.exit(), Exit::kData) << error.what();
      EXPECT_THAT(error.what(), HasSubstr("f.json: "));
      // What the policy as a whole refuses is named by its first step alone.
      const bool whole = TypeParam::kWrittenByHand;
      EXPECT_THAT(error.what(),
                  HasSubstr(whole ? pointer.substr(0, pointer.find('/', 1)) : pointer + ": "));
    }
  }
}

TYPED_TEST(EveryFormat, DuplicateKeysAndNonFiniteTokensAreInvalid) {
  const std::string field = "\"version\": " + this->Document()["version"].dump();
  for (const std::string with : {R"("version": 1, "version": 1)", R"("version": NaN)",
                                 R"("version": -Infinity)", R"("version": 1e400)"}) {
    std::string spoiled = this->Text();
    ASSERT_NE(spoiled.find(field), std::string::npos);
    spoiled.replace(spoiled.find(field), field.size(), with);
    try {
      this->Read(spoiled);
      ADD_FAILURE() << with << " was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.exit(), Exit::kInvalid) << error.what();
    }
  }
}

TYPED_TEST(EveryFormat, RandomEditsNeverCrash) {
  sample::Random random(7);
  const std::string text = this->Text();
  for (int i = 0; i < TypeParam::kRandomEdits; ++i) {
    std::string spoiled = text;
    for (auto edits = 1 + random() % 3; edits > 0; --edits) {
      spoiled[random() % spoiled.size()] = text[random() % text.size()];
    }
    try {
      this->Read(spoiled);
    } catch (const Error&) {
    }
  }
}

TYPED_TEST(EveryFormat, IsKnownByItsFormat) {
  const sample::TemporaryFolder folder;
  write_file_atomically(folder / "f.json", this->Text());
  EXPECT_EQ(file_format(folder / "f.json"), TypeParam::kName);
}

}  // namespace
}  // namespace perfgate
