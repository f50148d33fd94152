// SPDX-License-Identifier: Apache-2.0
#include "engine/model/checkpoint.h"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/error.h"
#include "engine/hash.h"
#include "engine/model/text_file.h"

namespace engine {
namespace {

using nlohmann::json;

std::string Text(std::span<const std::uint64_t> shape) {
  std::string text = "[";
  for (const std::uint64_t size : shape) {
    text += (text.size() > 1 ? ", " : "") + std::to_string(size);
  }
  return text + "]";
}

// Tensor name to shard file name.
std::map<std::string, std::string> ReadIndex(const std::string& path) {
  const json root = ReadJson(path);
  if (!root.is_object() || !root.contains("weight_map") || !root["weight_map"].is_object()) {
    FailData(path, "no object weight_map");
  }
  std::map<std::string, std::string> shards;
  for (const auto& [name, shard] : root["weight_map"].items()) {
    // Only files of this folder: a path could lead anywhere.
    if (!shard.is_string() || shard.get<std::string>().find('/') != std::string::npos) {
      FailData(path,
               "weight_map: " + json(name).dump() + " is not the name of a file in this folder");
    }
    shards[name] = shard.get<std::string>();
  }
  return shards;
}

}  // namespace

MappedFile::MappedFile(const std::string& path) : path_(path), file_(path) {
  if (const auto size = static_cast<std::size_t>(file_.size()); size > 0) {
    void* const data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file_.descriptor(), 0);
    if (data == MAP_FAILED) {
      FailData(path, std::string("cannot be mapped: ") + std::strerror(errno));
    }
    bytes_ = {static_cast<const std::byte*>(data), size};
  }
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) {
    ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
  }
}

Checkpoint::Checkpoint(const std::string& folder) : folder_(folder), digest_(kFnvStart) {
  const std::string single = folder + "/model.safetensors";
  const std::string index = folder + "/model.safetensors.index.json";
  if (std::filesystem::exists(single)) {
    Open(single);
    return;
  }
  if (!std::filesystem::exists(index)) {
    FailData(folder, "neither model.safetensors nor model.safetensors.index.json is there");
  }
  const auto shard_of = ReadIndex(index);
  std::set<std::string> names;
  for (const auto& [tensor, shard] : shard_of) {
    names.insert(shard);
  }
  for (const std::string& name : names) {
    Open(folder + "/" + name);
  }
  for (const auto& [name, shard] : shard_of) {
    const Tensor* const tensor = Find(name);
    if (tensor == nullptr || tensor->file->path() != folder + "/" + shard) {
      FailData(index, "tensor " + json(name).dump() + " is not in " + shard);
    }
  }
}

void Checkpoint::Open(const std::string& path) {
  auto shard = std::make_unique<Shard>();
  shard->file = std::make_unique<MappedFile>(path);
  const std::span<const std::byte> bytes = shard->file->bytes();
  shard->header = ParseSafetensors(bytes, path);
  digest_ = Fnv1a(bytes.first(static_cast<std::size_t>(shard->header.buffer_begin)), digest_);
  for (const TensorInfo& info : shard->header.tensors) {
    const std::uint64_t at = shard->header.buffer_begin + info.begin;
    const Tensor tensor{&info,
                        bytes.subspan(static_cast<std::size_t>(at),
                                      static_cast<std::size_t>(info.end - info.begin)),
                        shard->file.get(), at};
    const auto [other, inserted] = tensors_.emplace(info.name, tensor);
    if (!inserted) {
      FailData(path,
               "tensor " + json(info.name).dump() + " is also in " + other->second.file->path());
    }
  }
  files_.push_back(std::move(shard));
}

const Tensor* Checkpoint::Find(const std::string& name) const {
  const auto found = tensors_.find(name);
  return found == tensors_.end() ? nullptr : &found->second;
}

const Tensor& Checkpoint::Get(const std::string& name, std::span<const std::uint64_t> shape) const {
  const Tensor* const tensor = Find(name);
  if (tensor == nullptr) {
    FailData(folder_, "tensor " + json(name).dump() +
                          " is missing; config.json asks for it with shape " + Text(shape));
  }
  if (!std::equal(shape.begin(), shape.end(), tensor->info->shape.begin(),
                  tensor->info->shape.end())) {
    FailData(tensor->file->path(), "tensor " + json(name).dump() + " has shape " +
                                       Text(tensor->info->shape) + ", config.json asks for " +
                                       Text(shape));
  }
  return *tensor;
}

std::uint64_t Checkpoint::bytes() const {
  std::uint64_t total = 0;
  for (const auto& [name, tensor] : tensors_) {
    total += tensor.bytes.size();
  }
  return total;
}

}  // namespace engine
