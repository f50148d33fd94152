// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/schedule/list_arms.h"

#include <algorithm>
#include <optional>

#include "perfgate/base/error.h"
#include "perfgate/base/text/join.h"
#include "perfgate/evidence/metrics/counted_metrics.h"
#include "perfgate/measure/command.h"
#include "perfgate/measure/driver/arm_error.h"
#include "perfgate/measure/dwarf_build.h"

namespace perfgate::measure {
namespace {

// Seconds for the listing of an arm: the budget, within these.
constexpr double kShortestListS = 10;
constexpr double kLongestListS = 60;
// One process per case where at least this share of it is measuring, else one per suite.
constexpr double kCaseShare = 0.8;

void enter_broken_arm(const Fault& fault, MatchedCases& matched, Session& session) {
  std::erase_if(matched.absences, [&](const Fault& absence) { return absence.arm == fault.arm; });
  for (std::size_t c = 0; c < matched.cases.size(); ++c) {
    session.faults.push_back(fault);
    session.faults.back().case_index = c;
  }
}

// A stranger's arm does not choose how it is driven: processes are timed less exactly than workers.
void RequireDrivenAlike(const Context& context) {
  std::size_t first = 0;
  while (first + 1 < context.listings.size() && context.listings[first].cases.empty()) ++first;
  for (std::size_t arm = first + 1; arm < context.listings.size(); ++arm) {
    const Listing& listing = context.listings[arm];
    if (!context.listings[first].by_worker || listing.by_worker || listing.cases.empty()) continue;
    throw Error(Exit::kNotComparable,
                context.plan.arms[arm].label + ": cannot be driven as " +
                    context.plan.arms[first].label + " is, as a worker" +
                    (listing.no_worker.empty() ? "" : " (" + listing.no_worker + ")") +
                    "; link both with one Google Benchmark, or both with perfgate::main");
  }
}

DriverKind choose_driver(const Context& context) {
  if (context.plan.arms.front().command) return DriverKind::kCommand;
  const bool may_be_hostile = context.plan.isolation != nullptr;
  if (may_be_hostile) RequireDrivenAlike(context);
  // All arms are driven alike where any of them has to be driven by processes.
  bool worker = true;
  bool per_case = true;
  const double slice_s = context.plan.policy.slice_s;
  for (std::size_t arm = 0; arm < context.listings.size(); ++arm) {
    const Listing& listing = context.listings[arm];
    worker = worker && (listing.by_worker || listing.cases.empty());
    per_case = per_case && slice_s >= kCaseShare * (slice_s + listing.startup_s);
  }
  if (worker) return DriverKind::kWorker;
  // A process of many cases has one wall time, by which no case could be checked.
  return per_case || may_be_hostile ? DriverKind::kProcessPerCase : DriverKind::kProcessPerSuite;
}

// What an arm declares itself, as a command its peak_rss, stays as it is declared.
void AddCounted(const std::vector<std::string>& counted, MatchedCases& matched) {
  for (const std::string& name : counted) {
    const bool known = std::any_of(matched.metrics.begin(), matched.metrics.end(),
                                   [&](const Metric& metric) { return metric.name == name; });
    const CountedMetric* metric = FindCountedMetric(name);
    if (!known && metric != nullptr) matched.metrics.push_back(MetricOf(*metric));
  }
}

// Ids of the matched are those of the arms' own listings, whatever names the plan shows them under.
MatchedCases MatchedCasesOf(const Context& context) {
  std::vector<Listing> listings = context.listings;
  std::vector<std::vector<ShownCase>> views(listings.size());
  for (std::size_t arm = 0; arm < listings.size(); ++arm) {
    if (!context.plan.arms[arm].view || listings[arm].cases.empty()) continue;
    views[arm] = context.plan.arms[arm].view(context.listings[arm]);
    listings[arm].cases.clear();
    for (const ShownCase& shown : views[arm]) {
      listings[arm].cases.push_back(context.listings[arm].cases.at(shown.id));
      listings[arm].cases.back().name = shown.name;
    }
  }
  MatchedCases matched = MatchCases(listings, context.plan.policy, context.plan.only);
  AddCounted(context.counted, matched);
  for (auto& ids : matched.ids) {
    for (std::size_t arm = 0; arm < ids.size(); ++arm) {
      if (ids[arm] && context.plan.arms[arm].view) ids[arm] = views[arm].at(*ids[arm]).id;
      if (context.plan.arms[arm].only_listed) ids[arm].reset();
    }
  }
  return matched;
}

// Where one arm has to be driven by processes all are, and an arm that was listed by a preloaded
// worker has to be listed again: a process shows other things.
void ListAlike(Context& context, double limit_s, std::vector<Fault>& broken) {
  const auto by_processes = [](const Listing& listing) {
    return !listing.by_worker && !listing.cases.empty();
  };
  if (std::none_of(context.listings.begin(), context.listings.end(), by_processes)) return;
  for (std::size_t i = 0; i < context.listings.size(); ++i) {
    if (!context.listings[i].by_worker || context.plan.arms[i].executable.speaks_protocol) continue;
    const int arm = static_cast<int>(i);
    try {
      context.listings[i] = context.launcher.list(arm, limit_s, ListBy::kProcesses);
    } catch (const ArmError& error) {
      context.listings[i] = {};
      broken.push_back({0, arm, -1, error.kind(), error.what()});
    }
  }
}

// What unmodified executables say of their build in their debug information. Beside an arm that
// describes itself only what both can say is entered: macros tell of assertions and not of levels.
void DescribeBuilds(Context& context, Session& session) {
  std::optional<bool> described;
  for (const Listing& listing : context.listings) {
    if (listing.build.known) described = listing.build.optimized;
  }
  for (std::size_t arm = 0; arm < context.listings.size(); ++arm) {
    BuildInfo& build = context.listings[arm].build;
    const ArmPlan& plan = context.plan.arms[arm];
    if (build.known || plan.command || !plan.absent.empty()) continue;
    const Executable& executable = context.plan.arms[arm].executable;
    std::vector<std::string> files = executable.libraries;
    files.push_back(executable.path);
    const std::optional<BuildInfo> found = BuildFromDwarf(files);
    if (!found) continue;
    build.compiler = found->compiler;
    if (!described) {
      build.codegen = found->codegen;
      build.optimized = found->optimized;
      build.known = found->known;
    } else if (found->known && found->optimized != *described) {
      session.warnings.push_back(context.plan.arms[arm].label + " is built " +
                                 (found->optimized ? "with" : "without") +
                                 " optimisation, as its debug information says, the other is not");
    }
  }
}

std::vector<NamedValue> EnvironmentOf(const ArmPlan& plan) {
  std::vector<NamedValue> environment;
  environment.reserve(plan.environment.size());
  for (const auto& [name, value] : plan.environment) environment.push_back({name, value});
  return environment;
}

// A process for every slice spends most of its events on its own start.
void LeaveOutCounts(DriverKind driver, Context& context, Session& session) {
  if (driver == DriverKind::kWorker || driver == DriverKind::kCommand) return;
  std::vector<std::string> left_out;
  std::erase_if(context.counted, [&](const std::string& name) {
    if (FindCountedMetric(name)->by == CountedBy::kBenchmark) return false;
    left_out.push_back(name);
    return true;
  });
  if (left_out.empty()) return;
  session.warnings.push_back("not counted: " + Join(left_out) +
                             ": the arms run a process for every slice, and what that costs itself "
                             "would be in the count");
}

void NoteRemarks(const Context& context, Session& session) {
  for (std::size_t arm = 0; arm < context.listings.size(); ++arm) {
    const std::string& remark = context.listings[arm].remark;
    if (!remark.empty()) {
      session.warnings.push_back(context.plan.arms[arm].label + ": " + remark);
    }
  }
}

void NoteProcesses(const Context& context, Session& session) {
  for (std::size_t arm = 0; arm < context.listings.size(); ++arm) {
    const std::string& why = context.listings[arm].no_worker;
    if (why.empty()) continue;
    session.warnings.push_back(
        context.plan.arms[arm].label +
        ": a process for every slice, because no worker could be preloaded: " + why);
  }
}

}  // namespace

void list_arms(Context& context, Session& session) {
  const double budget_s = context.plan.policy.budget_s;
  const double limit_s =
      budget_s > 0 ? std::clamp(budget_s, kShortestListS, kLongestListS) : kLongestListS;
  std::vector<Fault> broken;
  for (std::size_t i = 0; i < context.plan.arms.size(); ++i) {
    const int arm = static_cast<int>(i);
    const Executable& executable = context.plan.arms[i].executable;
    const std::string& absent = context.plan.arms[i].absent;
    if (!absent.empty()) {
      broken.push_back({0, arm, -1, FaultKind::kLaunch, absent});
      context.listings.emplace_back();
      continue;
    }
    Listing listing;
    const bool known = i > 0 && context.plan.list_only && broken.empty() &&
                       executable.digest == context.plan.arms[0].executable.digest &&
                       context.plan.arms[i].arguments == context.plan.arms[0].arguments &&
                       context.plan.arms[i].environment == context.plan.arms[0].environment;
    try {
      listing = known ? context.listings[0] : context.launcher.list(arm, limit_s, ListBy::kBest);
    } catch (const ArmError& error) {
      broken.push_back({0, arm, -1, error.kind(), error.what()});
    }
    context.listings.push_back(std::move(listing));
  }
  ListAlike(context, limit_s, broken);
  NoteProcesses(context, session);
  NoteRemarks(context, session);
  DescribeBuilds(context, session);
  for (std::size_t i = 0; i < context.listings.size(); ++i) {
    const std::string& sanitizer = context.plan.arms[i].executable.sanitizer;
    if (!sanitizer.empty()) context.listings[i].build.sanitizer = sanitizer;
  }

  const DriverKind driver = choose_driver(context);
  LeaveOutCounts(driver, context, session);
  context.matched = MatchedCasesOf(context);
  MatchedCases& matched = context.matched;
  if (matched.cases.empty() && !broken.empty()) {
    matched.cases.emplace_back();
    const auto& command = context.plan.arms.front().command;
    matched.cases.back().name = command ? command->case_name : "(the whole executable)";
    matched.ids.emplace_back(context.plan.arms.size());
  }
  for (const Fault& fault : broken) enter_broken_arm(fault, matched, session);
  if (context.plan.isolation) {  // a stranger's arm would drop what it does not keep
    matched.other_workloads.insert(matched.other_workloads.end(), matched.dropped_promises.begin(),
                                   matched.dropped_promises.end());
  }
  if (context.plan.compare) {
    if (context.plan.alternatives) matched.other_workloads.clear();
    for (const std::vector<Fault>& faults : {matched.absences, matched.other_workloads}) {
      session.faults.insert(session.faults.end(), faults.begin(), faults.end());
    }
  }
  session.cases = matched.cases;
  session.metrics = matched.metrics;
  session.warnings.insert(session.warnings.end(), matched.warnings.begin(), matched.warnings.end());

  // A stranger's arm could use little enough at a time to count as idle.
  const bool may_be_hostile = context.plan.isolation != nullptr;
  context.must_pause.assign(context.plan.arms.size(), may_be_hostile);
  context.drivers.assign(context.plan.arms.size(), driver);
  for (std::size_t arm = 0; arm < context.plan.arms.size(); ++arm) {
    const ArmPlan& plan = context.plan.arms[arm];
    const Listing& listing = context.listings[arm];
    const bool has_layouts = !plan.layouts.empty();
    session.arms.push_back({plan.label, plan.executable.path,
                            has_layouts ? plan.layouts_digest : plan.executable.digest, driver,
                            listing.library, listing.build, static_cast<int>(plan.layouts.size()),
                            plan.arguments, EnvironmentOf(plan), plan.cases});
  }
}

}  // namespace perfgate::measure
