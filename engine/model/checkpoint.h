// SPDX-License-Identifier: Apache-2.0
// checkpoint.h: the tensors of a model folder, in one safetensors file or several.
//
// A folder holds model.safetensors, or model.safetensors.index.json that names the file (shard) of
// each tensor. Files are mapped into memory: opening reads headers, weights come when touched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/model/safetensors.h"
#include "perfgate/base/io/regular_file.h"

namespace engine {

// A file mapped read-only. Throws Error(kData) with the system's reason.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  const std::string& path() const { return path_; }
  std::span<const std::byte> bytes() const { return bytes_; }
  // The same file, to be read instead: where it has been cut since, that is an error, while
  // touching the mapping ends the process (SIGBUS).
  const perfgate::RegularFile& file() const { return file_; }

 private:
  std::string path_;
  perfgate::RegularFile file_;
  std::span<const std::byte> bytes_;
};

struct Tensor {
  const TensorInfo* info = nullptr;
  std::span<const std::byte> bytes;  // in the mapping; may be misaligned for its type
  const MappedFile* file = nullptr;
  std::uint64_t file_offset = 0;  // of its first byte
};

class Checkpoint {
 public:
  // Opens and checks every file. Throws Error(kData) naming file, tensor and reason, also for a
  // tensor that is not in the shard which the index names, or is in two.
  explicit Checkpoint(const std::string& folder);

  // Nullptr when there is none of that name.
  const Tensor* Find(const std::string& name) const;

  // Throws Error(kData) naming what is missing, or what differs from `shape`.
  const Tensor& Get(const std::string& name, std::span<const std::uint64_t> shape) const;

  const std::map<std::string, Tensor>& tensors() const { return tensors_; }
  std::size_t shards() const { return files_.size(); }
  std::uint64_t bytes() const;  // of all tensors

  // Names the content as far as headers do: FNV-1a over the headers of all files. Two models of
  // `engine synth` differ in it when their seeds do.
  std::uint64_t digest() const { return digest_; }

 private:
  struct Shard {
    std::unique_ptr<MappedFile> file;
    SafetensorsHeader header;
  };
  void Open(const std::string& path);

  std::string folder_;
  std::vector<std::unique_ptr<Shard>> files_;
  std::map<std::string, Tensor> tensors_;
  std::uint64_t digest_;
};

}  // namespace engine
