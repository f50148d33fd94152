// SPDX-License-Identifier: Apache-2.0
#include "perfgate/gate/arm_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <regex>
#include <string_view>

#include "perfgate/base/error.h"
#include "perfgate/base/text/shell_words.h"
#include "perfgate/measure/listing.h"

namespace perfgate::gate {
namespace {

// Perfgate passes these itself; a second one would win or lose by its place.
constexpr std::array<std::string_view, 12> kOwnArguments = {
    "--benchmark_filter",      "--benchmark_out",      "--benchmark_out_format",
    "--benchmark_list_tests",  "--benchmark_min_time", "--benchmark_min_warmup_time",
    "--benchmark_repetitions", "--benchmark_format",   "--benchmark_enable_random_interleaving",
    "--perfgate_worker",       "--perfgate_inspect",   "--benchmark_dry_run",
};

void CheckArgument(const std::string& argument, const std::string& option) {
  const std::string name = argument.substr(0, argument.find('='));
  if (std::find(kOwnArguments.begin(), kOwnArguments.end(), name) == kOwnArguments.end()) return;
  throw Error(Exit::kUsage, option + ": perfgate passes " + name +
                                " itself; leave it out, and choose cases with --filter");
}

NamedValue VariableOf(const std::string& text, const std::string& option) {
  const std::size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  const bool named = equals != std::string::npos && !name.empty() &&
                     std::all_of(name.begin(), name.end(),
                                 [](unsigned char c) {
                                   return c == '_' || (c >= '0' && c <= '9') ||
                                          ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
                                 }) &&
                     !(name[0] >= '0' && name[0] <= '9');
  if (!named) throw Error(Exit::kUsage, option + " '" + text + "': expected NAME=VALUE");
  if (name.starts_with("LD_") || name.starts_with("GLIBC_TUNABLES")) {
    throw Error(Exit::kUsage,
                option + ": " + name +
                    " changes which code is loaded, and the identity of an arm would no longer be "
                    "that of its files; build two executables instead");
  }
  if (name.starts_with("PERFGATE_")) {
    throw Error(Exit::kUsage, option + ": " + name + " is perfgate's own");
  }
  return {name, text.substr(equals + 1)};
}

std::regex ExpressionOf(const std::string& text) {
  try {
    return std::regex(text);
  } catch (const std::regex_error& error) {
    throw Error(Exit::kUsage, "--baseline-filter '" + text + "': " + error.what());
  }
}

std::string Expand(const std::string& text, const std::smatch& match) {
  std::string name;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escapes = text[i] == '\\' && i + 1 < text.size();
    if (escapes) ++i;
    if (escapes && text[i] >= '0' && text[i] <= '9') {
      name += match[static_cast<std::size_t>(text[i] - '0')].str();
    } else {
      name += text[i];
    }
  }
  return name;
}

std::vector<std::string> CaseNamesOf(const measure::Listing& listing) {
  std::vector<std::string> names;
  names.reserve(listing.cases.size());
  for (const CaseInfo& info : listing.cases) names.push_back(info.name);
  return names;
}

}  // namespace

CaseRenaming::CaseRenaming(const CasePairs& pairs) : pairs_(pairs) {
  if (pairs.baseline.empty() || pairs.candidate.empty()) {
    throw Error(Exit::kUsage,
                "--baseline-filter and --candidate-filter go together: the first matches cases, "
                "the second names what each is compared with, as in 'BM_Old/(.*)' and "
                "'BM_New/\\1'; to choose cases of both arms use --filter");
  }
  const std::size_t groups = ExpressionOf(pairs.baseline).mark_count();
  for (std::size_t i = 0; i + 1 < pairs.candidate.size(); ++i) {
    if (pairs.candidate[i] != '\\') continue;
    const char digit = pairs.candidate[++i];
    if (digit < '0' || digit > '9' || static_cast<std::size_t>(digit - '0') <= groups) continue;
    throw Error(Exit::kUsage, std::string("--candidate-filter: \\") + digit + " is no group of '" +
                                  pairs.baseline + "', which has " + std::to_string(groups));
  }
}

std::vector<std::string> CaseRenaming::CandidatesOf(const std::vector<std::string>& names) const {
  const std::regex expression = ExpressionOf(pairs_.baseline);
  std::vector<std::string> candidates;
  std::map<std::string, std::string> taken;
  for (const std::string& name : names) {
    std::smatch match;
    std::string& candidate = candidates.emplace_back();
    if (!std::regex_match(name, match, expression)) continue;
    candidate = Expand(pairs_.candidate, match);
    const auto [other, added] = taken.try_emplace(candidate, name);
    if (added) continue;
    throw Error(Exit::kUsage,
                fmt::format("--candidate-filter: {} and {} would both be compared with {}",
                            other->second, name, candidate));
  }
  if (taken.empty()) {
    throw Error(Exit::kUsage,
                "--baseline-filter '" + pairs_.baseline + "' matches the whole name of no case");
  }
  return candidates;
}

void ApplySettings(const ArmSettings& settings, measure::ArmPlan& arm) {
  const std::string option = "--" + arm.label;
  arm.arguments = SplitShellWords(settings.arguments, option + "-args");
  for (const std::string& argument : arm.arguments) CheckArgument(argument, option + "-args");
  for (const std::string& text : settings.environment) {
    const NamedValue variable = VariableOf(text, option + "-env");
    for (const auto& other : arm.environment) {
      if (other.first == variable.name) {
        throw Error(Exit::kUsage, option + "-env: " + variable.name + " is given twice");
      }
    }
    arm.environment.emplace_back(variable.name, variable.value);
  }
}

void ApplyCasePairs(const CasePairs& pairs, measure::ArmPlan& baseline,
                    measure::ArmPlan& candidate) {
  if (pairs.empty()) return;
  const auto renaming = std::make_shared<const CaseRenaming>(pairs);
  // Name of the candidate's case to that of the baseline's; filled when the baseline is shown,
  // which is before the candidate is.
  const auto wanted = std::make_shared<std::map<std::string, std::string>>();
  baseline.cases = pairs.baseline;
  candidate.cases = pairs.candidate;
  baseline.view = [renaming, wanted](const measure::Listing& listing) {
    const std::vector<std::string> names = CaseNamesOf(listing);
    const std::vector<std::string> candidates = renaming->CandidatesOf(names);
    std::vector<measure::ShownCase> shown;
    for (std::size_t id = 0; id < names.size(); ++id) {
      if (candidates[id].empty()) continue;
      shown.push_back({names[id], id});
      wanted->emplace(candidates[id], names[id]);
    }
    return shown;
  };
  candidate.view = [wanted](const measure::Listing& listing) {
    const std::vector<std::string> names = CaseNamesOf(listing);
    std::vector<measure::ShownCase> shown;
    for (std::size_t id = 0; id < names.size(); ++id) {
      const auto found = wanted->find(names[id]);
      if (found != wanted->end()) shown.push_back({found->second, id});
    }
    return shown;
  };
}

std::string SettingsText(const measure::ArmPlan& arm) {
  std::string text;
  for (const std::string& argument : arm.arguments) {
    text.append("argument ").append(argument).append("\n");
  }
  for (const auto& [name, value] : arm.environment) {
    text.append("variable ").append(name).append("=").append(value).append("\n");
  }
  if (!arm.cases.empty()) text.append("cases ").append(arm.cases).append("\n");
  return text;
}

}  // namespace perfgate::gate
