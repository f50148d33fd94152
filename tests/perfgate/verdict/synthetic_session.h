// SPDX-License-Identifier: Apache-2.0
// synthetic_session.h: sessions of two arms made from numbers, for tests of the verdict.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "perfgate/evidence/session.h"
#include "perfgate/evidence/verdict.h"

namespace perfgate::synthetic {

inline constexpr int kPairs = 3;
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// One metric of each kind.
inline const Metric kTime{};
inline const Metric kRate{"rate", "1/s", Direction::kHigher, Kind::kRate};
inline const Metric kCount{"allocations", "1", Direction::kLower, Kind::kCount};
inline const Metric kScore{"quality", "1", Direction::kHigher, Kind::kScore};
inline const Metric kTokens{"tokens", "1/s", Direction::kHigher, Kind::kRate};

// Complete, two arms of known equal builds, no rounds. `rounds` > 0 plans the looks as the command
// line does for --rounds.
Session empty_session(const std::vector<std::string>& cases,
                      const std::vector<Metric>& metrics = {Metric{}}, int rounds = 0);

// Looks for exactly this many rounds at the policy's alpha.
void plan(Session& session, int rounds);

// A round without cases.
RoundInfo& add_round(Session& session);

// Adds a case to the last round: per metric the value of every slice of each arm; the lists may
// hold one number, which all slices then have.
struct Values {
  std::vector<double> baseline;
  std::vector<double> candidate;
};
void add_case(Session& session, std::size_t case_index, const std::vector<Values>& metrics);

// The last round's real_time of a case is slower by the log ratio `d` in every slice pair.
void add_ratio(Session& session, std::size_t case_index, double d);

// One round in which every case has the log ratio that `ratio(case)` gives.
void add_ratio_round(Session& session, const std::function<double(std::size_t)>& ratio);

void add_fault(Session& session, std::size_t case_index, int arm, FaultKind kind,
               const std::string& detail = "", int round = -1);

// Draws of a normal distribution.
class Noise {
 public:
  explicit Noise(std::uint64_t seed) : random_(seed) {}
  double operator()(double mean, double sd) {
    return std::normal_distribution<double>(mean, sd)(random_);
  }
  std::mt19937_64& random() { return random_; }

 private:
  std::mt19937_64 random_;
};

// The column of a case and metric; fails the test and returns a default one where there is none.
const ColumnVerdict& find_column(const SuiteVerdict& suite, const std::string& case_name,
                                 const std::string& metric = "real_time");

// The arms change places, in values and faults.
Session mirrored(Session session);

// Case i becomes case order[i].
Session reordered(const Session& session, const std::vector<std::size_t>& order);

}  // namespace perfgate::synthetic
