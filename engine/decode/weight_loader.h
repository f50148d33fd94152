// SPDX-License-Identifier: Apache-2.0
// weight_loader.h: tensors of a checkpoint as the vectors and matrices that ops read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/model/checkpoint.h"
#include "engine/model/model_config.h"
#include "engine/ops/ops.h"
#include "engine/options.h"

namespace engine {

// Notes which tensors were asked for. Throws Error(kData) naming the tensor that is missing, or has
// another shape or type than the model.
class WeightLoader {
 public:
  // ops: null to learn the size alone; else weights are copied where they cannot be read in place.
  WeightLoader(const Checkpoint& checkpoint, const ModelConfig& config,
               const EngineOptions& options, bool reads_mapped_files, Memory& memory, Ops* ops);

  // A vector as f32.
  ConstView Vector(const std::string& name, std::int64_t size);

  // Matrices [n_i, k] as one [sum n_i, k], with their biases.
  Weight Matrix(const std::vector<std::string>& names, const std::vector<std::int64_t>& rows,
                std::int64_t k, bool bias, bool may_be_mxfp4 = true);

  // A stored lm_head beside a tied embedding has to be the same.
  void ReadTiedHead();

  // Throws where the checkpoint has tensors that nothing asked for: config.json leaves out a part
  // of the model. `rotary_emb.inv_freq`, which old checkpoints store, follows from config.json.
  void RefuseUnread() const;

 private:
  using Shape = std::vector<std::uint64_t>;

  const Tensor* Find(const std::string& name, const Shape& shape);
  const Tensor* Float(const std::string& name, const Shape& shape);
  const Tensor* Bytes(const std::string& name, const Shape& shape);
  // Tensors of one type behind each other, as `to` where that is given.
  ConstView Together(const std::vector<const Tensor*>& tensors, std::optional<DType> to);
  // Through host memory in pieces: read, upload, and change the type before or after.
  void Copy(const Tensor& tensor, DType to, std::byte* device);

  const Checkpoint& checkpoint_;
  const ModelConfig& config_;
  const EngineOptions& options_;
  const bool in_place_;
  Memory& memory_;
  Ops* const ops_;
  std::set<std::string> read_;
};

}  // namespace engine
