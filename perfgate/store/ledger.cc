// SPDX-License-Identifier: Apache-2.0
#include "perfgate/store/ledger.h"

#include <algorithm>
#include <filesystem>

#include "perfgate/base/io/atomic_file.h"
#include "perfgate/base/json/json_cursor.h"
#include "perfgate/base/json/json_reader.h"
#include "perfgate/base/sha256.h"
#include "perfgate/base/text/hex.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/evidence/files/input_kinds.h"
#include "perfgate/store/folder_lock.h"
#include "perfgate/store/signed_chain.h"

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

std::string append(const std::string& folder, const json& body, const SecretKey* key) {
  make_folder(folder);
  const FolderLock lock(folder);
  return AppendToSignedChain(ledger_path(folder), body, key);
}

bool HoldsSessions(const std::string& folder) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".json") return true;
  }
  return false;
}

Pair PairOf(const JsonCursor& body) {
  const auto text_or_none = [&](const char* name) {
    const auto found = body.find(name);
    return found ? found->text() : std::string();
  };
  return {body.at("suite").text(),    body.at("baseline").text(), body.at("candidate").text(),
          text_or_none("repository"), text_or_none("change"),     text_or_none("stage")};
}

bool OfTheSameChange(const Pair& found, const Pair& pair) {
  return !pair.change.empty() && found.repository == pair.repository &&
         found.change == pair.change && found.stage == pair.stage &&
         (found.suite == pair.suite || found.baseline == pair.baseline);
}

// The attempt that a line speaks of, whatever its suite is called; null: of other executables.
Attempt* attempt_of(History& history, const std::string& id) {
  for (Attempt& attempt : history.attempts) {
    if (attempt.id == id) return &attempt;
  }
  for (OtherSuite& other : history.elsewhere) {
    if (other.attempt.id == id) return &other.attempt;
  }
  for (auto& [candidate, attempts] : history.others) {
    for (Attempt& attempt : attempts) {
      if (attempt.id == id) return &attempt;
    }
  }
  return nullptr;
}

void EnterStart(const Pair& found, const Pair& pair, const Attempt& attempt, History& history) {
  const bool same_executables =
      found.baseline == pair.baseline && found.candidate == pair.candidate;
  if (same_executables && found.suite == pair.suite) {
    history.attempts.push_back(attempt);
  } else if (same_executables) {
    history.elsewhere.push_back({found.suite, attempt});
  } else if (OfTheSameChange(found, pair) && found.candidate != pair.candidate) {
    history.others[found.candidate].push_back(attempt);
  }
}

}  // namespace

History read_history(const std::string& folder, const Pair& pair, const LedgerTrust& trust) {
  const std::string path = ledger_path(folder);
  const Chain chain = ReadSignedChain(path, trust.signer());
  if (!trust.head.empty()) RequireHead(path, chain, trust.head);
  if (trust.key && chain.entries.empty() && HoldsSessions(folder)) {
    RefuseSignedChain(path, "has no line, and the folder holds sessions of attempts");
  }
  History history;
  history.head = chain.head;
  for (const ChainEntry& entry : chain.entries) {
    const std::string where = path + ":" + std::to_string(entry.seq);
    const JsonCursor body(entry.body, where, "/body");
    const std::string action = body.at("do").text();
    const std::string id = id_of(body);
    if (action == "start") {
      const Attempt attempt{id, body.at("started").text(), std::nullopt, {}, {}};
      EnterStart(PairOf(body), pair, attempt, history);
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
                          const std::string& started, const SecretKey* key) {
  json body = {{"do", "start"},
               {"id", id},
               {"started", started},
               {"suite", pair.suite},
               {"baseline", pair.baseline},
               {"candidate", pair.candidate}};
  if (!pair.change.empty()) body.update({{"repository", pair.repository}, {"change", pair.change}});
  if (!pair.stage.empty()) body["stage"] = pair.stage;
  return append(folder, body, key);
}

void keep_look(const std::string& folder, const std::string& id, const Session& session,
               const SecretKey* key) {
  const auto rounds = static_cast<std::int64_t>(session.rounds.size());
  const std::string text = session_to_json(session);
  // The file first: a line of the ledger must never name what is not there.
  write_file_atomically(folder + "/" + look_file(id, rounds), text);
  append(folder,
         {{"do", "look"},
          {"id", id},
          {"rounds", static_cast<std::uint64_t>(rounds)},
          {"session", sha256_digest(text)}},
         key);
}

std::string end_attempt(const std::string& folder, const std::string& id, Exit exit,
                        const Session* session, const SecretKey* key) {
  std::string digest;
  if (session != nullptr) {
    const std::string text = session_to_json(*session);
    write_file_atomically(folder + "/" + ended_file(id), text);
    digest = sha256_digest(text);
  }
  return append(folder,
                {{"do", "end"}, {"id", id}, {"exit", static_cast<int>(exit)}, {"session", digest}},
                key);
}

Session read_attempt(const std::string& folder, const Attempt& attempt) {
  const std::string path = folder + "/" + attempt.session_file;
  std::error_code error;
  if (!fs::exists(path, error)) {
    throw Error(Exit::kInvalid, path + ": the ledger has this attempt, but its session is gone");
  }
  const std::string text = ReadInputFile(path, kSessionFile);
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
