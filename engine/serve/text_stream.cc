// SPDX-License-Identifier: Apache-2.0
#include "engine/serve/text_stream.h"

#include <algorithm>
#include <utility>

#include "perfgate/base/text/utf8.h"

namespace engine {
namespace {

// The longest end of `text` that is the start of `stop`.
std::size_t Overlap(std::string_view text, std::string_view stop) {
  for (std::size_t n = std::min(text.size(), stop.size()); n > 0; --n) {
    if (text.substr(text.size() - n) == stop.substr(0, n)) {
      return n;
    }
  }
  return 0;
}

}  // namespace

TextStream::TextStream(std::vector<std::string> stops) : stops_(std::move(stops)) {
  std::erase(stops_, "");
}

std::string TextStream::Push(std::string_view bytes) {
  if (stopped_) {
    return "";
  }
  held_ += bytes;
  std::size_t end = std::string::npos;
  for (const std::string& stop : stops_) {
    end = std::min(end, held_.find(stop));
  }
  if (end != std::string::npos) {
    stopped_ = true;
    return perfgate::well_formed_utf8(std::string_view(held_).substr(0, end));
  }
  std::size_t certain = held_.size();
  for (const std::string& stop : stops_) {
    certain = std::min(certain, held_.size() - Overlap(held_, stop));
  }
  certain -= perfgate::PartialUtf8(std::string_view(held_).substr(0, certain));
  std::string text = perfgate::well_formed_utf8(std::string_view(held_).substr(0, certain));
  held_.erase(0, certain);
  return text;
}

std::string TextStream::Finish() {
  return stopped_ ? "" : perfgate::well_formed_utf8(std::exchange(held_, ""));
}

}  // namespace engine
