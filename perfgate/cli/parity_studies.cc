// SPDX-License-Identifier: Apache-2.0
#include "perfgate/cli/parity_studies.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "perfgate/base/text/join.h"
#include "perfgate/cli/options/outputs.h"
#include "perfgate/evidence/files/input_kinds.h"
#include "perfgate/gate/recorded/result_files.h"
#include "perfgate/published/parity_views.h"
#include "perfgate/published/studies/change_log.h"
#include "perfgate/published/studies/inventory.h"
#include "perfgate/published/studies/population.h"

namespace perfgate::cli {
namespace {

namespace fs = std::filesystem;

bool IsFolder(const std::string& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

// Whether something stands at the path, be it a broken link.
bool IsThere(const std::string& path) {
  std::error_code error;
  return fs::symlink_status(path, error).type() != fs::file_type::not_found;
}

struct Sources {
  std::vector<published::Study> studies;
  std::vector<nlohmann::json> populations;
};

Sources ReadSources(const std::vector<std::string>& from) {
  Sources sources;
  for (const std::string& path : from) {
    if (IsFolder(path)) {
      sources.studies.push_back(published::ReadStudy(path));
      continue;
    }
    if (gate::IsSessionFile(path)) {
      throw Error(Exit::kUsage, path +
                                    " is a session; give --from this file alone, without "
                                    "--population, --inventory and --change-log");
    }
    sources.populations.push_back(
        published::PopulationFromJson(ReadInputFile(path, kResultFile), path));
  }
  return sources;
}

// "win 5 + match 18 + loss 3 + failed 7 + none 27 = 60"
std::string TotalsOf(const published::PublishedSet& set) {
  std::array<std::size_t, published::kOutcomeWords.size()> counts = {};
  for (const published::ItemReview& item : published::review(set).items) {
    ++counts.at(static_cast<std::size_t>(item.answer.outcome));
  }
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    parts.push_back(fmt::format("{} {}", published::kOutcomeWords[i], counts[i]));
  }
  return fmt::format("{} = {}", Join(parts, " + "), set.items.size());
}

void WriteChanges(const std::vector<published::PopulationChange>& changes,
                  const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    write_output(path, path.ends_with(".md") ? published::ChangesMarkdown(changes)
                                             : published::ChangesJson(changes));
  }
}

}  // namespace

void add_study_options(CLI::App& app, StudyOptions& options) {
  app.add_option("--population", options.population,
                 "Folders: write the population file, or update the one that is there; a changed "
                 "value keeps the older one with a mark")
      ->check(not_empty());
  app.add_option("--inventory", options.inventory,
                 "Folders: write what each source holds, and which files cannot be read")
      ->check(not_empty());
  app.add_option("--change-log", options.change_logs,
                 "Folders: write what the update changed, as JSON, or as lines of Markdown where "
                 "the name ends in .md; repeat it for both")
      ->check(not_empty());
}

bool ReadsStudies(const std::vector<std::string>& from, const StudyOptions& options) {
  return from.size() > 1 || options.AnyOutput() || IsFolder(from.front());
}

Exit parity_studies(const std::vector<std::string>& from, const StudyOptions& options,
                    PublishedOptions published) {
  std::vector<std::string> outputs = {published.json, published.summary, published.markdown,
                                      options.population, options.inventory};
  outputs.insert(outputs.end(), options.change_logs.begin(), options.change_logs.end());
  check_outputs(outputs);
  if (options.population == "-") {
    throw Error(Exit::kUsage, "--population needs the name of a file, which later runs update");
  }
  nlohmann::json population = published::EmptyPopulation();
  const bool update = !options.population.empty() && IsThere(options.population);
  if (update) {
    population = published::PopulationFromJson(ReadInputFile(options.population, kResultFile),
                                               options.population);
  }
  const nlohmann::json before = population;
  const Sources sources = ReadSources(from);
  for (const nlohmann::json& other : sources.populations) {
    published::AddPopulation(population, other);
  }
  published::AddStudies(population, sources.studies);

  published.from = options.population.empty() ? Join(from) : options.population;
  const std::string text = published::PopulationText(population);
  const published::PublishedSet set = published::published_from_json(text, published.from);
  const auto changes = published::ComparePopulations(before, population);
  std::string head = published::InventoryText(sources.studies);
  if (update) {
    const auto old_set = published::published_from_json(before.dump(), options.population);
    head += fmt::format("Update    {} changes in {}\n  before  {}\n  now     {}\n", changes.size(),
                        options.population, TotalsOf(old_set), TotalsOf(set));
  }
  write_output(options.population, text);
  write_output(options.inventory, published::InventoryJson(sources.studies));
  WriteChanges(changes, options.change_logs);
  const bool quiet = options.inventory == "-" ||
                     std::find(options.change_logs.begin(), options.change_logs.end(), "-") !=
                         options.change_logs.end();
  if (quiet) published.quiet = true;
  return answer_published(published, set, head.empty() ? head : head + "\n");
}

}  // namespace perfgate::cli
