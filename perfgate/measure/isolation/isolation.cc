// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/isolation/isolation.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "perfgate/base/error.h"
#include "perfgate/base/text/join.h"
#include "perfgate/measure/isolation/sandbox.h"

namespace perfgate::measure {
namespace {

namespace fs = std::filesystem;

// Under which an arm finds its executable, in every arm alike.
constexpr const char* kArmFolder = "/arm";

std::string LimitsText(const CgroupParent& groups) {
  if (groups.limits_memory && groups.limits_processes) {
    return "; memory and processes limited by cgroup v2";
  }
  return "; memory and processes not limited: " + groups.why_not;
}

std::string Absolute(const std::string& path) {
  return fs::absolute(path).lexically_normal().string();
}

TrustRecord RecordOf(const Abilities& abilities) {
  TrustRecord record;
  record.lacking = abilities.lacking;
  if (!abilities.bubblewrap.empty()) {
    record.means = "bubblewrap: PID, mount, IPC, network and UTS namespaces, read-only files";
    if (abilities.seccomp) record.means += ", seccomp";
  } else if (!abilities.setpriv.empty()) {
    record.means = "setpriv: a user of its own per arm";
  }
  if (!record.means.empty()) record.means += LimitsText(abilities.groups);
  if (abilities.full()) record.level = TrustLevel::kIsolated;
  return record;
}

void RequireReadable(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    std::error_code failed;
    if (!fs::exists(path, failed)) {
      throw Error(Exit::kData, path + " is not there, and arms were to read it; correct the path");
    }
  }
}

// The last two parts of the path that an arm is started through: of one length for all arms.
std::string PlaceOf(const std::string& exec_path) {
  const fs::path path(exec_path);
  return (fs::path(kArmFolder) / path.parent_path().filename() / path.filename()).string();
}

void ReadWhatIsAllowed(const std::vector<std::string>& paths, SandboxPlan& plan) {
  std::error_code failed;
  const std::string here = fs::current_path(failed).string();
  for (const std::string& path : paths) {
    const std::string place = Absolute(path);
    plan.read.push_back({place, place});
    if (here == place || here.starts_with(place + "/")) plan.folder = here;
  }
}

std::string Real(const std::string& path) {
  std::error_code failed;
  const fs::path real = fs::canonical(path, failed);
  return failed ? Absolute(path) : real.string();
}

bool LiesBelow(const std::string& path, const std::string& folder) {
  return path == folder || path.starts_with(folder + "/");
}

// An arm names its libraries itself. What another arm would lose by that is not hidden: only what
// lies beside or beside the folder of the executable that names it.
bool BelongsTo(const Executable& executable, const std::string& library) {
  const fs::path folder = fs::path(Real(executable.path)).parent_path();
  return LiesBelow(Real(library), folder.string()) ||
         (folder.filename() == "bin" && LiesBelow(Real(library), folder.parent_path().string()));
}

void HideTheOthers(const std::vector<ArmPlan>& arms, std::size_t own, SandboxPlan& plan) {
  const Executable& mine = arms[own].executable;
  for (const ArmPlan& arm : arms) {
    if (arm.executable.digest == mine.digest || !arm.absent.empty()) continue;
    plan.hidden.push_back(Absolute(arm.executable.path));
    for (const std::string& library : arm.executable.libraries) {
      if (BelongsTo(arm.executable, library) && !BelongsTo(mine, library)) {
        plan.hidden.push_back(library);
      }
    }
    if (!arm.layouts_folder.empty()) plan.hidden.push_back(Absolute(arm.layouts_folder));
  }
}

// A library that is another arm's program, or a file of the gate, would be let into the sandbox.
void RequireOwnLibraries(const std::vector<ArmPlan>& arms, std::size_t own,
                         const Executable& executable, const std::vector<std::string>& hidden) {
  for (const std::string& library : executable.libraries) {
    const std::string real = Real(library);
    const auto is_of_another = [&](const ArmPlan& arm) {
      return arm.absent.empty() && arm.executable.digest != arms[own].executable.digest &&
             real == Real(arm.executable.path);
    };
    const auto is_hidden = [&](const std::string& file) { return LiesBelow(real, Real(file)); };
    if (std::any_of(arms.begin(), arms.end(), is_of_another) ||
        std::any_of(hidden.begin(), hidden.end(), is_hidden)) {
      throw Error(Exit::kInvalid,
                  executable.path + ": names " + library + " as a library, which no arm may see");
    }
  }
}

}  // namespace

Isolation::Isolation(const Abilities& abilities, const IsolationRequest& request)
    : abilities_(abilities), request_(request), record_(RecordOf(abilities)) {
  RequireReadable(request_.read);
  record_.suite_commit = request_.suite_commit;
  if (record_.level == TrustLevel::kIsolated && !record_.suite_commit.empty()) {
    record_.level = TrustLevel::kReviewedSuite;
  }
  if (request_.use == IsolationUse::kRequire && !abilities_.full()) {
    throw Error(Exit::kData,
                "arms cannot be isolated as --isolate=require asks; this machine lacks " +
                    Join(abilities_.lacking, "; ") +
                    ". perfgate doctor shows it, --isolate takes what there is");
  }
  if (!record_.means.empty()) copies_ = std::make_shared<PrivateCopies>();
}

void Isolation::Isolate(const std::vector<ArmPlan>& arms, std::size_t arm,
                        const Executable& executable, Launch& launch) const {
  RequireOwnLibraries(arms, arm, executable, request_.hidden);
  if (record_.means.empty()) return;
  const std::string copy = copies_->Of(executable.path, executable.file_digests.front());
  SandboxPlan plan;
  if (abilities_.bubblewrap.empty()) {
    plan.user = UserOfArm(static_cast<int>(arm));
    if (executable.libraries.empty()) launch.exec_path = copy;
    launch.folder.clear();
    launch.sandbox = std::make_shared<const Sandbox>(abilities_, std::move(plan));
    return;
  }
  ReadWhatIsAllowed(request_.read, plan);
  HideTheOthers(arms, arm, plan);
  plan.hidden.insert(plan.hidden.end(), request_.hidden.begin(), request_.hidden.end());
  // The file lies where it really lies: $ORIGIN, by which it may find its libraries, is that
  // folder.
  const std::string real = fs::canonical(executable.path).string();
  plan.read.push_back({copy, real});
  for (std::size_t i = 0; i < executable.libraries.size(); ++i) {
    const std::string library = Absolute(executable.libraries[i]);
    plan.read.push_back({copies_->Of(library, executable.file_digests[i + 1]), library});
  }
  const std::string place = PlaceOf(launch.exec_path);
  plan.links.emplace_back(real, place);
  launch.exec_path = place;
  launch.folder.clear();  // what one launch leaves the next would be work that nobody times
  launch.sandbox = std::make_shared<const Sandbox>(abilities_, std::move(plan));
}

void IsolateLaunch(const MeasurePlan& plan, std::size_t arm, const Executable& executable,
                   Launch& launch) {
  if (plan.isolation) plan.isolation->Isolate(plan.arms, arm, executable, launch);
}

}  // namespace perfgate::measure
