// SPDX-License-Identifier: Apache-2.0
#include "engine/model/json.h"

#include <span>
#include <vector>

#include "engine/error.h"
#include "engine/model/file.h"

namespace engine {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxDepth = 64;
// The largest tokenizer.json of today has 34 MB.
constexpr std::uint64_t kMaxText = std::uint64_t{1} << 28U;

class Builder : public nlohmann::json_sax<json> {
 public:
  explicit Builder(const std::string& where) : where_(where) {}

  json Take() { return std::move(root_); }

  bool null() override { return Add(nullptr) != nullptr; }
  bool boolean(bool value) override { return Add(value) != nullptr; }
  bool number_integer(number_integer_t value) override { return Add(value) != nullptr; }
  bool number_unsigned(number_unsigned_t value) override { return Add(value) != nullptr; }
  bool number_float(number_float_t value, const string_t&) override {
    return Add(value) != nullptr;
  }
  bool string(string_t& value) override { return Add(std::move(value)) != nullptr; }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return Open(json::object()); }
  bool start_array(std::size_t) override { return Open(json::array()); }
  bool end_object() override { return Close(); }
  bool end_array() override { return Close(); }

  bool key(string_t& name) override {
    json& object = *open_.back();
    if (object.contains(name)) {
      throw Error(ErrorKind::kData,
                  where_ + ": the key " + json(name).dump() + " appears twice in one object");
    }
    slot_ = &object[name];
    return true;
  }

  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception& error) override {
    // 406: a number beyond the range of double.
    const std::string reason = error.id == 406 ? "a number beyond the range of double" : "not JSON";
    throw Error(ErrorKind::kData, where_ + ": " + reason + " at byte " + std::to_string(position));
  }

 private:
  json* Add(json value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    json& parent = *open_.back();
    if (parent.is_array()) {
      parent.push_back(std::move(value));
      return &parent.back();
    }
    *slot_ = std::move(value);
    return slot_;
  }

  bool Open(json empty) {
    if (open_.size() == kMaxDepth) {
      throw Error(ErrorKind::kData,
                  where_ + ": nested deeper than " + std::to_string(kMaxDepth) + " levels");
    }
    open_.push_back(Add(std::move(empty)));
    return true;
  }

  bool Close() {
    open_.pop_back();
    return true;
  }

  const std::string& where_;
  json root_;
  json* slot_ = nullptr;     // where the value of the key just read belongs
  std::vector<json*> open_;  // containers still open, outermost first
};

}  // namespace

json ParseJson(std::string_view text, const std::string& where) {
  // The parser takes a zero byte for the end and would drop what follows.
  if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos) {
    throw Error(ErrorKind::kData, where + ": a zero byte at byte " + std::to_string(zero));
  }
  Builder builder(where);
  json::sax_parse(text.begin(), text.end(), &builder);
  return builder.Take();
}

std::string ReadFile(const std::string& path) {
  const auto fail = [&path](const std::string& why) {
    throw Error(ErrorKind::kData, path + ": cannot be read: " + why);
  };
  const File file(path);
  if (file.size() > kMaxText) {
    fail(std::to_string(file.size()) + " bytes, more than " + std::to_string(kMaxText));
  }
  std::string text(static_cast<std::size_t>(file.size()), '\0');
  text.resize(file.ReadAt(0, std::as_writable_bytes(std::span(text))));
  return text;
}

}  // namespace engine
