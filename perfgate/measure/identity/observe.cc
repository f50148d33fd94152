// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/identity/observe.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "perfgate/base/error.h"
#include "perfgate/base/io/private_folder.h"
#include "perfgate/base/io/read_file.h"
#include "perfgate/base/os/child_environment.h"
#include "perfgate/measure/driver/arm.h"
#include "perfgate/measure/driver/preload.h"
#include "perfgate/measure/driver/process/benchmark_run.h"
#include "perfgate/measure/identity/mapped_files.h"
#include "perfgate/measure/isolation/isolation.h"
#include "perfgate/measure/schedule/matched_cases.h"

namespace perfgate::measure {
namespace {

namespace fs = std::filesystem;
using Files = std::optional<std::vector<std::string>>;

constexpr double kListS = 60;   // as listing
constexpr double kCaseS = 120;  // a case that loads a model
constexpr double kAllCasesS = 600;

Files ObserveWorker(const MeasurePlan& plan, const Executable& executable, const Listing& listing,
                    const Launch& launch, std::string* why_not) {
  const auto driver = launch_arm(executable, DriverKind::kWorker, listing, launch);
  for (const auto& ids : MatchCases({&listing, 1}, plan.policy).ids) {
    if (ids.empty() || !ids.front()) continue;
    SliceRequest request;
    request.case_id = *ids.front();
    request.iterations = std::max<std::int64_t>(1, listing.cases[request.case_id].fixed_iterations);
    request.limit_s = kCaseS;
    const SliceResult result = driver->slice(request);
    if (driver->alive()) continue;  // a case that skips itself or reports an error did run
    *why_not = result.detail;
    return std::nullopt;
  }
  std::vector<std::string> files = driver->mapped_files();
  driver->quit();
  if (files.empty()) {
    *why_not = "/proc does not show what it maps";
    return std::nullopt;
  }
  return files;
}

Files ObserveProcess(const MeasurePlan& plan, Launch launch, std::string* why_not) {
  const fs::path library = fs::path(plan.worker_shim).parent_path() / "libperfgate_maps.so";
  std::error_code error;
  if (plan.worker_shim.empty() || !fs::exists(library, error)) {
    *why_not = "nothing is preloaded that could tell what it maps";
    return std::nullopt;
  }
  const PrivateFolder scratch("perfgate-maps-");
  const auto preload = PreloadVariables(library.string());
  launch.variables.insert(launch.variables.end(), preload.begin(), preload.end());
  launch.variables.emplace_back("PERFGATE_MAPS", scratch.file("maps"));
  RunRequest request;
  constexpr double kTinyS = 1e-6;  // one batch of iterations
  request.options = {seconds_option(kTinyS)};
  request.step_limit_s = kCaseS;
  request.limit_s = kAllCasesS;
  const RunOutcome outcome = run_benchmarks(launch, scratch, request);
  if (!outcome.launch_error.empty() || outcome.timed_out || !outcome.status.ok() ||
      !outcome.file.complete) {
    *why_not = outcome.detail("while every case was run once");
    return std::nullopt;
  }
  if (!fs::exists(scratch.file("maps"), error)) {
    *why_not = "it does not say what it maps: it ends without destructors, or loads no library";
    return std::nullopt;
  }
  return MappedFiles(read_file_text(scratch.file("maps")));
}

}  // namespace

Files ObserveMappedFiles(const MeasurePlan& plan, const ArmPlan& arm, std::string* why_not) {
  const Executable& executable = arm.executable;
  Launch launch;
  launch.exec_path = fs::absolute(executable.path).string();
  launch.arguments = arm.arguments;
  launch.variables = arm.environment;
  const auto same = [&](const ArmPlan& other) { return &other == &arm; };
  const auto index = std::find_if(plan.arms.begin(), plan.arms.end(), same) - plan.arms.begin();
  IsolateLaunch(plan, static_cast<std::size_t>(index), executable, launch);
  const bool preloads = PreloadingOf(executable, plan.worker_shim).possible;
  try {
    if (!preloads && !executable.speaks_protocol) return ObserveProcess(plan, launch, why_not);
    Launch worker = launch;
    if (preloads) worker.preload = plan.worker_shim;
    const Listing listing = list_arm(executable, worker, kListS);
    if (!listing.by_worker) return ObserveProcess(plan, launch, why_not);
    return ObserveWorker(plan, executable, listing, worker, why_not);
  } catch (const Error& error) {
    *why_not = error.what();
    return std::nullopt;
  }
}

}  // namespace perfgate::measure
