// SPDX-License-Identifier: Apache-2.0
#include "perfgate/import/to_session.h"

#include <gmock/gmock.h>

#include <cmath>

#include "perfgate/evidence/files/files.h"
#include "perfgate/import/detect.h"
#include "perfgate/import/record_value.h"
#include "tests/perfgate/import/import_samples.h"

namespace perfgate::import {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

SessionOptions options() {
  SessionOptions options;
  options.importer = "perfgate 0.1.0";
  return options;
}

Session imported(const std::vector<std::string>& files, const SessionOptions& with = options()) {
  std::vector<Document> documents;
  for (const std::string& file : files) documents.push_back(read_foreign(sample_path(file)));
  return to_session(documents, with);
}

const CaseInfo& case_of(const Session& session, const std::string& name) {
  const auto found = std::find_if(session.cases.begin(), session.cases.end(),
                                  [&](const CaseInfo& info) { return info.name == name; });
  EXPECT_NE(found, session.cases.end()) << name;
  static const CaseInfo none;
  return found == session.cases.end() ? none : *found;
}

std::vector<double> session_values(const Session& session, const std::string& case_name,
                                   const std::string& metric, std::size_t round) {
  for (const CaseRound& measured : session.rounds.at(round).cases) {
    if (session.cases[measured.case_index].name != case_name) continue;
    for (std::size_t m = 0; m < session.metrics.size(); ++m) {
      if (session.metrics[m].name == metric) return measured.values[m][0];
    }
  }
  return {};
}

// A file of one case with these samples of real_time.
Document document_of(const std::string& name, const std::vector<double>& values) {
  Document document = new_document("test", name, name);
  for (std::size_t i = 0; i < values.size(); ++i) {
    Record record;
    record.case_name = "a";
    record.order = static_cast<int>(i);
    record.row = i + 1;
    set_value(record, values[i]);
    document.records.push_back(record);
  }
  return document;
}

Refusal session_refused(const std::vector<Document>& documents,
                        const SessionOptions& with = options()) {
  return refusal([&] { to_session(documents, with); });
}

TEST(ToSession, FilesAreRoundsAndRepetitionsSlices) {
  const std::vector<std::string> files = {"google_benchmark/v1.7.1_repetitions.json",
                                          "google_benchmark/v1.7.1_repetitions_again.json"};
  const Session session = imported(files);
  EXPECT_EQ(session.grade, "imported");
  EXPECT_TRUE(session.complete);
  ASSERT_THAT(session.rounds, SizeIs(2));
  ASSERT_THAT(session.arms, SizeIs(1));
  EXPECT_EQ(session.arms[0].label, "candidate");
  EXPECT_EQ(session.metrics.at(0), Metric{});
  for (std::size_t r = 0; r < 2; ++r) {
    const Document document = read_foreign(sample_path(files[r]));
    EXPECT_EQ(session_values(session, "sum/64", "real_time", r),
              import::values_of(records_of(document, "sum/64", "real_time")));
  }
  const CaseInfo& threaded = case_of(session, "threaded/real_time/threads:2");
  EXPECT_EQ(threaded.threads, 2);
  EXPECT_THAT(threaded.workload, Contains(NamedValue{"thread_rates", "total"}));
  EXPECT_EQ(case_of(session, "manual/iterations:20/manual_time").time, "manual");
  EXPECT_THAT(session.environment, Contains(NamedValue{"context.run", "a1b2"}));
}

TEST(ToSession, IsReadBackAndAlwaysTheSame) {
  for (const char* file : {"google_benchmark/v1.7.1_repetitions.json", "hyperfine/failures.json",
                           "google_benchmark/v1.7.1_aggregates_only.json",
                           "pytest_benchmark/results.json", "criterion/first"}) {
    const std::string text = session_to_json(imported({file}));
    EXPECT_EQ(session_to_json(session_from_json(text, "s.json")), text) << file;
    EXPECT_EQ(session_to_json(imported({file})), text) << file;
  }
}

TEST(ToSession, OriginsNameEveryFile) {
  const Session session =
      imported({"pytest_benchmark/results.json", "pytest_benchmark/results_again.json"});
  ASSERT_THAT(session.origins, SizeIs(2));
  EXPECT_EQ(session.origins[0].format, "pytest_benchmark");
  EXPECT_EQ(session.origins[0].version, "3.2.2");
  EXPECT_EQ(session.origins[0].importer, "perfgate 0.1.0");
  EXPECT_EQ(session.origins[1].file, sample_path("pytest_benchmark/results_again.json"));
  EXPECT_THAT(session.origins[1].commit, SizeIs(40));
  EXPECT_NE(session.origins[0].digest, session.origins[1].digest);
  EXPECT_EQ(session.started, session.origins[0].recorded);
}

TEST(ToSession, IdAndArmDigestFollowTheFiles) {
  const Session one = to_session(std::vector{document_of("f", {1})}, options());
  const Session other = to_session(std::vector{document_of("g", {1})}, options());
  EXPECT_EQ(one.arms[0].digest, one.origins[0].digest);
  EXPECT_NE(one.id, other.id);
  EXPECT_NE(one.arms[0].digest, other.arms[0].digest);
  SessionOptions baseline = options();
  baseline.arm = "baseline";
  EXPECT_NE(to_session(std::vector{document_of("f", {1})}, baseline).id, one.id);
}

TEST(ToSession, FailuresAreFaultsWithTheirRows) {
  const Session session = imported({"google_benchmark/v1.9.5_repetitions.json"});
  const auto fault = [&](const std::string& name) {
    std::vector<Fault> found;
    for (const Fault& f : session.faults) {
      if (session.cases[f.case_index].name == name) found.push_back(f);
    }
    return found;
  };
  ASSERT_THAT(fault("fails"), SizeIs(1));
  EXPECT_EQ(fault("fails")[0].kind, FaultKind::kError);
  EXPECT_THAT(fault("fails")[0].detail,
              HasSubstr("v1.9.5_repetitions.json, rows 19, 20 (2 values): no such \"device\""));
  EXPECT_EQ(fault("fails")[0].metric, "");
  ASSERT_THAT(fault("skips"), SizeIs(1));
  EXPECT_EQ(fault("skips")[0].kind, FaultKind::kSkipped);
  EXPECT_THAT(fault("not_a_number"), SizeIs(3));
  EXPECT_THAT(fault("not_a_number"), testing::Each(Field(&Fault::kind, FaultKind::kBadValue)));
  EXPECT_THAT(fault("not_a_number"), Contains(Field(&Fault::metric, "residual")));
  EXPECT_THAT(fault("sum/64"), IsEmpty());
}

TEST(ToSession, EveryStatusHasItsFault) {
  const std::vector<std::pair<Status, FaultKind>> kinds = {
      {Status::kFailed, FaultKind::kError},
      {Status::kSkipped, FaultKind::kSkipped},
      {Status::kTimeout, FaultKind::kTimeout},
      {Status::kMissing, FaultKind::kAbsent},
      {Status::kRejected, FaultKind::kBadValue}};
  for (const auto& [status, kind] : kinds) {
    Document document = document_of("f", {1, 2});
    fail(document.records[1], status, "why");
    const Session session = to_session(std::vector{document}, options());
    ASSERT_THAT(session.faults, SizeIs(1));
    EXPECT_EQ(session.faults[0].kind, kind);
    EXPECT_EQ(session.faults[0].detail, "f, row 2: why");
    EXPECT_EQ(session.faults[0].round, 0);
    EXPECT_EQ(session.faults[0].metric, status == Status::kRejected ? "real_time" : "");
  }
}

TEST(ToSession, ManyFailuresMakeOneFault) {
  Document document = document_of("f", std::vector<double>(100, 1.0));
  for (Record& record : document.records) fail(record, Status::kFailed, "boom");
  fail(document.records[50], Status::kFailed, "bang");
  const Session session = to_session(std::vector{document}, options());
  ASSERT_THAT(session.faults, SizeIs(2));
  EXPECT_EQ(session.faults[0].detail, "f, rows 1, 2, 3 and others (99 values): boom");
  EXPECT_THAT(session.rounds.at(0).cases, IsEmpty());
}

// A rejected value keeps its place, so that the slices of metrics stay side by side.
TEST(ToSession, RejectedValuesAreAbsent) {
  Document document = document_of("f", {1, 2, 3});
  fail(document.records[1], Status::kRejected, "real_time is NaN");
  const auto values =
      session_values(to_session(std::vector{document}, options()), "a", "real_time", 0);
  ASSERT_THAT(values, SizeIs(3));
  EXPECT_EQ(values[0], 1);
  EXPECT_TRUE(std::isnan(values[1]));
  EXPECT_EQ(values[2], 3);
}

TEST(ToSession, AggregatesAloneAreMarkedAndNamed) {
  const Session session = imported({"google_benchmark/v1.7.1_aggregates_only.json"});
  EXPECT_EQ(session.grade, "aggregate");
  for (const CaseInfo& info : session.cases) {
    EXPECT_THAT(info.aggregates, Contains("real_time_mean"));
    EXPECT_THAT(info.aggregates, Contains("real_time_median"));
  }
  for (const Metric& metric : session.metrics) {
    EXPECT_THAT(metric.name,
                testing::EndsWith(metric.name.ends_with("mean") ? "_mean" : "_median"));
  }
}

TEST(ToSession, AggregatesBesideSamplesAreOnlyChecked) {
  const Session session = imported({"hyperfine/plain.json"});
  EXPECT_EQ(session.grade, "imported");
  EXPECT_THAT(case_of(session, "true").aggregates, testing::Each(testing::EndsWith("e_mean")));
  for (const Metric& metric : session.metrics) {
    EXPECT_THAT(metric.name, testing::Not(testing::StartsWith("wall_time_")));
  }
  Document document = document_of("f", {1, 3});
  document.records.push_back(document.records[0]);
  document.records[2].kind = RecordKind::kAggregate;
  document.records[2].statistic = "mean";
  EXPECT_EQ(session_refused({document}).exit, Exit::kInvalid);
  document.records[2].value = 2;
  EXPECT_EQ(session_refused({document}).exit, Exit::kPass);
}

TEST(ToSession, RoundsWithinAFileAreKeptApart) {
  Document document = document_of("f", {1, 2, 3});
  document.records[2].round = 7;
  const Session session = to_session(std::vector{document, document_of("g", {4})}, options());
  ASSERT_THAT(session.rounds, SizeIs(3));
  EXPECT_THAT(session_values(session, "a", "real_time", 0), ElementsAre(1, 2));
  EXPECT_THAT(session_values(session, "a", "real_time", 1), ElementsAre(3));
  EXPECT_THAT(session_values(session, "a", "real_time", 2), ElementsAre(4));
}

TEST(ToSession, InformationalMetricsNeverDecide) {
  const Session session = imported({"google_benchmark/v1.7.1_repetitions.json"});
  for (const Metric& metric : session.metrics) {
    EXPECT_EQ(column_policy(session.policy, "counters", metric).gate, metric.name == "real_time")
        << metric.name;
  }
}

TEST(ToSession, APolicyDeclaresCounters) {
  SessionOptions with = options();
  const Metric depth{"depth", "levels", Direction::kHigher, Kind::kCount};
  with.policy.metrics = {depth};
  const std::string file = "google_benchmark/v1.7.1_repetitions.json";
  const Session session = imported({file}, with);
  EXPECT_THAT(session.metrics, Contains(depth));
  EXPECT_TRUE(column_policy(session.policy, "counters", depth).gate);
  // A time or rate is above 0, which a counter need not be.
  with.policy.metrics = {{"depth", "s", Direction::kLower, Kind::kTime}};
  Document document = read_foreign(sample_path(file));
  for (Record& record : document.records) {
    if (record.metric.name == "depth" && record.status == Status::kOk) record.value = 0;
  }
  std::erase_if(document.records,
                [](const Record& record) { return record.kind == RecordKind::kAggregate; });
  const auto zero = session_refused({document}, with);
  EXPECT_EQ(zero.exit, Exit::kInvalid);
  EXPECT_THAT(zero.message, HasSubstr("the policy declares depth a time"));
}

TEST(ToSession, OneFileTwiceIsNoSecondRound) {
  const auto twice = session_refused({document_of("f", {1}), document_of("f", {1})});
  EXPECT_EQ(twice.exit, Exit::kInvalid);
  EXPECT_THAT(twice.message, HasSubstr("no further round"));
}

TEST(ToSession, FormatsAreNotMixed) {
  Document other = document_of("g", {1});
  other.format = "other";
  EXPECT_EQ(session_refused({document_of("f", {1}), other}).exit, Exit::kUsage);
  EXPECT_EQ(session_refused({}).exit, Exit::kUsage);
}

TEST(ToSession, NothingAtAllIsNoSession) {
  EXPECT_EQ(session_refused({document_of("f", {})}).exit, Exit::kData);
  // Beside others it is a round in which everything is missing.
  const Session session =
      to_session(std::vector{document_of("f", {1}), document_of("g", {})}, options());
  EXPECT_THAT(session.rounds, SizeIs(2));
  EXPECT_THAT(session.warnings, ElementsAre("\"a\" is in 1 of 2 rounds"));
}

TEST(ToSession, AMetricHasOneMeaning) {
  Document document = document_of("f", {1, 2});
  document.records[1].metric.unit = "ms";
  EXPECT_EQ(session_refused({document}).exit, Exit::kInvalid);
}

TEST(ToSession, RoundsRunTheSameWorkload) {
  Document first = document_of("f", {1});
  Document second = document_of("g", {1});
  first.workload["a"] = {{"model", "m-1"}};
  second.workload["a"] = {{"model", "m-2"}};
  const auto differs = session_refused({first, second});
  EXPECT_EQ(differs.exit, Exit::kNotComparable);
  EXPECT_THAT(differs.message, HasSubstr("model \"m-2\", and \"m-1\" in another file"));
  second.workload["a"] = {};
  const Session session = to_session(std::vector{first, second}, options());
  EXPECT_THAT(session.warnings, ElementsAre("\"a\": model is not in g"));
}

TEST(ToSession, EnvironmentThatDiffersIsLeftOut) {
  Document first = document_of("f", {1});
  Document second = document_of("g", {1});
  first.environment = {{"cpu", "x"}, {"driver", "1"}, {"os", "l"}};
  second.environment = {{"cpu", "x"}, {"driver", "2"}};
  const Session session = to_session(std::vector{first, second}, options());
  EXPECT_THAT(session.environment, ElementsAre(NamedValue{"cpu", "x"}));
  EXPECT_THAT(session.warnings, ElementsAre(HasSubstr("driver is \"1\", but in g it is \"2\""),
                                            HasSubstr("os is \"l\", but in g it is absent")));
}

TEST(ToSession, TheManifestFindsWhatIsMissing) {
  SessionOptions with = options();
  with.manifest.cases = {"a", "b"};
  Document both = document_of("f", {1, 2});
  both.records[1].case_name = "b";
  const Session session = to_session(std::vector{both, document_of("g", {1})}, with);
  ASSERT_THAT(session.faults, SizeIs(1));
  EXPECT_EQ(session.faults[0].kind, FaultKind::kAbsent);
  EXPECT_EQ(session.faults[0].round, 1);
  EXPECT_EQ(session.cases[session.faults[0].case_index].name, "b");
  EXPECT_THAT(session.policy.expected, ElementsAre("a", "b"));
  // Failed is not missing.
  fail(both.records[1], Status::kFailed, "boom");
  EXPECT_EQ(to_session(std::vector{both}, with).faults.at(0).kind, FaultKind::kError);
}

TEST(ToSession, TheManifestFindsThatEverythingIsMissing) {
  SessionOptions with = options();
  with.manifest.cases = {"a", "b"};
  const Session session = to_session(std::vector{document_of("f", {})}, with);
  EXPECT_THAT(session.cases, SizeIs(2));
  EXPECT_THAT(session.faults, SizeIs(2));
  EXPECT_EQ(session_to_json(session_from_json(session_to_json(session), "s")),
            session_to_json(session));
}

TEST(ToSession, TheManifestKnowsBetter) {
  SessionOptions with = options();
  with.manifest.workload = {{"model", "m-1"}};
  with.manifest.environment = {{"gpu", "g"}};
  Document document = document_of("f", {1});
  const Session session = to_session(std::vector{document}, with);
  EXPECT_THAT(case_of(session, "a").workload, ElementsAre(NamedValue{"model", "m-1"}));
  EXPECT_THAT(session.environment, ElementsAre(NamedValue{"gpu", "g"}));
  document.workload["a"] = {{"model", "m-2"}};
  const auto other_model = session_refused({document}, with);
  EXPECT_EQ(other_model.exit, Exit::kInvalid);
  EXPECT_THAT(other_model.message, HasSubstr("\"m-2\" in the file and \"m-1\" in the manifest"));
  document.workload.clear();
  document.environment = {{"gpu", "h"}};
  EXPECT_EQ(session_refused({document}, with).exit, Exit::kInvalid);
}

TEST(ToSession, FilesOfAnotherRunAreRefused) {
  SessionOptions with = options();
  with.manifest.required = {{"context.run", "a1b2"}};
  EXPECT_NO_THROW(imported({"google_benchmark/v1.7.1_repetitions.json"}, with));
  const auto stale = refusal([&] { imported({"google_benchmark/v1.7.1_single.json"}, with); });
  EXPECT_EQ(stale.exit, Exit::kInvalid);
  EXPECT_THAT(stale.message, HasSubstr("it is not of this run"));
  with.manifest.required = {{"context.run", "c3d4"}};
  EXPECT_EQ(refusal([&] { imported({"google_benchmark/v1.7.1_repetitions.json"}, with); }).exit,
            Exit::kInvalid);
}

}  // namespace
}  // namespace perfgate::import
