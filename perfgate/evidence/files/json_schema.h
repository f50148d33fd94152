// SPDX-License-Identifier: Apache-2.0
// json_schema.h: JSON Schema (draft 2020-12) of the evidence files, from the same field lists that
// read and write them. docs/schema/ holds the result; a test keeps the two equal.
#pragma once

#include <string>
#include <string_view>

namespace perfgate::inline evidence {

// `format`: the word of a file format, "session", "verdict", ...; std::logic_error for
// anything else. A schema cannot say which sizes must agree; the readers check that besides.
std::string json_schema(std::string_view format);

}  // namespace perfgate::inline evidence
