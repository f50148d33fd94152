// SPDX-License-Identifier: Apache-2.0
#include "perfgate/ci/post/api.h"

#include <charconv>
#include <chrono>
#include <optional>

#include "perfgate/base/text/one_line.h"

namespace perfgate::ci {
namespace {

constexpr int kUnauthorized = 401;
constexpr int kForbidden = 403;
constexpr int kNotFound = 404;
constexpr int kRequestTimeout = 408;
constexpr int kTooMany = 429;
constexpr int kServerFault = 500;

std::optional<double> NumberOf(const HttpAnswer& answer, const char* header) {
  const auto found = answer.headers.find(header);
  if (found == answer.headers.end()) return std::nullopt;
  const std::string& text = found->second;
  long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return static_cast<double>(value);
}

// Seconds that the host asks to wait; negative: it does not say.
double WaitOf(const HttpAnswer& answer) {
  if (const auto wait_s = NumberOf(answer, "retry-after")) return *wait_s;
  const auto left = NumberOf(answer, "x-ratelimit-remaining");
  const auto reset = NumberOf(answer, "x-ratelimit-reset");
  if (left && *left <= 0 && reset) {
    const std::chrono::duration<double> now = std::chrono::system_clock::now().time_since_epoch();
    return std::max(0.0, *reset - now.count());
  }
  return -1;
}

// GitHub answers 403 as well where calls are too many.
bool IsRateLimit(const HttpAnswer& answer) {
  if (answer.status == kTooMany) return true;
  return answer.status == kForbidden && WaitOf(answer) >= 0;
}

std::string AdviceOn(const ApiAccess& access, const HttpAnswer& answer) {
  const bool github = access.host == Host::kGitHub;
  if (IsRateLimit(answer)) return "too many calls; the host refuses more for now";
  switch (answer.status) {
    case kUnauthorized:
      return "the token is not valid, or has expired";
    case kForbidden:
      return github ? "the token may not do this; the job needs `permissions: pull-requests: "
                      "write`, which runs for forks do not get"
                    : "the token may not do this; it needs the scope api and the role Reporter";
    case kNotFound:
      return "there is no such repository, change or comment, or the token may not see it";
    default:
      return answer.status >= kServerFault ? "the host is in trouble" : "the call was refused";
  }
}

// What the host itself says.
std::string MessageIn(const HttpAnswer& answer) {
  constexpr std::size_t kLongest = 200;
  const auto json = nlohmann::json::parse(answer.body, nullptr, false);
  if (!json.is_object() || !json.contains("message")) return "";
  const nlohmann::json& message = json["message"];
  return one_line_tail(message.is_string() ? message.get<std::string>() : message.dump(), kLongest);
}

HttpRequest RequestOf(const ApiAccess& access, const std::string& method, const std::string& target,
                      const nlohmann::json& body) {
  HttpRequest request{.method = method, .target = target};
  if (access.host == Host::kGitHub) {
    request.headers = {{"Authorization", "Bearer " + access.token},
                       {"Accept", "application/vnd.github+json"},
                       {"X-GitHub-Api-Version", "2022-11-28"}};
  } else {
    request.headers = {{"PRIVATE-TOKEN", access.token}, {"Accept", "application/json"}};
  }
  if (!body.is_null()) {
    request.headers.emplace_back("Content-Type", "application/json");
    request.body = body.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  }
  return request;
}

}  // namespace

ApiAnswer CallApi(const ApiAccess& access, const std::string& method, const std::string& target,
                  const nlohmann::json& body) {
  const std::string call = method + " " + target.substr(0, target.find('?'));
  HttpAnswer answer;
  try {
    answer = Exchange(access.address, RequestOf(access, method, target, body), access.limit_s,
                      access.ca_file);
  } catch (const Error& error) {
    throw ApiTrouble(call + ": " + error.what(), 0, true, -1);
  }
  constexpr int kFirstGood = 200;
  constexpr int kFirstRedirect = 300;
  if (answer.status < kFirstGood || answer.status >= kFirstRedirect) {
    const bool passes =
        IsRateLimit(answer) || answer.status >= kServerFault || answer.status == kRequestTimeout;
    std::string text =
        call + ": " + std::to_string(answer.status) + ", " + AdviceOn(access, answer);
    const std::string message = MessageIn(answer);
    if (!message.empty()) text += " (" + message + ")";
    throw ApiTrouble(text, answer.status, passes, WaitOf(answer));
  }
  ApiAnswer result{.status = answer.status};
  result.json = nlohmann::json::parse(answer.body, nullptr, false);
  if (result.json.is_discarded()) {
    throw ApiTrouble(call + ": the answer is no JSON", answer.status, false, -1);
  }
  return result;
}

}  // namespace perfgate::ci
