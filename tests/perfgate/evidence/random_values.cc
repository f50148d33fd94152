// SPDX-License-Identifier: Apache-2.0
#include "tests/perfgate/evidence/random_values.h"

#include <array>
#include <bit>
#include <cmath>

namespace perfgate::sample {

std::string hex(Random& random, int digits) {
  std::string text;
  for (int i = 0; i < digits; ++i) text += "0123456789abcdef"[pick(random, 0, 15)];
  return text;
}

std::vector<int> random_cpus(Random& random) {
  std::vector<int> cpus(pick<std::size_t>(random, 0, 3));
  for (int& cpu : cpus) cpu = pick(random, 0, 200);
  return cpus;
}

std::vector<std::string> random_texts(Random& random) {
  std::vector<std::string> texts(pick<std::size_t>(random, 0, 3));
  for (std::string& text : texts) text = random_text(random);
  return texts;
}

std::string unique_text(Random& random, std::size_t index) {
  return random_text(random, 100) + "#" + std::to_string(index);
}

Metric random_metric(Random& random, std::size_t index) {
  return {.name = unique_text(random, index),
          .unit = random_text(random, 4),
          .direction = static_cast<Direction>(pick(random, 0, 1)),
          .kind = static_cast<Kind>(pick(random, 0, 3))};
}

Machine random_machine(Random& random) {
  return {.cpu_model = random_text(random),
          .isa = random_text(random),
          .kernel = random_text(random),
          .hostname = random_text(random),
          .governor = random_text(random),
          .boost = random_text(random),
          .virtualization = random_text(random),
          .logical_cpus = pick(random, 0, 256),
          .physical_cores = pick(random, 0, 256),
          .sockets = pick(random, 0, 8),
          .allowed_cpus = random_cpus(random),
          .memory_gib = real(random, 0, 1000),
          .cpu_limit = real(random, 0, 64),
          .memory_limit_gib = real(random, 0, 1000),
          .gpus = std::vector<Gpu>(static_cast<std::size_t>(pick(random, 0, 2)),
                                   Gpu{.model = random_text(random),
                                       .driver = random_text(random),
                                       .cuda = random_text(random),
                                       .mig = random_text(random),
                                       .memory_gib = real(random, 0, 200),
                                       .power_limit_w = real(random, 0, 1000),
                                       .sm_clock_max_mhz = pick(random, 0, 3000),
                                       .memory_clock_max_mhz = pick(random, 0, 9000),
                                       .persistence = coin(random)})};
}

RoundConditions random_conditions(Random& random) {
  return {.steal_share = real(random, -1, 1),
          .foreign_share = real(random, -1, 1),
          .load = real(random, -1, 9),
          .mhz = real(random, -1, 5000),
          .voluntary_switches = pick<long>(random, -1, 1000),
          .involuntary_switches = pick<long>(random, -1, 1000)};
}

std::vector<NamedValue> random_named_values(Random& random) {
  std::vector<NamedValue> values(pick<std::size_t>(random, 0, 3));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = {unique_text(random, i), random_text(random)};
  }
  return values;
}

ArmInfo random_arm(Random& random) {
  return {.label = random_text(random),
          .path = random_text(random, 90),
          .digest = "sha256:" + hex(random, 64),
          .driver = static_cast<DriverKind>(pick(random, 0, 3)),
          .library = random_text(random),
          .build = {.compiler = random_text(random),
                    .sanitizer = random_text(random),
                    .known = coin(random),
                    .optimized = coin(random),
                    .assertions = coin(random),
                    .codegen = random_text(random)},
          .layouts = pick(random, 0, 40),
          .arguments = random_texts(random),
          .environment = random_named_values(random),
          .compared_cases = random_text(random)};
}

Schedule random_schedule(Random& random) {
  Schedule schedule{.seed = hex(random, 16),
                    .replayed = coin(random),
                    .looks = {},
                    .look_alpha = {},
                    .round_s = real(random, 0, 10),
                    .budget_s = real(random, 0, 100),
                    .plan = random_text(random),
                    .earlier_candidates = pick(random, 0, 3)};
  for (int look = 6; coin(random) && look < 100; look += pick(random, 1, 16)) {
    schedule.looks.push_back(look);
    schedule.look_alpha.push_back(real(random, 0, 0.01));
  }
  return schedule;
}

Effect random_effect(Random& random) {
  const double lo = real(random, -1, 1);
  const double hi = lo + real(random, 0, 1);
  Effect effect{.estimate = absent_or(random, (lo + hi) / 2)};
  if (coin(random)) {
    effect.lo = lo;
    effect.hi = hi;
  } else if (coin(random)) {
    effect.range_lo = lo;
    effect.range_hi = hi;
    effect.range_confidence = 0.875;
  }
  return effect;
}

std::string random_text(Random& random, std::size_t longest) {
  std::string text;
  const auto length = pick<std::size_t>(random, 0, longest);
  while (text.size() < length) {
    switch (pick(random, 0, 7)) {
      case 0:
        text += static_cast<char>(pick(random, 0x01, 0x7f));
        break;
      case 1:
        text += "\xC3\xA9";  // two bytes: e with acute accent
        break;
      case 2:
        text += "\xE2\x82\xAC";  // three: the euro sign
        break;
      case 3:
        text += "\xF0\x9F\x98\x80";  // four: a face
        break;
      default:
        text += "abcdefghijklmnopqrstuvwxyz/:0123456789_"[pick(random, 0, 38)];
    }
  }
  return text;
}

double random_double(Random& random) {
  while (true) {
    double value = 0;
    switch (pick(random, 0, 3)) {
      case 0:
        value = std::bit_cast<double>(random());
        break;
      case 1:
        value = real(random, -1, 1);
        break;
      case 2:
        value = static_cast<double>(pick(random, -5, 5));
        break;
      default:
        value = std::ldexp(1 + real(random, 0, 1), pick(random, -60, 90));
    }
    if (std::isfinite(value)) return value;
  }
}

Policy random_policy(Random& random) {
  Policy policy;
  policy.tolerance = real(random, 0, 1);
  policy.alpha = real(random, 0.0001, 0.5);
  policy.budget_s = real(random, 1, 1000);
  policy.slice_s = real(random, 0.001, 1);
  policy.pairs = pick(random, 1, 10);
  policy.warmup_slices = pick(random, 0, 10);
  policy.rounds = pick(random, 0, 100);
  policy.hide_limit = real(random, 0, 1);
  policy.claim_improvements = coin(random);
  policy.allow_oversubscription = coin(random);
  policy.filter = coin(random) ? "a.*b" : "";
  policy.layouts = static_cast<LayoutUse>(pick(random, 0, 2));
  policy.reuse_layouts = coin(random);
  policy.fit = coin(random);
  policy.unchanged_code = static_cast<UnchangedCode>(pick(random, 0, 1));
  Random own(static_cast<std::uint64_t>(1000 * policy.pairs + policy.rounds));
  policy.second_clock = static_cast<SecondClock>(pick(own, 0, 2));
  policy.second_clock_margin = real(own, 0, 1);
  policy.plausibility = static_cast<Plausibility>(pick(own, 0, 1));
  policy.unchecked_speedup = real(own, 0, 100);
  for (int i = pick(random, 0, 3); i > 0; --i) {
    CaseRule rule;
    rule.match = "*" + random_text(random);
    if (coin(random)) rule.metric = "m" + random_text(random);
    if (coin(random)) rule.tolerance = real(random, 0, 1);
    if (coin(random)) rule.gate = coin(random);
    policy.cases.push_back(rule);
  }
  for (auto i = pick<std::size_t>(random, 0, 3); i > 0; --i) {
    policy.expected.push_back(unique_text(random, i));
    policy.metrics.push_back(random_metric(random, i));
  }
  if (coin(random)) policy.count = {"instructions", "peak_rss"};
  policy.overrides = random_texts(random);
  return policy;
}

LayoutSet random_layouts(Random& random) {
  const auto command = [&] {
    LinkCommand linked{random_text(random), random_texts(random)};
    linked.arguments.push_back("x" + random_text(random));
    return linked;
  };
  LayoutSet set;
  set.name = random_text(random);
  set.tool = random_text(random);
  set.shuffling = static_cast<Shuffling>(pick(random, 0, 2));
  set.linker = random_text(random);
  set.objects = "sha256:" + hex(random, 64);
  set.command = command();
  for (int i = pick(random, 0, 2); i > 0; --i) set.libraries.push_back(command());
  int seed = 0;
  for (int i = pick(random, 1, 5); i > 0; --i) {
    set.layouts.push_back({seed, random_text(random), "sha256:" + hex(random, 64)});
    seed += pick(random, 1, 3);
  }
  set.count = static_cast<int>(set.layouts.size()) - 1 + pick(random, 0, 3);
  return set;
}

}  // namespace perfgate::sample
