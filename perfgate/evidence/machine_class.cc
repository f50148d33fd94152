// SPDX-License-Identifier: Apache-2.0
#include "perfgate/evidence/machine_class.h"

#include <fmt/format.h>

#include <map>

#include "perfgate/base/sha256.h"
#include "perfgate/base/text/format_number.h"

namespace perfgate::inline evidence {
namespace {

// Words of marketing that every processor of a maker carries.
constexpr std::string_view kNoise[] = {"(r)", "(tm)", "processor", "cpu", "core", "@", "with"};

std::string lower_text(std::string_view text) {
  std::string result;
  for (const char c : text) result += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return result;
}

// Letters, digits and single dashes.
std::string slug(std::string_view text) {
  std::string words = lower_text(text);
  for (const std::string_view noise : kNoise) {
    for (std::size_t at = words.find(noise); at != std::string::npos; at = words.find(noise)) {
      words.replace(at, noise.size(), " ");
    }
  }
  std::string result;
  for (const char c : words) {
    const bool keep = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (keep) {
      result += c;
    } else if (!result.empty() && result.back() != '-') {
      result += '-';
    }
  }
  while (!result.empty() && result.back() == '-') result.pop_back();
  constexpr std::size_t kLongest = 40;
  return result.substr(0, kLongest);
}

std::string value_of(const ClassFields& fields, std::string_view name) {
  for (const auto& [key, value] : fields) {
    if (key == name) return value;
  }
  return {};
}

}  // namespace

ClassFields class_fields(const Machine& machine) {
  ClassFields fields = {
      {"cpu_model", machine.cpu_model},
      {"isa", machine.isa},
      {"usable_cpus", std::to_string(machine.allowed_cpus.size())},
      {"logical_cpus", std::to_string(machine.logical_cpus)},
      {"physical_cores", std::to_string(machine.physical_cores)},
      {"sockets", std::to_string(machine.sockets)},
      {"cpu_limit", format_number(machine.cpu_limit)},
      {"governor", machine.governor},
      {"boost", machine.boost},
      {"virtualization", machine.virtualization},
  };
  std::map<std::string, int> gpus;
  for (const Gpu& gpu : machine.gpus) {
    ++gpus[gpu.model + ", driver " + gpu.driver + ", CUDA " + gpu.cuda + ", power limit " +
           format_number(gpu.power_limit_w) + " W, MIG " + (gpu.mig.empty() ? "none" : gpu.mig)];
  }
  for (const auto& [gpu, count] : gpus)
    fields.emplace_back("gpu", std::to_string(count) + " x " + gpu);
  return fields;
}

std::string machine_class(const ClassFields& fields) {
  std::string all;
  for (const auto& [name, value] : fields) all += fmt::format("{}={}\n", name, value);
  std::string name = slug(value_of(fields, "cpu_model"));
  if (name.empty()) name = "unknown";
  name += "-" + value_of(fields, "usable_cpus") + "cpu";
  const std::string isa = slug(value_of(fields, "isa"));
  if (!isa.empty()) name += "-" + isa;
  const std::string gpu = value_of(fields, "gpu");
  if (!gpu.empty()) name += "-" + slug(gpu.substr(0, gpu.find(',')));
  constexpr std::size_t kDigits = 8;
  return name + "-" + sha256_hex(all).substr(0, kDigits);
}

std::vector<std::string> class_differences(const ClassFields& one, const ClassFields& other) {
  std::vector<std::string> names;
  for (const ClassFields* fields : {&one, &other}) {
    for (const auto& [name, value] : *fields) {
      bool known = false;
      for (const std::string& seen : names) known = known || seen == name;
      if (!known) names.push_back(name);
    }
  }
  const auto all = [](const ClassFields& fields, const std::string& name) {
    std::string values;
    for (const auto& [key, value] : fields) {
      if (key == name) values += (values.empty() ? "" : " and ") + value;
    }
    return values.empty() ? std::string("not stated") : values;
  };
  std::vector<std::string> differences;
  for (const std::string& name : names) {
    const std::string a = all(one, name);
    const std::string b = all(other, name);
    if (a != b) differences.push_back(fmt::format("{}: {} against {}", name, a, b));
  }
  return differences;
}

}  // namespace perfgate::inline evidence
