// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/ops.h"

#include <vector>

#include "kernels/convert.h"

namespace engine {

void Ops::UploadAs(View device, ConstView from) {
  std::vector<std::byte> converted(device.count * kernels::ByteSize(device.dtype));
  kernels::Run(*kernels::Find<kernels::ConvertArgs>("vector"),
               kernels::ConvertArgs{{static_cast<std::int64_t>(from.count), from.dtype},
                                    from,
                                    {converted.data(), device.count, device.dtype}});
  Upload(device.data, converted.data(), converted.size());
}

bool Ops::BeginStep(const StepKey&) { return true; }
void Ops::EndStep() {}
void Ops::Mark(int) {}
void Ops::Await(int) {}

void Ops::Deliver(const Delivery& d) {
  Drawn* const to = d.to + *d.turn * d.capacity;
  for (std::int64_t row = 0; row < d.rows; ++row) {
    to[row] = {d.ids[row], d.ok[row],
               d.uncertainty == nullptr ? Uncertainty{} : d.uncertainty[row]};
    ++d.positions[row];
    if (d.sampling != nullptr) {
      ++d.sampling[row].step;
    }
  }
  *d.turn = 1 - *d.turn;
}

void Ops::NormLinear(Rows x, ConstView weight, float eps, std::span<const Weight> parts, Rows norm,
                     Rows y) {
  RmsNorm(x, weight, eps, norm);
  Linear(norm, parts, y);
}

void Ops::NormGateUpSilu(Rows x, ConstView weight, float eps, std::span<const Weight> parts,
                         Rows norm, Rows gate_up, Rows y) {
  NormLinear(x, weight, eps, parts, norm, gate_up);
  SiluMul(gate_up, y);
}

bool Ops::FusesRopeAttend(const AttentionShape&, const KvLayer&, std::int64_t, std::int64_t) {
  return false;
}

void Ops::RopeAttend(const AttentionShape& shape, const RopeTable& table, const RowInfo& info,
                     Rows qkv, const KvLayer& cache, std::int64_t length, Rows out) {
  RopeAppendKv(shape, table, info, qkv, cache);
  Attend(shape, info, qkv, cache, length, out);
}

void Ops::LinearResidual(Rows x, const Weight& weight, Rows product, Rows sum) {
  Linear(x, {&weight, 1}, product);
  Add(product, sum);
}

}  // namespace engine
