// SPDX-License-Identifier: Apache-2.0
#include "perfgate/study/records.h"

#include <filesystem>

#include "perfgate/base/io/atomic_file.h"
#include "perfgate/base/io/input_file.h"
#include "perfgate/base/json/json_reader.h"
#include "perfgate/base/json/json_writer.h"
#include "perfgate/base/text/join.h"
#include "perfgate/evidence/files/input_kinds.h"

namespace perfgate::study {
namespace {

constexpr std::string_view kArmFormat = "perfgate-parity-arm";
constexpr std::string_view kTaskFormat = "perfgate-parity-task";
constexpr int kRecordVersion = 1;

}  // namespace

template <class V, IsStruct<LogLine> L>
void describe(V& v, L& l) {
  v("line", l.line, "number of the line, from 1", at_least(0));
  v("kind", l.kind, "what it tells");
  v("text", l.text, "the line");
}

template <class V, IsStruct<Input> I>
void describe(V& v, I& i) {
  v("name", i.name, "what was given");
  v("value", i.value, "its value, or the digest of it");
}

template <class V, IsStruct<ArmRecord> A>
void describe(V& v, A& a) {
  v("label", a.label, "baseline, human, or the agent's");
  v("folder", a.folder, "in the task's folder");
  v("inputs", a.inputs, "digest of all that the arm is made of");
  v("status", a.status, "what became of it");
  v("reason", a.reason, "why; empty: it is as it should be");
  v("log", a.log, "file that tells more; empty: none");
  v("lines", a.lines, "the lines of the log that say why");
  v("executable", a.executable, "what was measured");
  v("digest", a.digest, "of the executable and its libraries");
  v("file_digest", a.file_digest, "of what lies on disk");
  v("tests", a.tests, "tests that ran; null: the log does not say");
  v("tested", a.tested, "a test command was given, and ran");
  v("build_s", a.build_s, "seconds of the build", at_least(0));
  v("test_s", a.test_s, "seconds of the tests", at_least(0));
  v("trial_case", a.trial_case, "first case of the trial run; empty: none ran");
  v("trial_time", a.trial_time, "its time; no measurement", at_least(0));
  v("trial_unit", a.trial_unit, "unit of that time");
}

template <class V, IsStruct<CaseRecord> C>
void describe(V& v, C& c) {
  v("name", c.name, "the case");
  v("metric", c.metric, "that decides it");
  v("unit", c.unit, "of the metric");
  v("better", c.better, "lower or higher");
  v("outcome", c.outcome, "the agent against the human");
  v("vacuous", c.vacuous, "of a match: the human has no effect");
  v("rounds", c.rounds, "that it rests on", at_least(0));
  v("estimate", c.estimate, "log ratio, positive is slower", kAbsent);
  v("lo", c.lo, "lower end of the interval", kAbsent);
  v("hi", c.hi, "upper end", kAbsent);
  v("baseline", c.baseline, "median over rounds", kAbsent);
  v("human", c.human, "median over rounds", kAbsent);
  v("agent", c.agent, "median over rounds", kAbsent);
  v("reason", c.reason, "empty for ordinary outcomes");
}

template <class V, IsStruct<AgentRecord> A>
void describe(V& v, A& a) {
  v("label", a.label, "of the agent's arm");
  v("outcome", a.outcome, "of the agent against the human, the worst of its cases");
  v("vacuous", a.vacuous, "a match that proves nothing");
  v("exit", a.exit, "as perfgate parity exits for it");
  v("reason", a.reason, "why there is no measured outcome, or what the verdict sums up");
  v("trust", a.trust, "level at which it was measured");
  v("session", a.session, "file with all that was measured");
  v("verdict", a.verdict, "file with the verdict");
  v("cases", a.cases, "primary metric of each case");
}

template <class V, IsStruct<Change> C>
void describe(V& v, C& c) {
  v("changed", c.changed, "inputs that differed");
  v("before", c.before, "outcomes of the record that was replaced");
}

template <class V, IsStruct<TaskRecord> T>
void describe(V& v, T& t) {
  v("id", t.id, "name of the task");
  v("model", t.model, "as the task says");
  v("exit", t.exit, "the first that applies of its agents");
  v("inputs", t.inputs, "all that the task is made of");
  v("arms", t.arms, "baseline, human, agents");
  v("agents", t.agents, "one outcome for each agent");
  v("changes", t.changes, "records that this one replaced, oldest first");
}

namespace {

template <class T>
std::optional<T> FindRecord(const std::string& path, std::string_view format) {
  std::error_code failed;
  if (!std::filesystem::exists(path, failed)) return std::nullopt;
  try {
    return json_io::read_file_object<T>(ReadInputFile(path, kEvidenceFile), path, format,
                                        kRecordVersion);
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

void WriteArm(const std::string& path, const ArmRecord& arm) {
  write_file_atomically(path, json_io::write_file_object(arm, kArmFormat, kRecordVersion));
}

void WriteTask(const std::string& path, const TaskRecord& task) {
  write_file_atomically(path, json_io::write_file_object(task, kTaskFormat, kRecordVersion));
}

std::optional<ArmRecord> FindArm(const std::string& path) {
  return FindRecord<ArmRecord>(path, kArmFormat);
}

std::optional<TaskRecord> FindTask(const std::string& path) {
  return FindRecord<TaskRecord>(path, kTaskFormat);
}

std::string OutcomesOf(const TaskRecord& task) {
  std::string text;
  for (const AgentRecord& agent : task.agents) {
    AppendItem(text, agent.label + " " + std::string(to_string(agent.outcome)));
    if (agent.vacuous) text += " (vacuous)";
  }
  return text;
}

std::string TaskAsJson(const TaskRecord& task) {
  std::string out;
  json_io::ObjectWriter writer(out, 2);
  describe(writer, task);
  writer.finish();
  return out;
}

}  // namespace perfgate::study
