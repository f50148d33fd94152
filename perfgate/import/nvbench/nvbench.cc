// SPDX-License-Identifier: Apache-2.0
#include "perfgate/import/nvbench/nvbench.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "perfgate/base/error.h"
#include "perfgate/base/json/strict_json.h"
#include "perfgate/import/nvbench/nvbench_state.h"
#include "perfgate/import/nvbench/nvbench_values.h"
#include "perfgate/import/record_value.h"
#include "perfgate/import/serving/serving_json.h"
#include "perfgate/import/summary_check.h"

namespace perfgate::import {
namespace {

using nlohmann::json;
using namespace nvbench;

std::string state_case(const std::string& benchmark, const JsonCursor& state, bool many_devices) {
  std::string name = benchmark;
  for (const auto& [axis, value] : named_values(state.find("axis_values"))) {
    name += fmt::format("/{}:{}", axis, value);
  }
  if (many_devices) {
    const auto device = state.find("device");
    name += "/device:" + (device ? device->json().dump() : std::string("none"));
  }
  return name;
}

Fields workload_of(const State& state) {
  constexpr std::string_view kNotSettings[] = {"name", "device", "type_config_index", "is_skipped",
                                               "skip_reason"};
  Fields fields;
  for (const auto& [key, value] : state.node.json().items()) {
    const bool setting =
        std::find(std::begin(kNotSettings), std::end(kNotSettings), key) == std::end(kNotSettings);
    if (const auto text = scalar_text(value); text && setting) fields["option." + key] = *text;
  }
  for (const auto& [axis, value] : named_values(state.node.find("axis_values"))) {
    fields["axis." + axis] = value;
  }
  fields["mode"] = mode_of(state.summaries);
  return fields;
}

void read_environment(const JsonCursor& root, const std::set<std::string>& used,
                      Document* document) {
  for (const JsonCursor& device : elements(root.find("devices"))) {
    const auto id = device.find("id");
    const std::string number = id ? id->json().dump() : "";
    if (!used.contains(number)) continue;
    const std::string prefix = used.size() == 1 ? "device." : "device" + number + ".";
    for (const auto& [key, value] : device.json().items()) {
      if (key == "id") continue;
      if (const auto text = scalar_text(value)) {
        add_field(&document->environment, prefix + key, *text, device.place());
      }
    }
  }
  const auto meta = root.find("meta");
  const auto version = meta ? meta->find("version") : std::nullopt;
  const auto tool = version ? version->find("nvbench") : std::nullopt;
  if (!tool) return;
  if (tool->find("string")) {
    document->version = tool->at("string").text();
    document->environment["nvbench.version"] = document->version;
  }
  for (const char* key : {"git_sha", "git_is_dirty"}) {
    const auto value = tool->find(key);
    const auto text = value ? scalar_text(value->json()) : std::nullopt;
    if (text) document->environment[std::string("nvbench.") + key] = *text;
  }
}

// The readers of another major version would misread this one.
void check_version(const JsonCursor& root) {
  const auto meta = root.find("meta");
  const auto versions = meta ? meta->find("version") : std::nullopt;
  const auto version = versions ? versions->find("json") : std::nullopt;
  if (!version) {
    throw Error(Exit::kData, root.file() +
                                 ": /meta/version/json: this field is missing; expected a result "
                                 "of nvbench --json or --jsonbin");
  }
  const JsonCursor number = version->at("string");
  if (!number.text().starts_with("1.")) number.refuse("file version 1");
}

}  // namespace

bool looks_like_nvbench(const json& first) {
  if (!first.is_object() || !first.contains("benchmarks") || !first.contains("meta")) return false;
  const json& meta = first["meta"];
  return meta.is_object() && meta.contains("version") && meta["version"].is_object() &&
         meta["version"].contains("json");
}

Document read_nvbench(std::string_view bytes, const std::string& name, const std::string& folder) {
  const json parsed = parse_strict_json(bytes, name);
  const JsonCursor root(parsed, name);
  check_version(root);
  Document document = new_document("nvbench", name, bytes);
  std::set<std::string> used_devices, names;
  std::size_t row = 0;
  for (const JsonCursor& benchmark : elements(root.find("benchmarks"))) {
    const std::string benchmark_name = benchmark.at("name").text();
    if (benchmark_name.empty()) {
      benchmark.at("name").fail("is empty; expected a name");
    }
    std::set<std::string> devices;
    const std::vector<JsonCursor> states = elements(benchmark.find("states"));
    for (const JsonCursor& node : states) {
      const auto device = node.find("device");
      if (device) devices.insert(device->json().dump());
    }
    used_devices.insert(devices.begin(), devices.end());
    for (const JsonCursor& node : states) {
      State state{node, state_case(benchmark_name, node, devices.size() > 1), read_summaries(node),
                  ++row};
      if (!names.insert(state.case_name).second) {
        node.invalid("a second state of " + state.case_name + "; one run measures each point once");
      }
      document.workload[state.case_name] = workload_of(state);
      add_state(state, folder, &document);
    }
  }
  drop_backed_aggregates(&document);
  read_environment(root, used_devices, &document);
  if (document.records.empty()) {
    throw Error(Exit::kInvalid, name + ": no state was run");
  }
  return document;
}

Document read_nvbench(std::string_view bytes, const std::string& name) {
  return read_nvbench(bytes, name, std::filesystem::path(name).parent_path().string());
}

}  // namespace perfgate::import
