// SPDX-License-Identifier: Apache-2.0
// tokenizer.h: text to token ids and back for byte-level vocabularies: id = byte.
//
// What `engine synth` writes is a tokenizer.json that the tokenizers library loads: byte-level BPE
// without merges, whose 256 tokens are GPT-2's printable stand-ins for the bytes. Other models are
// driven by token ids: --prompt-ids.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

class ByteTokenizer {
 public:
  // Reads tokenizer.json of a model folder. Throws Error(kUsage) where it is missing or is another
  // kind of vocabulary, saying that ids are the way.
  explicit ByteTokenizer(const std::string& folder);

  std::vector<std::int32_t> Encode(std::string_view text) const;
  // Bytes, which need not be whole UTF-8 characters. Ids past 255, which no byte has, give nothing.
  std::string Decode(std::span<const std::int32_t> ids) const;
};

// Writes tokenizer.json and tokenizer_config.json; vocab >= 256. Throws Error(kData).
void WriteByteTokenizer(const std::string& folder, std::int64_t vocab);

}  // namespace engine
