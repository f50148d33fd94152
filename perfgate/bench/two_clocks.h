// SPDX-License-Identifier: Apache-2.0
// two_clocks.h: holds the device's own time of a region against the host's clock around it.
//
// Device events see the work of one stream. The host sees everything: it releases the region, waits
// for the whole device and looks at its clock. What the host measured beyond the events is overhead
// of release and synchronisation, which is known from regions that do nothing. Work on another
// stream, or after the stop event, is time that the overhead does not explain.
//
// A busy host delays single samples by milliseconds but never all of them, and never downwards. So
// the judgement is on the lower quartile of the excess over the samples of a slice: hidden work of
// every call shifts it, noise does not.
#pragma once

#include <vector>

namespace perfgate::bench {

struct TimedSample {
  double device_s = 0;  // between the events
  double host_s = 0;    // from release to the synchronised return
};

class TwoClocks {
 public:
  TwoClocks() = default;
  // `honest`: samples of regions with nothing to hide, at least 8.
  explicit TwoClocks(const std::vector<TimedSample>& honest);

  // Seconds by which the host may exceed the events for a region of `device_s`.
  double Allowed(double device_s) const;

  // Seconds of unexplained time beyond the allowance; 0 or less where nothing is wrong. Positive
  // too where the events claim more time than the host saw go by.
  double Unexplained(const std::vector<TimedSample>& samples) const;

 private:
  double typical_s_ = 0;
  double spread_s_ = 0;
};

}  // namespace perfgate::bench
