// SPDX-License-Identifier: Apache-2.0
#include "kernels/describe.h"

namespace kernels {

std::string JoinSizes(std::initializer_list<NamedSize> sizes, std::string_view dtype) {
  std::string text;
  for (const NamedSize& size : sizes) {
    text.append(size.key).append(":").append(std::to_string(size.value)).append("/");
  }
  return text.append("dtype:").append(dtype);
}

std::string FromTo(DType from, DType to) {
  return std::string(Name(from)).append("_to_").append(Name(to));
}

double Product(std::initializer_list<std::int64_t> sizes) {
  double product = 1;
  for (const std::int64_t size : sizes) {
    product *= static_cast<double>(size);
  }
  return product;
}

}  // namespace kernels
