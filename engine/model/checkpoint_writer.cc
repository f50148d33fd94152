// SPDX-License-Identifier: Apache-2.0
#include "engine/model/checkpoint_writer.h"

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "engine/error.h"
#include "perfgate/base/io/atomic_file.h"

namespace engine {
namespace {

using nlohmann::ordered_json;

// Consecutive tensors, as many as fit.
std::vector<std::vector<TensorToWrite>> CutIntoShards(const std::vector<TensorToWrite>& tensors,
                                                      std::uint64_t limit) {
  std::vector<std::vector<TensorToWrite>> shards(1);
  std::uint64_t size = 0;
  for (const TensorToWrite& tensor : tensors) {
    const std::uint64_t bytes = ByteSize(tensor.name, tensor.type, tensor.shape);
    if (size > 0 && size + bytes > limit) {
      shards.emplace_back();
      size = 0;
    }
    shards.back().push_back(tensor);
    size += bytes;
  }
  return shards;
}

std::string ShardName(std::size_t index, std::size_t count) {
  char name[64];
  std::snprintf(name, sizeof(name), "model-%05zu-of-%05zu.safetensors", index + 1, count);
  return name;
}

}  // namespace

void PrepareModelFolder(const std::string& folder, bool replace) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    FailData(folder, "cannot be created: " + error.message());
  }
  std::vector<std::filesystem::path> old;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("model") && name.find(".safetensors") != std::string::npos) {
      old.push_back(entry.path());
    }
  }
  if (old.empty()) {
    return;
  }
  if (!replace) {
    throw Error(Exit::kUsage, folder + ": has weights (" + old[0].filename().string() +
                                  "); name another folder, or replace them with --force");
  }
  std::filesystem::remove(folder + "/config.json");
  for (const std::filesystem::path& path : old) {
    std::filesystem::remove(path);
  }
}

void WriteCheckpoint(const std::string& folder, const std::vector<TensorToWrite>& tensors,
                     const std::map<std::string, std::string>& metadata, const TensorBytes& bytes,
                     std::uint64_t shard_bytes) {
  const auto shards = CutIntoShards(tensors, shard_bytes);
  if (shards.size() == 1) {
    WriteSafetensors(folder + "/model.safetensors", shards[0], metadata, bytes);
    return;
  }
  ordered_json index = {{"metadata", {{"total_size", 0}}}, {"weight_map", ordered_json::object()}};
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < shards.size(); ++i) {
    const std::string name = ShardName(i, shards.size());
    for (const TensorToWrite& tensor : shards[i]) {
      index["weight_map"][tensor.name] = name;
      total += ByteSize(tensor.name, tensor.type, tensor.shape);
    }
    WriteSafetensors(folder + "/" + name, shards[i], metadata, bytes);
  }
  index["metadata"]["total_size"] = total;
  perfgate::write_file_atomically(folder + "/model.safetensors.index.json", index.dump(2) + "\n");
}

}  // namespace engine
