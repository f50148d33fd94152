// SPDX-License-Identifier: Apache-2.0
#include "engine/cli/engine_arguments.h"

#include <charconv>

#include "engine/error.h"
#include "engine/model/text_file.h"

namespace engine::cli {

void EngineArguments::AddTo(CLI::App& app) {
  const std::string group = "Engine";
  config_option_ =
      app.add_option("--config", config_, "JSON file of engine options; those given here win")
          ->type_name("FILE")
          ->group(group);
  const EngineOptions defaults;
  for (const OptionRow& row : OptionTable()) {
    const std::string name(row.name);
    Typed& typed = typed_[name];
    typed.option = app.add_option("--" + name, typed.value,
                                  std::string(row.help) + " [" + row.get(defaults) + "]")
                       ->type_name(ValuesText(row))
                       ->group(group);
  }
}

EngineOptions EngineArguments::Options() const {
  EngineOptions options;
  std::vector<std::string> problems;
  if (config_option_ != nullptr && config_option_->count() > 0) {
    std::vector<std::string> inside;
    FromJson(ReadJson(config_), options, inside);
    for (const std::string& problem : inside) {
      problems.push_back(config_ + ": " + problem);
    }
  }
  for (const OptionRow& row : OptionTable()) {
    const Typed& typed = typed_.find(row.name)->second;
    if (typed.option->count() > 0) {
      SetOption(options, row.name, typed.value, problems);
    }
  }
  for (const std::string& problem : Validate(options)) {
    problems.push_back(problem);
  }
  ThrowIfAny(problems);
  return options;
}

std::vector<std::int32_t> ParseIds(const std::string& text, const std::string& option) {
  std::vector<std::int32_t> ids;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    std::int32_t id = 0;
    const auto [stop, error] = std::from_chars(at, end, id);
    if (error != std::errc() || (stop != end && (*stop != ',' || stop + 1 == end))) {
      throw Error(Exit::kUsage, option + ": '" + std::string(at, end) +
                                    "' does not start with a token id; expected 72,105,33");
    }
    ids.push_back(id);
    at = stop == end ? end : stop + 1;
  }
  return ids;
}

}  // namespace engine::cli
