// SPDX-License-Identifier: Apache-2.0
#include "perfgate/store/ledger.h"

#include <algorithm>
#include <filesystem>

#include "perfgate/evidence/atomic_file.h"
#include "perfgate/evidence/files.h"
#include "perfgate/evidence/sha256.h"
#include "perfgate/evidence/strict_json.h"
#include "perfgate/store/folder_lock.h"
#include "perfgate/store/hash_chain.h"

namespace perfgate::store {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::string ledger_path(const std::string& folder) { return folder + "/ledger.jsonl"; }
std::string session_path(const std::string& folder, const std::string& id) {
  return folder + "/" + id + ".json";
}

std::string text_of(const json& body, const char* key, const std::string& where) {
  const auto found = body.find(key);
  if (found == body.end() || !found->is_string()) {
    throw Error(Exit::kData, where + ": /body/" + key + ": expected text");
  }
  return found->get<std::string>();
}

// Names of files are made of it.
std::string id_of(const json& body, const std::string& where) {
  const std::string id = text_of(body, "id", where);
  const bool plain = !id.empty() && std::all_of(id.begin(), id.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
  });
  if (!plain) throw Error(Exit::kInvalid, where + ": /body/id: \"" + id + "\" is no session's id");
  return id;
}

Exit exit_of(const json& body, const std::string& where) {
  const auto found = body.find("exit");
  if (found == body.end() || !found->is_number_integer()) {
    throw Error(Exit::kData, where + ": /body/exit: expected an exit code");
  }
  return static_cast<Exit>(found->get<int>());
}

std::string append(const std::string& folder, const json& body) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw Error(Exit::kData, folder + ": cannot be created: " + error.message());
  const FolderLock lock(folder);
  return append_to_chain(ledger_path(folder), body);
}

}  // namespace

History read_history(const std::string& folder, const Pair& pair) {
  const std::string path = ledger_path(folder);
  const Chain chain = read_chain(path);
  History history;
  history.head = chain.head;
  for (const ChainEntry& entry : chain.entries) {
    const std::string where = path + ":" + std::to_string(entry.seq);
    const std::string action = text_of(entry.body, "do", where);
    const std::string id = id_of(entry.body, where);
    if (action == "start") {
      const Pair found{text_of(entry.body, "suite", where), text_of(entry.body, "baseline", where),
                       text_of(entry.body, "candidate", where)};
      if (found == pair) {
        history.attempts.push_back({id, text_of(entry.body, "started", where), std::nullopt, {}});
      }
    } else if (action == "end") {
      for (Attempt& attempt : history.attempts) {
        if (attempt.id != id) continue;
        attempt.exit = exit_of(entry.body, where);
        attempt.session_digest = text_of(entry.body, "session", where);
      }
    } else {
      throw Error(Exit::kData, where + ": /body/do: expected \"start\" or \"end\"");
    }
  }
  return history;
}

std::string start_attempt(const std::string& folder, const Pair& pair, const std::string& id,
                          const std::string& started) {
  return append(folder, {{"do", "start"},
                         {"id", id},
                         {"started", started},
                         {"suite", pair.suite},
                         {"baseline", pair.baseline},
                         {"candidate", pair.candidate}});
}

std::string end_attempt(const std::string& folder, const std::string& id, Exit exit,
                        const Session* session) {
  std::string digest;
  if (session != nullptr) {
    const std::string text = session_to_json(*session);
    write_file_atomically(session_path(folder, id), text);
    digest = sha256_digest(text);
  }
  return append(folder,
                {{"do", "end"}, {"id", id}, {"exit", static_cast<int>(exit)}, {"session", digest}});
}

Session read_attempt(const std::string& folder, const Attempt& attempt) {
  const std::string path = session_path(folder, attempt.id);
  std::error_code error;
  if (!fs::exists(path, error)) {
    throw Error(Exit::kInvalid, path + ": the ledger has this attempt, but its session is gone");
  }
  const std::string text = read_file_text(path);
  if (sha256_digest(text) != attempt.session_digest) {
    throw Error(Exit::kInvalid, path + ": digest mismatch: not the session of this attempt");
  }
  return session_from_json(text, path);
}

}  // namespace perfgate::store
