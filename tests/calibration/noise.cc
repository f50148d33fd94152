// SPDX-License-Identifier: Apache-2.0
#include "tests/calibration/noise.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "perfgate/stats/estimate/order_statistics.h"
#include "perfgate/stats/estimate/quantiles.h"

namespace perfgate::calibration {
namespace {

// Quantiles at the midpoints of equal steps of probability: 20,000 of them give six digits for
// every centre of every shape here.
std::vector<double> quantile_points(const std::function<double(double)>& quantile) {
  constexpr std::size_t kPoints = 20000;
  std::vector<double> points(kPoints);
  for (std::size_t i = 0; i < kPoints; ++i) {
    points[i] = quantile((static_cast<double>(i) + 0.5) / kPoints);
  }
  return points;
}

// m with P((X + X') / 2 <= m) = 1/2, by the midpoint rule over X's quantiles.
double pseudomedian_of(const std::vector<double>& points, const std::function<double(double)>& cdf,
                       double lo, double hi) {
  const auto excess = [&](double m) {
    double sum = 0.0;
    for (const double x : points) {
      sum += cdf(2.0 * m - x);
    }
    return sum / static_cast<double>(points.size()) - 0.5;
  };
  std::uintmax_t steps = 100;
  const auto [a, b] = boost::math::tools::toms748_solve(
      excess, lo, hi, boost::math::tools::eps_tolerance<double>(40), steps);
  return std::midpoint(a, b);
}

// Mean of the middle 60 %.
double trimmed_mean_of(const std::vector<double>& points) {
  const std::size_t cut = points.size() / 5;
  return stats::mean(std::span(points).subspan(cut, points.size() - 2 * cut));
}

nlohmann::json read_json(const std::string& path) {
  std::ifstream file(std::string(PERFGATE_SOURCE_DIR) + "/" + path);
  if (!file) {
    throw std::runtime_error("cannot read " + path);
  }
  return nlohmann::json::parse(file);
}

// json[set][round][case] to d[case][round].
RecordedRounds by_case(const nlohmann::json& json, const std::string& set) {
  RecordedRounds recorded;
  recorded.cases = json.at("cases").get<std::vector<std::string>>();
  recorded.d.resize(recorded.cases.size());
  for (const auto& round : json.at(set)) {
    for (std::size_t c = 0; c < recorded.d.size(); ++c) {
      recorded.d[c].push_back(round.at(c).get<double>());
    }
  }
  return recorded;
}

}  // namespace

Noise normal_noise() {
  return {"normal", [](Stream& stream) { return stream.normal(); }};
}

Noise lognormal_noise(double sigma) {
  Noise noise;
  noise.name = sigma == 1.0 ? "lognormal 1" : "lognormal 0.5";
  noise.draw = [sigma](Stream& stream) { return std::exp(sigma * stream.normal()); };
  const double variance = sigma * sigma;
  noise.mean = std::exp(variance / 2.0);
  noise.sd = noise.mean * std::sqrt(std::expm1(variance));
  noise.median = 1.0;
  const std::vector<double> points =
      quantile_points([sigma](double p) { return std::exp(sigma * stats::normal_quantile(p)); });
  noise.trimmed_mean = trimmed_mean_of(points);
  noise.pseudomedian = pseudomedian_of(
      points, [sigma](double x) { return x <= 0.0 ? 0.0 : stats::normal_cdf(std::log(x) / sigma); },
      0.1, 10.0);
  return noise;
}

Noise t3_noise() {
  return {"t, 3 d.f.",
          [](Stream& stream) { return stats::student_t_quantile(stream.uniform(), 3.0); },
          std::sqrt(3.0)};
}

Noise bimodal_noise(double weight, double distance) {
  Noise noise;
  noise.name = weight == 0.5 ? "bimodal 50/50" : "bimodal 70/30";
  if (distance != 4.0) {
    noise.name += ", states " + std::to_string(std::lround(distance)) + " SD apart";
  }
  noise.draw = [weight, distance](Stream& stream) {
    const double state = stream.uniform() < weight ? 0.0 : distance;
    return state + stream.normal();
  };
  const auto cdf = [weight, distance](double x) {
    return weight * stats::normal_cdf(x) + (1.0 - weight) * stats::normal_cdf(x - distance);
  };
  const auto quantile = [cdf, distance](double p) {
    std::uintmax_t steps = 100;
    const auto [a, b] = boost::math::tools::toms748_solve(
        [&](double x) { return cdf(x) - p; }, -10.0, distance + 10.0,
        boost::math::tools::eps_tolerance<double>(40), steps);
    return std::midpoint(a, b);
  };
  noise.mean = (1.0 - weight) * distance;
  noise.sd = std::sqrt(1.0 + weight * (1.0 - weight) * distance * distance);
  noise.median = quantile(0.5);
  const std::vector<double> points = quantile_points(quantile);
  noise.trimmed_mean = trimmed_mean_of(points);
  noise.pseudomedian = pseudomedian_of(points, cdf, -2.0, distance + 2.0);
  return noise;
}

Noise contaminated_noise(double share) {
  constexpr double kFactor = 10.0;
  return {"contaminated " + std::to_string(std::lround(100.0 * share)) + " %",
          [share](Stream& stream) {
            const double factor = stream.uniform() < share ? kFactor : 1.0;
            return factor * stream.normal();
          },
          std::sqrt(1.0 - share + share * kFactor * kFactor)};
}

Noise recorded_noise(std::string name, std::span<const double> rounds, bool centred) {
  std::vector<double> values(rounds.begin(), rounds.end());
  const double centre = centred ? stats::median(values) : 0.0;
  double squares = 0.0;
  for (double& value : values) {
    value -= centre;
    squares += value * value;
  }
  const double sd = std::sqrt(squares / static_cast<double>(values.size()));
  return {std::move(name),
          [values](Stream& stream) {
            const double value = values[stream.below(values.size())];
            return stream.coin() ? value : -value;
          },
          sd};
}

std::vector<Noise> textbook_noises() {
  return {normal_noise(), lognormal_noise(0.5), lognormal_noise(1.0),
          t3_noise(),     bimodal_noise(0.5),   contaminated_noise(0.1)};
}

RecordedRounds recorded_elsewhere(const std::string& set) {
  return by_case(read_json("tests/data/stats/recorded_rounds.json"), set);
}

RecordedRounds recorded_by_perfgate() {
  return by_case(read_json("tests/data/calibration/aa_rounds.json"), "rounds");
}

}  // namespace perfgate::calibration
