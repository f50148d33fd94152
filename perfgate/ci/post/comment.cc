// SPDX-License-Identifier: Apache-2.0
#include "perfgate/ci/post/comment.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include "perfgate/base/os/waiting.h"
#include "perfgate/base/text/duration.h"

namespace perfgate::ci {
namespace {

using nlohmann::json;

constexpr int kPage = 100;
constexpr int kMostPages = 50;
constexpr int kGone = 404;

struct Found {
  std::string id{};
  std::string body{};
};

std::string TextIn(const json& object, const char* key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  return object.is_object() && found != object.end() && found->is_string()
             ? found->get<std::string>()
             : "";
}

std::string IdIn(const json& object) {
  const auto found = object.is_object() ? object.find("id") : object.end();
  return object.is_object() && found != object.end() && found->is_number_integer()
             ? std::to_string(found->get<std::int64_t>())
             : "";
}

json PartOf(const json& object, const char* key) {
  return object.is_object() && object.contains(key) ? object[key] : json();
}

// "group/name" as one step of a path.
std::string Escaped(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '/' ? "%2F" : std::string(1, c);
  return result;
}

class Comments {
 public:
  Comments(const ApiAccess& access, const CommentPlace& place) : access_(access), place_(place) {}

  std::string Post(const std::string& mark, const std::string& body) {
    RequireHead();
    FindAuthor();
    const std::optional<Found> ours = Find(mark);
    if (ours && ours->body == body)
      return "comment " + ours->id + " on " + Name() + " is up to date";
    if (ours) {
      try {
        Update(ours->id, body);
        return "updated comment " + ours->id + " on " + Name();
      } catch (const ApiTrouble& trouble) {
        if (trouble.status() != kGone) throw;  // somebody removed it meanwhile
      }
    }
    const ApiAnswer made = CallApi(access_, "POST", List(), {{"body", body}});
    return "made comment " + IdIn(made.json) + " on " + Name();
  }

 private:
  bool IsGitHub() const { return access_.host == Host::kGitHub; }
  std::string Name() const { return place_.project + (IsGitHub() ? "#" : "!") + place_.number; }

  std::string Project() const {
    return IsGitHub() ? "/repos/" + place_.project : "/projects/" + Escaped(place_.project);
  }
  std::string Change() const {
    return Project() + (IsGitHub() ? "/pulls/" : "/merge_requests/") + place_.number;
  }
  std::string List() const {
    return IsGitHub() ? Project() + "/issues/" + place_.number + "/comments" : Change() + "/notes";
  }

  void RequireHead() const {
    if (place_.head.empty()) return;
    const json change = CallApi(access_, "GET", Change()).json;
    const std::string head =
        IsGitHub() ? TextIn(PartOf(change, "head"), "sha") : TextIn(change, "sha");
    if (head == place_.head) return;
    throw ApiTrouble(Name() + " is at " + (head.empty() ? "no known commit" : head) +
                         " and the verdict is on " + place_.head + ": nothing was posted",
                     0, false, -1);
  }

  // The token of a job of GitHub Actions cannot ask who it is.
  void FindAuthor() {
    author_ = place_.author;
    if (!author_.empty()) return;
    try {
      author_ = TextIn(CallApi(access_, "GET", "/user").json, IsGitHub() ? "login" : "username");
    } catch (const ApiTrouble& trouble) {
      if (trouble.passes()) throw;
    }
    if (author_.empty() && IsGitHub()) author_ = "github-actions[bot]";
    if (author_.empty()) {
      throw ApiTrouble("the host does not say whose token this is; give --author NAME", 0, false,
                       -1);
    }
  }

  std::optional<Found> Find(const std::string& mark) const {
    for (int page = 1; page <= kMostPages; ++page) {
      const std::string query =
          "?per_page=" + std::to_string(kPage) + "&page=" + std::to_string(page);
      const json list = CallApi(access_, "GET", List() + query).json;
      if (!list.is_array()) {
        throw ApiTrouble("GET " + List() + ": the answer is no list of comments", 0, false, -1);
      }
      for (const json& comment : list) {
        const std::string author = IsGitHub() ? TextIn(PartOf(comment, "user"), "login")
                                              : TextIn(PartOf(comment, "author"), "username");
        const std::string body = TextIn(comment, "body");
        const std::string id = IdIn(comment);
        if (!id.empty() && author == author_ && body.starts_with(mark)) return Found{id, body};
      }
      if (list.size() < kPage) return std::nullopt;
    }
    return std::nullopt;
  }

  void Update(const std::string& id, const std::string& body) const {
    const json content = {{"body", body}};
    if (IsGitHub()) {
      CallApi(access_, "PATCH", Project() + "/issues/comments/" + id, content);
    } else {
      CallApi(access_, "PUT", List() + "/" + id, content);
    }
  }

  const ApiAccess& access_;
  const CommentPlace& place_;
  std::string author_;
};

bool IsPlainName(const std::string& text) {
  return !text.empty() && text != "." && text != ".." &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.';
         });
}

bool IsProject(Host host, const std::string& text) {
  std::size_t parts = 0;
  for (std::size_t at = 0; at <= text.size(); ++parts) {
    const std::size_t end = std::min(text.find('/', at), text.size());
    if (!IsPlainName(text.substr(at, end - at))) return false;
    at = end + 1;
  }
  return host == Host::kGitLab || parts == 2;
}

}  // namespace

void RequirePlace(Host host, const CommentPlace& place) {
  if (!IsProject(host, place.project)) {
    throw Error(Exit::kUsage,
                "--project '" + place.project + "': expected " +
                    (host == Host::kGitHub ? "OWNER/NAME" : "the number or path of a project"));
  }
  constexpr std::size_t kLongest = 12;
  if (place.number.empty() || place.number.size() > kLongest ||
      place.number.find_first_not_of("0123456789") != std::string::npos) {
    throw Error(Exit::kUsage,
                "--number '" + place.number + "': expected the number of a pull or merge request");
  }
}

std::size_t MostBytes(Host host) {
  constexpr std::size_t kGitHubMost = 65536;
  constexpr std::size_t kGitLabMost = 1000000;
  return host == Host::kGitHub ? kGitHubMost : kGitLabMost;
}

// The whole of finding and writing is tried again: a call without an answer may have worked.
std::string PostComment(const ApiAccess& access, const CommentPlace& place, const std::string& mark,
                        const std::string& body, const Patience& patience,
                        const std::function<void(const std::string&)>& say) {
  double left_s = patience.total_s;
  double next_s = 1;
  for (int attempt = 1;; ++attempt, next_s *= 2) {
    try {
      return Comments(access, place).Post(mark, body);
    } catch (const ApiTrouble& trouble) {
      const double wait_s = trouble.wait_s() >= 0 ? trouble.wait_s() : next_s;
      if (!trouble.passes() || attempt >= patience.tries || wait_s > left_s) throw;
      say(std::string(trouble.what()) + "; trying again in " + seconds_text(wait_s));
      left_s -= wait_s;
      sleep_for(wait_s);
    }
  }
}

}  // namespace perfgate::ci
