// SPDX-License-Identifier: Apache-2.0
// chart_svg.cc: a chart as inline SVG. Colours are classes, so that the page's light, dark and
// printed styles hold for figures too.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "perfgate/report/figures/chart.h"
#include "perfgate/report/text/markup.h"

namespace perfgate::report {
namespace {

// At 360 units the text of 11 is legible on a telephone, where a unit is a pixel.
constexpr double kWidth = 360;
constexpr double kHeight = 210;
constexpr double kLeft = 52;
constexpr double kRight = 350;
constexpr double kTop = 20;
constexpr double kBottom = 170;

// Where a value lies, within the field.
double SvgX(const Chart& chart, double value) {
  return kLeft + std::clamp(Along(chart.x, value), 0.0, 1.0) * (kRight - kLeft);
}

double SvgY(const Chart& chart, double value) {
  return kBottom - std::clamp(Along(chart.y, value), 0.0, 1.0) * (kBottom - kTop);
}

std::string AxesSvg(const Chart& chart) {
  std::string text;
  for (const Tick& tick : chart.x.ticks) {
    const double x = SvgX(chart, tick.at);
    text += fmt::format(
        "<path class=\"grid\" d=\"M{0:.1f} {1}V{2}\"/><text x=\"{0:.1f}\" y=\"{3}\" "
        "text-anchor=\"{5}\">{4}</text>",
        x, kTop, kBottom, kBottom + 17, MarkupText(tick.text), x > kRight - 12 ? "end" : "middle");
  }
  for (const Tick& tick : chart.y.ticks) {
    const double y = SvgY(chart, tick.at);
    text += fmt::format(
        "<path class=\"grid\" d=\"M{0} {2:.1f}H{1}\"/><text x=\"{3}\" y=\"{4:.1f}\" "
        "text-anchor=\"end\">{5}</text>",
        kLeft, kRight, y, kLeft - 5, y + 4, MarkupText(tick.text));
  }
  text += fmt::format(R"(<text x="{}" y="{}" text-anchor="end">{}</text>)", kRight, kBottom + 35,
                      MarkupText(chart.x.label));
  return text + fmt::format(R"(<text x="2" y="11">{}</text>)", MarkupText(chart.y.label));
}

std::string BandsSvg(const Chart& chart) {
  std::string text;
  for (const Band& band : chart.bands) {
    const double top = SvgY(chart, band.hi);
    const double bottom = SvgY(chart, band.lo);
    text +=
        fmt::format(R"(<rect class="band {}" x="{}" y="{:.1f}" width="{}" height="{:.1f}"/>)",
                    RoleName(band.role), kLeft, top, kRight - kLeft, std::max(bottom - top, 1.0));
  }
  return text;
}

std::string LinesSvg(const Chart& chart) {
  std::string text;
  for (const Rule& rule : chart.rules) {
    const std::string path =
        rule.across == Across::kHorizontal
            ? fmt::format("M{} {:.1f}H{}", kLeft, SvgY(chart, rule.at), kRight)
            : fmt::format("M{:.1f} {}V{}", SvgX(chart, rule.at), kTop, kBottom);
    text += fmt::format(R"(<path class="rule {}" d="{}"/>)", RoleName(rule.role), path);
  }
  for (const Slope& slope : chart.slopes) {
    text += fmt::format(R"(<path class="rule {}" d="M{:.1f} {:.1f}L{:.1f} {:.1f}"/>)",
                        RoleName(slope.role), SvgX(chart, slope.from.x), SvgY(chart, slope.from.y),
                        SvgX(chart, slope.to.x), SvgY(chart, slope.to.y));
  }
  return text;
}

std::string NumbersSvg(const std::vector<Point>& placed) {
  constexpr double kWide = 26;
  constexpr double kHigh = 12;
  std::string text;
  for (const NumberLabel& label : NumberLabels(placed, kWide, kHigh)) {
    const bool left = label.at.x > (kLeft + kRight) / 2;
    text += fmt::format(R"(<text class="number" x="{:.1f}" y="{:.1f}" text-anchor="{}">{}</text>)",
                        left ? label.at.x - 5 : label.at.x + 5, label.at.y - 5,
                        left ? "end" : "start", label.text);
  }
  return text;
}

std::string SeriesSvg(const Chart& chart, const PlotSeries& series) {
  const std::string role = RoleName(series.role);
  std::vector<Point> placed;
  std::string path;
  std::string marks;
  for (const Point& point : series.points) {
    const bool there = std::isfinite(point.x) && std::isfinite(point.y);
    placed.push_back(there ? Point{SvgX(chart, point.x), SvgY(chart, point.y)} : Point{NAN, NAN});
    if (!there) continue;
    const Point& at = placed.back();
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", at.x, at.y);
    marks +=
        fmt::format(R"(<circle class="mark {}" cx="{:.1f}" cy="{:.1f}" r="3"/>)", role, at.x, at.y);
  }
  if (path.empty()) return "";
  std::string text;
  if (series.line) text = fmt::format(R"(<path class="line {}" d="{}"/>)", role, path);
  return text + marks + (series.numbered ? NumbersSvg(placed) : "");
}

std::string LegendItem(const std::string& mark, Role role, const std::string& name) {
  if (name.empty()) return "";
  return fmt::format(
      R"(<li><svg class="key" viewBox="0 0 18 10" aria-hidden="true">{}</svg> {}</li>)",
      fmt::format(fmt::runtime(mark), RoleName(role)), MarkupText(name));
}

}  // namespace

std::string ChartSvg(const Chart& chart) {
  std::string text =
      fmt::format(R"(<svg class="chart" viewBox="0 0 {} {}" role="img"><title>{}</title>)", kWidth,
                  kHeight, MarkupText(chart.title));
  text += BandsSvg(chart) + AxesSvg(chart) + LinesSvg(chart);
  for (const PlotSeries& series : chart.series) text += SeriesSvg(chart, series);
  return text + "</svg>";
}

std::string ChartLegendHtml(const Chart& chart) {
  std::string items;
  for (const PlotSeries& series : chart.series) {
    items +=
        LegendItem(R"(<circle class="mark {}" cx="9" cy="5" r="3"/>)", series.role, series.name);
  }
  for (const Band& band : chart.bands) {
    items += LegendItem(R"(<rect class="band {}" x="0" y="1" width="18" height="8"/>)", band.role,
                        band.name);
  }
  for (const Rule& rule : chart.rules) {
    items += LegendItem(R"(<path class="rule {}" d="M0 5H18"/>)", rule.role, rule.name);
  }
  for (const Slope& slope : chart.slopes) {
    items += LegendItem(R"(<path class="rule {}" d="M0 9L18 1"/>)", slope.role, slope.name);
  }
  return items.empty() ? "" : "<ul class=\"legend\">" + items + "</ul>";
}

}  // namespace perfgate::report
