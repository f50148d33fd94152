// SPDX-License-Identifier: Apache-2.0
#include "perfgate/store/baseline_store.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>

#include "perfgate/base/error.h"
#include "perfgate/base/io/atomic_file.h"
#include "perfgate/base/json/json_cursor.h"
#include "perfgate/base/sha256.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/evidence/files/input_kinds.h"
#include "perfgate/store/folder_lock.h"
#include "perfgate/store/signed_chain.h"

namespace perfgate::store {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kChain = "chain.jsonl";
constexpr const char* kPolicy = "policy.json";
constexpr const char* kSessions = "sessions";

// Suites become folders, so their names must be one plain path element.
void require_plain_name(const std::string& name, const char* what) {
  const bool plain = !name.empty() && name.front() != '.' && name.size() <= 120 &&
                     std::all_of(name.begin(), name.end(), [](char c) {
                       return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                              (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
                     });
  if (plain) return;
  throw Error(Exit::kUsage, std::string(what) + " \"" + name +
                                "\" cannot be a folder; use letters, digits, '-', '_' and '.'");
}

struct Listed {
  std::string name;
  std::string digest;
  std::string id;
};

// What the chain leaves standing.
std::vector<Listed> listed_sessions(const Chain& chain, const std::string& path) {
  std::vector<Listed> sessions;
  for (const ChainEntry& entry : chain.entries) {
    const std::string where = path + ":" + std::to_string(entry.seq);
    const JsonCursor body(entry.body, where, "/body");
    const std::string action = body.at("do").text();
    if (action == "create") continue;
    const std::string name = body.at("file").text();
    const auto found = std::find_if(sessions.begin(), sessions.end(),
                                    [&](const Listed& listed) { return listed.name == name; });
    if (action == "add") {
      const fs::path file(name);
      if (file.is_absolute() || file.parent_path() != kSessions || file.filename() == "..") {
        body.at("file").invalid("\"" + name + "\" is not in sessions/");
      }
      if (found != sessions.end()) throw Error(Exit::kInvalid, where + ": adds it a second time");
      sessions.push_back({name, body.at("digest").text(), body.at("id").text()});
    } else if (action == "remove") {
      if (found == sessions.end())
        throw Error(Exit::kInvalid, where + ": removes what is not there");
      sessions.erase(found);
    } else {
      body.at("do").refuse(R"("create", "add" or "remove")");
    }
  }
  return sessions;
}

std::vector<std::string> session_files(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder / kSessions, error)) {
    names.push_back(std::string(kSessions) + "/" + entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> unlisted_files(const fs::path& folder, const std::vector<Listed>& listed) {
  std::set<std::string> known;
  for (const Listed& session : listed) known.insert(session.name);
  std::vector<std::string> unknown;
  for (std::string& name : session_files(folder)) {
    if (!known.contains(name)) unknown.push_back(std::move(name));
  }
  return unknown;
}

StoredFile read_stored(const fs::path& folder, const Listed& listed, const SuiteFolder& suite) {
  const std::string path = (folder / listed.name).string();
  std::error_code error;
  if (!fs::exists(path, error)) {
    throw Error(Exit::kInvalid, path + ": the chain lists this session, but the file is gone; " +
                                    "restore it, or strike it off with `perfgate baseline prune`");
  }
  const std::string text = ReadInputFile(path, kSessionFile);
  if (sha256_digest(text) != listed.digest) {
    throw Error(Exit::kInvalid, path +
                                    ": digest mismatch: the file is not the one that was "
                                    "recorded; restore it from a revision that is whole");
  }
  StoredFile file{listed.name, listed.digest, recorded_from_json(text, path)};
  if (file.session.machine_class != suite.machine_class || file.session.suite != suite.suite) {
    throw Error(Exit::kInvalid, path + ": is a session of " + file.session.machine_class + "/" +
                                    file.session.suite + ", not of the folder it lies in");
  }
  return file;
}

// "2026-11-21T07:00:00Z" as a file name.
std::string file_stamp(const std::string& started) {
  std::string stamp;
  for (const char c : started) {
    if ((c >= '0' && c <= '9') || c == 'T' || c == 'Z') stamp += c;
  }
  return stamp.empty() ? "undated" : stamp;
}

std::string DigestOfPolicy(const fs::path& folder) {
  std::error_code error;
  const fs::path path = folder / kPolicy;
  if (fs::symlink_status(path, error).type() == fs::file_type::not_found) return "";
  return sha256_digest(ReadInputFile(path.string(), kPolicyFile));
}

// The signed lines say which policy the sessions were recorded beside.
void RequireSignedPolicy(const fs::path& folder, const Chain& chain) {
  const std::string path = (folder / kChain).string();
  if (chain.entries.empty()) {
    throw Error(Exit::kInvalid, path + ": there is no signed line; record the baseline with --key");
  }
  for (auto entry = chain.entries.rbegin(); entry != chain.entries.rend(); ++entry) {
    const JsonCursor body(entry->body, path, "/body");
    const auto policy = body.find("policy");
    if (!policy) continue;
    if (policy->text() == DigestOfPolicy(folder)) return;
    throw Error(Exit::kInvalid,
                (folder / kPolicy).string() +
                    ": was changed, added or removed after the last session was recorded; restore "
                    "it, or record a session with --key beside the new one");
  }
  throw Error(Exit::kInvalid, path + ": no signed line says which policy belongs to it");
}

void make_folders(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw Error(Exit::kData, folder.string() + ": cannot be created: " + error.message());
}

}  // namespace

std::vector<SuiteFolder> list_suites(const std::string& root) {
  std::error_code error;
  if (!fs::is_directory(root, error)) {
    throw Error(Exit::kData,
                root + ": there is no such folder; `perfgate baseline record` makes one");
  }
  std::vector<SuiteFolder> suites;
  for (const auto& machine : fs::directory_iterator(root)) {
    if (!machine.is_directory()) continue;
    for (const auto& suite : fs::directory_iterator(machine.path())) {
      if (!fs::exists(suite.path() / kChain, error)) continue;
      suites.push_back({machine.path().filename().string(), suite.path().filename().string(),
                        suite.path().string()});
    }
  }
  std::sort(suites.begin(), suites.end(),
            [](const SuiteFolder& a, const SuiteFolder& b) { return a.folder < b.folder; });
  return suites;
}

Baseline read_baseline(const SuiteFolder& suite, const SecretKey* key) {
  Baseline baseline;
  baseline.folder = suite.folder;
  baseline.machine_class = suite.machine_class;
  baseline.suite = suite.suite;
  const fs::path folder(suite.folder);
  const std::string chain_path = (folder / kChain).string();
  const Chain chain = ReadSignedChain(chain_path, key);
  if (key != nullptr) RequireSignedPolicy(folder, chain);
  const std::vector<Listed> listed = listed_sessions(chain, chain_path);
  baseline.head = chain.head;
  for (const Listed& session : listed) {
    baseline.sessions.push_back(read_stored(folder, session, suite));
  }
  for (const std::string& name : unlisted_files(folder, listed)) {
    baseline.notes.push_back((folder / name).string() +
                             ": not in the chain and not counted: a recording that was not "
                             "finished, or a file put there by hand");
  }
  if (chain.torn) {
    baseline.notes.push_back(chain_path + ": ends in a torn line, which is not counted");
  }
  std::error_code error;
  if (fs::exists(folder / kPolicy, error)) baseline.policy = read_policy(folder / kPolicy);
  return baseline;
}

std::string append_session(const std::string& root, const RecordedSession& session,
                           const SecretKey* key) {
  require_plain_name(session.machine_class, "machine class");
  require_plain_name(session.suite, "suite");
  const fs::path folder = fs::path(root) / session.machine_class / session.suite;
  make_folders(folder / kSessions);
  const FolderLock lock(folder.string());
  const std::string chain_path = (folder / kChain).string();
  const Chain chain = ReadSignedChain(chain_path, key);
  for (const Listed& listed : listed_sessions(chain, chain_path)) {
    if (listed.id == session.id) {
      throw Error(Exit::kInvalid, chain_path + ": already has session " + session.id);
    }
  }
  if (chain.entries.empty()) {
    // Written before any session, so that sessions without a chain are sessions that lost it.
    if (!session_files(folder).empty()) {
      throw Error(Exit::kInvalid, chain_path +
                                      ": is missing although there are sessions; restore "
                                      "it from a revision that is whole");
    }
    AppendToSignedChain(
        chain_path,
        {{"do", "create"}, {"machine_class", session.machine_class}, {"suite", session.suite}},
        key);
  }
  const std::string name =
      std::string(kSessions) + "/" + file_stamp(session.started) + "-" + session.id + ".json";
  const std::string text = recorded_to_json(session);
  write_file_atomically((folder / name).string(), text);
  json line = {{"do", "add"},
               {"file", name},
               {"digest", sha256_digest(text)},
               {"id", session.id},
               {"executable", session.executable.digest},
               {"commit", session.commit}};
  if (key != nullptr) line["policy"] = DigestOfPolicy(folder);
  AppendToSignedChain(chain_path, line, key);
  return (folder / name).string();
}

Pruned prune(const SuiteFolder& suite, std::size_t keep, const SecretKey* key) {
  const fs::path folder(suite.folder);
  const FolderLock lock(suite.folder);
  const std::string chain_path = (folder / kChain).string();
  const std::vector<Listed> listed = listed_sessions(ReadSignedChain(chain_path, key), chain_path);
  Pruned pruned;
  for (std::size_t i = 0; i + keep < listed.size(); ++i) {
    AppendToSignedChain(chain_path,
                        {{"do", "remove"},
                         {"file", listed[i].name},
                         {"digest", listed[i].digest},
                         {"id", listed[i].id}},
                        key);
    pruned.removed.push_back(listed[i].name);
  }
  const std::vector<Listed> left = listed_sessions(ReadSignedChain(chain_path, key), chain_path);
  for (const std::string& name : unlisted_files(folder, left)) {
    std::error_code error;
    if (!fs::remove(folder / name, error) && error) {
      throw Error(Exit::kData,
                  (folder / name).string() + ": cannot be removed: " + error.message());
    }
    if (std::find(pruned.removed.begin(), pruned.removed.end(), name) == pruned.removed.end()) {
      pruned.leftover.push_back(name);
    }
  }
  return pruned;
}

}  // namespace perfgate::store
