// SPDX-License-Identifier: Apache-2.0
#include "perfgate/ci/ci.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <set>
#include <sstream>

#include "perfgate/base/io/atomic_file.h"
#include "perfgate/base/io/input_file.h"
#include "perfgate/base/text/duration.h"
#include "perfgate/base/text/shell_words.h"
#include "perfgate/ci/accept_file.h"
#include "perfgate/ci/revisions.h"
#include "perfgate/ci/source_trees.h"
#include "perfgate/gate/gate.h"
#include "perfgate/store/folder_lock.h"
#include "perfgate/store/git_command.h"

namespace perfgate::ci {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kShortCommit = 12;

class CiRun {
 public:
  CiRun(const CiRequest& request, gate::GateDisplay& display)
      : request_(request), display_(display) {}

  CiResult Run() {
    RequireComplete(request_.build);
    repo_ = TopOf(request_.repo);
    base_ = ChooseBase(repo_, request_.base, request_.target);
    Prepare();
    if (!base_.commit.empty()) {
      result_.base = base_.commit.substr(0, kShortCommit) + ", " + base_.reason;
      Say("base " + result_.base);
      if (!BuildBase()) return result_;
    }
    if (!BuildHead()) return result_;
    if (base_executable_.empty()) return NewSuite();
    RequireSameBase();
    return Gate();
  }

 private:
  void Say(const std::string& text) { display_.Say("perfgate: " + text); }
  ci::Say Sayer() {
    // Both arms have the same submodules.
    return [this](const std::string& text) {
      if (said_.insert(text).second) display_.Say(text);
    };
  }

  static std::string TopOf(const std::string& folder) {
    const store::Answer top = store::AskRepository(folder, {"rev-parse", "--show-toplevel"});
    if (!top.ok) {
      throw Error(Exit::kData, folder + " is no working tree of git: " + top.complaint);
    }
    return store::FirstLine(top.out);
  }

  void Prepare() {
    output_ = fs::absolute(request_.output).lexically_normal().string();
    std::error_code failed;
    fs::create_directories(output_, failed);
    if (failed)
      throw Error(Exit::kData, "cannot make the folder " + output_ + ": " + failed.message());
    constexpr double kNoWait = 0;
    lock_ = store::FolderLock::wait_for(output_, kNoWait);
    if (!lock_) throw Error(Exit::kData, "another perfgate ci is at work in " + output_);
    // Nothing in it is a change of the repository that it lies in.
    write_file_atomically(output_ + "/.gitignore", "*\n");
    for (const char* stale : {"verdict.json", "session.json", "report.md", "policy.json"}) {
      fs::remove(fs::path(output_) / stale, failed);
    }
    boxes_ = ChooseBoxes();
    trusted_ = base_.commit;
    if (!request_.trusted.empty()) trusted_ = CommitOf(repo_, request_.trusted, "--trusted");
  }

  study::Boxes ChooseBoxes() {
    const measure::IsolationUse use = request_.gate.measure.isolation.use;
    if (use == measure::IsolationUse::kNone) return study::FindBoxes(false);
    try {
      return study::FindBoxes(true);
    } catch (const Error& error) {
      if (use == measure::IsolationUse::kRequire) throw;
      Say(std::string("builds are not isolated: ") + error.what());
      return study::FindBoxes(false);
    }
  }

  // An empty folder for the sources of an arm.
  std::string NewTree(const std::string& arm) const {
    const fs::path folder = fs::path(output_) / arm;
    fs::remove_all(folder);
    fs::create_directories(folder);
    return (folder / "src").string();
  }

  bool Refuse(Exit exit, const std::string& trouble, const BuiltArm& built) {
    result_.exit = exit;
    result_.trouble = trouble + ": " + built.trouble + " (whole log: " + built.log + ")";
    for (const study::LogLine& line : built.lines) result_.log.push_back(line.text);
    return false;
  }

  bool BuildBase() {
    const std::string key = BuildKey(request_.build, boxes_, output_, base_.commit + SuiteSource());
    BuiltArm built;
    if (!request_.fresh) built = FindBuiltBase(boxes_, output_, key);
    if (built.end == BuildEnd::kBuilt) {
      Say("the base is built already");
    } else {
      fs::remove(fs::path(output_) / "base.json");
      const std::string tree = NewTree("base");
      ExportRevision(repo_, base_.commit, tree, Sayer());
      TakeTrustedSuite(tree);
      Say("building the base");
      built = BuildArm(request_.build, boxes_, output_, "base");
      if (built.end == BuildEnd::kBuilt) KeepBuiltBase(output_, key, built);
    }
    if (built.end == BuildEnd::kBuilt) {
      base_executable_ = built.executable;
      base_digest_ = built.digest;
      return true;
    }
    if (built.end == BuildEnd::kNoExecutable || LacksTarget()) return true;  // a new suite
    return Refuse(Exit::kNotComparable, "the base does not build, so nothing was measured", built);
  }

  // The base cannot build a target that only the head knows.
  bool LacksTarget() const {
    const std::string& target = request_.build.target;
    return !target.empty() && !NamesTarget(repo_, base_.commit, target) &&
           NamesTarget(repo_, request_.head, target);
  }

  bool BuildHead() {
    const std::string tree = NewTree("head");
    if (request_.head.empty()) {
      ExportWorkingTree(repo_, tree, Sayer());
    } else {
      ExportRevision(repo_, CommitOf(repo_, request_.head, "--head"), tree, Sayer());
    }
    TakeTrustedSuite(tree);
    Say("building the change");
    const BuiltArm built = BuildArm(request_.build, boxes_, output_, "head");
    head_executable_ = built.executable;
    if (built.end == BuildEnd::kBuilt) return true;
    if (built.end == BuildEnd::kFailed) {
      return Refuse(Exit::kFailed, "the change does not build, so nothing was measured", built);
    }
    if (!base_executable_.empty()) {
      return Refuse(Exit::kNotComparable, "the change lost the benchmark", built);
    }
    return Refuse(Exit::kData, "there is no benchmark in base and change", built);
  }

  std::string SuiteSource() const {
    std::string text = request_.suite_from;
    for (const std::string& library : request_.libraries) text += "\n" + library;
    return text;
  }

  void TakeTrustedSuite(const std::string& tree) {
    if (request_.suite_from.empty()) return;
    TakeSuite(repo_, CommitOf(repo_, request_.suite_from, "--suite-from"), request_.libraries, tree,
              Sayer());
  }

  // A build that runs as this user can write where the base lies.
  void RequireSameBase() const {
    if (DigestNow(boxes_, base_executable_) == base_digest_) return;
    throw Error(Exit::kInvalid,
                base_executable_ +
                    " was changed while the change was built; install bubblewrap and give "
                    "--isolate=require, so that a build reaches its own folder only");
  }

  CiResult NewSuite() {
    const std::string tree = output_ + "/head/src";
    const std::string log = output_ + "/cases.log";
    constexpr double kLimitS = 60;
    study::BoxStep step{
        .command = "exec " + ShellLine({head_executable_, "--benchmark_list_tests"}),
        .tree = tree,
        .place = boxes_.isolated ? study::PlaceFor(tree) : tree,
        .log = log,
        .limit_s = kLimitS,
        .memory_mib = request_.build.memory_mib};
    if (boxes_.isolated) step.read.push_back({tree, tree});
    RunStep(boxes_, step);
    constexpr InputKind kList = {"list of cases", std::uint64_t{64} << 20, LastLink::kRefused};
    std::istringstream lines(ReadInputFile(log, kList));
    for (std::string line; std::getline(lines, line);) result_.new_cases.push_back(line);
    fs::remove(log);
    result_.exit = Exit::kPass;
    result_.trouble = base_.commit.empty() ? base_.reason : "the base has no such suite";
    result_.trouble += ": nothing was compared, every case is new";
    return result_;
  }

  void ReadTrustedFiles(gate::PolicyRequest& policy) {
    if (!request_.policy.empty()) {
      if (const auto text = FileAt(repo_, trusted_, request_.policy)) {
        policy.file = output_ + "/policy.json";
        write_file_atomically(policy.file, *text);
      } else {
        notes_.push_back("there is no " + request_.policy + " at " +
                         trusted_.substr(0, kShortCommit) + ": the usual policy was taken");
      }
    }
    if (request_.accept.empty()) return;
    const auto text = FileAt(repo_, trusted_, request_.accept);
    if (!text) {
      Say("there is no " + request_.accept + " at " + trusted_.substr(0, kShortCommit) +
          ": no slowdown is accepted");
      return;
    }
    const auto today = std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
    const std::string where = trusted_.substr(0, kShortCommit) + ":" + request_.accept;
    AcceptedCases accepted =
        RulesOf(ReadAcceptances(*text, where), request_.gate.measure.suite, today);
    policy.accepted = std::move(accepted.rules);
    policy.accepted_texts = std::move(accepted.texts);
    notes_.insert(notes_.end(), accepted.notes.begin(), accepted.notes.end());
  }

  // Data of the trusted revision, for both arms.
  void TakeData(gate::GateRequest& request) {
    const std::string folder = output_ + "/data";
    if (!request_.data.empty()) {
      ExportData(repo_, trusted_, request_.data, folder, Sayer());
      request.measure.isolation.read.push_back(folder);
    }
    for (gate::ArmSettings* arm : {&request.baseline_arm, &request.candidate_arm}) {
      arm->arguments = WithData(arm->arguments, folder);
      for (std::string& variable : arm->environment) variable = WithData(variable, folder);
    }
  }

  std::string WithData(std::string text, const std::string& folder) const {
    const std::string word = kDataWord;
    for (std::size_t at = text.find(word); at != std::string::npos;
         at = text.find(word, at + folder.size())) {
      if (request_.data.empty()) {
        throw Error(Exit::kUsage, "'" + text + "': " + word + " needs --data, which is not given");
      }
      text.replace(at, word.size(), folder);
    }
    return text;
  }

  CiResult Gate() {
    gate::GateRequest request = request_.gate;
    TakeData(request);
    request.baseline = base_executable_;
    request.candidate = head_executable_;
    request.measure.session = output_ + "/session.json";
    ReadTrustedFiles(request.measure.policy);
    for (const std::string& note : notes_) Say(note);
    gate::GateResult gated = gate::RunGate(request, display_);
    gated.verdict.trusted_commit = trusted_;
    gated.verdict.warnings.insert(gated.verdict.warnings.end(), notes_.begin(), notes_.end());
    result_.exit = gated.exit;
    result_.verdict = std::move(gated.verdict);
    return result_;
  }

  const CiRequest& request_;
  gate::GateDisplay& display_;
  std::string repo_, output_, trusted_;
  Base base_;
  std::unique_ptr<store::FolderLock> lock_;
  study::Boxes boxes_;
  std::string base_executable_, base_digest_, head_executable_;
  std::vector<std::string> notes_;
  std::set<std::string> said_;
  CiResult result_;
};

}  // namespace

CiResult RunCi(const CiRequest& request, gate::GateDisplay& display) {
  return CiRun(request, display).Run();
}

}  // namespace perfgate::ci
