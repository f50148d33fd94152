// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/recorded/contract.h"

#include <algorithm>

#include "perfgate/base/text/format_number.h"
#include "perfgate/evidence/machine_class.h"
#include "perfgate/verdict/comparability.h"

namespace perfgate::inline verdict {
namespace {

class Mismatches {
 public:
  void add(const char* reason, std::string detail, std::string case_name = {},
           std::string metric_name = {}) {
    found_.push_back({reason, std::move(detail), std::move(case_name), std::move(metric_name)});
  }
  // Where both are known and differ.
  void compare(const char* reason, const char* field, const std::string& one,
               const std::string& other, const std::string& case_name = {},
               const std::string& metric_name = {}) {
    if (one == other) return;
    const auto shown = [](const std::string& text) { return text.empty() ? "not stated" : text; };
    add(reason, std::string(field) + ": " + shown(one) + " against " + shown(other), case_name,
        metric_name);
  }
  std::vector<Mismatch> take() { return std::move(found_); }

 private:
  std::vector<Mismatch> found_;
};

template <class T>
const T* find_named(const std::vector<T>& list, const std::string& name) {
  const auto found =
      std::find_if(list.begin(), list.end(), [&](const T& item) { return item.name == name; });
  return found == list.end() ? nullptr : &*found;
}

void compare_metric(const Metric& b, const Metric& c, Mismatches& found) {
  found.compare("unit_mismatch", ("unit of " + b.name).c_str(), b.unit, c.unit, {}, b.name);
  found.compare("direction_mismatch", ("direction of " + b.name).c_str(),
                std::string(to_string(b.direction)), std::string(to_string(c.direction)), {},
                b.name);
  found.compare("direction_mismatch", ("kind of " + b.name).c_str(), std::string(to_string(b.kind)),
                std::string(to_string(c.kind)), {}, b.name);
}

}  // namespace

std::vector<Mismatch> contract_mismatches(const RecordedSession& baseline,
                                          const RecordedSession& candidate) {
  Mismatches found;
  if (const auto build = build_mismatch(baseline.executable, candidate.executable)) {
    constexpr std::string_view kName = "build_type_mismatch: ";
    found.add("build_type_mismatch", build->substr(kName.size()));
  }
  for (std::string& difference :
       class_differences(class_fields(baseline.machine), class_fields(candidate.machine))) {
    found.add("hardware_mismatch", std::move(difference));
  }
  const BuildInfo& b = baseline.executable.build;
  const BuildInfo& c = candidate.executable.build;
  // What an executable of unknown build does not state is no difference: earlier releases stated
  // less of it.
  const auto stated = [&](const std::string& one, const std::string& other) {
    return (b.known && c.known) || (!one.empty() && !other.empty());
  };
  const auto compare_toolchain = [&](const char* field, const std::string& one,
                                     const std::string& other) {
    if (stated(one, other)) found.compare("toolchain_mismatch", field, one, other);
  };
  compare_toolchain("compiler", b.compiler, c.compiler);
  compare_toolchain("code generation", b.codegen, c.codegen);
  compare_toolchain("benchmark library", baseline.executable.library, candidate.executable.library);
  found.compare("plan_mismatch", "slice_s", format_number(baseline.slice_s),
                format_number(candidate.slice_s));
  found.compare("plan_mismatch", "pairs", std::to_string(baseline.pairs),
                std::to_string(candidate.pairs));
  for (const Metric& metric : baseline.metrics) {
    if (const Metric* other = find_named(candidate.metrics, metric.name)) {
      compare_metric(metric, *other, found);
    } else {
      found.add("metric_mismatch", "only the baseline reports " + metric.name, {}, metric.name);
    }
  }
  for (const RecordedCase& info : baseline.cases) {
    const RecordedCase* other = find_named(candidate.cases, info.name);
    if (other == nullptr) continue;
    found.compare("workload_mismatch", "threads", std::to_string(info.threads),
                  std::to_string(other->threads), info.name);
    found.compare("workload_mismatch", "time", info.time, other->time, info.name);
  }
  return found.take();
}

const std::vector<std::string>& contract_reasons() {
  static const std::vector<std::string> reasons = {
      "build_type_mismatch", "hardware_mismatch", "toolchain_mismatch", "plan_mismatch",
      "metric_mismatch",     "unit_mismatch",     "direction_mismatch", "workload_mismatch"};
  return reasons;
}

}  // namespace perfgate::inline verdict
