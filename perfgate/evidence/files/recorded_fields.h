// SPDX-License-Identifier: Apache-2.0
// recorded_fields.h: the fields of a recorded session.
#pragma once

#include "perfgate/evidence/files/session_fields.h"
#include "perfgate/evidence/recorded.h"

namespace perfgate::inline evidence {

template <class V, IsStruct<RecordedCase> C>
void describe(V& v, C& c) {
  v("name", c.name, "canonical name of the benchmark instance");
  v("threads", c.threads, "threads of the case", at_least(1));
  v("time", c.time, "gated time: `real`, `manual` or `cpu`");
  v("iterations", c.iterations, "iterations of one slice; 0: run by time", at_least(0));
  v("values", c.values, "`values[metric][round]` in the metric's unit; null: absent", kAbsent);
}

template <class V, IsStruct<RecordedSession> S>
void describe(V& v, S& s) {
  v("id", s.id, "random, 32 hexadecimal digits", hex_digits(32));
  v("tool", s.tool, "program and version that measured");
  v("started", s.started, "start, ISO 8601, UTC");
  v("suite", s.suite, "name of the suite");
  v("machine_class", s.machine_class, "name of the machine's class");
  v("commit", s.commit, "commit of the measured sources; empty: not known");
  v("dirty", s.dirty, "the sources differed from that commit");
  v("executable", s.executable, "what was measured; its path is a file name");
  v("machine", s.machine, "where it ran");
  v("conditions", s.conditions, "what the machine was doing: medians over rounds");
  v("slice_s", s.slice_s, "timed length of one slice, s", above(0));
  v("pairs", s.pairs, "slices per case and round", at_least(1));
  v("rounds", s.rounds, "rounds of the session", at_least(1));
  v("metrics", s.metrics, "what was measured; `real_time` first");
  v("cases", s.cases, "the cases and their values");
  v("reference_names", s.reference_names, "components of the reference workload");
  v("reference", s.reference, "`reference[component][round]`, s", above(0));
}

}  // namespace perfgate::inline evidence
