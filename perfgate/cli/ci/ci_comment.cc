// SPDX-License-Identifier: Apache-2.0
#include "perfgate/cli/ci/ci_comment.h"

#include <algorithm>
#include <cstdio>
#include <memory>

#include "perfgate/base/os/interrupt.h"
#include "perfgate/base/text/duration.h"
#include "perfgate/base/text/join.h"
#include "perfgate/ci/post/comment.h"
#include "perfgate/ci/post/comment_body.h"
#include "perfgate/ci/post/token.h"
#include "perfgate/cli/options/options.h"
#include "perfgate/report/markdown_report.h"
#include "perfgate/verdict/verdict_file.h"

namespace perfgate::cli {
namespace {

struct CommentCommand {
  std::vector<std::string> files;
  CommentOptions posting;
  bool none = false;
  bool keep_exit = false;
  std::string key;
};

ci::Host HostOf(const CommentOptions& options, const ci::CiSystem& system) {
  if (options.host == "github") return ci::Host::kGitHub;
  if (options.host == "gitlab") return ci::Host::kGitLab;
  if (system.host != ci::Host::kNone) return system.host;
  throw Error(Exit::kUsage, "this is no job of GitHub Actions or GitLab CI: give --host");
}

std::string First(const std::string& typed, const std::string& known) {
  return typed.empty() ? known : typed;
}

// What the verdicts themselves say, where all say the same.
std::string ChangeOf(std::span<const SuiteVerdict> verdicts) {
  if (verdicts.empty()) return "";
  const std::string& change = verdicts.front().change;
  const bool same = std::all_of(verdicts.begin(), verdicts.end(),
                                [&](const SuiteVerdict& v) { return v.change == change; });
  return same ? change : "";
}

// By default one comment for each set of suites.
std::string NameOf(std::span<const SuiteVerdict> verdicts) {
  std::string name;
  for (const SuiteVerdict& verdict : verdicts) AppendItem(name, verdict.suite, "\n");
  return name;
}

std::string ReportOf(std::span<const SuiteVerdict> verdicts) {
  if (verdicts.empty()) {
    return "There is no verdict: the run ended before anything was compared.\n";
  }
  std::string text;
  for (const SuiteVerdict& verdict : verdicts) {
    if (!text.empty()) text += "\n";
    text += report::markdown_report({&verdict, 1});
  }
  return text;
}

void RequireLink(const std::string& link) {
  const bool plain = std::all_of(link.begin(), link.end(), [](unsigned char c) {
    return c > ' ' && c < 127 && c != '(' && c != ')' && c != '<' && c != '>';
  });
  if (link.empty() || (plain && (link.starts_with("https://") || link.starts_with("http://")))) {
    return;
  }
  throw Error(Exit::kUsage, "--link " + link + ": expected an address that begins with https://");
}

Exit RunComment(const CommentCommand& command) {
  if (command.files.empty() != command.none) {
    throw Error(Exit::kUsage, "name verdict files, or give --none where the run made none");
  }
  if (command.none && command.posting.name.empty()) {
    throw Error(Exit::kUsage, "--none needs --name, the suite whose comment it is about");
  }
  const std::optional<SecretKey> key = KeyOf(command.key);
  std::vector<SuiteVerdict> verdicts;
  for (const std::string& file : command.files) {
    verdicts.push_back(ReadVerdict(file, key ? &*key : nullptr));
  }
  const InterruptScope interrupts;
  try {
    Post(command.posting, ci::CiSystemHere(), verdicts);
  } catch (const Error& error) {
    if (error.exit() == Exit::kUsage) throw;
    std::fprintf(stderr, "perfgate: warning: no comment: %s\n", error.what());
  }
  if (!command.keep_exit || verdicts.empty()) return Exit::kPass;
  // In the order of exit codes of a suite the worst is what the first failing job says.
  return std::find_if(verdicts.begin(), verdicts.end() - 1,
                      [](const SuiteVerdict& verdict) { return verdict.exit != Exit::kPass; })
      ->exit;
}

}  // namespace

void AddPostingOptions(CLI::App& app, CommentOptions& options) {
  const auto text = [&](const char* name, std::string& value, const char* help) {
    return app.add_option(name, value, help)->check(not_empty())->group(kPosting);
  };
  text("--token-file", options.token_file, "File of the token for the API; - for standard input");
  text("--host", options.host, "github or gitlab [as the CI system says]")
      ->check(CLI::IsMember({"github", "gitlab"}));
  text("--api", options.api, "Address of the API [as the CI system says]");
  text("--project", options.project,
       "OWNER/NAME, or the number of a GitLab project [as the CI system says]");
  text("--number", options.number,
       "Number of the pull or merge request [as the CI system, else the verdict says]");
  text("--head-sha", options.head,
       "Post only while the pull request is at this commit; needed where the job that measured "
       "could have been written to by a stranger");
  text("--name", options.name,
       "Comments with different names stand side by side [the names of the suites]");
  text("--author", options.author,
       "Account that the token belongs to; comments of others stay [found out]");
  text("--link", options.link, "Address of the run, for the comment [as the CI system says]");
  text("--patience", options.patience, "Longest wait for a host in trouble [60s]");
}

void Post(const CommentOptions& options, const ci::CiSystem& system,
          std::span<const SuiteVerdict> verdicts) {
  ci::ApiAccess access;
  access.host = HostOf(options, system);
  const std::string api = First(options.api, system.api);
  if (api.empty()) throw Error(Exit::kUsage, "--api is missing: the address of the host's API");
  access.address = ci::ParseAddress(api, "--api");
  ci::CommentPlace place{.project = First(options.project, system.project),
                         .number = First(options.number, First(system.change, ChangeOf(verdicts))),
                         .head = options.head,
                         .author = options.author};
  ci::RequirePlace(access.host, place);
  if (options.token_file.empty()) {
    throw Error(Exit::kUsage, "--token-file is missing: a file, or - for standard input");
  }
  access.token = ci::ReadToken(options.token_file);
  access.ca_file = system.ca_file;
  const std::string link = First(options.link, system.run_url);
  RequireLink(link);
  ci::Patience patience;
  patience.total_s = parse_duration_s(options.patience, "--patience");
  const std::string mark = ci::MarkOf(options.name.empty() ? NameOf(verdicts) : options.name);
  const std::string body =
      ci::CommentBody(mark, ReportOf(verdicts), link, ci::MostBytes(access.host));
  const std::string done = ci::PostComment(
      access, place, mark, body, patience,
      [](const std::string& text) { std::fprintf(stderr, "perfgate: %s\n", text.c_str()); });
  std::fprintf(stderr, "perfgate: %s\n", done.c_str());
}

Command AddComment(CLI::App& app) {
  auto command = std::make_shared<CommentCommand>();
  app.add_option("FILE", command->files, "Verdict files");
  app.add_flag("--none", command->none, "Say that the run has no verdict");
  app.add_flag("--keep-exit", command->keep_exit,
               "End with the exit code of the first verdict that does not pass [0]");
  AddPostingOptions(app, command->posting);
  AddKeyOption(app, command->key, "File of a key: post only verdicts that it signed, else exit 14");
  app.footer("Trouble with the host is a warning and changes no exit code.");
  return [command] { return RunComment(*command); };
}

}  // namespace perfgate::cli
