// SPDX-License-Identifier: Apache-2.0
// bisect_fields.h: the fields of a bisection.
#pragma once

#include "perfgate/base/json/field_rule.h"
#include "perfgate/evidence/bisect/bisect.h"
#include "perfgate/evidence/files/policy_fields.h"

namespace perfgate::inline evidence {

template <class V, IsStruct<BisectCommit> C>
void describe(V& v, C& c) {
  v("commit", c.commit, "full id");
  v("subject", c.subject, "first line of its message");
  v("answer", c.answer, "`good`, `bad`, `skipped`, or `open`: nobody looked");
  v("reason", c.reason, "what the gate said, or why it is skipped");
  v("digest", c.digest, "`sha256:<hex>` of the executable; empty: none was built");
  v("rounds", c.rounds, "rounds that the answer rests on; 0: nothing was measured", at_least(0));
  v("estimate", c.estimate, "slowdown against the good end, fraction; null: not measured", kAbsent);
  v("lo", c.lo, "lower end of its interval; null: none", kAbsent);
  v("hi", c.hi, "upper end of its interval; null: none", kAbsent);
}

template <class V, IsStruct<Bisection> B>
void describe(V& v, B& b) {
  v("tool", b.tool, "program and version that bisects");
  v("suite", b.suite, "name of the suite; empty: none given");
  v("build", b.build, "command that builds the executable in a checkout; empty: none");
  v("executable", b.executable, "that it leaves there");
  v("prebuilt", b.prebuilt, "where executables lie already, with `{commit}`; empty: nowhere");
  v("policy", b.policy, "of the gate of good against bad");
  v("case_name", b.case_name, "the case that is bisected; empty: not yet chosen");
  v("metric", b.metric, "the metric of it");
  v("tolerance", b.tolerance, "of every step: half of what the bad end is slower", at_least(0));
  v("commits", b.commits, "from the good end to the bad end");
  v("complete", b.complete, "false: it was stopped, and goes on from this file");
  v("first_bad", b.first_bad, "the commit that was looked for; empty: not found, or not alone");
  v("conclusion", b.conclusion, "one sentence");
  v("other_cases", b.other_cases, "slower in the bad end too, and not bisected here");
}

}  // namespace perfgate::inline evidence
