// SPDX-License-Identifier: Apache-2.0
#include "engine/ops.h"

namespace engine {

bool Ops::BeginStep(const StepKey&) { return true; }
void Ops::EndStep() {}

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

void Ops::LinearResidual(Rows x, const Weight& weight, Rows product, Rows sum) {
  Linear(x, {&weight, 1}, product);
  Add(product, sum);
}

}  // namespace engine
