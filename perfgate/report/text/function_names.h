// SPDX-License-Identifier: Apache-2.0
// function_names.h: C++ functions by the names that people call them.
#pragma once

#include <string>
#include <string_view>

namespace perfgate::report {

// "void a::Sort<int>(int*, long), main" becomes "a::Sort, main": no return types, template
// arguments, parameters or anonymous namespaces, and no name twice. A text whose brackets do not
// match (an operator<, say) is left as it is.
std::string without_signatures(std::string_view functions);

}  // namespace perfgate::report
