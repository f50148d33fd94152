// SPDX-License-Identifier: Apache-2.0
#include "perfgate/gate/bisect/bisect.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "perfgate/evidence/files/files.h"
#include "perfgate/gate/bisect/executables.h"
#include "perfgate/gate/bisect/step.h"
#include "perfgate/store/worktree.h"
#include "perfgate/verdict/bisect/search.h"

namespace perfgate::gate {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kShort = 10;

void RequireRequest(const BisectRequest& request) {
  if (request.build.empty() && request.prebuilt.empty()) {
    throw Error(Exit::kUsage,
                "say where executables come from: --build CMD --executable PATH, or --prebuilt "
                "'builds/{commit}/my_bench'");
  }
  if (request.build.empty() != request.executable.empty()) {
    throw Error(Exit::kUsage,
                "--build and --executable belong together: a command, and the file "
                "that it leaves");
  }
  if (!request.executable.empty() && fs::path(request.executable).is_absolute()) {
    throw Error(Exit::kUsage, "--executable " + request.executable +
                                  ": give it relative to the checkout, where the command runs");
  }
  if (!request.prebuilt.empty() && request.prebuilt.find("{commit}") == std::string::npos) {
    throw Error(Exit::kUsage, "--prebuilt " + request.prebuilt +
                                  ": it needs {commit}, which stands for the full id");
  }
}

Bisection NewBisection(const BisectRequest& request) {
  Bisection bisection;
  bisection.tool = "perfgate " PERFGATE_VERSION;
  bisection.suite = request.measure.suite;
  bisection.build = request.build;
  bisection.executable = request.executable;
  bisection.prebuilt = request.prebuilt;
  bisection.policy = ResolvePolicy(request.measure.policy);
  for (const store::Commit& commit : store::CommitsBetween(request.good, request.bad)) {
    bisection.commits.push_back(
        {.commit = commit.id, .subject = commit.subject, .reason = {}, .digest = {}});
  }
  return bisection;
}

std::string StateFile(const BisectRequest& request, const Bisection& bisection) {
  if (!request.state.empty()) return request.state;
  return fmt::format("{}/{}-{}.json", request.folder,
                     bisection.commits.front().commit.substr(0, kShort),
                     bisection.commits.back().commit.substr(0, kShort));
}

bool AskTheSame(const Bisection& one, const Bisection& other) {
  return one.build == other.build && one.executable == other.executable &&
         one.prebuilt == other.prebuilt && one.suite == other.suite &&
         policy_to_json(one.policy) == policy_to_json(other.policy) &&
         std::equal(
             one.commits.begin(), one.commits.end(), other.commits.begin(), other.commits.end(),
             [](const BisectCommit& a, const BisectCommit& b) { return a.commit == b.commit; });
}

// Everything that happens to one bisection; its file is written after every answer.
class Running {
 public:
  Running(const BisectRequest& request, GateDisplay& display)
      : request_(request), display_(display), bisection_(NewBisection(request)) {
    file_ = StateFile(request, bisection_);
    if (!fs::exists(file_)) return;
    Bisection begun = read_bisection(file_);
    if (!AskTheSame(begun, bisection_) || (!begun.case_name.empty() && !request.case_name.empty() &&
                                           begun.case_name != request.case_name)) {
      throw Error(Exit::kUsage, file_ +
                                    " belongs to another bisection: give another --state, or "
                                    "remove it");
    }
    bisection_ = std::move(begun);
    display.Say("perfgate: going on from " + file_);
  }

  Bisection Run() {
    if (bisection_.complete) return bisection_;
    std::error_code error;
    fs::create_directories(request_.folder, error);
    if (bisection_.case_name.empty() && !ChooseCase()) return Finished();
    while (const auto next = NextCommit(Answers())) Step(*next);
    Conclude();
    return Finished();
  }

 private:
  std::vector<BisectAnswer> Answers() const {
    std::vector<BisectAnswer> answers;
    for (const BisectCommit& commit : bisection_.commits) answers.push_back(commit.answer);
    return answers;
  }

  void Keep() const { write_bisection(file_, bisection_); }

  Bisection Finished() {
    bisection_.complete = true;
    Keep();
    RemoveCheckout(request_);
    return bisection_;
  }

  // Of an end, which must be there.
  std::string RequiredExecutable(BisectCommit& commit, const char* end) {
    const BuiltExecutable built = ExecutableOf(request_, commit, display_);
    if (built.path.empty()) {
      throw Error(Exit::kFailed, fmt::format("the {} end, {}: {}", end,
                                             commit.commit.substr(0, kShort), built.trouble));
    }
    commit.digest = built.digest;
    return built.path;
  }

  // Good against bad: false where nothing is slower.
  bool ChooseCase() {
    const std::string good = RequiredExecutable(bisection_.commits.front(), "good");
    const std::string bad = RequiredExecutable(bisection_.commits.back(), "bad");
    Keep();
    const SuiteVerdict verdict = MeasureEnds(request_, good, bad, display_);
    const ColumnVerdict* chosen = nullptr;
    for (const ColumnVerdict& column : verdict.columns) {
      if (column.verdict != Verdict::kRegression || !column.gated) continue;
      const bool is_asked = request_.case_name.empty() || column.case_name == request_.case_name;
      // The largest slowdown, where none is asked for.
      if (is_asked && (chosen == nullptr || column.effect.estimate > chosen->effect.estimate)) {
        chosen = &column;
      }
    }
    if (chosen == nullptr) {
      bisection_.conclusion =
          request_.case_name.empty()
              ? "nothing to look for: no case is slower in the bad end (" + verdict.summary + ")"
              : "nothing to look for: " + request_.case_name + " is not slower in the bad end (" +
                    verdict.summary + ")";
      return false;
    }
    for (const ColumnVerdict& column : verdict.columns) {
      if (column.verdict == Verdict::kRegression && column.case_name != chosen->case_name) {
        bisection_.other_cases.push_back(column.case_name);
      }
    }
    bisection_.case_name = chosen->case_name;
    bisection_.metric = chosen->metric.name;
    const double estimate = chosen->effect.estimate;
    bisection_.tolerance =
        is_relative(chosen->metric.kind) ? std::expm1(std::log1p(estimate) / 2) : estimate / 2;
    Enter(AnswerOf(verdict, bisection_), bisection_.commits.size() - 1);
    bisection_.commits.front().answer = BisectAnswer::kGood;
    bisection_.commits.front().reason = "the good end";
    Keep();
    return true;
  }

  void Enter(const BisectCommit& answer, std::size_t index) {
    BisectCommit& commit = bisection_.commits[index];
    commit.answer = answer.answer;
    commit.reason = answer.reason;
    commit.rounds = answer.rounds;
    commit.estimate = answer.estimate;
    commit.lo = answer.lo;
    commit.hi = answer.hi;
  }

  // The answer of a commit with the same executable, which is this one's too.
  const BisectCommit* Known(const BisectCommit& commit) const {
    for (const BisectCommit& other : bisection_.commits) {
      if (&other != &commit && other.digest == commit.digest &&
          (other.answer == BisectAnswer::kGood || other.answer == BisectAnswer::kBad)) {
        return &other;
      }
    }
    return nullptr;
  }

  void Step(std::size_t index) {
    BisectCommit& commit = bisection_.commits[index];
    display_.Say(fmt::format("perfgate: {} {}, at most {} more", commit.commit.substr(0, kShort),
                             commit.subject, LooksLeft(Answers())));
    const BuiltExecutable built = ExecutableOf(request_, commit, display_);
    if (built.path.empty()) {
      commit.answer = BisectAnswer::kSkipped;
      commit.reason = built.trouble;
      return Keep();
    }
    commit.digest = built.digest;
    Keep();
    if (const BisectCommit* known = Known(commit)) {
      BisectCommit answer = *known;
      answer.reason = "the executable of " + known->commit.substr(0, kShort);
      Enter(answer, index);
    } else {
      const std::string good = RequiredExecutable(bisection_.commits.front(), "good");
      Enter(MeasureStep(request_, bisection_, good, built.path, display_), index);
    }
    display_.Say(fmt::format("perfgate: {} is {} ({})", commit.commit.substr(0, kShort),
                             to_string(commit.answer), commit.reason));
    Keep();
  }

  // The parent and the commit side by side, unless the parent is the good end itself.
  bool IsConfirmed(const BisectRange& range) {
    BisectCommit& parent = bisection_.commits[range.last_good];
    BisectCommit& found = bisection_.commits[range.first_bad];
    if (parent.digest == bisection_.commits.front().digest) return true;
    display_.Say("perfgate: confirming " + found.commit.substr(0, kShort) + " against its parent");
    const std::string before = RequiredExecutable(parent, "last good");
    const std::string after = RequiredExecutable(found, "first bad");
    const BisectCommit direct = MeasureStep(request_, bisection_, before, after, display_);
    confirmation_ = fmt::format("; against its parent {:+.2f} %", 100 * direct.estimate);
    return direct.answer == BisectAnswer::kBad;
  }

  void Conclude() {
    const BisectRange range = RangeOf(Answers());
    const BisectCommit& found = bisection_.commits[range.first_bad];
    if (range.last_good + 1 < range.first_bad) {
      bisection_.conclusion = fmt::format(
          "one of {} commits made {} slower: those after {} up to {}; the ones between could not "
          "be judged",
          range.first_bad - range.last_good, bisection_.case_name,
          bisection_.commits[range.last_good].commit.substr(0, kShort),
          found.commit.substr(0, kShort));
      return;
    }
    const std::string name = found.commit.substr(0, kShort) + " " + found.subject;
    if (!IsConfirmed(range)) {
      bisection_.conclusion = name +
                              " is the first bad commit by the steps, and is not slower "
                              "than its parent" +
                              confirmation_ + ": several commits may have a part in it";
      return;
    }
    bisection_.first_bad = found.commit;
    bisection_.conclusion = fmt::format("{} made {} slower: {:+.2f} % against the good end{}", name,
                                        bisection_.case_name, 100 * found.estimate, confirmation_);
  }

  const BisectRequest& request_;
  GateDisplay& display_;
  Bisection bisection_;
  std::string file_;
  std::string confirmation_;
};

}  // namespace

Bisection Bisect(const BisectRequest& request, GateDisplay& display) {
  RequireRequest(request);
  return Running(request, display).Run();
}

Exit ExitOfBisection(const Bisection& bisection) {
  return bisection.first_bad.empty() ? Exit::kInconclusive : Exit::kPass;
}

}  // namespace perfgate::gate
