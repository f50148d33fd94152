// SPDX-License-Identifier: Apache-2.0
#include "perfgate/store/signed_chain.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "perfgate/base/error.h"
#include "perfgate/base/io/atomic_file.h"
#include "perfgate/base/io/input_file.h"
#include "perfgate/base/json/json_cursor.h"
#include "perfgate/base/json/strict_json.h"

namespace perfgate::store {
namespace {

namespace fs = std::filesystem;

constexpr InputKind kHeadFile = {"head of a chain", 4096, LastLink::kRefused};

std::string HeadPath(const std::string& chain_path) {
  return fs::path(chain_path).replace_extension(".head").string();
}

std::string HeadText(const std::string& head, std::int64_t seq) {
  return "perfgate-chain-head\n" + head + "\n" + std::to_string(seq);
}

void WriteHead(const std::string& chain_path, const Chain& chain, const SecretKey& key) {
  const auto seq = static_cast<std::int64_t>(chain.entries.size());
  const nlohmann::json head = {
      {"head", chain.head}, {"seq", seq}, {"proof", key.Sign(HeadText(chain.head, seq))}};
  write_file_atomically(HeadPath(chain_path), head.dump() + "\n");
}

void RequireSignedHead(const std::string& chain_path, const Chain& chain, const SecretKey& key) {
  const std::string path = HeadPath(chain_path);
  std::error_code error;
  if (fs::symlink_status(path, error).type() == fs::file_type::not_found) {
    if (chain.entries.empty()) return;  // nothing was ever written
    RefuseSignedChain(path, "is missing, and the chain beside it has lines");
  }
  const nlohmann::json document = parse_strict_json(ReadInputFile(path, kHeadFile), path);
  const JsonCursor root(document, path);
  const std::string head = root.at("head").text();
  const std::int64_t seq = root.at("seq").count();
  if (!key.HasSigned(HeadText(head, seq), root.at("proof").text())) {
    RefuseSignedChain(path, "/proof is not the signature of this key");
  }
  const auto lines = static_cast<std::int64_t>(chain.entries.size());
  if (seq > lines) {
    RefuseSignedChain(chain_path, "had " + std::to_string(seq) + " lines and has " +
                                      std::to_string(lines) + ": its end was cut off");
  }
  const std::string found = seq == 0 ? "" : chain.entries[static_cast<std::size_t>(seq) - 1].hash;
  if (found != head) {
    RefuseSignedChain(path, "/head is not the hash of line " + std::to_string(seq));
  }
}

}  // namespace

void RefuseSignedChain(const std::string& where, const std::string& problem) {
  throw Error(Exit::kInvalid, where + ": " + problem +
                                  "; restore the folder from a copy that is whole, or let whoever "
                                  "owns the key begin another folder");
}

Chain ReadSignedChain(const std::string& path, const SecretKey* key) {
  Chain chain = read_chain(path, key);
  if (key != nullptr) RequireSignedHead(path, chain, *key);
  return chain;
}

std::string AppendToSignedChain(const std::string& path, const nlohmann::json& body,
                                const SecretKey* key) {
  if (key == nullptr) return append_to_chain(path, body);
  Chain chain = ReadSignedChain(path, key);
  // Before the first line: a chain that has lines and no head has lost it.
  if (chain.entries.empty()) WriteHead(path, chain, *key);
  chain.head = append_to_chain(path, body, key);
  chain.entries.push_back({static_cast<std::int64_t>(chain.entries.size()) + 1, body, chain.head});
  WriteHead(path, chain, *key);
  return chain.head;
}

void RequireHead(const std::string& path, const Chain& chain, const std::string& head) {
  const bool found =
      std::any_of(chain.entries.begin(), chain.entries.end(), [&](const ChainEntry& entry) {
        return entry.hash == head || entry.hash.substr(entry.hash.find(':') + 1) == head;
      });
  if (found) return;
  RefuseSignedChain(path, "has " + std::to_string(chain.entries.size()) +
                              " lines, and none has the hash " + head +
                              " that --ledger-head asks for: lines were cut off, or this is "
                              "another ledger");
}

}  // namespace perfgate::store
