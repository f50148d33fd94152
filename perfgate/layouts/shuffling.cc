// SPDX-License-Identifier: Apache-2.0
#include "perfgate/layouts/shuffling.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "perfgate/base/io/atomic_file.h"
#include "perfgate/base/os/entropy.h"

namespace perfgate::layouts {
namespace {

void AppendLinkerOption(LinkDriver driver, const std::string& option, LinkCommand& command) {
  if (driver == LinkDriver::kNvcc) {
    command.arguments.insert(command.arguments.end(), {"-Xlinker", option});
  } else {
    command.arguments.push_back("-Wl," + option);
  }
}

void ChooseLinker(LinkDriver driver, const std::string& name, LinkCommand& command) {
  if (driver == LinkDriver::kNvcc) command.arguments.emplace_back("-Xcompiler");
  command.arguments.push_back("-fuse-ld=" + name);
}

// Text and data of random sizes up to 4 KiB, a page, so that what follows begins anywhere in one.
std::string Padding(RandomStream& random) {
  constexpr std::uint64_t kMost = 4096;
  std::string text = "\t.section .note.GNU-stack,\"\",%progbits\n";
  for (const char* section : {".text", ".data", ".section .rodata", ".bss"}) {
    text += std::string("\t") + section + "\n\t.skip " + std::to_string(random.below(kMost)) + "\n";
  }
  return text;
}

// Object files change places among themselves; archives keep theirs, because their order decides
// what is taken from them.
void ShuffleObjects(const ParsedLink& link, int seed, const std::string& folder,
                    LinkCommand& command) {
  RandomStream random(static_cast<std::uint64_t>(seed));
  std::vector<std::string> objects;
  for (const std::size_t at : link.objects) objects.push_back(command.arguments[at]);
  random.shuffle(std::span<std::string>(objects));
  for (std::size_t i = 0; i < objects.size(); ++i) {
    command.arguments[link.objects[i]] = objects[i];
  }
  const std::string padding = folder + "/padding.s";
  write_file_atomically(padding, Padding(random));
  const std::size_t first = link.objects.empty() ? command.arguments.size() : link.objects.front();
  command.arguments.insert(command.arguments.begin() + static_cast<std::ptrdiff_t>(first), padding);
}

}  // namespace

LinkCommand ShuffledLink(const ParsedLink& link, Shuffling shuffling, int seed,
                         const std::string& folder, const std::string& output) {
  LinkCommand command = WithOutput(link, output);
  if (seed == 0) return command;
  const std::string number = std::to_string(seed);
  switch (shuffling) {
    case Shuffling::kLld:
      ChooseLinker(link.driver, "lld", command);
      for (const char* sections : {".text*", ".rodata*", ".data*", ".bss*"}) {
        AppendLinkerOption(link.driver,
                           "--shuffle-sections=" + std::string(sections) + "=" + number, command);
      }
      break;
    case Shuffling::kMold:
      ChooseLinker(link.driver, "mold", command);
      AppendLinkerOption(link.driver, "--shuffle-sections=" + number, command);
      break;
    case Shuffling::kOrder:
      ShuffleObjects(link, seed, folder, command);
      break;
  }
  return command;
}

void LookBesideItself(const ParsedLink& link, LinkCommand& command) {
  LinkCommand option;
  // In front of all others: the first run path that has the library wins.
  // nvcc hands its arguments to a shell.
  AppendLinkerOption(link.driver,
                     link.driver == LinkDriver::kNvcc ? "-rpath=\\$ORIGIN" : "-rpath=$ORIGIN",
                     option);
  command.arguments.insert(command.arguments.begin() + 1, option.arguments.begin(),
                           option.arguments.end());
}

}  // namespace perfgate::layouts
