// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "perfgate/base/error.h"
#include "perfgate/base/text/enum_words.h"
#include "perfgate/evidence/metrics/metric.h"
#include "perfgate/evidence/parity.h"
#include "perfgate/evidence/session.h"
#include "perfgate/evidence/verdict.h"

namespace perfgate {
namespace {

using testing::HasSubstr;

TEST(Words, AreTheOnesOfTheHeaders) {
  EXPECT_EQ(to_string(Direction::kLower), "lower");
  EXPECT_EQ(to_string(Direction::kHigher), "higher");
  EXPECT_EQ(to_string(Kind::kTime), "time");
  EXPECT_EQ(to_string(Kind::kScore), "score");
  EXPECT_EQ(to_string(DriverKind::kProcessPerSuite), "process_per_suite");
  EXPECT_EQ(to_string(FaultKind::kSkipped), "skipped");
  EXPECT_EQ(to_string(FaultKind::kBadValue), "bad_value");
  EXPECT_EQ(to_string(FaultKind::kLaunch), "launch");
  EXPECT_EQ(to_string(FaultKind::kUnmeasured), "unmeasured");
  EXPECT_EQ(to_string(FaultKind::kInvalid), "invalid");
  EXPECT_EQ(to_string(Verdict::kInvalid), "invalid");
  EXPECT_EQ(to_string(Verdict::kNotComparable), "not_comparable");
  EXPECT_EQ(to_string(Verdict::kNoRegression), "no_regression");
  EXPECT_EQ(to_string(Verdict::kNew), "new");
  EXPECT_EQ(to_string(Claim::kInvalid), "invalid");
  EXPECT_EQ(to_string(Claim::kStrong), "strong");
  EXPECT_EQ(to_string(Claim::kNoiseDominated), "noise_dominated");
}

template <class E>
void expect_round_trip() {
  const auto& words = kEnumWords<E>.words;
  for (std::size_t i = 0; i < words.size(); ++i) {
    EXPECT_EQ(parse_enum<E>(to_string(static_cast<E>(i))), static_cast<E>(i));
    EXPECT_FALSE(words[i].empty());
  }
  EXPECT_THROW(to_string(static_cast<E>(words.size())), std::logic_error);
}

// Does not compile without a warning when an enumerator is added: give it a word, then name it
// here.
bool has_word(FaultKind fault) {
  switch (fault) {
    case FaultKind::kSkipped:
    case FaultKind::kError:
    case FaultKind::kCrashed:
    case FaultKind::kExited:
    case FaultKind::kTimeout:
    case FaultKind::kBadValue:
    case FaultKind::kNoOutput:
    case FaultKind::kProtocol:
    case FaultKind::kAbsent:
    case FaultKind::kLeftover:
    case FaultKind::kLaunch:
    case FaultKind::kTooManyThreads:
    case FaultKind::kUnmeasured:
    case FaultKind::kInvalid:
    case FaultKind::kOtherWorkload:
      return !to_string(fault).empty();
  }
  return false;
}

TEST(Words, EveryFaultHasOne) {
  for (std::size_t i = 0; i < kEnumWords<FaultKind>.words.size(); ++i) {
    EXPECT_TRUE(has_word(static_cast<FaultKind>(i)));
  }
}

TEST(Words, RoundTrip) {
  expect_round_trip<Direction>();
  expect_round_trip<Kind>();
  expect_round_trip<DriverKind>();
  expect_round_trip<FaultKind>();
  expect_round_trip<Verdict>();
  expect_round_trip<Claim>();
  expect_round_trip<ParityStatus>();
  expect_round_trip<PointRule>();
}

TEST(Words, UnknownOnesNameTheValidOnes) {
  for (const std::string_view word : {"", "Lower", "lower ", "up"}) {
    try {
      parse_enum<Direction>(word);
      FAIL() << "\"" << word << "\" was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.exit(), Exit::kData);
      EXPECT_THAT(error.what(), HasSubstr("\"" + std::string(word) + "\""));
      EXPECT_THAT(error.what(), HasSubstr("lower, higher"));
    }
  }
}

}  // namespace
}  // namespace perfgate
