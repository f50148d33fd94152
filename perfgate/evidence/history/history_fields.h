// SPDX-License-Identifier: Apache-2.0
// history_fields.h: the fields of a history and of everything inside it.
#pragma once

#include "perfgate/base/json/field_rule.h"
#include "perfgate/evidence/files/policy_fields.h"
#include "perfgate/evidence/history/history.h"

namespace perfgate::inline evidence {

template <class V, IsStruct<HistoryPoint> P>
void describe(V& v, P& p) {
  v("started", p.started, "start of the session, ISO 8601, UTC");
  v("commit", p.commit, "commit that was measured; empty: not known");
  v("dirty", p.dirty, "the sources differed from that commit");
  v("session_id", p.session_id, "`id` of the session");
  v("source", p.source, "the file, as it was named");
  v("value", p.value, "median over the rounds, in the metric's unit");
  v("verdict", p.verdict, "of the gate that measured it; empty: none judged it");
}

template <class V, IsStruct<HistoryChange> C>
void describe(V& v, C& c) {
  v("index", c.index, "the first of `points` after the change", at_least(0));
  v("range_lo", c.range_lo, "from here ...", at_least(0));
  v("range_hi", c.range_hi, "... to here `index` may lie, with about 95 %", at_least(0));
  v("commit_before", c.commit_before, "last commit before that range; empty: not known");
  v("commit_after", c.commit_after, "last commit of that range; empty: not known");
  v("before", c.before, "median of the level before the change, in the metric's unit");
  v("after", c.after, "median of the level after it");
  v("shift", c.shift, "positive is worse: fraction for times and rates, else the metric's unit");
  v("p", c.p, "chance of such a split in random order", between(0, 1));
}

template <class V, IsStruct<HistorySeries> S>
void describe(V& v, S& s) {
  v("machine_class", s.machine_class, "class of the machines that measured");
  v("suite", s.suite, "name of the suite");
  v("case_name", s.case_name, "canonical name of the case");
  v("metric", s.metric, "what was measured");
  v("points", s.points, "in order of time");
  v("changes", s.changes, "places at which the level changed, ascending");
  v("first", s.first, "median of the level at the beginning, in the metric's unit");
  v("now", s.now, "median of the level at the end");
  v("shift", s.shift, "from first to now; positive is worse, as in `changes`");
  v("noise", s.noise, "standard deviation of the points around their levels", at_least(0));
}

template <class V, IsStruct<History> H>
void describe(V& v, H& h) {
  v("tool", h.tool, "program and version that looked");
  v("alpha", h.alpha, "chance of a change anywhere where there is none", between(0, 0.5));
  v("series_alpha", h.series_alpha, "what each series has of it", between(0, 0.5));
  v("least_change", h.least_change, "smaller changes are not told, fraction", at_least(0));
  v("series", h.series, "one per machine class, suite, case and metric; the worst change first");
  v("warnings", h.warnings, "what the reader should know");
}

}  // namespace perfgate::inline evidence
