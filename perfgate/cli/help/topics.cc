// SPDX-License-Identifier: Apache-2.0
#include "perfgate/cli/help/topics.h"

namespace perfgate::cli {

const std::vector<Topic>& Topics() {
  static const std::vector<Topic> topics = {
      {"exit-codes", "what the exit code of a command says",
       R"(  0  pass: nothing that is gated became worse than its tolerance allows
 10  regression: a gated case is worse than its tolerance allows
 11  failed: the candidate crashed, hung or reported an error
 12  inconclusive: the evidence does not settle every gated case
 13  not comparable, or a case is missing
 14  invalid evidence: a file was changed, or a measurement broke its rules
 15  suspected: recorded numbers alone show a slowdown
 64  usage: the command line makes no sense
 65  data: a file or an executable cannot be used
 70  internal error
 77  skipped: there was nothing to do
128+N  ended by signal N
The first that applies: 70, 64, 65, 14, 11, 10, 13, 15, 12, 0.)"},
      {"verdicts", "the words in front of each case",
       R"(regression      slower than the tolerance, with the suite's error rate kept
no_regression   a slowdown larger than the tolerance is ruled out
improvement     faster, and a slowdown is ruled out
inconclusive    neither is shown; CI95 says what may still be true
failed          the candidate crashed, hung or reported an error
missing         only one of the two has the case
not_comparable  the two do not measure the same thing
invalid         the measurement broke its rules
suspected       slower by recorded numbers; confirm with both executables
skipped, new    not compared: skipped in both, or only in the candidate)"},
      {"values", "how durations and percentages are written",
       R"(Durations: 60s, 5min, 1.5h, 10ms, 200us, or a number of seconds. "m" is a minute too.
Percentages: 2%, 0.5%, or a fraction: 0.02 is 2 %. A number above 1 needs its per cent sign.
The same holds on the command line and in perfgate_add_suite().)"},
      {"names", "which cases --filter chooses",
       R"(--filter takes a regular expression (ECMAScript) that is searched in names of cases.
Names in reports are written so that they can be pasted: signs with a meaning in regular
expressions have a backslash, and a character beyond ASCII is \u{e9}. Parts that all names of a
table share are told once above it; .* stands where they were.)"},
      {"output", "colours, widths and details",
       R"(Colours: on a terminal. NO_COLOR, CLICOLOR=0 and TERM=dumb switch them off, CLICOLOR_FORCE on;
--color=always or =never wins over both.
Width: all that the terminal has. Logs and files: tables of up to 160 columns.
--all gives passed cases a line each, --verbose tells how everything was measured.
Results for programs: --json FILE, or - for standard output.)"},
  };
  return topics;
}

std::string TopicText(std::string_view name) {
  for (const Topic& topic : Topics()) {
    if (topic.name == name) return std::string(topic.text);
  }
  return "";
}

}  // namespace perfgate::cli
