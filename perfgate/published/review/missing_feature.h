// SPDX-License-Identifier: Apache-2.0
// missing_feature.h: whether a build or a run failed because it lacks what the change introduces.
//
// Compilers, linkers, Python and option parsers name what they did not find: a flag, a module, a
// header or a symbol. Where the baseline fails by that name and the change introduces it, the
// baseline cannot run this benchmark at all, and no retry helps.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perfgate::published {

enum class MissingKind { kFlag, kModule, kHeader, kSymbol };

struct MissingName {
  MissingKind kind = MissingKind::kSymbol;
  std::string name;  // "--enable-x", "vllm.foo", "foo.h", "RunFoo"
  std::string line;  // that says so
};

// The first thing that a log says is not there; none where no line does.
std::optional<MissingName> FindMissingName(const std::vector<std::string>& log);

// The first thing that a log misses and the change introduces. A flag's "=value", the module in
// front of a name and a function's parameters do not matter.
std::optional<MissingName> FindMissingFeature(const std::vector<std::string>& log,
                                              const std::vector<std::string>& introduces);

// Whether a change in unified diff form introduces a name: an added line or an added file has it as
// a whole word, and no removed line and no line of context has.
bool Introduces(std::string_view diff, std::string_view name);

}  // namespace perfgate::published
