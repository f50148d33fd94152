// SPDX-License-Identifier: Apache-2.0
// machine_class.h: which machines may be compared with each other through recorded numbers.
//
// Two machines are of one class when the fields below agree. The kernel release, memory size and
// host name are recorded but not in it: they change without moving kernels by themselves.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "perfgate/evidence/machine.h"

namespace perfgate::inline evidence {

// "cpu_model": "AMD EPYC 9B14", ...: names and values in a fixed order. GPUs of one kind are
// counted.
using ClassFields = std::vector<std::pair<std::string, std::string>>;
ClassFields class_fields(const Machine& machine);

// A readable name and 8 digits over all fields: "amd-epyc-9b14-4cpu-avx512-1a2b3c4d". Only
// lower-case letters, digits and dashes, so that it can be a folder.
std::string machine_class(const ClassFields& fields);

// "cpu_model: A against B" for every field that differs, in the order of the fields.
std::vector<std::string> class_differences(const ClassFields& one, const ClassFields& other);

}  // namespace perfgate::inline evidence
