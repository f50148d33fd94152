// SPDX-License-Identifier: Apache-2.0
// The header of a model file: it is refused with a reason, or its tensors cover the buffer.
#include <span>
#include <string>

#include "engine/error.h"
#include "engine/model/safetensors.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/target.h"

PERFGATE_FUZZ_TARGET(safetensors) {
  using perfgate::fuzz::require;
  try {
    const engine::SafetensorsHeader header =
        engine::ParseSafetensors(std::as_bytes(std::span(bytes)), "fuzz");
    std::uint64_t covered = 0;
    for (const engine::TensorInfo& tensor : header.tensors) {
      require(tensor.begin == covered);
      require(engine::ByteSize("fuzz", tensor.type, tensor.shape) == tensor.end - tensor.begin);
      covered = tensor.end;
    }
    require(header.buffer_begin + covered == bytes.size());
  } catch (const engine::Error& error) {
    require(std::string(error.what()).starts_with("fuzz:"));
  }
}
