// SPDX-License-Identifier: Apache-2.0
#include "perfgate/study/task/task_schema.h"

#include "perfgate/base/json/schema_builder.h"
#include "perfgate/study/task/task_fields.h"

namespace perfgate::inline base {

template <>
inline constexpr std::string_view kSchemaName<study::Limits> = "limits";
template <>
inline constexpr std::string_view kSchemaName<study::BuiltArms> = "arms";

}  // namespace perfgate::inline base

namespace perfgate::study {

std::string TaskFileSchema() {
  constexpr bool kByHand = true;
  const Task task{};
  SchemaJson definitions = SchemaJson::object();
  SchemaBuilder one(definitions, kByHand);
  one.add_required("id", {{"type", "string"},
                          {"pattern", "^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$"},
                          {"description", "name of the task and of its folder"}});
  describe(one, task);
  SchemaBuilder file(definitions, kByHand);
  file.add_header(kTasksFormat, kTasksVersion);
  describe(file, task);
  file.add_required("tasks",
                    {{"type", "array"},
                     {"items", one.take()},
                     {"description", "the tasks; each may replace any of the fields above"}});
  SchemaJson schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                       {"title", kTasksFormat}};
  schema.update(file.take());
  schema["$defs"] = std::move(definitions);
  return schema.dump(2) + "\n";
}

}  // namespace perfgate::study
