// SPDX-License-Identifier: Apache-2.0
// task_fields.h: the fields of a task file, for its reader and its schema.
#pragma once

#include <string_view>

#include "perfgate/base/json/json_reader.h"
#include "perfgate/study/task/task.h"

namespace perfgate::study {

inline constexpr std::string_view kTasksFormat = "perfgate-parity-tasks";
inline constexpr int kTasksVersion = 1;
inline constexpr const char* kIdMeaning = "every task needs a name of its own";

template <class V, IsStruct<Limits> L>
void describe(V& v, L& l) {
  v("build_s", l.build_s, "seconds that a build may take", above(0));
  v("test_s", l.test_s, "seconds that the tests may take", above(0));
  v("bench_s", l.bench_s, "seconds that a trial run of the benchmark may take", above(0));
  v("memory_mib", l.memory_mib, "MiB that all processes of a step may use", above(0));
}

template <class V, IsStruct<BuiltArms> A>
void describe(V& v, A& a) {
  v("baseline", a.baseline, "executable of the original state");
  v("human", a.human, "executable with the human's change");
  v("agents", a.agents, "executables with the agents' changes");
}

// The fields that defaults and tasks share.
template <class V, IsStruct<Task> T>
void describe(V& v, T& t) {
  v("repo", t.repo, "folder of the git repository");
  v("base", t.base, "commit that everything starts from");
  v("human", t.human, "commit with the human's change");
  v("agents", t.agents, "patch files against base, or commits");
  v("build", t.build, "command that builds");
  v("test", t.test, "command that tests");
  v("bench", t.bench, "path of the executable in the source tree");
  v("overlay", t.overlay, "folder of files that take the place of the source tree's own");
  v("arguments", t.arguments, "arguments of the executable");
  v("arms", t.arms, "executables that are built already");
  v("limits", t.limits, "of time and memory");
  v("margin", t.margin, "difference within which two arms match", fraction(above(0, 1)));
  v("policy", t.policy, "policy file; the fields below override it");
  v("rounds", t.rounds, "most rounds that are measured", at_least(1));
  v("budget_s", t.budget_s, "seconds that are measured", above(0));
  v("slice_s", t.slice_s, "timed seconds of one slice", above(0));
  v("pairs", t.pairs, "slices per arm, case and round", at_least(1));
  v("primary", t.primary, "metric that decides a case");
  v("filter", t.filter, "regular expression of the cases that are measured");
  v("model", t.model, "model that is run");
  v("context", t.context, "longest context of the model, tokens", at_least(1));
}

}  // namespace perfgate::study
