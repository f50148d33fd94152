// SPDX-License-Identifier: Apache-2.0
#include "engine/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/engine/errors.h"

namespace engine {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

// Converts to any field, so that the number of initialisers that an aggregate takes is its number
// of fields.
struct AnyField {
  template <class T>
  operator T() const;
};
template <class T, class... Fields>
constexpr std::size_t FieldCount() {
  if constexpr (requires { T{Fields{}..., AnyField{}}; }) {
    return FieldCount<T, Fields..., AnyField>();
  } else {
    return sizeof...(Fields);
  }
}

TEST(Options, EveryFieldHasARow) {
  EXPECT_EQ(OptionTable().size(), FieldCount<EngineOptions>());
  std::set<std::string_view> names;
  for (const OptionRow& row : OptionTable()) {
    names.insert(row.name);
    EXPECT_FALSE(row.help.empty()) << row.name;
    EXPECT_EQ(FindOption(row.name), &row);
  }
  EXPECT_EQ(names.size(), OptionTable().size());
}

std::vector<std::string> ValuesOf(const OptionRow& row) {
  if (row.values.empty()) {
    return {std::to_string(row.least), std::to_string(row.most)};
  }
  return {row.values.begin(), row.values.end()};
}

TEST(Options, EveryValueGoesThroughJsonAndCaseNames) {
  for (const OptionRow& row : OptionTable()) {
    std::set<std::string> seen;
    for (const std::string& value : ValuesOf(row)) {
      EngineOptions options;
      ASSERT_TRUE(row.set(options, value)) << row.name << value;
      EXPECT_EQ(row.get(options), value);
      seen.insert(ToJson(options).dump());

      std::vector<std::string> problems;
      EngineOptions read;
      FromJson(json::parse(ToJson(options).dump()), read, problems);
      EXPECT_TRUE(read == options) << row.name << value;
      if (row.in_name) {
        EXPECT_TRUE(FromCaseName(CaseName(options), problems) == options) << CaseName(options);
      }
      EXPECT_THAT(problems, IsEmpty());
    }
    EXPECT_EQ(seen.size(), ValuesOf(row).size()) << row.name << " is written to its own field";
  }
  EXPECT_EQ(CaseName(EngineOptions{}), "");
}

TEST(Options, CaseNamesHoldWhatDiffers) {
  EngineOptions options;
  options.threads = 2;
  options.gemv = Gemv::kReference;
  options.uncertainty = true;
  EXPECT_EQ(CaseName(options), "threads:2/gemv:reference/uncertainty:on");
  std::vector<std::string> problems;
  FromCaseName("gemv:fast/what/speed:9", problems);
  EXPECT_THAT(problems, ElementsAre("gemv=fast: expected auto|own|reference|cublaslt",
                                    "'what' is not option:value", "unknown option 'speed'"));
}

TEST(Options, BadValuesAreAllTold) {
  EngineOptions options;
  std::vector<std::string> problems;
  FromJson(json::parse(R"({"threads":"2","gemm":"fast","speed":1,"uncertainty":"on","batch":0})"),
           options, problems);
  EXPECT_THAT(problems, UnorderedElementsAre("threads is \"2\": expected a number, 0..1024",
                                             "gemm=fast: expected auto|own|cublaslt",
                                             "unknown option 'speed'",
                                             "uncertainty is \"on\": expected true or false",
                                             "batch=0: expected 1..256"));
  problems.clear();
  FromJson(json::array(), options, problems);
  EXPECT_THAT(problems, ElementsAre("options are not a JSON object"));
  for (const char* text : {"", "-1", "1.0", "1e3", " 1", "99999999999999999999"}) {
    problems.clear();
    SetOption(options, "threads", text, problems);
    EXPECT_THAT(problems, ElementsAre(HasSubstr("expected 0..1024"))) << text;
  }
}

TEST(Options, ValidateTellsEveryContradiction) {
  EXPECT_THAT(Validate(EngineOptions{}), IsEmpty());
  EngineOptions options;
  options.gemm = Gemm::kCublasLt;
  options.cuda_graph = true;
  options.preload = Preload::kPinned;
  options.numerics = NumericsMode::kHfExact;
  options.weight_cache = WeightCache::k16Bit;
  const std::vector<std::string> problems = Validate(options);
  EXPECT_THAT(problems, ElementsAre("gemm=cublaslt needs device=cuda, but device=cpu",
                                    "cuda_graph=on needs device=cuda, but device=cpu",
                                    "preload=pinned needs device=cuda, but device=cpu",
                                    HasSubstr("weight_cache=16bit changes them")));
  EXPECT_THAT(ErrorOf([&] { ThrowIfAny(problems); }), HasSubstr("4 problems:\n  gemm=cublaslt"));
  options = {};
  options.prebuild = 3;
  EXPECT_THAT(Validate(options), ElementsAre("prebuild=3 needs cuda_graph=on"));
  options = {};
  options.device = DeviceKind::kCuda;
  options.cuda_graph = true;
  options.prebuild = 3;
  EXPECT_THAT(Validate(options), IsEmpty());
  options.numerics = NumericsMode::kHfExact;
  options.fuse_norm = Toggle::kOn;
  options.gemv = Gemv::kReference;
  EXPECT_THAT(Validate(options), ElementsAre("numerics=hf_exact needs device=cpu, but device=cuda",
                                             "fuse_norm=on needs gemv=own, but gemv=reference",
                                             HasSubstr("fuse_norm=on never writes")));
  options = {};
  options.batch = 0;
  options.chunk = -5;
  options.threads = 1025;
  EXPECT_THAT(Validate(options),
              ElementsAre("threads=1025: expected 0..1024", "batch=0: expected 1..256",
                          "chunk=-5: expected 1..65536"));
}

}  // namespace
}  // namespace engine
