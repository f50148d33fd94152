// SPDX-License-Identifier: Apache-2.0
#include "perfgate/cli/options/arm_options.h"

#include <string>

#include "perfgate/cli/options/options.h"

namespace perfgate::cli {

void AddArmOptions(CLI::App& app, gate::GateRequest& request) {
  for (const auto& [arm, settings] : {std::pair("baseline", &request.baseline_arm),
                                      std::pair("candidate", &request.candidate_arm)}) {
    const std::string option = "--" + std::string(arm);
    app.add_option(option + "-args", settings->arguments,
                   "Arguments of the " + std::string(arm) +
                       "'s program, as one text: '--size 64'; split as a shell does");
    app.add_option(option + "-env", settings->environment,
                   "NAME=VALUE in the " + std::string(arm) +
                       "'s environment; may be repeated, the other arm has what perfgate has")
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  }
  app.add_option("--baseline-filter", request.cases.baseline,
                 "Cases of the baseline that are compared with others of the candidate: a regular "
                 "expression of the whole name, 'BM_Old/(.*)'")
      ->check(not_empty());
  app.add_option("--candidate-filter", request.cases.candidate,
                 "The name of the candidate's case for each of them: 'BM_New/\\1'")
      ->check(not_empty());
  app.add_flag("--expect-different", request.expect_different,
               "The arms are alternatives and differ on purpose: a slower one does not fail");
}

}  // namespace perfgate::cli
