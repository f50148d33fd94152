// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <string>
#include <vector>

#include "perfgate/stats/inference/signed_rank.h"
#include "tests/calibration/coverage_methods.h"
#include "tests/calibration/coverage_tables.h"

namespace perfgate::calibration {
namespace {

constexpr std::array<std::size_t, 6> kRounds = {6, 8, 10, 16, 24, 40};
constexpr double kBandLo = 0.935;
constexpr double kBandHi = 0.98;
constexpr double kPerSide = 0.025;
// The default's promise is judged by more trials: it costs little and its band is near.
constexpr std::size_t kDefaultFactor = 5;
// Resampling is slow: its rows use every fifth recorded case.
constexpr std::size_t kRecordedStep = 5;

enum class Group { kShape, kRecorded, kException };

struct Setting {
  Noise noise;
  Group group = Group::kShape;
  bool continuous_symmetric = false;  // then the theory gives the coverage exactly
  bool resampled = true;              // has a share in the overview
};

std::vector<Setting> all_settings() {
  std::vector<Setting> settings;
  for (const Noise& noise : textbook_noises()) {
    settings.push_back({noise, Group::kShape, !noise.name.starts_with("lognormal"), true});
  }
  // Two states far apart in unequal shares: the pseudomedian then lies in the gap between them.
  for (const Noise& noise : {bimodal_noise(0.7), bimodal_noise(0.7, 20.0)}) {
    settings.push_back({noise, Group::kException, false, false});
  }
  const RecordedRounds recorded = recorded_by_perfgate();
  for (std::size_t c = 0; c < recorded.cases.size(); ++c) {
    // Not centred: the executables are identical, so the true change is 0.
    settings.push_back({recorded_noise(recorded.cases[c], recorded.d[c], false), Group::kRecorded,
                        false, c % kRecordedStep == 0});
  }
  return settings;
}

std::size_t cell_of(std::size_t setting, std::size_t n) {
  return kFixedNCells + setting * 1000 + n;
}

double exact_coverage(std::size_t n) {
  return stats::signed_rank_cutoff(static_cast<std::int64_t>(n), kPerSide).attained;
}

bool in_band(double coverage) { return kBandLo <= coverage && coverage <= kBandHi; }

std::vector<std::string> header(const std::string& first) {
  std::vector<std::string> cells = {first};
  for (const std::size_t n : kRounds) {
    cells.push_back("n = " + std::to_string(n));
  }
  return cells;
}

// [setting][index of n]
using Coverage = std::vector<std::array<double, kRounds.size()>>;

Coverage default_coverage(const std::vector<Setting>& settings, const Options& options,
                          std::size_t trials) {
  Coverage coverage(settings.size());
  for (std::size_t s = 0; s < settings.size(); ++s) {
    for (std::size_t i = 0; i < kRounds.size(); ++i) {
      const std::size_t cell = cell_of(s, kRounds[i]);
      const auto hits = tally(trials, options.threads, 1, [&](const Batch& batch, auto found) {
        found[0] += count_default_hits(draw_samples(settings[s].noise, kRounds[i], cell, batch),
                                       settings[s].noise);
      });
      coverage[s][i] = share(hits[0], trials);
    }
  }
  return coverage;
}

// Windows of n consecutive rounds as they were recorded: what a gate that started then would have
// printed. They overlap, so this is information, not a promise.
std::vector<std::string> window_row() {
  std::vector<std::string> row = {"recorded, consecutive rounds as they came (information)"};
  const RecordedRounds recorded = recorded_by_perfgate();
  for (const std::size_t n : kRounds) {
    Extremes extremes;
    double sum = 0.0;
    for (const std::vector<double>& d : recorded.d) {
      std::size_t hits = 0;
      const std::size_t windows = d.size() - n + 1;
      for (std::size_t first = 0; first < windows; ++first) {
        const stats::Interval interval =
            stats::signed_rank_interval(std::span(d).subspan(first, n), kPerSide);
        hits += interval.lo <= 0.0 && 0.0 <= interval.hi ? 1 : 0;
      }
      extremes.add(share(hits, windows));
      sum += share(hits, windows);
    }
    row.push_back("mean " + percent(sum / static_cast<double>(recorded.d.size())) + ", " +
                  extremes.percent());
  }
  return row;
}

void default_table(const std::vector<Setting>& settings, const Coverage& coverage) {
  Table table{"coverage_default", header("noise"), {}};
  std::vector<std::string> exact = {"theory, any continuous symmetric noise"};
  std::vector<std::string> recorded = {"recorded A/A, "};
  std::size_t cases = 0;
  std::array<Extremes, kRounds.size()> extremes;
  std::vector<std::vector<std::string>> exceptions;
  for (std::size_t s = 0; s < settings.size(); ++s) {
    std::vector<std::string> row = {settings[s].noise.name};
    for (std::size_t i = 0; i < kRounds.size(); ++i) {
      row.push_back(percent(coverage[s][i]));
      if (settings[s].group == Group::kRecorded) {
        extremes[i].add(coverage[s][i]);
      }
    }
    if (settings[s].group == Group::kShape) {
      table.rows.push_back(row);
    } else if (settings[s].group == Group::kException) {
      row[0] += " (exception)";
      exceptions.push_back(row);
    } else {
      ++cases;
    }
  }
  recorded[0] += std::to_string(cases) + " cases";
  for (std::size_t i = 0; i < kRounds.size(); ++i) {
    exact.push_back(percent(exact_coverage(kRounds[i])));
    recorded.push_back(extremes[i].percent());
  }
  table.rows.insert(table.rows.begin(), exact);
  table.rows.push_back(recorded);
  table.rows.insert(table.rows.end(), exceptions.begin(), exceptions.end());
  table.rows.push_back(window_row());
  print(table);
}

void check_default(const std::vector<Setting>& settings, const Coverage& coverage,
                   std::size_t trials, Checks& checks) {
  for (std::size_t s = 0; s < settings.size(); ++s) {
    const Setting& setting = settings[s];
    for (std::size_t i = 0; i < kRounds.size(); ++i) {
      const double covered = coverage[s][i];
      const double exact = exact_coverage(kRounds[i]);
      const double slack = 4.0 * share_se(exact, trials);
      const std::string cell =
          setting.noise.name + ", n = " + std::to_string(kRounds[i]) + ": " + percent(covered);
      if (setting.group != Group::kException) {
        checks.expect(in_band(covered), "CI95 covers 93.5 to 98 %; " + cell);
      }
      if (setting.continuous_symmetric) {
        checks.expect(std::abs(covered - exact) <= slack, "the theory's coverage; " + cell);
      }
      if (setting.group == Group::kRecorded) {
        // Rounds that a sample holds twice with opposite signs can only widen the interval.
        checks.expect(covered >= exact - slack, "at least the theory's coverage; " + cell);
      }
    }
  }
}

struct OverviewRow {
  std::array<Extremes, kRounds.size()> extremes;
  std::size_t outside = 0;
  std::size_t recorded_outside = 0;
  double lowest = 1.0;

  void add(const Setting& setting, std::size_t i, double coverage) {
    extremes[i].add(coverage);
    lowest = std::min(lowest, coverage);
    if (!in_band(coverage)) {
      ++(setting.group == Group::kRecorded ? recorded_outside : outside);
    }
  }
};

void overview_table(const std::vector<Setting>& settings, const Coverage& of_default,
                    const Options& options, Checks& checks) {
  std::vector<OverviewRow> rows(methods().size());
  std::size_t shapes = 0;
  std::size_t recorded = 0;
  for (std::size_t s = 0; s < settings.size(); ++s) {
    const Setting& setting = settings[s];
    if (!setting.resampled) {
      continue;
    }
    ++(setting.group == Group::kRecorded ? recorded : shapes);
    for (std::size_t i = 0; i < kRounds.size(); ++i) {
      const std::size_t n = kRounds[i];
      const auto hits = tally(options.trials, options.threads, rows.size(),
                              [&](const Batch& batch, std::span<std::size_t> found) {
                                // New resamples for every batch: with one matrix for all, its luck
                                // would be in all.
                                const auto weights =
                                    stats::resample_weights(n, kResamples, batch.index + 1);
                                count_hits(draw_samples(setting.noise, n, cell_of(s, n), batch),
                                           setting.noise, weights, found);
                              });
      rows[0].add(setting, i, of_default[s][i]);
      for (std::size_t m = 1; m < rows.size(); ++m) {
        rows[m].add(setting, i, share(hits[m], options.trials));
      }
    }
  }

  Table table{"coverage_overview", header("method"), {}};
  const auto total = [](std::size_t count) { return std::to_string(count * kRounds.size()); };
  table.header.push_back("outside 93.5-98, of " + total(shapes) + " textbook cells");
  table.header.push_back("of " + total(recorded) + " recorded cells");
  for (std::size_t m = 0; m < rows.size(); ++m) {
    std::vector<std::string> row = {methods()[m].name};
    for (const Extremes& extremes : rows[m].extremes) {
      row.push_back(extremes.percent());
    }
    row.push_back(std::to_string(rows[m].outside));
    row.push_back(std::to_string(rows[m].recorded_outside));
    table.rows.push_back(row);
    const std::string name = methods()[m].name;
    if (name.starts_with("bootstrap")) {
      checks.expect(rows[m].lowest < kBandLo, "why it may not be called CI95: " + name);
    }
  }
  print(table);
}

}  // namespace

void fixed_n_tables(const Options& options, Checks& checks) {
  const std::vector<Setting> settings = all_settings();
  const std::size_t trials = kDefaultFactor * options.trials;
  const Coverage coverage = default_coverage(settings, options, trials);
  default_table(settings, coverage);
  check_default(settings, coverage, trials, checks);
  overview_table(settings, coverage, options, checks);
}

}  // namespace perfgate::calibration
