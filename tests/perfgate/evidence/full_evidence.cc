// SPDX-License-Identifier: Apache-2.0
// One small example of each file, every field set.
#include "tests/perfgate/evidence/random_values.h"
#include "tests/perfgate/evidence/sample_evidence.h"

namespace perfgate::sample {
Policy full_policy() {
  Policy policy;
  policy.tolerance = 0.03;
  policy.alpha = 0.02;
  policy.budget_s = 90;
  policy.slice_s = 0.02;
  policy.pairs = 6;
  policy.warmup_slices = 2;
  policy.rounds = 24;
  policy.hide_limit = 0.2;
  policy.claim_improvements = true;
  policy.allow_oversubscription = true;
  policy.filter = "memcpy|sort";
  policy.cases = {{.match = "memcpy/*", .metric = "real_time", .tolerance = 0.06, .gate = true}};
  policy.expected = {"memcpy/bytes:1048576"};
  policy.metrics = {
      {.name = "allocs", .unit = "1", .direction = Direction::kLower, .kind = Kind::kCount}};
  policy.overrides = {"tolerance 2 % -> 3 % (command line)"};
  return policy;
}

Session full_session() {
  Session session;
  session.id = "00112233445566778899aabbccddeeff";
  session.tool = "perfgate 0.1.0";
  session.started = "2026-01-02T03:04:05Z";
  session.suite = "kernels";
  session.complete = true;
  session.incomplete_reason = "none";
  session.grade = "imported";
  session.wall_s = 1.5;
  session.timed_s = 0.75;
  session.policy = full_policy();
  session.schedule = {.seed = "0123456789abcdef",
                      .replayed = true,
                      .looks = {6, 10},
                      .look_alpha = {0, 0.003},
                      .round_s = 0.5,
                      .budget_s = 61.5,
                      .plan = "16 rounds fit",
                      .earlier_candidates = 2};
  session.machine = {.cpu_model = "Example 9000",
                     .isa = "avx2",
                     .kernel = "Linux 6.1.0",
                     .hostname = "bench-1",
                     .governor = "performance",
                     .boost = "off",
                     .virtualization = "kvm",
                     .logical_cpus = 4,
                     .physical_cores = 2,
                     .sockets = 1,
                     .allowed_cpus = {0, 1, 2, 3},
                     .memory_gib = 15.5,
                     .cpu_limit = 2,
                     .memory_limit_gib = 8,
                     .gpus = {{.model = "Example GPU",
                               .driver = "580.1",
                               .cuda = "13.0",
                               .mig = "off",
                               .memory_gib = 80,
                               .power_limit_w = 700,
                               .sm_clock_max_mhz = 1980,
                               .memory_clock_max_mhz = 2619,
                               .persistence = true}}};
  session.metrics = {Metric{}, session.policy.metrics[0]};
  for (const char* label : {"baseline", "candidate"}) {
    session.arms.push_back({.label = label,
                            .path = std::string("build-") + label + "/suite_bench",
                            .digest = "sha256:" + std::string(64, label[0]),
                            .driver = DriverKind::kWorker,
                            .library = "1.7.1",
                            .build = {.compiler = "g++ 13.2.0",
                                      .sanitizer = "address",
                                      .known = true,
                                      .optimized = true,
                                      .assertions = true,
                                      .codegen = "avx2 fma"}});
  }
  session.cases = {{.name = "memcpy/bytes:1048576",
                    .threads = 2,
                    .time = "manual",
                    .fixed_iterations = 100,
                    .iterations = 100,
                    .slice_s = 0.02,
                    .setup_share = 0.125,
                    .pairs = 2,
                    .warmup_slices = 0,
                    .wall_s = 0.0125,
                    .workload = {{"dtype", "bf16"}, {"bytes", "1048576"}},
                    .aggregates = {"allocs"},
                    .work = {.bytes = 2097152, .flops = 0, .ceiling = "memcpy/bytes:1048576"}}};
  // By itself: one member more in the list above and GCC 12 warns of one that it thinks unset.
  session.cases[0].result = "copy of 1048576";
  session.cases[0].arm_iterations.assign(session.arms.size(), 1000);
  session.environment = {{"context.num_cpus", "4"}};
  session.unstated = {{"environment.driver_version", "pending"}};
  session.unknown_metrics = {session.metrics[1].name};
  session.origins = {{.format = "google_benchmark",
                      .version = "1.9.4",
                      .importer = "perfgate 0.1.0",
                      .file = "old/results.json",
                      .digest = "sha256:" + std::string(64, '7'),
                      .recorded = "2026-01-02T03:04:00Z",
                      .commit = "0123abcd"}};
  session.rounds = {
      {.index = 0,
       .coin = 1,
       .cpus = {2},
       .started_s = 0.25,
       .wall_s = 0.5,
       .conditions = {.steal_share = 0.01,
                      .foreign_share = 0.02,
                      .load = 1.25,
                      .mhz = 2500,
                      .voluntary_switches = 12,
                      .involuntary_switches = 3},
       .cases = {{.case_index = 0,
                  .first_arm = 1,
                  .void_slices = 1,
                  .values = {{{0.00012, 0.000125}, {0.00013, kNaN}}, {{3, 3}, {3, 4}}},
                  .slice_wall_s = {{0.013, 0.0131}, {0.0133, kNaN}},
                  .slice_timed_s = {{0.012, 0.0125}, {0.013, kNaN}}}},
       .reference = {0.001}}};
  session.reference_names = {"compute"};
  session.faults = {{.case_index = 0,
                     .arm = 1,
                     .round = 0,
                     .kind = FaultKind::kBadValue,
                     .detail = "real_time is nan",
                     .metric = "real_time"}};
  session.warnings = {"the frequency governor is not pinned"};
  LayoutStage stage;
  stage.cases = {0};
  stage.arms = session.arms;
  for (ArmInfo& arm : stage.arms) arm.layouts = 40;
  stage.arms[1].arguments = {"--size", "64 KiB"};
  stage.arms[1].environment = {{"OMP_NUM_THREADS", "2"}};
  stage.arms[1].compared_cases = "BM_New/\\1";
  stage.complete = true;
  stage.wall_s = 1.5;
  stage.timed_s = 0.5;
  stage.schedule = session.schedule;
  stage.rounds = session.rounds;
  stage.rounds[0].layouts = {17, 4};
  stage.faults = session.faults;
  session.confirmation = {stage};
  session.fleet = {.plan = "sha256:" + std::string(64, '4'), .job = 2, .jobs = 3};
  session.parts = {{.job = 1,
                    .session_id = std::string(32, '6'),
                    .started = "2026-01-02T03:04:06Z",
                    .hostname = "bench-2",
                    .seed = std::string(16, '7'),
                    .wall_s = 1.25,
                    .coins = {1, 0}}};
  session.hot_code = {{.case_name = session.cases[0].name,
                       .status = HotCodeStatus::kChanged,
                       .same_share = 0.25,
                       .reason = "example",
                       .changed = {"sort(int*, int)"}}};
  return session;
}

SuiteVerdict full_verdict() {
  const Session session = full_session();
  SuiteVerdict verdict;
  verdict.session_id = session.id;
  verdict.suite = session.suite;
  verdict.tool = session.tool;
  verdict.started = session.started;
  verdict.repository = "https://example.org/project";
  verdict.change = "128";
  verdict.trusted_commit = "0123456789abcdef0123456789abcdef01234567";
  verdict.session_digest = "sha256:5e55";
  verdict.complete = true;
  verdict.grade = "paired";
  verdict.identical = false;
  verdict.aa = true;
  verdict.exit = Exit::kRegression;
  verdict.summary = "1 regression";
  verdict.rounds = 10;
  verdict.jobs = 4;
  verdict.wall_s = session.wall_s;
  verdict.timed_s = session.timed_s;
  verdict.policy = session.policy;
  verdict.schedule = session.schedule;
  verdict.machine = session.machine;
  verdict.arms = session.arms;
  ColumnVerdict column;
  column.case_name = session.cases[0].name;
  column.metric = session.metrics[0];
  column.verdict = Verdict::kRegression;
  column.claim = Claim::kStrong;
  column.reason = "example";
  column.gated = true;
  column.tolerance = 0.02;
  column.rounds = 10;
  column.effect = {.estimate = 0.0502,
                   .lo = 0.0478,
                   .hi = 0.0521,
                   .range_lo = 0.047,
                   .range_hi = 0.053,
                   .range_confidence = 0.998};
  column.p_adjusted = 0.001953125;
  column.noise_sd = 0.004;
  column.link_effect = column.effect;
  column.link_sd = 0.003;
  column.layout_sd = 0.021;
  column.hot_code = "code changed: sort(int*, int)";
  column.noise_ratio = 1.25;
  column.noise_ratio_p = 0.375;
  column.rounds_to_pass = 12;
  column.rounds_to_fail = 4;
  column.rounds_range_lo = 2;
  column.rounds_range_hi = 9;
  column.noise_unstable = true;
  column.detectable = 0.031;
  column.baseline = 0.00012;
  column.candidate = 0.000126;
  column.setup_share = 0.125;
  verdict.columns = {column};
  verdict.warnings = session.warnings;
  verdict.conditions = session.rounds[0].conditions;
  verdict.cpus = {2};
  return verdict;
}

Calibration full_calibration() {
  const Session session = full_session();
  Calibration calibration;
  calibration.session_id = session.id;
  calibration.tool = session.tool;
  calibration.started = session.started;
  calibration.suite = session.suite;
  calibration.executable = session.arms[0];
  calibration.machine = session.machine;
  calibration.cpus = {2};
  calibration.conditions = session.rounds[0].conditions;
  calibration.seed = session.schedule.seed;
  calibration.policy = session.policy;
  calibration.rounds = 3;
  calibration.wall_s = 1.5;
  calibration.start_s = 0.25;
  calibration.round_s = 0.4;
  calibration.launch_s = 0.1;
  CalibratedColumn column;
  column.case_name = session.cases[0].name;
  column.metric = session.metrics[0];
  column.iterations = 100;
  column.slice_s = 0.02;
  column.setup_share = 0.125;
  column.pair_s = 0.05;
  column.value = 0.000121;
  column.round_sd = 0.004;
  column.sample_sd = 0.005;
  column.pair_sd = 0.006;
  column.between_sd = 0.002;
  column.d = {0.001, -0.004, 0.005};
  calibration.columns = {column};
  calibration.left_out = {{"sort/n:16384", "crashed: both arms: killed by signal 11"}};
  calibration.warnings = session.warnings;
  return calibration;
}

SuitePlan full_plan() {
  const Calibration calibration = full_calibration();
  SuitePlan plan;
  plan.session_id = calibration.session_id;
  plan.tool = calibration.tool;
  plan.started = calibration.started;
  plan.suite = calibration.suite;
  plan.recorded_rounds = 30;
  plan.policy = calibration.policy;
  plan.power = 0.9;
  plan.slowdown = 0.05;
  plan.looks = {6, 10};
  plan.look_alpha = {0, 0.01};
  plan.gates = 1000;
  plan.pass_share = 0.75;
  plan.false_fail_share = 0.001;
  plan.rounds = 7.5;
  plan.wall_s = 12.5;
  plan.wall_long_s = 20;
  plan.exit = Exit::kInconclusive;
  plan.summary = "0 of 1 case can be resolved";
  PlannedColumn column;
  column.case_name = calibration.columns[0].case_name;
  column.metric = calibration.columns[0].metric;
  column.value = 0.000121;
  column.tolerance = 0.02;
  column.round_sd = 0.04;
  column.resolved = false;
  column.rounds_to_pass = 90;
  column.rounds_to_fail = 30;
  column.pass_share = 0.25;
  column.pass_rounds = 9.5;
  column.fail_share = 0.5;
  column.fail_rounds = 10;
  column.detectable = 0.08;
  column.supported_tolerance = 0.055;
  column.reason = "round SD 4 % against a tolerance of 2 %: needs about 90 rounds";
  plan.columns = {column};
  plan.rules = {
      {.match = column.case_name, .metric = "real_time", .tolerance = 0.055, .gate = true}};
  plan.warnings = calibration.warnings;
  return plan;
}

RecordedSession full_recorded() {
  Session session = full_session();
  session.complete = true;
  session.arms.resize(1);
  for (RoundInfo& round : session.rounds) {
    for (CaseRound& measured : round.cases) {
      for (auto& metric : measured.values) metric.resize(1);
    }
  }
  RecordedSession recorded = make_recorded(session);
  recorded.commit = std::string(40, 'c');
  recorded.dirty = true;
  return recorded;
}

LayoutSet full_layouts() {
  LayoutSet set;
  set.name = "my_bench";
  set.tool = "perfgate 0.1.0";
  set.shuffling = Shuffling::kMold;
  set.linker = "mold 1.10.1";
  set.objects = "sha256:" + std::string(64, '1');
  set.count = 40;
  set.command = {"/src/build", {"c++", "a.o", "b.o", "-o", "my_bench"}};
  set.libraries = {{"/src/build", {"c++", "-shared", "c.o", "-o", "libc.so"}}};
  set.layouts = {{0, "0000/my_bench", "sha256:" + std::string(64, '2')},
                 {17, "0017/my_bench", "sha256:" + std::string(64, '3')}};
  return set;
}

}  // namespace perfgate::sample
