// SPDX-License-Identifier: Apache-2.0
// Units of the metric registry.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "perfgate/evidence/metrics/metric_registry.h"

namespace perfgate::inline evidence {
namespace {

struct Unit {
  std::string_view name;  // canonical spelling
  std::string_view base;  // canonical unit of the same quantity
  double scale;           // to the base unit
};

constexpr std::array<Unit, 31> kUnits = {{
    {"s", "s", 1},
    {"ms", "s", 1e-3},
    {"us", "s", 1e-6},
    {"ns", "s", 1e-9},
    {"min", "s", 60},
    {"h", "s", 3600},
    {"B", "B", 1},
    {"kB", "B", 1e3},
    {"MB", "B", 1e6},
    {"GB", "B", 1e9},
    {"TB", "B", 1e12},
    {"KiB", "B", 1024},
    {"MiB", "B", 1048576},
    {"GiB", "B", 1073741824},
    {"B/s", "B/s", 1},
    {"kB/s", "B/s", 1e3},
    {"MB/s", "B/s", 1e6},
    {"GB/s", "B/s", 1e9},
    {"TB/s", "B/s", 1e12},
    {"KiB/s", "B/s", 1024},
    {"MiB/s", "B/s", 1048576},
    {"GiB/s", "B/s", 1073741824},
    {"tok/s", "tok/s", 1},
    {"req/s", "req/s", 1},
    {"Hz", "Hz", 1},
    {"MHz", "Hz", 1e6},
    {"GHz", "Hz", 1e9},
    {"1", "1", 1},
    {"%", "1", 0.01},
    {"1/s", "1/s", 1},
    {"kHz", "Hz", 1e3},
}};

struct Spelling {
  std::string_view text;
  std::string_view unit;
};

// Compared in lower case, where no canonical name fits exactly.
constexpr std::array<Spelling, 36> kSpellings = {{
    {"sec", "s"},
    {"secs", "s"},
    {"second", "s"},
    {"seconds", "s"},
    {"msec", "ms"},
    {"millisecond", "ms"},
    {"milliseconds", "ms"},
    {"usec", "us"},
    {"\xC2\xB5s", "us"},  // micro sign
    {"\xCE\xBCs", "us"},  // Greek mu
    {"microsecond", "us"},
    {"microseconds", "us"},
    {"nsec", "ns"},
    {"nanosecond", "ns"},
    {"nanoseconds", "ns"},
    {"minute", "min"},
    {"minutes", "min"},
    {"hour", "h"},
    {"hours", "h"},
    {"byte", "B"},
    {"bytes", "B"},
    {"bytes/s", "B/s"},
    {"tokens/s", "tok/s"},
    {"token/s", "tok/s"},
    {"toks/s", "tok/s"},
    {"t/s", "tok/s"},
    {"tps", "tok/s"},
    {"tokens/sec", "tok/s"},
    {"tokens/second", "tok/s"},
    {"requests/s", "req/s"},
    {"reqs/s", "req/s"},
    {"requests/sec", "req/s"},
    {"requests/second", "req/s"},
    {"rps", "req/s"},
    {"percent", "%"},
    {"percentage", "%"},
}};

const Unit* find_unit(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  const auto named = [](std::string_view name) {
    const auto* const unit =
        std::find_if(kUnits.begin(), kUnits.end(), [&](const Unit& u) { return u.name == name; });
    return unit == kUnits.end() ? nullptr : &*unit;
  };
  if (const Unit* unit = named(text)) return unit;
  std::string small(text);
  std::transform(small.begin(), small.end(), small.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  // "MB" and "Mb" differ, "MS" and "ms" do not.
  if (small == "s" || small == "ms" || small == "us" || small == "ns" || small == "tok/s" ||
      small == "req/s") {
    return named(small);
  }
  for (const Spelling& spelling : kSpellings) {
    if (small == spelling.text) return named(spelling.unit);
  }
  return nullptr;
}

}  // namespace

std::optional<double> unit_scale(std::string_view from, std::string_view to) {
  const Unit* a = find_unit(from);
  const Unit* b = find_unit(to);
  if (a == nullptr || b == nullptr || a->base != b->base) return std::nullopt;
  return a == b ? 1.0 : a->scale / b->scale;
}

std::optional<std::string> canonical_unit(std::string_view text) {
  const Unit* unit = find_unit(text);
  if (unit == nullptr) return std::nullopt;
  return std::string(unit->name);
}

}  // namespace perfgate::inline evidence
