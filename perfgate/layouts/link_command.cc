// SPDX-License-Identifier: Apache-2.0
#include "perfgate/layouts/link_command.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <system_error>

#include "perfgate/base/error.h"
#include "perfgate/base/io/read_file.h"

namespace perfgate::layouts {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepestResponseFile = 8;  // a file that names itself would never end

[[noreturn]] void RefuseCommand(const std::string& why) {
  throw Error(Exit::kUsage, "the link command " + why +
                                ": give the command that links the benchmark, as `c++ ... a.o b.o "
                                "-o my_bench` (ninja -t commands my_bench, or make VERBOSE=1, show "
                                "it)");
}

void AppendExpanded(const std::string& argument, const std::string& directory, int depth,
                    std::vector<std::string>& expanded) {
  if (argument.size() < 2 || argument[0] != '@') {
    expanded.push_back(argument);
    return;
  }
  const fs::path file = fs::path(directory) / argument.substr(1);
  std::error_code error;
  if (!fs::is_regular_file(file, error)) {
    throw Error(Exit::kUsage, "the response file " + file.string() +
                                  " of the link command does not exist; some build tools remove it "
                                  "after linking (ninja -d keeprsp keeps it)");
  }
  if (depth >= kDeepestResponseFile) RefuseCommand("nests response files too deeply");
  for (const std::string& inner : SplitArguments(read_file_text(file.string()))) {
    AppendExpanded(inner, directory, depth + 1, expanded);
  }
}

std::string ProgramPath(const std::string& name, const std::string& directory) {
  if (name.find('/') != std::string::npos) {
    const fs::path path = fs::path(directory) / name;
    if (::access(path.c_str(), X_OK) == 0) return path.string();
    throw Error(Exit::kUsage, path.string() + ": no such program; the link command begins with it");
  }
  const char* search = std::getenv("PATH");
  std::istringstream folders(search != nullptr ? search : "/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::string path = (folder.empty() ? "." : folder) + "/" + name;
    if (::access(path.c_str(), X_OK) == 0) return path;
  }
  throw Error(Exit::kUsage, name + ": no such program in PATH; the link command begins with it");
}

bool IsObject(const std::string& argument) {
  return argument.size() > 2 && argument[0] != '-' &&
         (argument.ends_with(".o") || argument.ends_with(".obj"));
}

bool IsNvcc(const std::string& argument) {
  const std::string name = fs::path(argument).filename().string();
  return name == "nvcc" || name.starts_with("nvcc-");
}

}  // namespace

std::vector<std::string> SplitArguments(const std::string& text) {
  std::vector<std::string> arguments;
  std::string current;
  bool any = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
      current += text[++i];
      any = true;
    } else if (quote != 0) {
      if (c == quote) {
        quote = 0;
      } else {
        current += c;
      }
    } else if (c == '"' || c == '\'') {
      quote = c;
      any = true;
    } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      if (any) arguments.push_back(current);
      current.clear();
      any = false;
    } else {
      current += c;
      any = true;
    }
  }
  if (any) arguments.push_back(current);
  return arguments;
}

ParsedLink ParseLink(const LinkCommand& command) {
  if (command.arguments.empty()) RefuseCommand("is empty");
  ParsedLink link;
  link.command.directory = fs::absolute(command.directory).lexically_normal().string();
  for (const std::string& argument : command.arguments) {
    AppendExpanded(argument, link.command.directory, 0, link.command.arguments);
  }
  std::vector<std::string>& arguments = link.command.arguments;
  arguments[0] = ProgramPath(arguments[0], link.command.directory);
  link.output = "a.out";
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (IsNvcc(argument)) link.driver = LinkDriver::kNvcc;
    if (argument == "-c" || argument == "-S" || argument == "-E") {
      RefuseCommand("only compiles (" + argument + ")");
    }
    if (argument == "-shared" || argument == "--shared") link.shared = true;
    if (argument == "-o" && i + 1 < arguments.size()) {
      link.output = arguments[i + 1];
      link.output_at = i + 1;
      ++i;
      continue;
    }
    if (i == 0 || argument.empty() || argument[0] == '-') continue;
    if (IsObject(argument)) link.objects.push_back(i);
    const fs::path file = fs::path(link.command.directory) / argument;
    std::error_code error;
    if (fs::is_regular_file(file, error)) link.inputs.push_back(file.lexically_normal().string());
  }
  if (link.inputs.empty()) RefuseCommand("names no file that exists");
  return link;
}

LinkCommand WithOutput(const ParsedLink& link, const std::string& output) {
  LinkCommand command = link.command;
  if (link.output_at > 0) {
    command.arguments[link.output_at] = output;
  } else {
    command.arguments.insert(command.arguments.end(), {"-o", output});
  }
  return command;
}

}  // namespace perfgate::layouts
