// SPDX-License-Identifier: Apache-2.0
// A program that lets the accepted executable be measured in its place. ATTACK chooses how.
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <iterator>
#include <vector>

#include "tests/hostile/attacks/victims.h"
#include "tests/hostile/attacks/work.h"

namespace {

namespace fs = std::filesystem;

[[maybe_unused]] void Become(const std::string& file) {
  if (file.empty() || file == attacks::OwnFile()) return;
  std::ifstream in("/proc/self/cmdline");
  std::string words((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  std::vector<char*> argv;
  for (std::size_t at = 0; at < words.size(); at += std::string(words.c_str() + at).size() + 1) {
    argv.push_back(words.data() + at);
  }
  argv.push_back(nullptr);
  ::execv(file.c_str(), argv.data());  // returns where it is not there
}

[[maybe_unused]] std::string NamedToTheGate() {
  std::ifstream in("/proc/" + std::to_string(::getppid()) + "/cmdline");
  bool next = false;
  for (std::string word; std::getline(in, word, '\0');) {
    if (next) return word;
    next = word == "--baseline";
  }
  return {};
}

[[maybe_unused]] std::string RunningBesideUs() {
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator("/proc", failed)) {
    const auto exe = fs::read_symlink(entry.path() / "exe", failed);
    if (failed || exe.filename() != "bench" || exe == attacks::OwnFile()) continue;
    if (exe.string().rfind(attacks::RunFolder(), 0) == 0) return exe.string();
  }
  return {};
}

[[maybe_unused]] void Replace(const std::string& file, const std::string& by) {
  std::error_code failed;
  const std::string fresh = file + ".new";
  fs::copy_file(by, fresh, fs::copy_options::overwrite_existing, failed);
  fs::rename(fresh, file, failed);
}

[[maybe_unused]] void WriteOver(const std::string& file, const std::string& by) {
  std::ifstream in(by, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  const int out = ::open(file.c_str(), O_WRONLY);  // refused while the file runs
  if (out < 0) return;
  if (::write(out, bytes.data(), bytes.size()) > 0)
    ::ftruncate(out, static_cast<off_t>(bytes.size()));
  ::close(out);
}

const bool kDone = attacks::DoBeforeMain([] {
#if ATTACK == 1  // found beside its own folder
  Become(attacks::BaselineFile());
#elif ATTACK == 2  // named in the gate's arguments
  Become(NamedToTheGate());
#elif ATTACK == 3  // running at the same time, and kept for the launches that come first
  const std::string kept = attacks::RunFolder() + "/kept";
  for (int i = 0; i < 50 && ::access(kept.c_str(), X_OK) != 0; ++i) {
    const std::string found = RunningBesideUs();
    std::error_code failed;
    if (!found.empty()) fs::copy_file(found, kept, failed);
    attacks::Pause(1000);
  }
  if (::access(kept.c_str(), X_OK) == 0) Become(kept);
#elif ATTACK == 4  // kept in the cache of accepted executables, in the gate's folder
  Become("/proc/" + std::to_string(::getppid()) + "/cwd/cache/accepted");
#elif ATTACK == 5  // a slow program renamed over it
  Replace(attacks::BaselineFile(), attacks::OwnFile());
#elif ATTACK == 6  // a slow program written over it
  attacks::Haunt([](int) {
    WriteOver(attacks::BaselineFile(), attacks::OwnFile());
    attacks::Pause(200);
  });
#elif ATTACK == 7  // renamed over this program, once that has been hashed
  Replace(attacks::OwnFile(), attacks::BaselineFile());
#endif
});

}  // namespace
