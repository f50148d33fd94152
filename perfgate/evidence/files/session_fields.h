// SPDX-License-Identifier: Apache-2.0
// session_fields.h: the fields of a session and of everything inside it.
#pragma once

#include "perfgate/base/json/field_rule.h"
#include "perfgate/evidence/files/policy_fields.h"
#include "perfgate/evidence/fleet/fleet_fields.h"
#include "perfgate/evidence/session.h"

namespace perfgate::inline evidence {

template <class V, IsStruct<Gpu> G>
void describe(V& v, G& g) {
  v("model", g.model, "product name, as all text here empty where not known");
  v("driver", g.driver, "version of the kernel driver");
  v("cuda", g.cuda, "newest CUDA version that the driver supports");
  v("mig", g.mig, "whether the device is partitioned: `on`, `off` or empty");
  v("memory_gib", g.memory_gib, "memory, GiB; as all numbers here 0 where not known", at_least(0));
  v("power_limit_w", g.power_limit_w, "enforced power limit, W", at_least(0));
  v("sm_clock_max_mhz", g.sm_clock_max_mhz, "highest SM clock, MHz", at_least(0));
  v("memory_clock_max_mhz", g.memory_clock_max_mhz, "highest memory clock, MHz", at_least(0));
  v("persistence", g.persistence, "the driver stays loaded between processes");
}

template <class V, IsStruct<Machine> M>
void describe(V& v, M& m) {
  v("cpu_model", m.cpu_model, "processor name, as all text here empty where not known");
  v("isa", m.isa, "widest instruction set: `avx512`, `avx2`, `sse2`, `neon`, ...");
  v("kernel", m.kernel, "kernel name and release");
  v("hostname", m.hostname, "host name");
  v("governor", m.governor, "frequency governor of the first core");
  v("boost", m.boost, "`on`, `off` or empty");
  v("virtualization", m.virtualization, "hypervisor or container as far as visible");
  v("logical_cpus", m.logical_cpus, "logical processors; 0: not known", at_least(0));
  v("physical_cores", m.physical_cores, "physical cores; 0: not known", added(at_least(0)));
  v("sockets", m.sockets, "processor packages; 0: not known", added(at_least(0)));
  v("allowed_cpus", m.allowed_cpus, "processors that this process might use", at_least(0));
  v("memory_gib", m.memory_gib, "memory, GiB; 0: not known", at_least(0));
  v("cpu_limit", m.cpu_limit, "processors that the container may use; 0: no limit",
    added(at_least(0)));
  v("memory_limit_gib", m.memory_limit_gib, "memory limit of the container, GiB; 0: none",
    added(at_least(0)));
  v("gpus", m.gpus, "graphics processors that the driver shows", added());
}

template <class V, IsStruct<RoundConditions> C>
void describe(V& v, C& c) {
  v("steal_share", c.steal_share,
    "share of the pinned cores' time taken by the hypervisor; all of these negative: not known");
  v("foreign_share", c.foreign_share, "share of the pinned cores' time used by other processes");
  v("load", c.load, "1-minute load average at the end of the round");
  v("mhz", c.mhz, "frequency of the first pinned core, MHz");
  v("voluntary_switches", c.voluntary_switches, "voluntary context switches of all arms");
  v("involuntary_switches", c.involuntary_switches, "times an arm was pushed off its core");
}

template <class V, IsStruct<BuildInfo> B>
void describe(V& v, B& b) {
  v("compiler", b.compiler, "compiler and version; empty: not known");
  v("sanitizer", b.sanitizer, "sanitizers built in; empty: none");
  v("known", b.known, "whether the next two are known");
  v("optimized", b.optimized, "built with optimisation");
  v("assertions", b.assertions, "built with assertions");
  v("codegen", b.codegen,
    "instruction sets and other settings that change the generated code; empty: not known",
    added());
}

template <class V, IsStruct<NamedValue> N>
void describe(V& v, N& n) {
  v("name", n.name, "dotted lower case: `model`, `context.num_cpus`");
  v("value", n.value, "as the file has it");
}

template <class V, IsStruct<ArmInfo> A>
void describe(V& v, A& a) {
  v("label", a.label, "`baseline`, `candidate`, or the name it was given");
  v("path", a.path, "path of the executable");
  v("digest", a.digest,
    "`sha256:<hex>` over the file and its non-system libraries, or over the imported files");
  v("driver", a.driver, "how it is driven: through the protocol, or process by process");
  v("library", a.library, "Google Benchmark version; empty: not known");
  v("build", a.build, "how it was built");
  v("layouts", a.layouts, "layouts that the rounds drew from; 0: one link", added(at_least(0)));
  v("given_arguments", a.arguments, "arguments that every launch was given", added());
  v("environment", a.environment, "variables that every launch was given", added());
  v("compared_cases", a.compared_cases,
    "which of its cases were compared, where two arms were compared in cases of different names",
    added());
}

template <class V, IsStruct<Origin> O>
void describe(V& v, O& o) {
  v("format", o.format, "format of the file: `google_benchmark`, `hyperfine`, ...");
  v("version", o.version, "version of the program that wrote it; empty: not in the file");
  v("importer", o.importer, "program and version that read it");
  v("file", o.file, "its name as given");
  v("digest", o.digest, "`sha256:<hex>` of its bytes");
  v("recorded", o.recorded, "when it was written; empty: not in the file");
  v("commit", o.commit, "revision of the code that ran; empty: not in the file");
}

template <class V, IsStruct<DeclaredWork> W>
void describe(V& v, W& w) {
  v("bytes", w.bytes, "bytes that must be moved; 0: not declared", at_least(0));
  v("flops", w.flops, "floating-point operations that must be done; 0: not declared", at_least(0));
  v("ceiling", w.ceiling, "case whose bytes per second are the most that can be had; empty: none");
}

template <class V, IsStruct<CaseInfo> C>
void describe(V& v, C& c) {
  v("name", c.name, "canonical name of the benchmark instance");
  v("threads", c.threads, "threads of the case", at_least(1));
  v("time", c.time, "gated time: `real`, `manual` or `cpu`");
  v("fixed_iterations", c.fixed_iterations, "iterations that the code itself fixes; 0: none",
    at_least(0));
  v("iterations", c.iterations, "calibrated iterations of one slice; 0: run by time", at_least(0));
  v("slice_s", c.slice_s, "calibrated timed part of one slice, s", at_least(0));
  v("setup_share", c.setup_share, "share of a slice that set-up takes, against its timed part",
    between(0, 1));
  v("pairs", c.pairs, "slice pairs per round, chosen to fit the budget; 0: as the policy says",
    added(at_least(0)));
  v("warmup_slices", c.warmup_slices,
    "discarded slices per arm and round, chosen to fit the budget; -1: as the policy says",
    added(at_least(-1)));
  v("wall_s", c.wall_s, "predicted wall time of one slice, set-up included, s; 0: not known",
    added(at_least(0)));
  v("workload", c.workload, "what was run, as far as it is known beyond the name", added());
  v("aggregates", c.aggregates, "metrics whose values a tool averaged: they never carry a claim",
    added());
  v("work", c.work, "what one iteration has to do at least, as the benchmark declares it", added());
  v("result", c.result,
    "what every arm promises to compute, bit for bit; empty: nothing is promised", added());
  v("arm_iterations", c.arm_iterations,
    "calibrated iterations of one slice per arm, where each arm has its own; empty: all have "
    "`iterations`",
    added(at_least(0)));
  v("checked", c.checked,
    "the first arm's case holds its results against others while it is measured", added());
}

inline constexpr FieldRule kTimeOrAbsent = {.min = 0, .absent = true};

template <class V, IsStruct<CaseRound> C>
void describe(V& v, C& c) {
  v("case_index", c.case_index, "index into `cases`");
  v("first_arm", c.first_arm, "arm that had the first slot of the first pair", at_least(0));
  v("void_slices", c.void_slices, "slices repeated because the idle arm had used the core",
    at_least(0));
  v("values", c.values, "`values[metric][arm][slice]` in the metric's unit; null: absent", kAbsent);
  v("slice_wall_s", c.slice_wall_s,
    "`slice_wall_s[arm][slice]`: wall time by the gate's clock, less the time for which the gate "
    "waited for a core, s, 5 digits; null: absent; empty: not known",
    added(kTimeOrAbsent));
  v("slice_timed_s", c.slice_timed_s,
    "`slice_timed_s[arm][slice]`: the part of it that the arm's report accounts for, s, 5 digits",
    added(kTimeOrAbsent));
}

template <class V, IsStruct<RoundInfo> R>
void describe(V& v, R& r) {
  v("index", r.index, "position in `rounds`, from 0", at_least(0));
  v("coin", r.coin, "which permutation of the arms this round used; 0: label X is arm 0");
  v("cpus", r.cpus, "cores that the arms were pinned to; empty: not pinned", at_least(0));
  v("started_s", r.started_s, "start since the session's start, s", at_least(0));
  v("wall_s", r.wall_s, "wall time of the round, s", at_least(0));
  v("conditions", r.conditions, "what the machine was doing");
  v("cases", r.cases, "measured cases in the order measured");
  v("reference", r.reference, "times of the reference workload's components, s", added(above(0)));
  v("layouts", r.layouts, "per arm the seed of the layout that it ran; empty: one link",
    added(at_least(0)));
}

template <class V, IsStruct<Fault> F>
void describe(V& v, F& f) {
  v("case_index", f.case_index, "index into `cases`; 0 while there are none");
  v("arm", f.arm, "index into `arms`", at_least(0));
  v("round", f.round, "index of the round; -1: while listing or calibrating", at_least(-1));
  v("kind", f.kind, "what went wrong");
  v("detail", f.detail, "reason and the tail of what the arm printed");
  v("metric", f.metric, "the one metric it concerns; empty: the whole case", added());
}

template <class V, IsStruct<Schedule> S>
void describe(V& v, S& s) {
  v("seed", s.seed, "replays coins and orders, 16 hexadecimal digits", hex_digits(16));
  v("replayed", s.replayed, "the seed was given, not drawn");
  v("looks", s.looks, "numbers of rounds at which decisions are taken, rising", at_least(1));
  v("look_alpha", s.look_alpha, "false-fail level of each look; 0: can only pass", between(0, 0.5));
  v("round_s", s.round_s, "predicted wall time of a full round, s", at_least(0));
  v("budget_s", s.budget_s, "wall time that measuring was given, s; 0: rounds were counted",
    added(at_least(0)));
  v("plan", s.plan, "how a round was made to fit the budget; empty: as the policy says", added());
  v("earlier_candidates", s.earlier_candidates,
    "other candidates of the same change that the ledger had before: each makes a pass stricter",
    added(at_least(0)));
}

template <class V, IsStruct<LayoutStage> L>
void describe(V& v, L& l) {
  v("cases", l.cases, "indices into the session's `cases`: those that one link would name");
  v("arms", l.arms, "the sets of layouts; `digest` is over what they were linked from");
  v("complete", l.complete, "false: interrupted, partial");
  v("incomplete_reason", l.incomplete_reason, "why it is partial");
  v("wall_s", l.wall_s, "wall time of the stage, s", at_least(0));
  v("timed_s", l.timed_s, "timed part of counted slices of all arms, s", at_least(0));
  v("schedule", l.schedule, "seed and looks of the stage");
  v("rounds", l.rounds, "fresh rounds, each over layouts that its arms had not run");
  v("faults", l.faults, "everything that went wrong in an arm");
}

template <class V, IsStruct<HotCode> H>
void describe(V& v, H& h) {
  v("case_name", h.case_name, "canonical name of the case");
  v("status", h.status, "whether both arms run the same code, wherever it lies");
  v("same_share", h.same_share,
    "share of the samples of untimed runs that lie in functions that are the same; of the two arms "
    "the smaller",
    between(0, 1));
  v("reason", h.reason, "of `unknown`: why; else empty");
  v("changed", h.changed, "functions that differ, most samples first; at most 5");
}

template <class V, IsStruct<TrustRecord> T>
void describe(V& v, T& t) {
  v("level", t.level,
    "who may have written the candidate: `open`: yourself; `isolated`: a stranger; "
    "`reviewed_suite`: a stranger, and the benchmark is of a trusted revision");
  v("means", t.means, "how arms were isolated; empty: they were not");
  v("lacking", t.lacking, "what was asked for and the machine does not have");
  v("suite_commit", t.suite_commit, "revision of the benchmark's sources; empty: each arm's own");
}

template <class V, IsStruct<Session> S>
void describe(V& v, S& s) {
  v("id", s.id, "random, or of imported files from their digests; 32 hexadecimal digits",
    hex_digits(32));
  v("tool", s.tool, "program and version that measured");
  v("started", s.started, "start, ISO 8601, UTC");
  v("suite", s.suite, "name of the suite; empty: none given");
  v("complete", s.complete, "false: interrupted, partial");
  v("incomplete_reason", s.incomplete_reason, "why it is partial");
  v("grade", s.grade,
    "`paired`: measured in alternation; `paired_serial`: one process at a time, because the arms "
    "do "
    "not fit on the device together; `imported`: from foreign files; `aggregate`: imported "
    "without samples of a gated metric",
    added());
  v("wall_s", s.wall_s, "wall time of the session, s", at_least(0));
  v("timed_s", s.timed_s, "timed part of counted slices of all arms, s", at_least(0));
  v("policy", s.policy, "the policy in force");
  v("schedule", s.schedule, "seed and looks");
  v("machine", s.machine, "where it ran");
  v("environment", s.environment, "where it ran, as far as `machine` does not say", added());
  v("unstated", s.unstated,
    "required fields of the record that are `missing` or `pending`: no claim rests on it", added());
  v("metrics", s.metrics, "what was measured; `real_time` first");
  v("unknown_metrics", s.unknown_metrics,
    "metrics whose unit and better direction nobody states: shown, never judged", added());
  v("reference_names", s.reference_names,
    "components of the reference workload that was timed in every round; empty: none", added());
  v("arms", s.arms, "the executables");
  v("origins", s.origins, "foreign files that the values come from; empty: measured by perfgate",
    added());
  v("cases", s.cases, "every case of any arm");
  v("rounds", s.rounds, "the measurements; a round is the independent unit");
  v("faults", s.faults, "everything that went wrong in an arm");
  v("warnings", s.warnings, "what the reader should know");
  v("confirmation", s.confirmation,
    "the second stage, over layouts, of cases that one link would name; none or one", added());
  v("hot_code", s.hot_code, "whether cases run the same code in both arms; those that were asked",
    added());
  v("trust", s.trust, "who may have written the arms", added());
  v("fleet", s.fleet, "which part of a suite that several jobs measure it is", added());
  v("parts", s.parts, "sessions of the jobs that it was merged from; empty: measured as one",
    added());
}

}  // namespace perfgate::inline evidence
