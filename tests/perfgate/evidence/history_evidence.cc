// SPDX-License-Identifier: Apache-2.0
// Histories and bisections.
#include "tests/perfgate/evidence/random_values.h"

namespace perfgate::sample {

History full_history() {
  History history;
  history.tool = "perfgate 0.1.0";
  history.alpha = 0.02;
  history.series_alpha = 0.005;
  history.least_change = 0.01;
  HistorySeries series;
  series.machine_class = "example-9000-4cpu-avx2-0123abcd";
  series.suite = "kernels";
  series.case_name = "memcpy/bytes:64";
  for (int i = 0; i < 3; ++i) {
    series.points.push_back({.started = "2026-01-02T03:04:0" + std::to_string(i) + "Z",
                             .commit = std::string(40, static_cast<char>('a' + i)),
                             .dirty = true,
                             .session_id = std::string(32, static_cast<char>('1' + i)),
                             .source = "v.json",
                             .value = 1e-3,
                             .verdict = "no_regression"});
  }
  series.changes = {{.index = 2,
                     .range_lo = 1,
                     .range_hi = 2,
                     .commit_before = std::string(40, 'a'),
                     .commit_after = std::string(40, 'c'),
                     .before = 1e-3,
                     .after = 1.1e-3,
                     .shift = 0.1,
                     .p = 0.001}};
  series.first = 1e-3;
  series.now = 1.1e-3;
  series.shift = 0.1;
  series.noise = 0.02;
  history.series = {series};
  history.warnings = {"example"};
  return history;
}

History random_history(Random& random) {
  History history;
  history.tool = random_text(random);
  history.alpha = real(random, 0, 0.5);
  history.series_alpha = real(random, 0, 0.5);
  history.least_change = real(random, 0, 1);
  for (int s = pick(random, 0, 4); s > 0; --s) {
    HistorySeries series;
    series.machine_class = random_text(random);
    series.suite = random_text(random);
    series.case_name = unique_text(random, static_cast<std::size_t>(s));
    series.metric = random_metric(random, 0);
    const int points = pick(random, 1, 9);
    for (int i = 0; i < points; ++i) {
      series.points.push_back({random_text(random), random_text(random), coin(random),
                               random_text(random), random_text(random), random_double(random),
                               random_text(random)});
    }
    for (int at = pick(random, 1, 4); at < points; at += pick(random, 1, 4)) {
      series.changes.push_back({at, pick(random, 0, at), pick(random, at, points - 1),
                                random_text(random), random_text(random), random_double(random),
                                random_double(random), random_double(random), real(random, 0, 1)});
    }
    series.first = random_double(random);
    series.now = random_double(random);
    series.shift = random_double(random);
    series.noise = real(random, 0, 1);
    history.series.push_back(series);
  }
  history.warnings = random_texts(random);
  return history;
}

Bisection full_bisection() {
  Bisection bisection;
  bisection.tool = "perfgate 0.1.0";
  bisection.suite = "kernels";
  bisection.build = "make";
  bisection.executable = "bench";
  bisection.prebuilt = "builds/{commit}/bench";
  bisection.policy = full_policy();
  bisection.case_name = "memcpy/bytes:64";
  bisection.metric = "real_time";
  bisection.tolerance = 0.025;
  const BisectAnswer answers[] = {BisectAnswer::kGood, BisectAnswer::kSkipped, BisectAnswer::kBad};
  for (std::size_t i = 0; i < 3; ++i) {
    bisection.commits.push_back({.commit = std::string(40, static_cast<char>('a' + i)),
                                 .subject = "A change",
                                 .answer = answers[i],
                                 .reason = "regression",
                                 .digest = "sha256:" + std::string(64, '1'),
                                 .rounds = 10,
                                 .estimate = 0.05,
                                 .lo = 0.04,
                                 .hi = 0.06});
  }
  bisection.complete = true;
  bisection.first_bad = bisection.commits[2].commit;
  bisection.conclusion = "found";
  bisection.other_cases = {"memcpy/bytes:128"};
  return bisection;
}

Bisection random_bisection(Random& random) {
  Bisection bisection;
  bisection.tool = random_text(random);
  bisection.suite = random_text(random);
  bisection.build = random_text(random);
  bisection.executable = random_text(random);
  bisection.prebuilt = random_text(random);
  bisection.policy = random_policy(random);
  bisection.case_name = random_text(random);
  bisection.metric = random_text(random);
  bisection.tolerance = real(random, 0, 1);
  const int commits = pick(random, 2, 9);
  for (int i = 0; i < commits; ++i) {
    bisection.commits.push_back(
        {unique_text(random, static_cast<std::size_t>(i)), random_text(random),
         static_cast<BisectAnswer>(pick(random, 0, 3)), random_text(random), random_text(random),
         pick(random, 0, 40), absent_or(random, random_double(random)),
         absent_or(random, random_double(random)), absent_or(random, random_double(random))});
  }
  bisection.commits.front().answer = BisectAnswer::kGood;
  bisection.commits.back().answer = BisectAnswer::kBad;
  bisection.complete = coin(random);
  bisection.first_bad = random_text(random);
  bisection.conclusion = random_text(random);
  bisection.other_cases = random_texts(random);
  return bisection;
}

}  // namespace perfgate::sample
