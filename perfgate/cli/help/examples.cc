// SPDX-License-Identifier: Apache-2.0
#include "perfgate/cli/help/examples.h"

#include <algorithm>

namespace perfgate::cli {
namespace {

struct OfCommand {
  std::string_view command;
  Example first;
  Example second;
};

constexpr OfCommand kExamples[] = {
    {"",
     {"perfgate demo", "see a gate at work"},
     {"perfgate help gate", "its options; perfgate help lists topics as well"}},
    {"demo",
     {"perfgate demo", "a red line and a green one, in seconds"},
     {"perfgate demo --verbose", "and how they were measured"}},
    {"gate",
     {"perfgate gate old/my_bench new/my_bench", "judge the new build"},
     {"perfgate gate old/my_bench new/my_bench --tolerance 5% --filter 'sort/.*/n:64' --json "
      "v.json",
      "some cases, a wider tolerance, the verdict in a file"}},
    {"ci",
     {"perfgate ci --target my_bench --tolerance 3%", "judge a change of a CMake project"},
     {"perfgate ci --build 'make bench' --bench out/bench --base v1.2",
      "any other build, against a release"}},
    {"ci comment",
     {"printf %s \"$TOKEN\" | perfgate ci comment perfgate-ci/verdict.json --token-file -",
      "post a verdict"},
     {"perfgate ci comment --none --name my_bench --token-file token",
      "say that a run has no verdict"}},
    {"compare",
     {"perfgate compare std_bench radix_bench heap_bench", "rank three executables"},
     {"perfgate compare --command -- 'gzip -1 <f' 'gzip -6 <f'", "rank command lines"}},
    {"ablate",
     {"perfgate ablate my_bench --key gemv",
      "cases with gemv:... in their name, against those without"},
     {"perfgate ablate my_bench --key gemv=own --budget 5min", "one value of it, longer"}},
    {"run",
     {"perfgate run my_bench --session s.json", "measure and keep the session"},
     {"perfgate run old/my_bench new/my_bench --rounds 20", "two side by side, 20 rounds"}},
    {"calibrate",
     {"perfgate calibrate my_bench --json noise.json", "this machine's noise"},
     {"perfgate calibrate my_bench --rounds 60", "more rounds, a surer answer"}},
    {"plan",
     {"perfgate plan noise.json", "the rounds that each case needs"},
     {"perfgate plan noise.json --tolerance 3%", "the same for another tolerance"}},
    {"baseline",
     {"perfgate baseline record my_bench --suite my", "add a session of the accepted state"},
     {"perfgate baseline show", "what is stored, and what it can decide"}},
    {"baseline record",
     {"perfgate baseline record my_bench --suite my", "three sessions, half a minute apart"},
     {"perfgate baseline record my_bench --suite my --sessions 10", "enough to decide on numbers"}},
    {"baseline show",
     {"perfgate baseline show", "every suite of the store"},
     {"perfgate baseline show --store git:main:baselines --suite my", "one suite, as on main"}},
    {"baseline find",
     {"perfgate baseline find --suite my", "the folder of this machine's baseline"},
     {"perfgate baseline find --suite my --store perf", "in another store"}},
    {"baseline verify",
     {"perfgate baseline verify", "check every suite"},
     {"perfgate baseline verify --key release.key", "and who signed it"}},
    {"baseline prune",
     {"perfgate baseline prune --keep 20", "keep the newest 20 sessions"},
     {"perfgate baseline prune --suite my --keep 20", "of one suite"}},
    {"import",
     {"perfgate import results.json --output s.json", "a session of what another tool measured"},
     {"perfgate import results.json --format hyperfine", "say which tool it was"}},
    {"parity",
     {"perfgate parity --baseline base --human human --agent agent", "the agent against the human"},
     {"perfgate parity --from published.json --markdown parity.md", "what a published table says"}},
    {"relink",
     {"perfgate relink --command-file my_bench.link --output layouts", "40 layouts of one program"},
     {"perfgate gate old/layouts new/layouts", "and a gate over them"}},
    {"report",
     {"perfgate report v.json --all --verbose", "a verdict again, with everything"},
     {"perfgate report s.json --decide", "judge a session again"}},
    {"bundle",
     {"perfgate bundle v.json s.json --output results",
      "evidence, tables and a script that remakes them"},
     {"perfgate bundle *.verdict.json --output results --title 'Release 2'", "several suites"}},
    {"history",
     {"perfgate history baselines", "trends of every suite, and where they changed"},
     {"perfgate history git:origin/main:baselines --suite my --last 200", "one suite, as on main"}},
    {"bisect",
     {"perfgate bisect v1.0 main --build 'make bench' --executable bench", "build and gate"},
     {"perfgate bisect v1.0 main --prebuilt 'builds/{commit}/bench'",
      "executables that are there"}},
    {"merge",
     {"perfgate merge fleet.json out/job-*.json", "one verdict of all jobs"},
     {"perfgate merge fleet.json out/job-*.json --json v.json --session s.json", "and its files"}},
    {"audit",
     {"perfgate audit table.json", "what in the table does not hold"},
     {"perfgate audit results/*.json --format md", "several files, as Markdown"}},
    {"sign",
     {"perfgate sign --key release.key policy.json", "sign a policy"},
     {"perfgate gate old new --key release.key --policy policy.json", "use it"}},
    {"doctor",
     {"perfgate doctor", "is this machine fit to measure?"},
     {"perfgate doctor && perfgate gate old/my_bench new/my_bench", "a gate where it is"}},
    {"help",
     {"perfgate help gate", "the options of a command"},
     {"perfgate help values", "how durations and percentages are written"}},
    {"completion",
     {"source <(perfgate completion bash)", "in bash, for this session"},
     {"perfgate completion fish | source", "in fish"}},
    {"manual",
     {"perfgate manual gate | man -l -", "read a man page"},
     {"perfgate manual > perfgate.1", "write the one of perfgate itself"}},
};

}  // namespace

std::vector<Example> ExamplesOf(std::string_view command) {
  const auto* const found =
      std::find_if(std::begin(kExamples), std::end(kExamples),
                   [&](const OfCommand& entry) { return entry.command == command; });
  if (found == std::end(kExamples)) return {};
  return {found->first, found->second};
}

std::string ExamplesText(std::string_view command) {
  std::string text;
  for (const Example& example : ExamplesOf(command)) {
    text += text.empty() ? "Examples:\n" : "\n";
    text.append("  ").append(example.line).append("\n      ").append(example.meaning);
  }
  return text;
}

}  // namespace perfgate::cli
