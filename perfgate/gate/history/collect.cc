// SPDX-License-Identifier: Apache-2.0
#include "perfgate/gate/history/collect.h"

#include <algorithm>
#include <filesystem>
#include <regex>

#include "perfgate/base/error.h"
#include "perfgate/base/io/input_file.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/evidence/files/input_kinds.h"
#include "perfgate/evidence/signature.h"
#include "perfgate/gate/recorded/store_folder.h"
#include "perfgate/store/git.h"
#include "perfgate/verdict/verdict_file.h"

namespace perfgate::gate {
namespace {

namespace fs = std::filesystem;

using Observations = std::vector<Observation>;

void Append(Observations more, Observations& all) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

const SecretKey* SignerOf(const HistoryRequest& request) {
  return request.key ? &*request.key : nullptr;
}

Observations OfFile(const std::string& file, const std::string& format,
                    const HistoryRequest& request) {
  const HistorySource source = {file, store::CommitThatAdded(file).value_or("")};
  if (format == "verdict") return ObservationsOf(ReadVerdict(file, SignerOf(request), {}), source);
  if (format == "session") return ObservationsOf(read_session(file, SignerOf(request)), source);
  const std::string text = ReadInputFile(file, kEvidenceFile);
  RequireSignature(text, file, SignerOf(request));
  return ObservationsOf(recorded_from_json(text, file), source);
}

bool IsReadable(const std::string& format) {
  return format == "verdict" || format == "session" || format == "recorded";
}

// A folder holds other things as well; only what says that it is perfgate's is looked at.
void ReadFolder(const std::string& folder, const HistoryRequest& request, Observations& all) {
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && entry.path().extension() == ".json") {
      files.push_back(entry.path().string());
    }
  }
  std::sort(files.begin(), files.end());
  constexpr std::size_t kHead = 200;
  for (const std::string& file : files) {
    if (ReadInputHead(file, kHead).find("\"perfgate-") == std::string::npos) continue;
    const std::string format = file_format(file);
    if (IsReadable(format)) Append(OfFile(file, format, request), all);
  }
}

void ReadStore(const std::string& name, const HistoryRequest& request, Observations& all) {
  const StoreFolder folder(name);
  const std::vector<store::SuiteFolder> suites = store::list_suites(folder.path());
  if (suites.empty()) return ReadFolder(folder.path(), request, all);
  for (const store::SuiteFolder& suite : suites) {
    if (!request.suite.empty() && suite.suite != request.suite) continue;
    for (const store::StoredFile& file : store::read_baseline(suite, SignerOf(request)).sessions) {
      Append(ObservationsOf(file.session, {file.name, {}}), all);
    }
  }
}

void ReadSource(const std::string& name, const HistoryRequest& request, Observations& all) {
  if (NamesStore(name)) return ReadStore(name, request, all);
  const std::string format = file_format(name);
  if (!IsReadable(format)) {
    throw Error(Exit::kData, name + " is a " + format +
                                 " file; a history is made of sessions, verdicts and baselines");
  }
  Append(OfFile(name, format, request), all);
}

void Narrow(const HistoryRequest& request, Observations& all) {
  std::regex filter;
  try {
    filter = std::regex(request.filter, std::regex::ECMAScript | std::regex::optimize);
  } catch (const std::regex_error& error) {
    throw Error(Exit::kUsage, "--filter '" + request.filter + "' is not a regular expression (" +
                                  error.what() + ")");
  }
  std::erase_if(all, [&](const Observation& one) {
    return (!request.suite.empty() && one.suite != request.suite) ||
           (!request.machine_class.empty() && one.machine_class != request.machine_class) ||
           (!request.filter.empty() && !std::regex_search(one.case_name, filter));
  });
}

}  // namespace

History CollectHistory(const HistoryRequest& request) {
  Observations all;
  for (const std::string& source : request.sources) ReadSource(source, request, all);
  Narrow(request, all);
  if (all.empty()) throw Error(Exit::kData, "no recorded value of what is asked for");
  HistoryRule rule = request.rule;
  if (!request.along.empty()) rule.commits = store::FirstParents(request.along);
  return BuildHistory(all, rule, "perfgate " PERFGATE_VERSION);
}

}  // namespace perfgate::gate
