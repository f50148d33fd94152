// SPDX-License-Identifier: Apache-2.0
#include "perfgate/evidence/recorded.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <limits>

#include "perfgate/base/error.h"
#include "perfgate/evidence/machine_class.h"

namespace perfgate::inline evidence {
namespace {

double median_of(std::vector<double> values) {
  std::erase_if(values, [](double v) { return !std::isfinite(v); });
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  const std::size_t middle = values.size() / 2;
  std::sort(values.begin(), values.end());
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

// Six significant digits: 1000 times finer than the quietest case, and half the bytes.
double shortened(double value) {
  if (!std::isfinite(value)) return value;
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return std::strtod(text, nullptr);
}

template <class Get>
double median_over_rounds(const Session& session, Get get) {
  std::vector<double> values;
  for (const RoundInfo& round : session.rounds) {
    const auto value = static_cast<double>(get(round.conditions));
    if (value >= 0) values.push_back(value);
  }
  return values.empty() ? -1 : median_of(values);
}

RoundConditions typical(const Session& session) {
  using C = RoundConditions;
  const auto of = [&](auto member) {
    return median_over_rounds(session, [&](const C& c) { return c.*member; });
  };
  return {.steal_share = of(&C::steal_share),
          .foreign_share = of(&C::foreign_share),
          .load = of(&C::load),
          .mhz = of(&C::mhz),
          .voluntary_switches = std::lround(of(&C::voluntary_switches)),
          .involuntary_switches = std::lround(of(&C::involuntary_switches))};
}

}  // namespace

RecordedSession make_recorded(const Session& session) {
  if (session.arms.size() != 1) {
    throw Error(Exit::kData, "a baseline is recorded from one executable; this session has " +
                                 std::to_string(session.arms.size()));
  }
  if (!session.complete || session.rounds.empty()) {
    throw Error(Exit::kData, "the session is not complete: " + (session.incomplete_reason.empty()
                                                                    ? "it has no rounds"
                                                                    : session.incomplete_reason));
  }
  RecordedSession recorded;
  recorded.id = session.id;
  recorded.tool = session.tool;
  recorded.started = session.started;
  recorded.suite = session.suite;
  recorded.machine = session.machine;
  recorded.machine_class = machine_class(class_fields(session.machine));
  recorded.executable = session.arms.front();
  recorded.executable.path = std::filesystem::path(recorded.executable.path).filename().string();
  recorded.conditions = typical(session);
  recorded.slice_s = session.policy.slice_s;
  recorded.pairs = session.policy.pairs;
  recorded.rounds = static_cast<int>(session.rounds.size());
  recorded.metrics = session.metrics;
  const std::vector<double> absent(session.rounds.size(), std::numeric_limits<double>::quiet_NaN());
  for (const CaseInfo& info : session.cases) {
    recorded.cases.push_back({info.name, info.threads, info.time, info.iterations,
                              std::vector(session.metrics.size(), absent)});
  }
  for (std::size_t r = 0; r < session.rounds.size(); ++r) {
    for (const CaseRound& measured : session.rounds[r].cases) {
      for (std::size_t m = 0; m < session.metrics.size(); ++m) {
        recorded.cases[measured.case_index].values[m][r] =
            shortened(median_of(measured.values[m][0]));
      }
    }
  }
  // Cases that skip themselves everywhere have nothing to keep.
  std::erase_if(recorded.cases, [](const RecordedCase& c) {
    return std::all_of(c.values.begin(), c.values.end(), [](const std::vector<double>& values) {
      return std::none_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
    });
  });
  recorded.reference_names = session.reference_names;
  recorded.reference.assign(recorded.reference_names.size(), {});
  for (const RoundInfo& round : session.rounds) {
    for (std::size_t i = 0; i < recorded.reference.size(); ++i) {
      recorded.reference[i].push_back(shortened(round.reference[i]));
    }
  }
  return recorded;
}

}  // namespace perfgate::inline evidence
