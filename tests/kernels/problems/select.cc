// SPDX-License-Identifier: Apache-2.0
// select.cc: the problems of argmax, top_k and sample.
#include "tests/kernels/problem_parts.h"

namespace kernels::testing {

template <>
Trials<ArgmaxArgs> TrialsOf() {
  Trials<ArgmaxArgs> trials;
  trials.shapes = RowShapes<ArgmaxShape>();
  trials.shapes.push_back({2, 9001});
  trials.large = {{1, 128256}, {1, 151936}, {3, 32003}, {8, 128256}, {300, 4099}, {1200, 1025}};
  return trials;
}

template <>
Problem<ArgmaxArgs> Make(const ArgmaxShape& shape, Fill fill, Arena& arena) {
  return {ArgmaxArgs{shape, arena.Input(shape.dtype, shape.rows * shape.cols, fill),
                     arena.Integers<std::int32_t>(shape.rows),
                     arena.Integers<std::uint8_t>(shape.rows)},
          {}};
}

template <>
Trials<TopKArgs> TrialsOf() {
  Trials<TopKArgs> trials;
  trials.shapes = {{1, 1, 1},   {3, 7, 7},       {2, 16, 3},    {2, 136, 50},
                   {3, 257, 1}, {2, 1100, 1024}, {1, 9001, 40}, {0, 5, 2}};
  // One part and several, parts in shared memory and not, lists that are selected from again.
  trials.large = {{1, 128256, 50}, {1, 151936, 1},   {2, 151936, 1024}, {3, 32003, 64},
                  {1, 128256, 20}, {1, 500009, 200}, {300, 4099, 40},   {530, 2050, 1000},
                  {3, 4097, 1024}, {270, 30001, 7},  {8, 151936, 50},   {270, 16500, 60}};
  return trials;
}

template <>
Problem<TopKArgs> Make(const TopKShape& shape, Fill fill, Arena& arena) {
  const View values = arena.Output(DType::kF32, shape.rows * shape.k);
  return {TopKArgs{.shape = shape,
                   .x = arena.Input(shape.dtype, shape.rows * shape.cols, fill),
                   .ids = arena.Integers<std::int32_t>(shape.rows * shape.k),
                   .values = {static_cast<float*>(values.data), values.count},
                   .ok = arena.Integers<std::uint8_t>(shape.rows)},
          {Exact("values", values)}};
}

template <>
Trials<SampleArgs> TrialsOf() {
  Trials<SampleArgs> trials;
  trials.shapes = {{1, 1, 1},   {3, 7, 7},       {2, 16, 3},    {5, 136, 50},
                   {3, 257, 1}, {9, 1100, 1024}, {4, 9001, 33}, {0, 5, 2}};
  trials.large = {
      {1, 128256, 50}, {2, 151936, 1024}, {300, 4099, 40}, {8, 151936, 33}, {270, 16500, 64}};
  return trials;
}

// The same column and probability, bit for bit.
template <>
Problem<SampleArgs> Make(const SampleShape& shape, Fill fill, Arena& arena) {
  const View probability = arena.Output(DType::kF32, shape.rows);
  // Each shape draws by another rule; a low temperature leaves few candidates any weight.
  const auto k = static_cast<float>(shape.k);
  return {SampleArgs{.shape = shape,
                     .temperature = k > 100 ? 0.01F : 0.7F,
                     .top_p = shape.k % 2 == 0 ? 0.9F : 1.0F,
                     .seed = 0x123456789abcdef0U,
                     .step = static_cast<std::uint64_t>(shape.cols) << 30,
                     .logits = arena.Input(shape.dtype, shape.rows * shape.cols, fill),
                     .ids = arena.Integers<std::int32_t>(shape.rows),
                     .probability = {static_cast<float*>(probability.data), probability.count}},
          {Exact("probability", probability)}};
}

}  // namespace kernels::testing
