// SPDX-License-Identifier: Apache-2.0
// call_histogram.h: how long many calls took, in constant memory: log-linear buckets with three
// significant digits (the scheme of HdrHistogram; Tene, 2012).
//
// Below 2,048 ns every nanosecond has a bucket; above, each doubling is cut into 1,024, so that a
// bucket's middle is within 0.05 % of all that lies in it. 33,792 buckets reach an hour. Times of 0
// and of more than an hour are counted as 1 ns and as an hour, and outside() says how many.
//
// Header-only and C++17, because benchmarks record with it (bench/recorder.h) and the gate pools
// what they recorded.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perfgate::stats {

class CallHistogram {
 public:
  static constexpr std::uint64_t kLongestNs = 3'600'000'000'000;
  static constexpr std::size_t kBuckets = 33'792;

  // The bucket of a time from 1 to kLongestNs.
  static std::size_t BucketOf(std::uint64_t ns) {
    if (ns < kLinear) return static_cast<std::size_t>(ns);
    const int shift = kBits - __builtin_clzll(ns) - kSubBits;
    return kHalf * static_cast<std::size_t>(shift) + static_cast<std::size_t>(ns >> shift);
  }

  // The middle of a bucket, ns.
  static double MiddleOf(std::size_t bucket) {
    if (bucket < kLinear) return static_cast<double>(bucket);
    const std::size_t shift = bucket / kHalf - 1;
    const std::uint64_t least = static_cast<std::uint64_t>(bucket - kHalf * shift) << shift;
    return static_cast<double>(least) + 0.5 * static_cast<double>((std::uint64_t{1} << shift) - 1);
  }

  void Add(std::uint64_t ns, std::uint64_t count = 1) {
    if (ns < 1 || ns > kLongestNs) outside_ += count;
    AddTo(BucketOf(ns < 1 ? 1 : ns > kLongestNs ? kLongestNs : ns), count);
  }

  void Add(const CallHistogram& other) {
    for (std::size_t b = 0; b < other.counts_.size(); ++b) {
      if (other.counts_[b] > 0) AddTo(b, other.counts_[b]);
    }
    outside_ += other.outside_;
  }

  // Calls of a bucket. bucket < kBuckets.
  void AddTo(std::size_t bucket, std::uint64_t count) {
    if (bucket >= counts_.size()) counts_.resize(bucket + 1);
    counts_[bucket] += count;
    count_ += count;
  }

  void AddOutside(std::uint64_t count) { outside_ += count; }

  std::uint64_t count() const { return count_; }
  std::uint64_t outside() const { return outside_; }

  // Nearest rank and mean of the slowest share 1 - q, as stats/estimate/tail.h has them; seconds.
  // q in (0, 1); NaN where nothing was recorded.
  double NearestRankS(double q) const {
    const double rank = std::ceil(Rounded(q * static_cast<double>(count_)));
    const auto wanted = static_cast<std::uint64_t>(rank < 1 ? 1 : rank);
    std::uint64_t seen = 0;
    for (std::size_t b = 0; b < counts_.size(); ++b) {
      seen += counts_[b];
      if (counts_[b] > 0 && seen >= wanted) return 1e-9 * MiddleOf(b);
    }
    return std::nan("");
  }

  double TailMeanS(double q) const {
    if (count_ == 0) return std::nan("");
    const double wanted = std::ceil(Rounded((1 - q) * static_cast<double>(count_)));
    double left = wanted < 1 ? 1 : wanted;
    const double slowest = left;
    double sum = 0;
    for (std::size_t b = counts_.size(); b-- > 0 && left > 0;) {
      const auto here = static_cast<double>(counts_[b]);
      const double taken = here < left ? here : left;
      sum += taken * MiddleOf(b);
      left -= taken;
    }
    return 1e-9 * sum / slowest;
  }

  // "1;0;2048x3,7x1": version, outside(), then steps from bucket to bucket with their counts.
  std::string ToText() const {
    std::string text = "1;" + std::to_string(outside_) + ";";
    std::size_t last = 0;
    for (std::size_t b = 0; b < counts_.size(); ++b) {
      if (counts_[b] == 0) continue;
      if (text.back() != ';') text += ',';
      text += std::to_string(b - last) + "x" + std::to_string(counts_[b]);
      last = b;
    }
    return text;
  }

  // None for anything that ToText() does not write.
  static std::optional<CallHistogram> FromText(std::string_view text) {
    CallHistogram histogram;
    std::uint64_t number = 0;
    if (!Take(text, ';', number) || number != 1) return std::nullopt;
    if (!Take(text, ';', number)) return std::nullopt;
    histogram.outside_ = number;
    std::uint64_t bucket = 0;
    while (!text.empty()) {
      std::uint64_t count = 0;
      if (!Take(text, 'x', number) || !Take(text, ',', count)) return std::nullopt;
      bucket += number;
      const bool rises = number > 0 || histogram.count_ == 0;
      if (!rises || count == 0 || number >= kBuckets || bucket >= kBuckets) return std::nullopt;
      if (count > kMostCalls - histogram.count_) return std::nullopt;
      histogram.AddTo(static_cast<std::size_t>(bucket), count);
    }
    if (histogram.outside_ > histogram.count_) return std::nullopt;
    return histogram;
  }

  bool operator==(const CallHistogram& other) const {
    return counts_ == other.counts_ && outside_ == other.outside_;
  }

 private:
  static constexpr int kBits = 64;
  static constexpr int kSubBits = 11;
  static constexpr std::size_t kLinear = std::size_t{1} << kSubBits;
  static constexpr std::size_t kHalf = kLinear / 2;
  // What a double counts exactly.
  static constexpr std::uint64_t kMostCalls = std::uint64_t{1} << 53;

  // 0.95 x 400 is 380.00000000000006 in binary, and the 380th value is meant.
  static double Rounded(double count) {
    const double nearest = std::round(count);
    return std::fabs(count - nearest) < 1e-6 ? nearest : count;
  }

  // A number and the character behind it, which a comma at the end of the text may lack.
  static bool Take(std::string_view& text, char end, std::uint64_t& number) {
    std::size_t i = 0;
    number = 0;
    for (; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i) {
      if (number > kMostCalls) return false;
      number = 10 * number + static_cast<std::uint64_t>(text[i] - '0');
    }
    const bool leading_zero = i > 1 && text[0] == '0';
    if (i == 0 || leading_zero) return false;
    if (i == text.size()) {
      text = {};
      return end == ',';
    }
    if (text[i] != end || (end == ',' && i + 1 == text.size())) return false;
    text.remove_prefix(i + 1);
    return true;
  }

  std::vector<std::uint64_t> counts_;
  std::uint64_t count_ = 0;
  std::uint64_t outside_ = 0;
};

}  // namespace perfgate::stats
