// SPDX-License-Identifier: Apache-2.0
#include "perfgate/published/device_need.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <set>

#include "perfgate/published/failure_kind.h"

namespace perfgate::published {
namespace {

constexpr double kGb = 1e9;
constexpr double kGib = 1073741824.0;

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

std::optional<std::string> needed_vendor(const PublishedNeed& need) {
  if (need.cause && need.cause->find("rocm") != std::string::npos) return "amd";
  if (need.cause && need.cause->find("cuda") != std::string::npos) return "nvidia";
  return need.gpu ? published::vendor_of(*need.gpu) : std::nullopt;
}

std::string count_text(const PublishedNeed& need) {
  const int count = need.count.value_or(need.count_min.value_or(0));
  return need.by + ": " + (need.count ? "" : "at least ") + std::to_string(count) +
         (count == 1 ? " device" : " devices");
}

// Two statements that cannot both hold: different numbers, or one below the other's bound.
bool counts_conflict(const PublishedNeed& a, const PublishedNeed& b) {
  if (a.count && b.count) return *a.count != *b.count;
  if (a.count && b.count_min) return *a.count < *b.count_min;
  if (b.count && a.count_min) return *b.count < *a.count_min;
  return false;
}

void find_conflicts(const PublishedItem& item, DeviceNeed& need) {
  for (std::size_t i = 0; i < item.needs.size(); ++i) {
    for (std::size_t j = i + 1; j < item.needs.size(); ++j) {
      const PublishedNeed& a = item.needs[i];
      const PublishedNeed& b = item.needs[j];
      if (counts_conflict(a, b)) need.conflicts.push_back(count_text(a) + ", " + count_text(b));
      const auto vendor_a = needed_vendor(a);
      const auto vendor_b = needed_vendor(b);
      if (vendor_a && vendor_b && vendor_a != vendor_b) {
        need.conflicts.push_back(a.by + ": " + *vendor_a + ", " + b.by + ": " + *vendor_b);
      }
      if (a.vram_gb && b.vram_gb && *a.vram_gb != *b.vram_gb) {
        char text[128];
        std::snprintf(text, sizeof text, ": %g GB, ", *a.vram_gb);
        need.conflicts.push_back(a.by + text + b.by);
        std::snprintf(text, sizeof text, ": %g GB", *b.vram_gb);
        need.conflicts.back() += text;
      }
    }
  }
  for (const PublishedNeed& stated : item.needs) {
    const auto gpu_vendor = stated.gpu ? published::vendor_of(*stated.gpu) : std::nullopt;
    const auto vendor = needed_vendor(stated);
    if (gpu_vendor && vendor && gpu_vendor != vendor) {
      need.conflicts.push_back(stated.by + ": " + *stated.gpu + ", but " + *stated.cause);
    }
  }
}

// Causes that machines cannot remove, as opposed to a wrong machine.
bool is_obstacle(const Failure& failure) {
  return failure.kind == FailureKind::kMissingFeatureInBaseline ||
         failure.kind == FailureKind::kUnsupportedModel ||
         failure.kind == FailureKind::kInfrastructure ||
         failure.kind == FailureKind::kBadConfiguration || failure.kind == FailureKind::kUnknown;
}

void take_count(const PublishedNeed& stated, DeviceNeed& need) {
  const std::optional<int> count = stated.count ? stated.count : stated.count_min;
  if (!count || *count < need.devices.value_or(0)) return;
  // An exact number settles an equal lower bound.
  need.at_least = !stated.count && (need.devices != count || need.at_least);
  need.devices = count;
}

}  // namespace

std::optional<std::string> vendor_of(std::string_view gpu) {
  const std::string name = lower(gpu);
  const auto starts = [&](std::initializer_list<const char*> prefixes) {
    return std::any_of(prefixes.begin(), prefixes.end(),
                       [&](const char* prefix) { return name.starts_with(prefix); });
  };
  if (starts({"mi1", "mi2", "mi3", "mi4", "amd", "radeon", "gfx", "rocm"})) return "amd";
  if (starts({"h100", "h200", "h20",  "h800", "gh200",  "a100",    "a10",   "a30",   "a40", "a6000",
              "a800", "b100", "b200", "b300", "gb200",  "gb300",   "l4",    "l20",   "l40", "v100",
              "t4",   "p100", "rtx",  "gtx",  "nvidia", "geforce", "tesla", "quadro"})) {
    return "nvidia";
  }
  if (starts({"gaudi", "intel", "arc", "pvc", "hpu"})) return "intel";
  return std::nullopt;
}

double DeviceGb(const std::optional<Devices>& devices) {
  if (!devices || !devices->vram_gib) return kUsualDeviceGb;
  return *devices->vram_gib * kGib / kGb;
}

DeviceNeed need_of(const PublishedItem& item, double device_gb) {
  DeviceNeed need;
  std::set<std::string> vendors;
  for (const PublishedNeed& stated : item.needs) {
    take_count(stated, need);
    if (stated.vram_gb) need.vram_gb = std::max(need.vram_gb.value_or(0), *stated.vram_gb);
    if (const auto vendor = needed_vendor(stated)) vendors.insert(*vendor);
    if (!stated.cause) continue;
    const Failure cause = classify_cause(*stated.cause, stated.by);
    if (is_obstacle(cause)) need.obstacles.push_back(*stated.cause);
    if (cause.kind == FailureKind::kOutOfMemory) need.too_large = true;
  }
  for (const PublishedError& error : item.errors) {
    const Failure failure = classify_error(error, item.introduces);
    if (failure.feature) need.obstacles.push_back("missing_in_baseline: " + *failure.feature);
  }
  if (vendors.size() == 1) need.vendor = *vendors.begin();
  need.vendors_disagree = vendors.size() > 1;
  for (const int size : {8, 4, 2, 1}) {
    if (need.devices && *need.devices <= size) need.device_class = size;
  }
  find_conflicts(item, need);
  need.estimate = EstimateDevices(item, device_gb);
  if (need.estimate) {
    need.conflicts.insert(need.conflicts.end(), need.estimate->disagreements.begin(),
                          need.estimate->disagreements.end());
  }
  return need;
}

Readiness preflight(const DeviceNeed& need, const Devices& devices) {
  if (!need.obstacles.empty()) return Readiness::kNoMachine;
  if (need.vendor && devices.vendor && *need.vendor != *devices.vendor) {
    return Readiness::kOtherVendor;
  }
  if (need.devices && *need.devices > devices.count) return Readiness::kTooFewDevices;
  const bool memory_known = need.vram_gb && devices.vram_gib;
  const bool fits = memory_known && *need.vram_gb * kGb <= devices.count * *devices.vram_gib * kGib;
  if ((memory_known && !fits) || (need.too_large && !fits)) return Readiness::kTooLittleMemory;
  if (need.vendors_disagree) return Readiness::kVendorUnclear;
  if (!need.devices && need.estimate && devices.vram_gib) {
    const SizeRange& total = need.estimate->memory.total_gb;
    const double capacity = devices.count * *devices.vram_gib * kGib / kGb;
    if (total.hi <= capacity) return Readiness::kReady;
    if (total.lo > capacity) return Readiness::kTooLittleMemory;
  }
  if (!need.devices) return Readiness::kNotStated;
  return Readiness::kReady;
}

}  // namespace perfgate::published
