// SPDX-License-Identifier: Apache-2.0
// chart_tikz.cc: a chart as TikZ. Units are centimetres; every colour also prints in grey.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "perfgate/report/figures/chart.h"
#include "perfgate/report/text/latex.h"

namespace perfgate::report {
namespace {

constexpr double kCmWide = 7;
constexpr double kCmHigh = 3.6;

double TikzX(const Chart& chart, double value) {
  return std::clamp(Along(chart.x, value), 0.0, 1.0) * kCmWide;
}

double TikzY(const Chart& chart, double value) {
  return std::clamp(Along(chart.y, value), 0.0, 1.0) * kCmHigh;
}

std::string ColorOf(Role role) { return "perfgate" + RoleName(role); }

// Candidates are filled, all others hollow.
std::string DotStyle(Role role) {
  const std::string color = ColorOf(role);
  return role == Role::kCandidate ? "draw=" + color + ",fill=" + color
                                  : "draw=" + color + ",fill=white";
}

std::string AxesTikz(const Chart& chart) {
  std::string text = fmt::format("\\draw[gray] (0,0) rectangle ({},{});\n", kCmWide, kCmHigh);
  for (const Tick& tick : chart.x.ticks) {
    text += fmt::format(
        "\\draw[gray!25] ({0:.3f},0)--({0:.3f},{1}); \\node[below] at ({0:.3f},0) {{{2}}};\n",
        TikzX(chart, tick.at), kCmHigh, LatexText(tick.text));
  }
  for (const Tick& tick : chart.y.ticks) {
    text += fmt::format(
        "\\draw[gray!25] (0,{0:.3f})--({1},{0:.3f}); \\node[left] at (0,{0:.3f}) {{{2}}};\n",
        TikzY(chart, tick.at), kCmWide, LatexText(tick.text));
  }
  return text +
         fmt::format("\\node[below left] at ({},-0.35) {{{}}};\n", kCmWide,
                     LatexText(chart.x.label)) +
         fmt::format("\\node[above right] at (-0.9,{}) {{{}}};\n", kCmHigh,
                     LatexText(chart.y.label));
}

std::string SeriesTikz(const Chart& chart, const PlotSeries& series) {
  std::vector<Point> placed;
  std::string path;
  std::string marks;
  for (const Point& point : series.points) {
    const bool there = std::isfinite(point.x) && std::isfinite(point.y);
    placed.push_back(there ? Point{TikzX(chart, point.x), TikzY(chart, point.y)} : Point{NAN, NAN});
    if (!there) continue;
    const std::string at = fmt::format("({:.3f},{:.3f})", placed.back().x, placed.back().y);
    path += (path.empty() ? "" : "--") + at;
    marks += "\\filldraw[" + DotStyle(series.role) + "] " + at + " circle (0.05);\n";
  }
  if (path.empty()) return "";
  constexpr double kWideCm = 0.5;
  constexpr double kHighCm = 0.25;
  if (series.numbered) {
    for (const NumberLabel& label : NumberLabels(placed, kWideCm, kHighCm)) {
      const char* side = label.at.x > kCmWide / 2 ? "above left" : "above right";
      marks += fmt::format("\\node[{},inner sep=2pt] at ({:.3f},{:.3f}) {{{}}};\n", side,
                           label.at.x, label.at.y, label.text);
    }
  }
  return (series.line ? "\\draw[" + ColorOf(series.role) + "] " + path + ";\n" : "") + marks;
}

std::string KeyOf(const std::string& mark, const std::string& name) {
  if (name.empty()) return "";
  return "\\mbox{\\tikz[baseline=-0.5ex]{" + mark + "}~" + LatexText(name) + "}\\quad ";
}

std::string LegendTikz(const Chart& chart) {
  std::string text;
  for (const PlotSeries& series : chart.series) {
    text += KeyOf("\\filldraw[" + DotStyle(series.role) + "] (0,0) circle (0.05);", series.name);
  }
  for (const Band& band : chart.bands) {
    text +=
        KeyOf("\\fill[" + ColorOf(band.role) + "!25] (0,-0.07) rectangle (0.35,0.07);", band.name);
  }
  for (const Rule& rule : chart.rules) {
    text += KeyOf("\\draw[dashed," + ColorOf(rule.role) + "] (0,0)--(0.35,0);", rule.name);
  }
  for (const Slope& slope : chart.slopes) {
    text += KeyOf("\\draw[dashed," + ColorOf(slope.role) + "] (0,-0.07)--(0.35,0.07);", slope.name);
  }
  return text.empty() ? "" : R"(\par{\scriptsize\raggedright )" + text + "\\par}\n";
}

}  // namespace

std::string TikzColors() {
  return "\\definecolor{perfgatebaseline}{HTML}{5F6B7A}\n"
         "\\definecolor{perfgatecandidate}{HTML}{1F5FD0}\n"
         "\\definecolor{perfgateinterval}{HTML}{1F5FD0}\n"
         "\\definecolor{perfgatetolerance}{HTML}{B3261E}\n"
         "\\definecolor{perfgatenoise}{HTML}{8A8F98}\n"
         "\\definecolor{perfgateceiling}{HTML}{8A5A00}\n"
         "\\definecolor{perfgatezero}{HTML}{3C4043}\n";
}

std::string ChartTikz(const Chart& chart) {
  std::string text = "\\begin{tikzpicture}[font=\\scriptsize]\n";
  for (const Band& band : chart.bands) {
    text += fmt::format("\\fill[{}!25] (0,{:.3f}) rectangle ({},{:.3f});\n", ColorOf(band.role),
                        TikzY(chart, band.lo), kCmWide, TikzY(chart, band.hi));
  }
  text += AxesTikz(chart);
  for (const Rule& rule : chart.rules) {
    const bool level = rule.across == Across::kHorizontal;
    text += level ? fmt::format("\\draw[dashed,{0}] (0,{1:.3f})--({2},{1:.3f});\n",
                                ColorOf(rule.role), TikzY(chart, rule.at), kCmWide)
                  : fmt::format("\\draw[dashed,{0}] ({1:.3f},0)--({1:.3f},{2});\n",
                                ColorOf(rule.role), TikzX(chart, rule.at), kCmHigh);
  }
  for (const Slope& slope : chart.slopes) {
    text += fmt::format("\\draw[dashed,{}] ({:.3f},{:.3f})--({:.3f},{:.3f});\n",
                        ColorOf(slope.role), TikzX(chart, slope.from.x), TikzY(chart, slope.from.y),
                        TikzX(chart, slope.to.x), TikzY(chart, slope.to.y));
  }
  for (const PlotSeries& series : chart.series) text += SeriesTikz(chart, series);
  return text + "\\end{tikzpicture}\n" + LegendTikz(chart);
}

}  // namespace perfgate::report
