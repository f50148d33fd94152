// SPDX-License-Identifier: Apache-2.0
// detect.h: which reader a foreign file belongs to, by what it contains and never by its name.
//
// One line of the table in detect.cc adds a format.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "perfgate/evidence/metrics/metric_registry.h"
#include "perfgate/import/record.h"

namespace perfgate::import {

struct Format {
  std::string_view name;     // "google_benchmark", as --format takes it
  std::string_view program;  // "Google Benchmark", for people
  // first: the document, or of a file with one document per line the first line.
  bool (*looks_like)(const nlohmann::json& first);
  // name: the path as given; readers of formats with further files look beside it. registry: what
  // the names mean that a user or a version of the tool chose.
  Document (*read)(std::string_view bytes, const std::string& name, const MetricRegistry& registry);
};

// Every format, in the order in which they are tried. No two claim one document: a test sees to it.
std::span<const Format> formats();

// Error(kUsage) naming the known formats.
const Format& format_named(std::string_view name);

// Error(kData) where no format, or nothing that can be parsed, is recognised.
const Format& detect_format(std::string_view bytes, const std::string& name);

// Reads a file, or a folder of criterion. format: empty to detect it.
Document read_foreign(const std::string& path, std::string_view format = "",
                      const MetricRegistry& registry = MetricRegistry::built_in());

}  // namespace perfgate::import
