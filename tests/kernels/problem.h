// SPDX-License-Identifier: Apache-2.0
// problem.h: for each op (problems/) the shapes, the inputs, and how far an implementation may be
// from the reference.
//
// Bounds are worst cases of the operations that the contract states, element by element, with
// u = 2^-24 the unit roundoff of float32 (Higham, Accuracy and Stability, chapters 3 and 4):
//  - a sum over n elements in 4 x 16 lanes has chains of at most n / 64 + 1 additions and 6 levels
//    of tree, so its error is at most (n / 64 + 8) u times the sum of magnitudes;
//  - a product, quotient or fused multiply-add adds u; e^x is within 1 ulp, at most 2 u;
//  - a result in the subnormal range has an absolute error of up to 2^-149 per operation.
// Results in bf16 are the once-rounded oracle give or take these, so at most one bf16 ulp more.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kernels/case_name.h"
#include "kernels/registry.h"
#include "tests/kernels/arena.h"

namespace kernels::testing {

// One output tensor and the allowed distance of element i from the reference's element i.
struct OutputCheck {
  std::string name;
  View view;
  std::function<double(std::int64_t i)> bound;  // absolute, before rounding to bf16
};

template <class Args>
struct Problem {
  Args args;
  std::vector<OutputCheck> outputs;  // floats; integers must be equal
  // Empty, or what is wrong with results that bounds on floats cannot judge; for ops whose integers
  // hang on rounded floats. Arguments are those of the implementation and of the reference.
  std::function<std::string(const Args& got, const Args& want)> fault = {};
};

inline const std::vector<Fill> kAllFills = {Fill::kUniform,   Fill::kWide,    Fill::kHuge,
                                            Fill::kSubnormal, Fill::kSpecial, Fill::kNanRow,
                                            Fill::kOneHot,    Fill::kTies,    Fill::kZero};

// What to try an op on; the dtype of a shape is set by the caller.
template <class Args>
struct Trials {
  using Shape = typename Args::Shape;
  std::vector<Shape> shapes;
  // Shapes that reach every path of the CUDA kernels: rows that need several blocks or a loop,
  // grids of more than one wave. Tried on a GPU alone, with uniform inputs only.
  std::vector<Shape> large = {};
  // Kinds of input that the op's contract gives a meaning to.
  std::vector<Fill> fills = kAllFills;
};

template <class Args>
Trials<Args> TrialsOf();

template <class Args>
Problem<Args> Make(const typename Args::Shape& shape, Fill fill, Arena& arena);

}  // namespace kernels::testing
