// SPDX-License-Identifier: Apache-2.0
// perfgate bundle: evidence, its tables and a script that makes them again, in one folder.
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>

#include "perfgate/base/io/atomic_file.h"
#include "perfgate/base/io/input_file.h"
#include "perfgate/base/sha256.h"
#include "perfgate/cli/commands.h"
#include "perfgate/cli/options/options.h"
#include "perfgate/cli/options/outputs.h"
#include "perfgate/cli/reporting/report_forms.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/evidence/files/input_kinds.h"
#include "perfgate/report/bundle/bundle_texts.h"
#include "perfgate/report/latex/latex_report.h"

namespace perfgate::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTool = "perfgate " PERFGATE_VERSION;

struct BundleOptions {
  std::vector<std::string> files;
  std::string output;
  std::string title;
  std::string key;
};

// By its path in the bundle.
using Contents = std::map<std::string, std::string>;

std::string FolderOf(const std::string& file) {
  static const std::map<std::string, std::string> kFolders = {
      {"verdict", "verdicts"}, {"session", "sessions"},       {"calibration", "calibrations"},
      {"parity", "parity"},    {"comparison", "comparisons"}, {"plan", "plans"}};
  const std::string format = file_format(file);
  const auto found = kFolders.find(format);
  if (found != kFolders.end()) return found->second;
  throw Error(Exit::kData, std::string(file).append(" is a ").append(format).append(
                               " file; a bundle holds verdicts, sessions, calibrations, parity "
                               "verdicts, comparisons and plans"));
}

// "sessions/02-my_session.json": no shell or web server stumbles over it.
std::string BundledName(const std::string& file, std::size_t number) {
  std::string name = fs::path(file).filename().string();
  for (char& c : name) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-';
    if (!plain) c = '_';
  }
  constexpr std::size_t kLongest = 80;
  if (name.size() > kLongest) name = name.substr(name.size() - kLongest);
  const std::string digits = std::to_string(number);
  return FolderOf(file) + "/" + (digits.size() < 2 ? "0" : "") + digits + "-" + name;
}

bool ShowsSuite(const std::string& path) {
  return path.starts_with("verdicts/") || path.starts_with("sessions/") ||
         path.starts_with("calibrations/");
}

// Reports read relative paths, as the script will, so that both show the same names.
class InFolder {
 public:
  explicit InFolder(const fs::path& folder) : before_(fs::current_path()) {
    fs::current_path(folder);
  }
  ~InFolder() {
    std::error_code ignored;
    fs::current_path(before_, ignored);
  }
  InFolder(const InFolder&) = delete;
  InFolder& operator=(const InFolder&) = delete;

 private:
  fs::path before_;
};

void WriteContents(const fs::path& folder, const Contents& contents) {
  for (const auto& [path, text] : contents) {
    fs::create_directories((folder / path).parent_path());
    write_file_atomically((folder / path).string(), text);
  }
}

std::string TextOfForm(const std::vector<std::string>& files, const std::string& format,
                       const std::string& title, bool decide = false) {
  const ReportRequest request{.files = files, .decide = decide};
  return ReportText(ReadReportedFiles(request), {.format = format, .title = title});
}

const std::vector<report::BundledTable>& SuiteTables() {
  static const std::vector<report::BundledTable> kTables = {{"tables/report.csv", "csv"},
                                                            {"tables/report.json", "json"},
                                                            {"tables/report.tex", "latex"},
                                                            {"report.html", "html"}};
  return kTables;
}

// Sessions whose verdict is in the bundle as well.
std::vector<std::string> JudgedSessions(const ReportedFiles& files) {
  std::vector<std::string> judged;
  for (const auto& [file, session] : files.suites.sessions) {
    if (session.arms.size() == 2) judged.push_back(file);
  }
  return judged;
}

// Tables and texts that follow from the evidence, which lies in the current folder.
Contents DerivedContents(const report::BundledEvidence& evidence) {
  Contents made;
  std::vector<report::BundledTable> tables = {{"tables/report.md", "md"}};
  ReportedFiles files = ReadReportedFiles({.files = evidence.all});
  const std::vector<std::string> judged = JudgedSessions(files);
  if (!evidence.suites.empty()) {
    tables.insert(tables.end(), SuiteTables().begin(), SuiteTables().end());
    made["paper.tex"] = report::LatexDocument("tables/report.tex");
  }
  for (const report::BundledTable& table : tables) {
    const auto& shown = table.format == "md" ? evidence.all : evidence.suites;
    const std::string title = table.format == "html" ? evidence.title : "";
    made[table.file] = TextOfForm(shown, table.format, title);
  }
  for (const std::string& session : judged) {
    const std::string name = "tables/anew-" + fs::path(session).filename().string() + ".csv";
    made[name] = TextOfForm({session}, "csv", "", true);
  }
  const std::vector<report::ReportedSuite> suites = report::SuitesOf(std::move(files.suites));
  made["environment.json"] = report::EnvironmentJson(suites, kTool);
  made["claims.txt"] = report::ClaimsText(suites);
  made["README.txt"] = report::BundleReadme(suites, kTool);
  made["reproduce.sh"] = report::ReproduceScript(evidence, tables, judged);
  return made;
}

std::string Digests(const Contents& contents) {
  std::string text;
  for (const auto& [path, bytes] : contents) text += sha256_hex(bytes) + "  " + path + "\n";
  return text;
}

// Beside the target, which it replaces once it is whole.
class NewFolder {
 public:
  explicit NewFolder(const std::string& target) : target_(fs::absolute(target).lexically_normal()) {
    if (!target_.has_filename()) target_ = target_.parent_path();
    std::error_code error;
    if (fs::exists(fs::symlink_status(target_, error))) {
      throw Error(Exit::kData, target + " exists already; name a new folder");
    }
    std::string name = (target_.parent_path() / ".perfgate-bundle-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
      throw Error(Exit::kData, "cannot write " + target + ": " + std::strerror(errno) +
                                   ". Choose an existing folder that you may write to.");
    }
    folder_ = name;
  }
  ~NewFolder() {
    std::error_code ignored;
    if (!folder_.empty()) fs::remove_all(folder_, ignored);
  }
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;

  const fs::path& path() const { return folder_; }

  void Commit() {
    constexpr auto kUsual = fs::perms(0755);
    fs::permissions(folder_, kUsual);
    fs::rename(folder_, target_);
    folder_.clear();
  }

 private:
  fs::path target_;
  fs::path folder_;
};

void WriteBundle(const BundleOptions& options, NewFolder& folder) {
  report::BundledEvidence evidence;
  evidence.title = options.title;
  Contents contents;
  for (const std::string& file : options.files) {
    const std::string name = BundledName(file, evidence.all.size() + 1);
    contents[name] = ReadInputFile(file, kAnyEvidence);
    evidence.all.push_back(name);
    if (ShowsSuite(name)) evidence.suites.push_back(name);
  }
  WriteContents(folder.path(), contents);
  Contents derived;
  {
    const InFolder inside(folder.path());
    derived = DerivedContents(evidence);
  }
  WriteContents(folder.path(), derived);
  contents.merge(derived);
  write_file_atomically((folder.path() / "SHA256SUMS").string(), Digests(contents));
  fs::permissions(folder.path() / "reproduce.sh", fs::perms(0755));
  folder.Commit();
}

Exit Bundle(const BundleOptions& options) {
  // Before anything is written: whether all of it can be read, and whoever signed it.
  ReadReportedFiles({.files = options.files, .key = options.key});
  NewFolder folder(options.output);
  try {
    WriteBundle(options, folder);
  } catch (const fs::filesystem_error& error) {
    throw Error(Exit::kData, "cannot write " + options.output + ": " + error.code().message());
  }
  print("wrote " + options.output + ": try " +
        (fs::path(options.output) / "reproduce.sh").string() + "\n");
  return Exit::kPass;
}

}  // namespace

Command add_bundle(CLI::App& app) {
  auto options = std::make_shared<BundleOptions>();
  app.add_option("FILE", options->files,
                 "Verdict, session, calibration, parity, comparison and plan files")
      ->required();
  app.add_option("--output", options->output, "Folder to make")->required()->check(not_empty());
  app.add_option("--title", options->title, "Title of the page [the names of the suites]")
      ->check(not_empty());
  AddKeyOption(app, options->key, "File of a key: take only files that it signed, else exit 14");
  app.footer(
      "The folder holds the files, tables in every form, the environment, and reproduce.sh, which\n"
      "makes every table again and compares it (PERFGATE names the program).");
  return [options] { return Bundle(*options); };
}

}  // namespace perfgate::cli
