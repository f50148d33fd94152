// SPDX-License-Identifier: Apache-2.0
#include "engine/model/tokenizer.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "engine/error.h"
#include "engine/model/text_file.h"
#include "perfgate/base/io/atomic_file.h"

namespace engine {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::int32_t kBytes = 256;

std::string Utf8(unsigned code) {
  if (code < 0x80) {
    return {static_cast<char>(code)};
  }
  return {static_cast<char>(0xc0U | (code >> 6U)), static_cast<char>(0x80U | (code & 0x3fU))};
}

// GPT-2's alphabet: printable Latin-1 characters stand for themselves, the other bytes, in order,
// for the characters from 256 on.
ordered_json ByteVocabulary() {
  ordered_json vocabulary = ordered_json::object();
  unsigned next = 256;
  for (std::int32_t byte = 0; byte < kBytes; ++byte) {
    const bool printable = (byte >= '!' && byte <= '~') || (byte >= 0xa1 && byte <= 0xac) ||
                           (byte >= 0xae && byte <= 0xff);
    vocabulary[Utf8(printable ? static_cast<unsigned>(byte) : next++)] = byte;
  }
  return vocabulary;
}

ordered_json ByteLevel() {
  return {{"type", "ByteLevel"},
          {"add_prefix_space", false},
          {"trim_offsets", true},
          {"use_regex", false}};
}

}  // namespace

ByteTokenizer::ByteTokenizer(const std::string& folder) {
  const std::string path = folder + "/tokenizer.json";
  const std::string hint = "; give token ids instead (--prompt-ids)";
  if (!std::filesystem::exists(path)) {
    throw Error(Exit::kUsage, path + " is not there" + hint);
  }
  const json root = ReadJson(path);
  const json model = root.value("model", json::object());
  if (!model.is_object() || model.value("merges", json()) != json::array() ||
      model.value("vocab", json()) != json(ByteVocabulary())) {
    throw Error(Exit::kUsage, path + " is no byte-level vocabulary without merges" + hint);
  }
}

std::vector<std::int32_t> ByteTokenizer::Encode(std::string_view text) const {
  std::vector<std::int32_t> ids;
  for (const char c : text) {
    ids.push_back(static_cast<unsigned char>(c));
  }
  return ids;
}

std::string ByteTokenizer::Decode(std::span<const std::int32_t> ids) const {
  std::string text;
  for (const std::int32_t id : ids) {
    if (id >= 0 && id < kBytes) {
      text += static_cast<char>(id);
    }
  }
  return text;
}

void WriteByteTokenizer(const std::string& folder, std::int64_t vocab) {
  if (vocab < kBytes) {
    FailData(folder, "a vocabulary of " + std::to_string(vocab) + " has no room for the 256 bytes");
  }
  const ordered_json model = {{"type", "BPE"},
                              {"dropout", nullptr},
                              {"unk_token", nullptr},
                              {"continuing_subword_prefix", nullptr},
                              {"end_of_word_suffix", nullptr},
                              {"fuse_unk", false},
                              {"byte_fallback", false},
                              {"vocab", ByteVocabulary()},
                              {"merges", ordered_json::array()}};
  const ordered_json root = {{"version", "1.0"},
                             {"truncation", nullptr},
                             {"padding", nullptr},
                             {"added_tokens", ordered_json::array()},
                             {"normalizer", nullptr},
                             {"pre_tokenizer", ByteLevel()},
                             {"post_processor", nullptr},
                             {"decoder", ByteLevel()},
                             {"model", model}};
  perfgate::write_file_atomically(folder + "/tokenizer.json", root.dump(1) + "\n");
  perfgate::write_file_atomically(folder + "/tokenizer_config.json",
                                  ordered_json{{"tokenizer_class", "PreTrainedTokenizerFast"},
                                               {"clean_up_tokenization_spaces", false}}
                                          .dump(2) +
                                      "\n");
}

}  // namespace engine
