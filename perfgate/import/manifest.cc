// SPDX-License-Identifier: Apache-2.0
#include "perfgate/import/manifest.h"

#include <fmt/format.h>

#include "perfgate/base/error.h"
#include "perfgate/base/json/json_reader.h"
#include "perfgate/evidence/files/consistency.h"
#include "perfgate/evidence/files/input_kinds.h"
#include "perfgate/evidence/files/session_fields.h"

namespace perfgate::import {

template <class V, IsStruct<Manifest> M>
void describe(V& v, M& m) {
  v("cases", m.cases, "cases that must be in every file");
  v("workload", m.workload, "what was run, of every case");
  v("environment", m.environment, "where it ran");
  v("required", m.required, "environment that every file itself must have");
  v("complete", m.complete, "fields without which the record is incomplete");
}

Manifest manifest_from_json(std::string_view text, const std::string& where) {
  auto manifest = json_io::read_file_object<Manifest>(text, where, "perfgate-manifest",
                                                      kManifestVersion, json_io::Author::kPerson);
  UniqueNames cases;
  for (std::size_t i = 0; i < manifest.cases.size(); ++i) {
    cases.add(where, "/cases/" + std::to_string(i), manifest.cases[i]);
  }
  const auto check = [&](const std::vector<NamedValue>& values, const std::string& pointer) {
    UniqueNames names;
    for (std::size_t i = 0; i < values.size(); ++i) {
      names.add(where, pointer + "/" + std::to_string(i) + "/name", values[i].name);
    }
  };
  check(manifest.workload, "/workload");
  check(manifest.environment, "/environment");
  check(manifest.required, "/required");
  UniqueNames fields;
  for (std::size_t i = 0; i < manifest.complete.size(); ++i) {
    const std::string& field = manifest.complete[i];
    const std::string here = "/complete/" + std::to_string(i);
    fields.add(where, here, field);
    if (field.starts_with("environment.") || field.starts_with("workload.")) continue;
    throw Error(Exit::kData,
                fmt::format(R"({}: {}: "{}" names no field; expected "environment.NAME" or )"
                            R"("workload.NAME")",
                            where, here, field));
  }
  return manifest;
}

Manifest read_manifest(const std::string& path) {
  return manifest_from_json(ReadInputFile(path, kSettingsFile), path);
}

}  // namespace perfgate::import
