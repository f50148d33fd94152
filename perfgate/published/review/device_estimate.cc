// SPDX-License-Identifier: Apache-2.0
#include "perfgate/published/review/device_estimate.h"

#include <fmt/format.h>

#include <cmath>

namespace perfgate::published {
namespace {

struct NamedSize {
  std::string from;
  ModelSize size;
};

// A list states the parameters only; how wide the weights are stands in the model's name.
std::optional<NamedSize> size_from_lists(const PublishedItem& item) {
  for (const PublishedNeed& need : item.needs) {
    if (!need.size) continue;
    std::string name = item.model.value_or("");
    name = name.substr(name.rfind('/') == std::string::npos ? 0 : name.rfind('/') + 1);
    if (const auto size = ModelSizeOf(*need.size + "-" + name)) {
      return NamedSize{need.by + ": " + *need.size, *size};
    }
  }
  return std::nullopt;
}

std::optional<NamedSize> size_of_item(const PublishedItem& item) {
  if (item.model) {
    if (const auto size = ModelSizeOf(*item.model)) return NamedSize{*item.model, *size};
  }
  return size_from_lists(item);
}

std::string range_of_gb(const SizeRange& gb) {
  return fmt::format("{:.1f} to {:.1f} GB", gb.lo, gb.hi);
}

std::string devices_text(int count) {
  return std::to_string(count) + (count == 1 ? " device" : " devices");
}

// One list's statement against the estimate.
void compare_statement(const PublishedNeed& need, DeviceEstimate& estimate) {
  const auto disagree = [&](const std::string& stated, const std::string& estimated) {
    estimate.disagreements.push_back(need.by + ": " + stated + ", estimate: " + estimated);
  };
  const std::string size = fmt::format(" of {:g} GB", std::round(10 * estimate.device_gb) / 10);
  const int stated = need.count.value_or(need.count_min.value_or(0));
  const std::string count = (need.count ? "" : "at least ") + devices_text(stated);
  if (need.count && stated * estimate.device_gb < estimate.memory.total_gb.lo) {
    disagree(count, "at least " + std::to_string(estimate.devices_lo) + size);
  }
  if (stated > estimate.devices_hi) {
    disagree(count, "at most " + std::to_string(estimate.devices_hi) + size);
  }
  const SizeRange& total = estimate.memory.total_gb;
  if (need.vram_gb && (*need.vram_gb < total.lo || *need.vram_gb > total.hi)) {
    disagree(fmt::format("{:g} GB", *need.vram_gb), range_of_gb(total));
  }
  if (!need.size) return;
  const auto listed = ModelSizeOf(*need.size);
  const SizeRange& own = estimate.size.parameters;
  if (listed && (listed->parameters.hi < own.lo || listed->parameters.lo > own.hi)) {
    disagree("size " + *need.size, estimate.from);
  }
}

}  // namespace

std::optional<DeviceEstimate> EstimateDevices(const PublishedItem& item, double device_gb) {
  const auto named = size_of_item(item);
  if (!named) return std::nullopt;
  DeviceEstimate estimate;
  estimate.from = named->from;
  estimate.size = named->size;
  estimate.memory = MemoryOf(named->size);
  estimate.device_gb = device_gb;
  estimate.devices_lo = DevicesFor(estimate.memory.total_gb.lo, device_gb);
  estimate.devices_hi = DevicesFor(estimate.memory.total_gb.hi, device_gb);
  for (const PublishedNeed& need : item.needs) compare_statement(need, estimate);
  return estimate;
}

}  // namespace perfgate::published
