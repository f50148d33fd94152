// SPDX-License-Identifier: Apache-2.0
#include "perfgate/ci/revisions.h"

#include <vector>

#include "perfgate/base/error.h"
#include "perfgate/store/git_command.h"

namespace perfgate::ci {
namespace {

using store::Answer;
using store::AskRepository;
using store::FirstLine;

// The commit that a name stands for; empty: git knows none.
std::string Resolved(const std::string& repo, const std::string& name) {
  const Answer answer =
      AskRepository(repo, {"rev-parse", "--quiet", "--verify", "--end-of-options", name});
  return answer.ok ? FirstLine(answer.out) : "";
}

std::string ResolvedCommit(const std::string& repo, const std::string& name) {
  return Resolved(repo, name + "^{commit}");
}

// A missing ancestor proves nothing in a shallow clone: comparing with nothing would pass.
void RefuseShallow(const std::string& repo, const std::string& what) {
  const Answer answer = AskRepository(repo, {"rev-parse", "--is-shallow-repository"});
  if (FirstLine(answer.out) != "true") return;
  throw Error(Exit::kData, "this clone is shallow and " + what +
                               " is not in it. Fetch all commits: git fetch --unshallow (GitHub: "
                               "fetch-depth: 0, GitLab: GIT_DEPTH: 0)");
}

std::vector<std::string> RefsOf(const std::string& repo, const std::string& branch) {
  std::vector<std::string> refs;
  for (const std::string& ref : {"refs/remotes/origin/" + branch, "refs/heads/" + branch}) {
    if (!Resolved(repo, ref).empty()) refs.push_back(ref);
  }
  return refs;
}

// What origin/HEAD points at, else main, else master.
std::string DefaultBranch(const std::string& repo) {
  const Answer head =
      AskRepository(repo, {"symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD"});
  constexpr std::string_view kRemote = "origin/";
  const std::string name = FirstLine(head.out);
  if (head.ok && name.starts_with(kRemote)) return name.substr(kRemote.size());
  for (const char* usual : {"main", "master"}) {
    if (!RefsOf(repo, usual).empty()) return usual;
  }
  return "";
}

// Whether HEAD counts as the branch: checked out by name, or detached at its tip.
bool IsOn(const std::string& repo, const std::string& branch) {
  const Answer current = AskRepository(repo, {"symbolic-ref", "--quiet", "--short", "HEAD"});
  if (current.ok) return FirstLine(current.out) == branch;
  const std::string head = Resolved(repo, "HEAD");
  for (const std::string& ref : RefsOf(repo, branch)) {
    if (Resolved(repo, ref) == head) return true;
  }
  return false;
}

bool IsDirty(const std::string& repo) {
  return !AskRepository(repo, {"status", "--porcelain", "--untracked-files=normal"}).out.empty();
}

Base BaseOnBranch(const std::string& repo, const std::string& branch) {
  if (IsDirty(repo)) {
    return {ResolvedCommit(repo, "HEAD"), "HEAD, as there are uncommitted changes on " + branch};
  }
  const std::string parent = ResolvedCommit(repo, "HEAD~1");
  if (parent.empty()) {
    RefuseShallow(repo, "HEAD~1");
    return {"", "there is no earlier commit"};
  }
  return {parent, "HEAD~1, as there are no changes on " + branch};
}

}  // namespace

Base ChooseBase(const std::string& repo, const std::string& named, const std::string& target) {
  const Answer git = AskRepository(repo, {"rev-parse", "--git-dir"});
  if (!git.ok) throw Error(Exit::kData, repo + " is no repository of git: " + git.complaint);
  if (!named.empty()) {
    const std::string commit = ResolvedCommit(repo, named);
    if (commit.empty()) {
      RefuseShallow(repo, named);
      throw Error(Exit::kUsage, "--base " + named + ": git knows no such revision here");
    }
    return {commit, named};
  }
  if (Resolved(repo, "HEAD").empty()) return {"", "there is no commit yet"};
  const std::string branch = target.empty() ? DefaultBranch(repo) : target;
  if (branch.empty()) {
    throw Error(Exit::kData,
                "no default branch was found (origin/HEAD, main or master); name --base REV");
  }
  if (IsOn(repo, branch)) return BaseOnBranch(repo, branch);
  const std::vector<std::string> refs = RefsOf(repo, branch);
  if (refs.empty()) {
    throw Error(Exit::kData, "the branch " + branch + " is not here; fetch it (git fetch origin " +
                                 branch + "), or name --base REV");
  }
  // With two refs git takes the best common ancestor with either, so a stale one does no harm.
  std::vector<std::string> question = {"merge-base", "HEAD"};
  question.insert(question.end(), refs.begin(), refs.end());
  const Answer ancestor = AskRepository(repo, question);
  if (ancestor.ok) return {FirstLine(ancestor.out), "merge base with " + branch};
  RefuseShallow(repo, "the merge base with " + branch);
  throw Error(Exit::kData, "HEAD and " + branch + " have no common ancestor; name --base REV");
}

std::string CommitOf(const std::string& repo, const std::string& revision,
                     const std::string& option) {
  const std::string commit = ResolvedCommit(repo, revision);
  if (!commit.empty()) return commit;
  throw Error(Exit::kData, option + " " + revision + ": git knows no such commit here; fetch it");
}

std::optional<std::string> FileAt(const std::string& repo, const std::string& commit,
                                  const std::string& path) {
  const Answer kind = AskRepository(repo, {"ls-tree", "--full-tree", "-z", commit, "--", path});
  // "100644 blob <id>\t<path>": a link or a folder is no file.
  if (!kind.ok || !kind.out.starts_with("100")) return std::nullopt;
  std::string object = commit;
  object.append(":").append(path);
  const Answer file = AskRepository(repo, {"cat-file", "blob", object});
  if (!file.ok) return std::nullopt;
  return file.out;
}

bool NamesTarget(const std::string& repo, const std::string& commit, const std::string& target) {
  std::vector<std::string> question = {"grep", "--quiet", "--word-regexp", "--fixed-strings"};
  if (commit.empty()) question.emplace_back("--untracked");
  question.insert(question.end(), {"-e", target});
  if (!commit.empty()) question.push_back(commit);
  question.insert(question.end(), {"--", "*CMakeLists.txt", "*.cmake"});
  return AskRepository(repo, question).ok;
}

}  // namespace perfgate::ci
