// SPDX-License-Identifier: Apache-2.0
// Spoiled files end in a named state: never a crash, never another number.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <functional>
#include <random>

#include "perfgate/base/io/private_folder.h"
#include "perfgate/base/json/strict_json.h"
#include "perfgate/published/studies/inventory.h"
#include "perfgate/published/studies/population.h"
#include "tests/perfgate/published/studies/study_samples.h"

namespace perfgate::published {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int kCorruptions = 500;

enum class Spoiled { kUnreadable, kNamed };  // what state the victim must end in

// The spoiled text, or nothing where the file has no place for it.
using Spoil = std::function<std::optional<std::string>(const std::string&, std::mt19937_64&)>;

void CollectMetrics(json& value, std::vector<json*>& found) {
  for (auto& [name, member] : value.items()) {
    if (member.is_object() && name.ends_with("metrics")) {
      for (auto& metric : member) found.push_back(&metric);
    } else if (member.is_object()) {
      CollectMetrics(member, found);
    }
  }
}

Spoil MetricBecomes(const std::string& text) {
  return [text](const std::string& file, std::mt19937_64& random) -> std::optional<std::string> {
    json document = json::parse(file);
    std::vector<json*> metrics;
    CollectMetrics(document, metrics);
    if (metrics.empty()) return std::nullopt;
    *metrics[random() % metrics.size()] = "@@";
    std::string spoiled = document.dump();
    return spoiled.replace(spoiled.find("\"@@\""), 4, text);
  };
}

json& BodyIn(json& document) { return document.contains("result") ? document["result"] : document; }

Spoil FieldBecomes(const std::string& name, const json& value) {
  return [=](const std::string& file, std::mt19937_64&) -> std::optional<std::string> {
    json document = json::parse(file);
    BodyIn(document)[name] = value;
    return document.dump();
  };
}

std::optional<std::string> Truncated(const std::string& file, std::mt19937_64& random) {
  return file.substr(0, random() % file.size());
}

std::optional<std::string> WithDuplicateKey(const std::string& file, std::mt19937_64&) {
  const std::size_t begin = file.find('"');
  const std::size_t end = file.find('"', begin + 1);
  return "{" + file.substr(begin, end + 1 - begin) + ":null," + file.substr(1);
}

std::optional<std::string> WithBadUtf8(const std::string& file, std::mt19937_64& random) {
  const std::size_t at = file.find('"', random() % (file.size() / 2));
  return file.substr(0, at + 1) + "\xC3" + file.substr(at + 1);
}

// An arm in the place of another, or none in its place.
json* ArmsIn(json& document) {
  json& body = BodyIn(document);
  return body.contains("results") ? &body["results"] : &body;
}

std::optional<std::string> WithSwappedArms(const std::string& file, std::mt19937_64& random) {
  json document = json::parse(file);
  json& arms = *ArmsIn(document);
  std::vector<std::string> keys;
  for (const auto& name : kArmNames) {
    for (const std::string& key : {std::string(name), std::string(name) + "_metrics"}) {
      if (arms.contains(key) && arms[key].is_object()) keys.push_back(key);
    }
  }
  if (keys.size() < 2) {
    if (!document.contains("arm")) return std::nullopt;
    document["arm"] = document["arm"] == "agent" ? "human" : "agent";
    return document.dump();
  }
  std::shuffle(keys.begin(), keys.end(), random);
  std::swap(arms[keys[0]], arms[keys[1]]);
  return document.dump();
}

std::optional<std::string> WithoutArm(const std::string& file, std::mt19937_64& random) {
  json document = json::parse(file);
  json& arms = *ArmsIn(document);
  const std::string name(kArmNames.at(random() % kArms));
  if (arms.erase(name) + arms.erase(name + "_metrics") == 0) return std::nullopt;
  return document.dump();
}

struct Corruption {
  std::string name;
  Spoil spoil;
  Spoiled end = Spoiled::kUnreadable;
};

std::vector<Corruption> Corruptions() {
  std::vector<Corruption> all = {
      {"truncated", Truncated},
      {"duplicate key", WithDuplicateKey},
      {"bad UTF-8", WithBadUtf8},
      {"swapped arms", WithSwappedArms},
      {"model 5", FieldBecomes("model", 5)},
      {"status []", FieldBecomes("status", json::array())},
      {"other commit", FieldBecomes("commit_hash", "ffffffff00000000")},
      {"trailing", [](const std::string& f, std::mt19937_64&) { return f + "x"; }},
      {"a list", [](const std::string& f, std::mt19937_64&) { return "[" + f + "]"; }},
      {"too deep", [](const std::string&, std::mt19937_64&) { return std::string(90000, '['); }},
      {"without an arm", WithoutArm, Spoiled::kNamed}};
  for (const char* text :
       {"NaN", "-Infinity", "1e999", "1e300", "123456789012345678901234567890", "-5", "-1e-9",
        "\"12.5\"", "true", "[1]", "{}", "{\"value\":\"1\"}", "{\"value\":1,\"unit\":\"GiB\"}"}) {
    all.push_back({std::string("metric ") + text, MetricBecomes(text)});
  }
  return all;
}

// What stands in the place of the file instead of one.
const std::array<std::string, 5> kPlaces = {"folder", "link to itself", "broken link", "pipe",
                                            "nothing"};

void PutInPlace(const std::string& what, const fs::path& path) {
  fs::remove(path);
  if (what == "folder") fs::create_directory(path);
  if (what == "link to itself") fs::create_symlink(path, path);
  if (what == "broken link") fs::create_symlink("/nowhere/at/all", path);
  if (what == "pipe") {
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  }
}

std::map<std::string, double> ValuesIn(const json& population) {
  std::map<std::string, double> values;
  for (const json& record : population["commits"]) {
    for (const json& m : record["measurements"]) {
      for (const auto& [arm, value] : m["arms"].items()) {
        values[record["id"].get<std::string>() + " " + arm + " " + m["metric"].dump() +
               m["unit"].dump()] = value["value"];
      }
    }
  }
  return values;
}

const StudyArm* ArmIn(const Study& study, const std::string& id, const std::string& arm) {
  for (const StudyRecord& record : study.sources.at(0).records) {
    for (const Arm name : kAllArms) {
      if (record.id == id && name_of(name) == arm) return &record.arms[index_of(name)];
    }
  }
  return nullptr;
}

class SpoiledStudy : public testing::TestWithParam<Layout> {
 protected:
  void SetUp() override {
    files_ = test_support::StudyFilesOf(test_support::MakeCommits(11, 8), GetParam());
    test_support::WriteFiles(folder_.path(), files_);
    pristine_ = Values(ReadStudy(folder_.path()));
  }

  static std::map<std::string, double> Values(const Study& study) {
    json population = EmptyPopulation();
    AddStudies(population, {study});
    published_from_json(PopulationText(population), "population");
    return ValuesIn(population);
  }

  // Every value is as it was, or its arm says why it is gone.
  void Check(const std::string& victim, bool unreadable) {
    const Study study = ReadStudy(folder_.path());
    InventoryText({study});
    InventoryJson({study});
    const auto values = Values(study);
    for (const auto& [key, value] : values) {
      const auto before = pristine_.find(key);
      ASSERT_NE(before, pristine_.end()) << key << " is new";
      EXPECT_EQ(value, before->second) << key;
    }
    for (const auto& [key, value] : pristine_) {
      if (values.contains(key)) continue;
      const std::string id = key.substr(0, 8);
      const StudyArm* arm = ArmIn(study, id, key.substr(9, key.find(' ', 9) - 9));
      if (arm == nullptr) continue;  // the commit's only file is gone
      EXPECT_NE(arm->state, ArmState::kMeasured) << key;
      EXPECT_TRUE(arm->state == ArmState::kMissing || !arm->reason.empty()) << key;
    }
    const auto& lost = study.sources.at(0).unreadable;
    EXPECT_EQ(lost.size(), unreadable ? 1U : 0U);
    if (unreadable && !lost.empty()) {
      EXPECT_TRUE(lost[0].path.ends_with(victim)) << lost[0].path;
      EXPECT_NE(lost[0].reason, "");
    }
  }

  PrivateFolder folder_{"study"};
  std::map<std::string, std::string> files_;
  std::map<std::string, double> pristine_;
};

TEST_P(SpoiledStudy, EndsInANamedState) {
  const std::vector<Corruption> corruptions = Corruptions();
  std::mt19937_64 random(2026);
  std::map<std::string, int> done;
  for (int count = 0; count < kCorruptions;) {
    const auto victim = std::next(files_.begin(), static_cast<long>(random() % files_.size()));
    const fs::path path = fs::path(folder_.path()) / victim->first;
    const std::size_t pick = random() % (corruptions.size() + kPlaces.size());
    std::string name;
    bool unreadable = true;
    if (pick < corruptions.size()) {
      const Corruption& corruption = corruptions[pick];
      const auto text = corruption.spoil(victim->second, random);
      if (!text) continue;
      // A baseline's own file may name the commit that it was built from.
      if (corruption.name == "other commit" && victim->first.find("baseline") != std::string::npos)
        continue;
      if (corruption.name == "other commit" &&
          json::parse(victim->second).value("arm", "") == "baseline")
        continue;
      name = corruption.name;
      unreadable = corruption.end == Spoiled::kUnreadable;
      test_support::WriteFiles(folder_.path(), {{victim->first, *text}});
    } else {
      name = kPlaces.at(pick - corruptions.size());
      unreadable = name != "nothing";
      PutInPlace(name, path);
    }
    SCOPED_TRACE(name + " in " + victim->first);
    ASSERT_NO_THROW(Check(victim->first, unreadable));
    if (HasFailure()) return;
    ++done[name];
    ++count;
    fs::remove_all(path);
    test_support::WriteFiles(folder_.path(), {*victim});
  }
  EXPECT_GE(done.size(), corruptions.size() + kPlaces.size() - 1) << "some were never tried";
}

INSTANTIATE_TEST_SUITE_P(Layouts, SpoiledStudy,
                         testing::Values(Layout::kCombined, Layout::kArmFiles, Layout::kReruns),
                         [](const auto& info) { return std::string(word_of(info.param)); });

}  // namespace
}  // namespace perfgate::published
