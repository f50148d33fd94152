// SPDX-License-Identifier: Apache-2.0
#include "perfgate/cli/help/groups.h"

#include <map>
#include <string>
#include <string_view>

#include "perfgate/cli/help/examples.h"

namespace perfgate::cli {
namespace {

struct Group {
  std::string_view name;
  std::string_view members;  // between spaces
};

constexpr Group kOptionGroups[] = {
    {"What is compared",
     " --baseline --candidate --aa --bootstrap --suite --filter --baseline-filter "
     "--candidate-filter --baseline-args --candidate-args --baseline-env --candidate-env "
     "--expect-different --layouts --reuse-layouts --human --agent --primary --label --by "
     "--reference --series --family --metric --arm --manifest --from "},
    {"Deciding",
     " --tolerance --alpha --hide-limit --claim-improvements --second-clock --plausibility "
     "--unchecked-speedup --unchanged-code --hot-code --policy --suspected --margin --decide "},
    {"Measuring",
     " --budget --rounds --slice --pairs --cpu --seed --count --oversubscribe --no-preload "},
    {"Stored baselines",
     " --store --cache --trusted --numbers --sessions --session-gap --allow --keep "
     "--allow-failed --limit "},
    {"Trust",
     " --isolate --isolate-read --suite-from --key --ledger --ledger-head --change "
     "--repository "},
    {"Output",
     " --json --markdown --session --format --output --summary --csv --latex --metrics --color "
     "--all --verbose "},
    {"Help", " --help --version "},
};

constexpr Group kCommandGroups[] = {
    {"Compare", " demo gate ci compare ablate parity "},
    {"Record and plan", " run calibrate plan merge baseline "},
    {"Read", " report bundle history bisect import audit "},
    {"Prepare", " doctor relink sign "},
    {"Help", " help completion manual "},
};

template <std::size_t N>
std::string GroupOf(const std::string& member, const Group (&groups)[N]) {
  for (const Group& group : groups) {
    if (group.members.find(" " + member + " ") != std::string_view::npos) {
      return std::string(group.name);
    }
  }
  return "";
}

void ArrangeOptions(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    if (option->get_positional() || option->get_group() != "Options") continue;
    if (option->get_lnames().empty()) continue;
    const std::string group = GroupOf("--" + option->get_lnames().front(), kOptionGroups);
    if (!group.empty()) option->group(group);
  }
}

void Arrange(CLI::App& app, const std::string& path) {
  ArrangeOptions(app);
  const std::string examples = ExamplesText(path);
  if (!examples.empty()) {
    const std::string footer = app.get_footer();
    app.footer(footer + (footer.empty() ? "" : "\n\n") + examples);
  }
  for (CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    Arrange(*sub, path.empty() ? sub->get_name() : path + " " + sub->get_name());
  }
}

}  // namespace

void ArrangeHelp(CLI::App& root) {
  for (CLI::App* sub : root.get_subcommands([](const CLI::App*) { return true; })) {
    const std::string group = GroupOf(sub->get_name(), kCommandGroups);
    if (!group.empty()) sub->group(group);
  }
  Arrange(root, "");
}

}  // namespace perfgate::cli
