// SPDX-License-Identifier: Apache-2.0
// suite_figures.h: what a suite's files can show, as charts that a page and a paper both draw.
#pragma once

#include <string>
#include <vector>

#include "perfgate/report/figures/chart.h"
#include "perfgate/report/suites/reported_suite.h"

namespace perfgate::report {

struct Figure {
  std::string caption;  // a sentence; text from elsewhere in it is not escaped
  Chart chart;
  std::vector<std::string> names;  // of numbered points
};

// The values of every arm over the time of the session, and the change of each round beside the
// interval and the band in which unchanged code lies: of the calibration where there is one. None
// where the session does not have the case. `shown`: a column of the verdict.
std::vector<Figure> RoundFigures(const ReportedSuite& suite, const ColumnVerdict& shown);

// Of a session alone: the values of every arm over time.
std::vector<Figure> SessionFigures(const Session& session, std::size_t case_index);

// The change that each pair of layouts showed, beside that of one link: a row per case that was
// decided over layouts.
std::vector<Figure> LayoutFigures(const ReportedSuite& suite);

// Operations per second over operations per byte where cases declare both, else bytes per second
// case by case, under the bandwidth that the session measured as their ceiling. None where no case
// declares bytes.
std::vector<Figure> RooflineFigures(const ReportedSuite& suite);

// How far one round of unchanged code lies from 0 in 95 % of rounds, as an effect; NaN where the
// calibration does not have the case.
double UnchangedBand(const Calibration& calibration, const std::string& case_name,
                     const std::string& metric);

// One stage of a case that reports its parts in metrics "stage_X", per arm.
struct StageShare {
  std::string stage;
  double baseline = 0;  // of the sum over stages, fraction
  double candidate = 0;
};

struct StageShares {
  std::string case_name;
  std::vector<StageShare> stages;
};

// One per case with at least two stages.
std::vector<StageShares> StageSharesOf(const SuiteVerdict& verdict);

}  // namespace perfgate::report
