// SPDX-License-Identifier: Apache-2.0
// How arms are driven, and which of their promises bind, where one may be a stranger's.
#include "perfgate/measure/schedule/list_arms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "perfgate/base/error.h"
#include "perfgate/measure/isolation/isolation.h"
#include "tests/perfgate/measure/fixtures/fake_arms.h"

namespace perfgate::measure {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Listing ByWorker() {
  Listing listing;
  listing.cases.emplace_back();
  listing.cases[0].name = "sort";
  listing.metrics = {Metric{}};
  listing.by_worker = true;
  return listing;
}

Listing ByProcesses() {
  Listing listing = ByWorker();
  listing.by_worker = false;
  return listing;
}

Listing Promising(const std::string& result) {
  Listing listing = ByWorker();
  listing.cases[0].result = result;
  return listing;
}

// A baseline and a candidate that offer what they are told to.
class ListArmsTest : public testing::Test {
 protected:
  ListArmsTest() {
    for (const char* label : {"baseline", "candidate"}) {
      plan_.arms.push_back({label, {}});
      plan_.arms.back().executable.path = std::string("/nowhere/") + label;
      plan_.arms.back().executable.digest = std::string("sha256:") + label;
      plan_.arms.back().executable.speaks_protocol = true;
    }
    plan_.policy.slice_s = 0.01;
  }

  // A machine without any means of isolation: the rules for strangers hold all the same.
  void Isolate() {
    plan_.isolation = std::make_shared<const Isolation>(
        Abilities{}, IsolationRequest{.use = IsolationUse::kBest});
  }

  Session Listed(const Listing& baseline, const Listing& candidate) {
    context_ = std::make_unique<Context>(Context{plan_});
    context_->launcher.list = [&](int arm, double, ListBy) {
      return arm == 0 ? baseline : candidate;
    };
    Session session;
    session.complete = true;
    list_arms(*context_, session);
    return session;
  }

  // How the candidate is driven, beside a baseline that is driven alike.
  DriverKind Driver(const Listing& baseline, const Listing& candidate) {
    Listed(baseline, candidate);
    EXPECT_EQ(context_->drivers.at(0), context_->drivers.at(1));
    return context_->drivers.at(1);
  }

  MeasurePlan plan_;
  std::unique_ptr<Context> context_;
};

TEST_F(ListArmsTest, InTheOpenOneArmCanMakeBothBeDrivenByProcesses) {
  EXPECT_EQ(Driver(ByWorker(), ByWorker()), DriverKind::kWorker);
  EXPECT_EQ(Driver(ByWorker(), ByProcesses()), DriverKind::kProcessPerCase);
  EXPECT_EQ(Driver(ByProcesses(), ByWorker()), DriverKind::kProcessPerCase);
}

TEST_F(ListArmsTest, AStrangersArmCannotChooseToBeDrivenByProcesses) {
  Isolate();
  EXPECT_EQ(Driver(ByWorker(), ByWorker()), DriverKind::kWorker);
  EXPECT_EQ(Driver(ByProcesses(), ByProcesses()), DriverKind::kProcessPerCase);
  EXPECT_EQ(Driver(ByProcesses(), ByWorker()), DriverKind::kProcessPerCase)
      << "the baseline's choice";
  Listing candidate = ByProcesses();
  candidate.no_worker = "it links another library";
  try {
    Listed(ByWorker(), candidate);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), Exit::kNotComparable);
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr("candidate: cannot be driven as baseline is"),
                      HasSubstr("(it links another library)"), HasSubstr("perfgate::main")));
  }
}

// Its cases are absent, and that is said of them.
TEST_F(ListArmsTest, AnArmWithoutCasesIsNotDrivenAtAll) {
  Isolate();
  const Session session = Listed(ByWorker(), Listing{});
  EXPECT_EQ(context_->drivers.at(0), DriverKind::kWorker);
  EXPECT_THAT(session.faults, ElementsAre(Field(&Fault::kind, FaultKind::kAbsent)));
}

// One wall time of a process of many cases checks none of them.
TEST_F(ListArmsTest, AProcessOfManyCasesIsForArmsOfYourOwn) {
  Listing slow = ByProcesses();
  slow.startup_s = 1;
  EXPECT_EQ(Driver(slow, slow), DriverKind::kProcessPerSuite);
  EXPECT_EQ(Driver(ByProcesses(), slow), DriverKind::kProcessPerSuite);
  Isolate();
  EXPECT_EQ(Driver(slow, slow), DriverKind::kProcessPerCase);
  EXPECT_EQ(Driver(ByProcesses(), slow), DriverKind::kProcessPerCase);
}

TEST_F(ListArmsTest, AStrangersArmsAreStoppedWhileTheyAreIdle) {
  Listed(ByWorker(), ByWorker());
  EXPECT_THAT(context_->must_pause, ElementsAre(false, false));
  Isolate();
  Listed(ByWorker(), ByWorker());
  EXPECT_THAT(context_->must_pause, ElementsAre(true, true));
}

TEST_F(ListArmsTest, AStrangersArmKeepsWhatTheBaselinePromises) {
  const Listing promising = Promising("sha256:1");
  for (const Listing& candidate : {ByWorker(), Promising("sha256:2")}) {
    EXPECT_THAT(Listed(promising, candidate).faults, IsEmpty()) << "in the open it binds nobody";
  }
  Isolate();
  EXPECT_THAT(Listed(promising, promising).faults, IsEmpty());
  EXPECT_EQ(Listed(promising, promising).cases.at(0).result, "sha256:1");
  EXPECT_THAT(Listed(ByWorker(), promising).faults, IsEmpty()) << "the baseline promised nothing";
  for (const Listing& candidate : {ByWorker(), Promising("sha256:2")}) {
    const Session session = Listed(promising, candidate);
    EXPECT_THAT(session.faults, SizeIs(1));
    EXPECT_THAT(session.faults, Each(AllOf(Field(&Fault::kind, FaultKind::kOtherWorkload),
                                           Field(&Fault::arm, 1), Field(&Fault::case_index, 0U),
                                           Field(&Fault::detail, HasSubstr("sha256:1")))));
  }
}

}  // namespace
}  // namespace perfgate::measure
