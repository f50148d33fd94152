// SPDX-License-Identifier: Apache-2.0
// chart.h: a figure as a value, drawn as SVG for pages and as TikZ for papers.
//
// A chart has axes, bands and rules across its whole field, and series of points. Text in it is
// short and perfgate's own; names from elsewhere stand beside it, where lines can break.
#pragma once

#include <string>
#include <vector>

namespace perfgate::report {

// What a mark stands for. Both forms have a colour and a shape for each.
enum class Role { kBaseline, kCandidate, kInterval, kTolerance, kNoise, kCeiling, kZero };

struct Tick {
  double at = 0;
  std::string text;
};

struct Axis {
  std::string label;
  double lo = 0;
  double hi = 1;
  bool log = false;
  std::vector<Tick> ticks;
};

struct Point {
  double x = 0;
  double y = 0;
};

struct PlotSeries {
  Role role = Role::kBaseline;
  std::string name{};  // for the legend; empty: not there
  std::vector<Point> points{};
  bool line = true;
  bool numbered = false;  // each point bears its number, from 1
};

enum class Across { kHorizontal, kVertical };

// From edge to edge between two values of one axis.
struct Band {
  Role role = Role::kNoise;
  std::string name;
  double lo = 0;
  double hi = 0;
};

// A line through the whole field: horizontal at a y.
struct Rule {
  Role role = Role::kZero;
  std::string name{};
  double at = 0;
  Across across = Across::kHorizontal;
};

// A line between two points.
struct Slope {
  Role role = Role::kCeiling;
  std::string name;
  Point from;
  Point to;
};

struct Chart {
  std::string title;  // what it shows, for people who cannot see it; not escaped
  Axis x;
  Axis y;
  std::vector<Band> bands;
  std::vector<Rule> rules;
  std::vector<Slope> slopes;
  std::vector<PlotSeries> series;
};

// An axis over the values, with room at both ends and ticks of 1, 2 or 5 times a power of ten. NaN
// and infinity do not count; a range of no width gets some.
Axis LinearAxis(const std::string& label, const std::vector<double>& values);

// From one power of ten to another around the positive values; the tick at 1e9 says "1 G".
Axis LogAxis(const std::string& label, const std::vector<double>& values);

// 0 at the low end, 1 at the high end; beyond where the value is.
double Along(const Axis& axis, double value);

// The numbers of points, from 1; points closer than (wide, high) share a label: "2, 3".
struct NumberLabel {
  Point at;
  std::string text;
};
std::vector<NumberLabel> NumberLabels(const std::vector<Point>& points, double wide, double high);

// An <svg> element that takes its colours from the classes of the page (html/page_style.h).
std::string ChartSvg(const Chart& chart);

// The legend as HTML: a list of marks and names.
std::string ChartLegendHtml(const Chart& chart);

// A tikzpicture and its legend below. Needs the package tikz.
std::string ChartTikz(const Chart& chart);

// The class of a role in pages, and the colour's name in TikZ: "baseline", "candidate", ...
std::string RoleName(Role role);

// Definitions of the colours that ChartTikz uses.
std::string TikzColors();

}  // namespace perfgate::report
