// SPDX-License-Identifier: Apache-2.0
#include "perfgate/store/hash_chain.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "perfgate/base/error.h"
#include "perfgate/base/hmac.h"
#include "perfgate/base/io/input_file.h"
#include "perfgate/base/json/strict_json.h"
#include "perfgate/base/os/unique_fd.h"
#include "perfgate/base/sha256.h"

namespace perfgate::store {
namespace {

using nlohmann::json;

// Far more lines than attempts or sessions of years.
constexpr InputKind kChainFile = {"chain of lines", std::uint64_t{1} << 28, LastLink::kRefused};

std::string entry_hash(const std::string& previous, std::int64_t seq, const json& body,
                       const SecretKey* key) {
  const std::string text = previous + "\n" + std::to_string(seq) + "\n" + body.dump();
  return key == nullptr ? sha256_digest(text) : key->Sign("perfgate-chain\n" + text);
}

// A chain without a key in place of one with it, or the other way round.
void RequireSameTrust(const std::string& where, const std::string& hash, const SecretKey* key) {
  const bool is_signed = hash.starts_with(kProofPrefix);
  if (is_signed == (key != nullptr)) return;
  throw Error(
      Exit::kInvalid,
      where + (is_signed ? ": /hash is signed with a key: give that key with --key FILE"
                         : ": /hash is not signed, and with --key only signed lines count: begin "
                           "a new one under the key, in another folder"));
}

[[noreturn]] void broken(const std::string& where, const std::string& problem) {
  throw Error(Exit::kInvalid, where + ": " + problem +
                                  "; lines were removed, edited or moved. Take the file from a "
                                  "revision that is whole");
}

ChainEntry read_entry(std::string_view line, const std::string& where, const Chain& before,
                      const SecretKey* key) {
  const json document = parse_strict_json(line, where);
  const auto text = [&](const char* key) -> const std::string* {
    const auto found = document.is_object() ? document.find(key) : document.end();
    return document.is_object() && found != document.end() && found->is_string()
               ? found->get_ptr<const std::string*>()
               : nullptr;
  };
  const std::string* hash = text("hash");
  const std::string* previous = text("previous");
  if (hash == nullptr || previous == nullptr || document.size() != 4 ||
      !document.contains("body") || !document["body"].is_object() || !document.contains("seq") ||
      !document["seq"].is_number_integer()) {
    throw Error(Exit::kData, where + R"(: expected {"body":{...},"hash":"...","previous":"...",)" +
                                 R"("seq":N} and nothing else)");
  }
  RequireSameTrust(where, *hash, key);
  ChainEntry entry{document["seq"].get<std::int64_t>(), document["body"], *hash};
  const auto expected = static_cast<std::int64_t>(before.entries.size()) + 1;
  if (entry.seq != expected) {
    broken(where,
           "/seq is " + std::to_string(entry.seq) + ", expected " + std::to_string(expected));
  }
  if (*previous != before.head) broken(where, "/previous is not the hash of the line before");
  if (!SameProof(entry.hash, entry_hash(before.head, entry.seq, entry.body, key))) {
    broken(where, key == nullptr ? "/hash does not follow from the line"
                                 : "/hash is not the signature of this key on the line");
  }
  return entry;
}

[[noreturn]] void fail(const std::string& path, const char* step) {
  throw Error(Exit::kData, path + ": " + step + ": " + std::strerror(errno));
}

UniqueFd open_for_appending(const std::string& path) {
  UniqueFd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  if (!fd) fail(path, "cannot be opened for appending");
  return fd;
}

void write_line(const UniqueFd& file, std::string_view line, const std::string& path) {
  while (!line.empty()) {
    const ssize_t written = ::write(file.get(), line.data(), line.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(path, "cannot be written");
    line.remove_prefix(static_cast<std::size_t>(written));
  }
  if (::fsync(file.get()) != 0) fail(path, "cannot be flushed to disk");
}

}  // namespace

Chain read_chain(const std::string& path, const SecretKey* key) {
  Chain chain;
  std::error_code error;
  // A link to nowhere is refused with other links.
  if (std::filesystem::symlink_status(path, error).type() == std::filesystem::file_type::not_found)
    return chain;
  const std::string text = ReadInputFile(path, kChainFile);
  std::size_t begin = 0;
  for (std::size_t line = 1; begin < text.size(); ++line) {
    const std::size_t end = text.find('\n', begin);
    if (end == std::string::npos) {
      chain.torn = true;
      break;
    }
    chain.entries.push_back(read_entry(std::string_view(text).substr(begin, end - begin),
                                       path + ":" + std::to_string(line), chain, key));
    chain.head = chain.entries.back().hash;
    begin = end + 1;
  }
  return chain;
}

std::string append_to_chain(const std::string& path, const json& body, const SecretKey* key) {
  const Chain chain = read_chain(path, key);
  const UniqueFd file = open_for_appending(path);
  if (chain.torn) {
    const std::string text = ReadInputFile(path, kChainFile);
    const std::size_t last = text.rfind('\n');
    const auto whole = static_cast<off_t>(last == std::string::npos ? 0 : last + 1);
    if (::ftruncate(file.get(), whole) != 0) fail(path, "its torn last line cannot be cut off");
  }
  const auto seq = static_cast<std::int64_t>(chain.entries.size()) + 1;
  std::string hash = entry_hash(chain.head, seq, body, key);
  const json line = {{"body", body}, {"hash", hash}, {"previous", chain.head}, {"seq", seq}};
  write_line(file, line.dump() + "\n", path);
  return hash;
}

}  // namespace perfgate::store
