// SPDX-License-Identifier: Apache-2.0
// toggles.h: cases of one executable that differ in one option, as pairs to be compared.
//
// Names are parts between slashes, and a part "key:value" is an option. The case
// run/model:tiny/gemv:reference is a toggle of the key `gemv`; what it is compared with is the same
// name without that part, or with another value of the key where the caller names one.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace perfgate::inline verdict {

struct Toggle {
  std::string option;      // "gemv:reference"
  std::string where;       // the name without the option: "run/model:tiny"
  std::string name;        // of the pair, different for all: the name with the option
  std::size_t before = 0;  // index into the names: without the option, or with the base value
  std::size_t after = 0;   // with the option
};

// keys: "gemv", or "gemv=own" where the base is spelled out in names as well. In the order of keys,
// then of names. Cases without a partner are left out. Throws Error(kUsage) for a key that gives no
// pair.
std::vector<Toggle> find_toggles(std::span<const std::string> names,
                                 std::span<const std::string> keys);

}  // namespace perfgate::inline verdict
