// SPDX-License-Identifier: Apache-2.0
#include "perfgate/store/ledger.h"

#include <algorithm>
#include <filesystem>

#include "perfgate/base/io/atomic_file.h"
#include "perfgate/base/json/strict_json.h"
#include "perfgate/base/sha256.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/store/folder_lock.h"
#include "perfgate/store/hash_chain.h"

namespace perfgate::store {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::string ledger_path(const std::string& folder) { return folder + "/ledger.jsonl"; }
std::string ended_file(const std::string& id) { return id + ".json"; }
std::string look_file(const std::string& id, std::int64_t rounds) {
  return id + "-" + std::to_string(rounds) + ".json";
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

std::int64_t rounds_of(const json& body, const std::string& where) {
  const auto found = body.find("rounds");
  if (found == body.end() || !found->is_number_unsigned()) {
    throw Error(Exit::kData, where + ": /body/rounds: expected a number of rounds");
  }
  return found->get<std::int64_t>();
}

void make_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw Error(Exit::kData, folder + ": cannot be created: " + error.message());
}

std::string append(const std::string& folder, const json& body) {
  make_folder(folder);
  const FolderLock lock(folder);
  return append_to_chain(ledger_path(folder), body);
}

// The attempt that a line speaks of, whatever its suite is called; null: of other executables.
Attempt* attempt_of(History& history, const std::string& id) {
  for (Attempt& attempt : history.attempts) {
    if (attempt.id == id) return &attempt;
  }
  for (OtherSuite& other : history.elsewhere) {
    if (other.attempt.id == id) return &other.attempt;
  }
  return nullptr;
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
      const Attempt attempt{id, text_of(entry.body, "started", where), std::nullopt, {}, {}};
      if (found == pair) {
        history.attempts.push_back(attempt);
      } else if (found.baseline == pair.baseline && found.candidate == pair.candidate) {
        history.elsewhere.push_back({found.suite, attempt});
      }
    } else if (action == "look" || action == "end") {
      Attempt* attempt = attempt_of(history, id);
      if (attempt == nullptr) continue;
      if (action == "end") attempt->exit = exit_of(entry.body, where);
      attempt->session_digest = text_of(entry.body, "session", where);
      attempt->session_file = attempt->session_digest.empty() ? ""
                              : action == "end"               ? ended_file(id)
                                                : look_file(id, rounds_of(entry.body, where));
    } else {
      throw Error(Exit::kData, where + ": /body/do: expected \"start\", \"look\" or \"end\"");
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

void keep_look(const std::string& folder, const std::string& id, const Session& session) {
  const auto rounds = static_cast<std::int64_t>(session.rounds.size());
  const std::string text = session_to_json(session);
  // The file first: a line of the ledger must never name what is not there.
  write_file_atomically(folder + "/" + look_file(id, rounds), text);
  append(folder, {{"do", "look"},
                  {"id", id},
                  {"rounds", static_cast<std::uint64_t>(rounds)},
                  {"session", sha256_digest(text)}});
}

std::string end_attempt(const std::string& folder, const std::string& id, Exit exit,
                        const Session* session) {
  std::string digest;
  if (session != nullptr) {
    const std::string text = session_to_json(*session);
    write_file_atomically(folder + "/" + ended_file(id), text);
    digest = sha256_digest(text);
  }
  return append(folder,
                {{"do", "end"}, {"id", id}, {"exit", static_cast<int>(exit)}, {"session", digest}});
}

Session read_attempt(const std::string& folder, const Attempt& attempt) {
  const std::string path = folder + "/" + attempt.session_file;
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

std::unique_ptr<FolderLock> hold_experiment(const std::string& folder, const Pair& pair,
                                            double wait_s) {
  constexpr std::size_t kEnough = 16;
  const std::string held =
      folder + "/held/" + sha256_hex(pair.baseline + "\n" + pair.candidate).substr(0, kEnough);
  make_folder(held);
  return FolderLock::wait_for(held, wait_s);
}

}  // namespace perfgate::store
