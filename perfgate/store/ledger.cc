// SPDX-License-Identifier: Apache-2.0
#include "perfgate/store/ledger.h"

#include <algorithm>
#include <filesystem>

#include "perfgate/base/io/atomic_file.h"
#include "perfgate/base/io/read_file.h"
#include "perfgate/base/json/json_cursor.h"
#include "perfgate/base/json/json_reader.h"
#include "perfgate/base/sha256.h"
#include "perfgate/base/text/hex.h"
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

// Names of files are made of it.
std::string id_of(const JsonCursor& body) {
  std::string id = body.at("id").text();
  if (id.empty() || !IsHex(id, id.size())) {
    body.at("id").invalid("\"" + id + "\" is no session's id");
  }
  return id;
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
    const JsonCursor body(entry.body, where, "/body");
    const std::string action = body.at("do").text();
    const std::string id = id_of(body);
    if (action == "start") {
      const Pair found{body.at("suite").text(), body.at("baseline").text(),
                       body.at("candidate").text()};
      const Attempt attempt{id, body.at("started").text(), std::nullopt, {}, {}};
      if (found == pair) {
        history.attempts.push_back(attempt);
      } else if (found.baseline == pair.baseline && found.candidate == pair.candidate) {
        history.elsewhere.push_back({found.suite, attempt});
      }
    } else if (action == "look" || action == "end") {
      Attempt* attempt = attempt_of(history, id);
      if (attempt == nullptr) continue;
      if (action == "end") attempt->exit = json_io::read_exit(body.at("exit"));
      attempt->session_digest = body.at("session").text();
      attempt->session_file = attempt->session_digest.empty() ? ""
                              : action == "end"               ? ended_file(id)
                                                : look_file(id, body.at("rounds").count());
    } else {
      body.at("do").refuse(R"("start", "look" or "end")");
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
