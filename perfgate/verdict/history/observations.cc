// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <map>
#include <utility>

#include "perfgate/evidence/machine_class.h"
#include "perfgate/evidence/metrics/gpu_metrics.h"
#include "perfgate/stats/estimate/order_statistics.h"
#include "perfgate/verdict/history/history.h"

namespace perfgate::inline verdict {

std::vector<Observation> ObservationsOf(const RecordedSession& session,
                                        const HistorySource& source) {
  std::vector<Observation> observations;
  for (const RecordedCase& one : session.cases) {
    for (std::size_t m = 0; m < session.metrics.size(); ++m) {
      if (is_informational(session.metrics[m].name)) continue;
      const double value = stats::MedianOfFinite(one.values[m]);
      if (!std::isfinite(value)) continue;
      observations.push_back({session.machine_class,
                              session.suite,
                              one.name,
                              session.metrics[m],
                              {.started = session.started,
                               .commit = session.commit,
                               .dirty = session.dirty,
                               .session_id = session.id,
                               .source = source.file,
                               .value = value,
                               .verdict = {}}});
    }
  }
  return observations;
}

std::vector<Observation> ObservationsOf(const Session& session, const HistorySource& source) {
  if (session.arms.size() > 2 || session.arms.empty()) return {};
  const std::size_t arm = session.arms.size() - 1;
  std::map<std::pair<std::size_t, std::size_t>, std::vector<double>> rounds;
  for (const RoundInfo& round : session.rounds) {
    for (const CaseRound& measured : round.cases) {
      for (std::size_t m = 0; m < session.metrics.size(); ++m) {
        if (is_informational(session.metrics[m].name)) continue;
        rounds[{measured.case_index, m}].push_back(stats::MedianOfFinite(measured.values[m][arm]));
      }
    }
  }
  const std::string of_machine = machine_class(class_fields(session.machine));
  std::vector<Observation> observations;
  for (const auto& [key, values] : rounds) {
    const double value = stats::MedianOfFinite(values);
    if (!std::isfinite(value)) continue;
    observations.push_back({of_machine,
                            session.suite,
                            session.cases[key.first].name,
                            session.metrics[key.second],
                            {.started = session.started,
                             .commit = source.commit,
                             .dirty = false,
                             .session_id = session.id,
                             .source = source.file,
                             .value = value,
                             .verdict = {}}});
  }
  return observations;
}

std::vector<Observation> ObservationsOf(const SuiteVerdict& verdict, const HistorySource& source) {
  const std::string of_machine = machine_class(class_fields(verdict.machine));
  std::vector<Observation> observations;
  for (const ColumnVerdict& column : verdict.columns) {
    if (!std::isfinite(column.candidate)) continue;
    observations.push_back({of_machine,
                            verdict.suite,
                            column.case_name,
                            column.metric,
                            {.started = verdict.started,
                             .commit = source.commit,
                             .dirty = false,
                             .session_id = verdict.session_id,
                             .source = source.file,
                             .value = column.candidate,
                             .verdict = std::string(to_string(column.verdict))}});
  }
  return observations;
}

}  // namespace perfgate::inline verdict
