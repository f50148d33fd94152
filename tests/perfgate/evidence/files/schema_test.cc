// SPDX-License-Identifier: Apache-2.0
// The schemas and the field tables of docs/formats.md follow from the field lists of the code, and
// files that perfgate writes satisfy the schemas. `--update` rewrites schemas and tables.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "perfgate/evidence/files/files.h"
#include "perfgate/evidence/files/json_schema.h"
#include "tests/perfgate/evidence/golden_file.h"
#include "tests/perfgate/evidence/sample_evidence.h"
#include "tests/perfgate/evidence/schema_validator.h"

namespace perfgate {
namespace {

using sample::Validator;
using SchemaJson = nlohmann::ordered_json;

constexpr const char* kFormats[] = {
    "session",       "verdict", "policy",     "calibration", "plan",    "recorded", "parity",
    "parity_agents", "layouts", "comparison", "fleet",       "history", "bisection"};

std::string type_words(const SchemaJson& field) {
  if (field.contains("$ref")) return "[" + field["$ref"].get<std::string>().substr(8) + "]";
  if (field.contains("const")) return field["const"].dump();
  if (field.contains("items")) return "list of " + type_words(field["items"]);
  if (field.contains("enum")) {
    std::string words;
    for (const SchemaJson& word : field["enum"]) {
      words += words.empty() ? "`" : ", `";
      words += word.is_string() ? word.get<std::string>() : word.dump();
      words += "`";
    }
    return words;
  }
  std::string words;
  const SchemaJson types =
      field["type"].is_array() ? field["type"] : SchemaJson::array({field["type"]});
  for (const SchemaJson& type : types) {
    std::string word = type == "string" ? "text" : type.get<std::string>();
    if (type == "number" || type == "integer") {
      if (field.contains("minimum")) word += " >= " + field["minimum"].dump();
      if (field.contains("exclusiveMinimum")) word += " > " + field["exclusiveMinimum"].dump();
      if (field.contains("maximum")) word += ", <= " + field["maximum"].dump();
    }
    words += (words.empty() ? "" : " or ") + word;
  }
  return words;
}

// "[machine]" would be a link to nowhere inside a table; headings are linked by name.
std::string linked(const std::string& type) {
  std::smatch match;
  if (!std::regex_search(type, match, std::regex(R"(\[(\w+)\])"))) return type;
  return match.prefix().str() + "[" + match[1].str() + "](#" + match[1].str() + ")" +
         match.suffix().str();
}

std::string table(const SchemaJson& schema) {
  std::string text = "| field | type | meaning |\n|---|---|---|\n";
  for (const auto& [name, field] : schema["properties"].items()) {
    text += "| `" + name + "` | " + linked(type_words(field)) + " | " +
            field["description"].get<std::string>() + " |\n";
  }
  return text;
}

// Tables of all formats, each nested struct once.
std::string all_tables() {
  std::string text;
  SchemaJson seen = SchemaJson::object();
  for (const char* format : kFormats) {
    const SchemaJson schema = SchemaJson::parse(json_schema(format));
    text += "\n### " + std::string(format) + " file\n\n" + table(schema);
    for (const auto& [name, nested] : schema["$defs"].items()) {
      // A policy inside a session has the same fields as a policy file, and all of them.
      if (seen.contains(name)) continue;
      seen[name] = true;
      text += "\n#### " + name + "\n\n" + table(nested);
    }
  }
  return text;
}

TEST(Schema, IsWhatIsCheckedIn) {
  for (const std::string format : kFormats) {
    sample::expect_golden("docs/schema/" + format + ".schema.json", json_schema(format));
  }
  EXPECT_THROW(json_schema("ledger"), std::logic_error);
}

TEST(Schema, HoldsForWrittenFiles) {
  const SchemaJson session_schema = SchemaJson::parse(json_schema("session"));
  const SchemaJson verdict_schema = SchemaJson::parse(json_schema("verdict"));
  const SchemaJson policy_schema = SchemaJson::parse(json_schema("policy"));
  const auto check = [](const SchemaJson& schema, const std::string& text) {
    ASSERT_EQ(Validator(schema).problem(SchemaJson::parse(text)), "") << text;
  };
  check(session_schema, session_to_json(sample::full_session()));
  check(verdict_schema, verdict_to_json(sample::full_verdict()));
  check(policy_schema, policy_to_json(sample::full_policy()));
  const SchemaJson calibration_schema = SchemaJson::parse(json_schema("calibration"));
  const SchemaJson plan_schema = SchemaJson::parse(json_schema("plan"));
  check(calibration_schema, calibration_to_json(sample::full_calibration()));
  const SchemaJson parity_schema = SchemaJson::parse(json_schema("parity"));
  check(plan_schema, plan_to_json(sample::full_plan()));
  const SchemaJson recorded_schema = SchemaJson::parse(json_schema("recorded"));
  check(recorded_schema, recorded_to_json(sample::full_recorded()));
  const SchemaJson layouts_schema = SchemaJson::parse(json_schema("layouts"));
  check(layouts_schema, layouts_to_json(sample::full_layouts()));
  check(parity_schema, parity_to_json(sample::full_parity()));
  const SchemaJson agents_schema = SchemaJson::parse(json_schema("parity_agents"));
  check(agents_schema, parity_agents_to_json(sample::full_parity_agents()));
  const SchemaJson comparison_schema = SchemaJson::parse(json_schema("comparison"));
  check(comparison_schema, alternatives_to_json(sample::full_alternatives()));
  const SchemaJson fleet_schema = SchemaJson::parse(json_schema("fleet"));
  check(fleet_schema, fleet_to_json(sample::full_fleet()));
  const SchemaJson history_schema = SchemaJson::parse(json_schema("history"));
  check(history_schema, history_to_json(sample::full_history()));
  const SchemaJson bisection_schema = SchemaJson::parse(json_schema("bisection"));
  check(bisection_schema, bisection_to_json(sample::full_bisection()));
  check(policy_schema, R"({"format":"perfgate-policy","version":1,"tolerance":"2 %"})");
  sample::Random random(10);
  for (int i = 0; i < 100; ++i) {
    check(session_schema, session_to_json(sample::random_session(random)));
    check(verdict_schema, verdict_to_json(sample::random_verdict(random)));
    check(policy_schema, policy_to_json(sample::random_policy(random)));
    check(calibration_schema, calibration_to_json(sample::random_calibration(random)));
    check(plan_schema, plan_to_json(sample::random_plan(random)));
    check(recorded_schema, recorded_to_json(sample::random_recorded(random)));
    check(layouts_schema, layouts_to_json(sample::random_layouts(random)));
    check(fleet_schema, fleet_to_json(sample::random_fleet(random)));
    check(history_schema, history_to_json(sample::random_history(random)));
    check(bisection_schema, bisection_to_json(sample::random_bisection(random)));
    check(parity_schema, parity_to_json(sample::random_parity(random)));
    check(agents_schema, parity_agents_to_json(sample::random_parity_agents(random)));
    check(comparison_schema, alternatives_to_json(sample::random_alternatives(random)));
  }
}

// Where a file is spoiled by one wrong value, schema and reader refuse it alike.
TEST(Schema, RefusesWhatTheReaderRefuses) {
  const SchemaJson schema = SchemaJson::parse(json_schema("session"));
  const SchemaJson document = SchemaJson::parse(session_to_json(sample::full_session()));
  const std::string flat = document.dump();
  const SchemaJson flattened = document.flatten();
  int refused = 0;
  for (const auto& [pointer, value] : flattened.items()) {
    for (const SchemaJson& other : {SchemaJson(-2), SchemaJson(0.5), SchemaJson("x"), SchemaJson(),
                                    SchemaJson(true), SchemaJson(1e9)}) {
      SchemaJson spoiled = document;
      spoiled[SchemaJson::json_pointer(pointer)] = other;
      const bool schema_refuses = !Validator(schema).problem(spoiled).empty();
      bool reader_refuses = false;
      try {
        session_from_json(spoiled.dump(), "s.json");
      } catch (const Error& error) {
        // What contradicts other fields is beyond a schema.
        if (error.exit() == Exit::kInvalid) continue;
        reader_refuses = true;
      }
      EXPECT_EQ(schema_refuses, reader_refuses) << pointer << " = " << other;
      refused += reader_refuses ? 1 : 0;
    }
  }
  EXPECT_GT(refused, 100);
}

constexpr std::string_view kBegin = "<!-- field tables: evidence.schema --update writes them -->\n";
constexpr std::string_view kEnd = "<!-- end of field tables -->\n";

TEST(FormatsPage, HasTheFieldTables) {
  const std::string page = sample::source_text("docs/formats.md");
  const std::size_t begin = page.find(kBegin);
  const std::size_t end = page.find(kEnd);
  ASSERT_NE(begin, std::string::npos);
  ASSERT_NE(end, std::string::npos);
  sample::expect_golden("docs/formats.md", page.substr(0, begin + kBegin.size()) + all_tables() +
                                               "\n" + page.substr(end));
}

TEST(FormatsPage, HasExamplesThatAreRead) {
  const std::string page = sample::source_text("docs/formats.md");
  int examples = 0;
  for (std::size_t at = page.find("```json\n"); at != std::string::npos;
       at = page.find("```json\n", at)) {
    at += 8;
    const std::string text = page.substr(at, page.find("```", at) - at);
    const std::string format = SchemaJson::parse(text)["format"];
    if (format == "perfgate-session") session_from_json(text, "docs/formats.md");
    if (format == "perfgate-verdict") verdict_from_json(text, "docs/formats.md");
    if (format == "perfgate-policy") policy_from_json(text, "docs/formats.md");
    if (format == "perfgate-calibration") calibration_from_json(text, "docs/formats.md");
    ++examples;
  }
  EXPECT_EQ(examples, 4);
}

}  // namespace
}  // namespace perfgate
