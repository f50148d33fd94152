// SPDX-License-Identifier: Apache-2.0
// text_stream.h: text from a stream of bytes, as far as it is certain.
//
// Tokens of a byte-level vocabulary end in the middle of characters, and a stop text may be spread
// over several. Push() gives what can be shown: whole UTF-8 characters, with U+FFFD for bytes that
// belong to none, and nothing that may still turn out to be the start of a stop text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace engine {

class TextStream {
 public:
  // Text ends before the first of `stops`; empty ones are ignored.
  explicit TextStream(std::vector<std::string> stops = {});

  // What became certain. Nothing after stopped().
  std::string Push(std::string_view bytes);
  // The rest, when no more bytes come.
  std::string Finish();
  bool stopped() const { return stopped_; }

 private:
  std::vector<std::string> stops_;
  std::string held_;  // not yet given
  bool stopped_ = false;
};

}  // namespace engine
