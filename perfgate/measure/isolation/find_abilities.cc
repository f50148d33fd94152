// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/isolation/find_abilities.h"

#include <unistd.h>

#include "perfgate/base/error.h"
#include "perfgate/base/os/process.h"
#include "perfgate/measure/isolation/sandbox.h"
#include "perfgate/measure/isolation/seccomp_program.h"

namespace perfgate::measure {
namespace {

constexpr double kProbeS = 10;
constexpr const char* kNothing = "true";

std::string ToolIn(const std::vector<std::string>& folders, const std::string& name) {
  for (const std::string& folder : folders) {
    std::string path = folder + "/" + name;
    if (::access(path.c_str(), X_OK) == 0) return path;
  }
  return {};
}

// Why a program that does nothing cannot be started so; empty: it can.
std::string TryWrapped(const Abilities& abilities, int user) {
  SandboxPlan plan;
  plan.user = user;
  const Sandbox sandbox(abilities, plan);
  SpawnOptions options;
  options.path = std::string("/usr/bin/") + kNothing;
  try {
    sandbox.Wrap({}, options);
    ChildProcess child(options);
    if (!child.wait_exit(Deadline::in(kProbeS))) return "no answer within 10 s";
    if (child.status().ok()) return {};
    const std::string said = child.output_tail(200);
    return said.empty() ? child.status().text() : said;
  } catch (const Error& error) {
    return error.what();
  }
}

void FindBubblewrap(const std::vector<std::string>& folders, Abilities& found) {
  const std::string tool = ToolIn(folders, "bwrap");
  if (tool.empty()) {
    found.lacking.emplace_back(
        "namespaces: bubblewrap is not installed (apt-get install bubblewrap)");
    return;
  }
  found.bubblewrap = tool;
  std::string refusal;
  for (const bool proc : {true, false}) {
    for (const bool new_user : {false, true}) {
      found.proc = proc;
      found.new_user = new_user;
      const std::string why_not = TryWrapped(found, -1);
      if (why_not.empty()) {
        if (!proc) found.lacking.push_back("a /proc of the arm's own: " + refusal);
        return;
      }
      if (refusal.empty()) refusal = why_not;
    }
  }
  found.bubblewrap.clear();
  found.lacking.push_back("namespaces: " + refusal +
                          " (allow user namespaces, or run as root with CAP_SYS_ADMIN)");
}

void FindSeccomp(Abilities& found) {
  if (found.bubblewrap.empty()) return;  // it is bubblewrap that sets the filter
  found.seccomp = !SeccompProgram().empty();
  std::string why_not = found.seccomp ? TryWrapped(found, -1) : "not known for this processor";
  found.seccomp = why_not.empty();
  if (!found.seccomp) found.lacking.push_back("a filter of system calls: " + why_not);
}

}  // namespace

Abilities FindAbilities(const std::vector<std::string>& folders) {
  Abilities found;
  FindBubblewrap(folders, found);
  FindSeccomp(found);
  found.groups = FindCgroupParent();
  if (!found.bubblewrap.empty() || ::geteuid() != 0) return found;
  found.setpriv = ToolIn(folders, "setpriv");
  if (!found.setpriv.empty() && !TryWrapped(found, UserOfArm(0)).empty()) found.setpriv.clear();
  return found;
}

const Abilities& KnownAbilities() {
  static const Abilities known = FindAbilities();
  return known;
}

}  // namespace perfgate::measure
