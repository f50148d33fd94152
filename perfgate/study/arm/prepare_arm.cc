// SPDX-License-Identifier: Apache-2.0
#include "perfgate/study/arm/prepare_arm.h"

#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "perfgate/base/error.h"
#include "perfgate/base/io/atomic_file.h"
#include "perfgate/base/io/input_file.h"
#include "perfgate/base/text/shell_words.h"
#include "perfgate/evidence/files/input_kinds.h"
#include "perfgate/measure/executable.h"
#include "perfgate/study/arm/built_files.h"
#include "perfgate/study/arm/test_count.h"
#include "perfgate/study/arm/trial_results.h"
#include "perfgate/study/task/overlay.h"
#include "perfgate/study/task/preflight.h"
#include "perfgate/study/task/repository.h"

namespace perfgate::study {
namespace {

namespace fs = std::filesystem;

constexpr InputKind kLogFile = {"log", std::uint64_t{1} << 30, LastLink::kRefused};
constexpr InputKind kPatchFile = {"patch", std::uint64_t{256} << 20, LastLink::kFollowed};
constexpr double kPatchLimitS = 600;
constexpr double kHelpLimitS = 30;
constexpr const char* kOut = "/trial";

// How the ends of a step are called.
struct StepNames {
  std::string name;
  ArmState failed;
  ArmState timeout;
  ArmState memory;
};

bool SaysError(const std::string& log) {
  return log.starts_with("error: ") || log.find("\nerror: ") != std::string::npos;
}

class Preparation {
 public:
  Preparation(const Task& task, const ArmPlan& plan, const std::string& task_folder,
              const Boxes& boxes)
      : task_(task), plan_(plan), boxes_(boxes), folder_(fs::absolute(task_folder) / plan.folder) {
    record_.label = plan.label;
    record_.folder = plan.folder;
    record_.inputs = plan.inputs;
    tree_ = (folder_ / "src").string();
    place_ = boxes.isolated ? PlaceFor(tree_) : tree_;
  }

  ArmRecord Run() {
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "out");
    if (plan_.trouble != ArmState::kReady) {
      End(plan_.trouble, plan_.reason);
    } else if (!plan_.executable.empty()) {
      TakeBuilt();
    } else if (Export() && Overlay() && Build() && Test()) {
      Try();
    }
    return record_;
  }

 private:
  bool End(ArmState status, const std::string& reason) {
    record_.status = status;
    record_.reason = reason;
    return false;
  }

  std::string Log(const std::string& name) const { return (folder_ / (name + ".log")).string(); }

  BoxStep StepOf(const std::string& name, const std::string& command, double limit_s) const {
    return {.command = command,
            .tree = tree_,
            .place = place_,
            .log = Log(name),
            .limit_s = limit_s,
            .memory_mib = task_.limits.memory_mib};
  }

  // Keeps the log and its lines where the step did not end well.
  bool Judge(const StepNames& names, const BoxResult& result) {
    if (result.end == BoxEnd::kDone) return true;
    record_.log = plan_.folder + "/" + names.name + ".log";
    record_.lines = TellingLines(ReadInputFile(Log(names.name), kLogFile));
    ArmState status = names.failed;
    if (result.end == BoxEnd::kTimeout) status = names.timeout;
    const bool killed = result.end == BoxEnd::kSignal && result.signal == SIGKILL;
    const bool says_so =
        result.end == BoxEnd::kFailed && names.failed != ArmState::kTestsFailed &&
        (HasKind(record_.lines, "out_of_memory") || HasKind(record_.lines, "killed"));
    if (result.end == BoxEnd::kMemory || killed || says_so) status = names.memory;
    return End(status, names.name + " " + result.text);
  }

  bool Export() {
    ExportCommit(task_.repo, plan_.commit, tree_, (folder_ / "index").string());
    if (plan_.patch.empty()) return true;
    const std::string patch = (folder_ / "change.patch").string();
    write_file_atomically(patch, ReadInputFile(plan_.patch, kPatchFile));
    const std::string seen = boxes_.isolated ? "/change.patch" : patch;
    BoxStep step =
        StepOf("patch", "git apply --check " + ShellWord(seen) + " && git apply " + ShellWord(seen),
               kPatchLimitS);
    step.read.push_back({patch, seen});
    const StepNames names = {"patch", ArmState::kPatchDoesNotApply, ArmState::kPatchDoesNotApply,
                             ArmState::kPatchDoesNotApply};
    BoxResult result = RunStep(boxes_, step);
    // git leaves a damaged binary part out, says so and exits with 0.
    if (result.end == BoxEnd::kDone && SaysError(ReadInputFile(Log("patch"), kLogFile))) {
      result = {.end = BoxEnd::kFailed, .text = "exited with code 0 and left a part out"};
    }
    return Judge(names, result);
  }

  // After the change, which therefore has no say in these files.
  bool Overlay() {
    if (!task_.overlay.empty()) LayOver(task_.overlay, tree_);
    return true;
  }

  bool Build() {
    const BoxResult result = RunStep(boxes_, StepOf("build", task_.build, task_.limits.build_s));
    record_.build_s = result.seconds;
    return Judge(
        {"build", ArmState::kBuildFailed, ArmState::kBuildTimeout, ArmState::kBuildOutOfMemory},
        result);
  }

  bool Test() {
    if (task_.test.empty()) return true;
    const BoxResult result = RunStep(boxes_, StepOf("test", task_.test, task_.limits.test_s));
    record_.test_s = result.seconds;
    record_.tested = true;
    const std::string log = ReadInputFile(Log("test"), kLogFile);
    record_.tests = TestsThatRan(log);
    if (!Judge({"test", ArmState::kTestsFailed, ArmState::kTestsTimeout, ArmState::kOutOfMemory},
               result)) {
      // pytest exits with 5 and ctest --no-tests=error with 8 where there is nothing to run.
      if (record_.tests == 0 && record_.status == ArmState::kTestsFailed) {
        record_.status = ArmState::kNoTestsRan;
      }
      return false;
    }
    if (record_.tests != 0) return true;
    record_.log = plan_.folder + "/test.log";
    record_.lines = TellingLines(log);
    return End(ArmState::kNoTestsRan, "test exited with code 0 and ran no test");
  }

  void TakeBuilt() {
    const std::string path = fs::absolute(plan_.executable).lexically_normal().string();
    std::error_code failed;
    if (!fs::is_regular_file(path, failed) || ::access(path.c_str(), X_OK) != 0) {
      End(ArmState::kBenchmarkMissing, path + " is no executable");
      return;
    }
    record_.executable = path;
    fs::create_directories(tree_);
    const std::string folder = fs::path(path).parent_path().string();
    if (TryAt(path, {{folder, folder}})) Finish(path, "", "");
  }

  void Try() {
    const fs::path inside = fs::path(task_.bench).lexically_normal();
    const fs::path path = fs::path(tree_) / inside;
    std::error_code failed;
    const std::string real = fs::canonical(path, failed).string();
    if (failed || !fs::is_regular_file(real, failed) || ::access(real.c_str(), X_OK) != 0) {
      End(ArmState::kBenchmarkMissing, "the build made no executable " + task_.bench);
      return;
    }
    if (!real.starts_with(fs::canonical(tree_).string() + "/")) {
      End(ArmState::kBenchmarkMissing, task_.bench + " lies outside of the source tree");
      return;
    }
    record_.executable = (fs::path(plan_.folder) / "src" / inside).string();
    if (!TryAt((fs::path(place_) / inside).string(), {})) return;
    if (boxes_.isolated) MoveBuiltFiles(tree_, place_);
    Finish(path.string(), tree_, place_);
  }

  void Finish(const std::string& path, const std::string& tree, const std::string& place) {
    const Wrapper loader = boxes_.isolated ? measure::ReadOnlyWrapper(boxes_.abilities) : Wrapper{};
    const BuiltDigest digest = DigestOf(path, tree, place, loader);
    record_.digest = digest.anywhere;
    record_.file_digest = digest.file;
  }

  BoxResult Start(const std::string& name, const std::vector<std::string>& words, double limit_s,
                  const std::vector<measure::Binding>& read) const {
    BoxStep step = StepOf(name, "exec " + ShellLine(words), limit_s);
    step.read = read;
    step.write.push_back({(folder_ / "out").string(), kOut});
    return RunStep(boxes_, step);
  }

  // One short run of the benchmark, for what a measurement would stumble over.
  bool TryAt(const std::string& program, const std::vector<measure::Binding>& read) {
    if (!task_.arguments.empty() && !KnowsOptions(program, read)) return false;
    std::vector<std::string> words = {program};
    words.insert(words.end(), task_.arguments.begin(), task_.arguments.end());
    const std::string out = boxes_.isolated ? kOut : (folder_ / "out").string();
    for (const std::string& word :
         {std::string("--benchmark_min_time=0.01"), std::string("--benchmark_out_format=json"),
          "--benchmark_out=" + out + "/trial.json"}) {
      words.push_back(word);
    }
    if (!task_.filter.empty()) words.push_back("--benchmark_filter=" + task_.filter);
    const BoxResult result = Start("bench", words, task_.limits.bench_s, read);
    if (!Judge({"bench", ArmState::kCrash, ArmState::kTimeout, ArmState::kOutOfMemory}, result)) {
      if (HasKind(record_.lines, "unknown_option") || HasKind(record_.lines, "context_length")) {
        record_.status = ArmState::kBadCommand;
      }
      return false;
    }
    const TrialResults trial = ReadTrial((folder_ / "out" / "trial.json").string());
    record_.trial_case = trial.name;
    record_.trial_time = trial.time;
    record_.trial_unit = trial.unit;
    if (trial.trouble.empty()) return true;
    record_.log = plan_.folder + "/bench.log";
    record_.lines = TellingLines(ReadInputFile(Log("bench"), kLogFile));
    return End(ArmState::kNoMetrics, trial.trouble);
  }

  bool KnowsOptions(const std::string& program, const std::vector<measure::Binding>& read) {
    Start("help", {program, "--help"}, kHelpLimitS, read);
    const std::string trouble =
        TroubleWithOptions(task_.arguments, ReadInputFile(Log("help"), kLogFile));
    if (trouble.empty()) return true;
    record_.log = plan_.folder + "/help.log";
    return End(ArmState::kBadCommand, "arguments: " + trouble);
  }

  const Task& task_;
  const ArmPlan& plan_;
  const Boxes& boxes_;
  fs::path folder_;
  std::string tree_, place_;
  ArmRecord record_;
};

// An arm that ended is not tried again; one that is ready has to lie there still.
bool StillHolds(const ArmRecord& arm, const ArmPlan& plan, const std::string& task_folder,
                const Boxes& boxes) {
  if (arm.inputs != plan.inputs || arm.status == ArmState::kSetUpFailed) return false;
  if (arm.status != ArmState::kReady) return true;
  try {
    const Wrapper loader = boxes.isolated ? measure::ReadOnlyWrapper(boxes.abilities) : Wrapper{};
    return measure::inspect_executable(ExecutableOf(arm, task_folder), {.loader = loader}).digest ==
           arm.file_digest;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

std::string ExecutableOf(const ArmRecord& arm, const std::string& task_folder) {
  return (fs::absolute(task_folder) / arm.executable).string();
}

ArmRecord PrepareArm(const Task& task, const ArmPlan& plan, const std::string& task_folder,
                     const Boxes& boxes) {
  const std::string file = (fs::path(task_folder) / plan.folder / "arm.json").string();
  if (const auto known = FindArm(file); known && StillHolds(*known, plan, task_folder, boxes)) {
    return *known;
  }
  ArmRecord record;
  try {
    record = Preparation(task, plan, task_folder, boxes).Run();
  } catch (const std::exception& trouble) {
    if (dynamic_cast<const Error*>(&trouble) == nullptr &&
        dynamic_cast<const fs::filesystem_error*>(&trouble) == nullptr) {
      throw;
    }
    record = {.label = plan.label, .folder = plan.folder, .inputs = plan.inputs};
    record.status = ArmState::kSetUpFailed;
    record.reason = trouble.what();
    fs::create_directories(fs::path(file).parent_path());
  }
  WriteArm(file, record);
  return record;
}

}  // namespace perfgate::study
