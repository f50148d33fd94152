// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/executable.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "perfgate/base/error.h"
#include "perfgate/base/io/private_folder.h"
#include "perfgate/measure/libraries.h"
#include "tests/perfgate/measure/fixtures/fixtures.h"

namespace perfgate::measure {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class ExecutableTest : public testing::Test {
 public:
  ExecutableTest(const ExecutableTest&) = delete;
  ExecutableTest& operator=(const ExecutableTest&) = delete;

 protected:
  ExecutableTest() = default;
  std::string write(const std::string& name, const std::string& content, mode_t mode = 0755) {
    std::string path = folder_.file(name);
    std::ofstream(path, std::ios::binary) << content;
    ::chmod(path.c_str(), mode);
    return path;
  }

  static std::string refusal(const std::string& path) {
    try {
      inspect_executable(path);
    } catch (const Error& error) {
      EXPECT_EQ(error.exit(), Exit::kData);
      EXPECT_NE(std::string(error.what()).find(path), std::string::npos);
      return error.what();
    }
    ADD_FAILURE() << path << " was accepted";
    return "";
  }

  PrivateFolder folder_{"perfgate-test-"};
};

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_F(ExecutableTest, KnowsWhoSpeaksTheProtocol) {
  EXPECT_TRUE(inspect_executable(fixture("fake_worker")).speaks_protocol);
  EXPECT_FALSE(inspect_executable(fixture("stock_bench")).speaks_protocol);
  EXPECT_FALSE(inspect_executable("/proc/self/exe").speaks_protocol)
      << "what links this library must not carry the marker";
}

TEST_F(ExecutableTest, DigestFollowsContentAlone) {
  const Executable original = inspect_executable(fixture("fake_worker"));
  EXPECT_EQ(original.digest.rfind("sha256:", 0), 0U);
  EXPECT_EQ(original.digest.size(), 7 + 64U);
  const std::string bytes = bytes_of(fixture("fake_worker"));
  EXPECT_EQ(inspect_executable(write("copy", bytes)).digest, original.digest);
  EXPECT_NE(inspect_executable(write("longer", bytes + "x")).digest, original.digest);
  // A script has no libraries: the digest of the hexadecimal digest of its bytes.
  EXPECT_EQ(inspect_executable(write("script", "#!/bin/sh\n")).digest,
            "sha256:180bdc2191cab08f754a630ce22cef1c9ec497bc7a288bea66755b296b2dc3df");
}

TEST_F(ExecutableTest, SanitizersShow) {
  EXPECT_EQ(inspect_executable(write("plain", "\177ELF")).sanitizer, "");
  EXPECT_EQ(inspect_executable(write("a", "\177ELF __asan_init")).sanitizer, "address");
  EXPECT_EQ(inspect_executable(write("tu", "\177ELF __ubsan_handle_x __tsan_init")).sanitizer,
            "thread,undefined");
}

TEST_F(ExecutableTest, EveryRefusalSaysWhatToDo) {
  EXPECT_THAT(refusal(folder_.file("absent")), HasSubstr("no such file"));
  EXPECT_THAT(refusal("/bin/sh/absent"), HasSubstr("no such file"));
  EXPECT_THAT(refusal(folder_.path()), HasSubstr("is a folder"));
  EXPECT_THAT(refusal(write("text", "BM_x 5 ns\n")), HasSubstr("#!"));
  EXPECT_THAT(refusal(write("empty", "")), HasSubstr("empty"));
  EXPECT_THAT(refusal(write("locked", "#!/bin/sh\n", 0644)), HasSubstr("chmod"));
  const std::string pipe = folder_.file("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0755), 0);
  EXPECT_THAT(refusal(pipe), HasSubstr("regular"));
}

TEST_F(ExecutableTest, BrokenElfFilesAreHarmless) {
  const std::string whole = bytes_of(fixture("odd_program"));
  for (std::size_t size = 4; size < 1200; size += 7) {
    const std::string interpreter = elf_interpreter(std::string_view(whole).substr(0, size));
    EXPECT_TRUE(interpreter.empty() || fs::exists(interpreter)) << size;
  }
  std::string mutated = whole;
  for (std::size_t i = 16; i < 400; ++i) {
    mutated[i] = static_cast<char>(0xff);
    elf_interpreter(mutated);
  }
  EXPECT_FALSE(elf_interpreter(whole).empty());
  EXPECT_TRUE(elf_interpreter("#!/bin/sh").empty());
}

TEST(Libraries, LoaderAnswer) {
  const LoaderAnswer answer = parse_loader_answer(
      "\tlinux-vdso.so.1 (0x00007ffd)\n"
      "\tliba.so.1 => /opt/a b/liba.so.1 (0x00007f00)\n"
      "\tlibgone.so => not found\n"
      "\t/lib64/ld-linux-x86-64.so.2 (0x00007f01)\n"
      "\tstatically linked\n");
  EXPECT_EQ(answer.paths,
            (std::vector<std::string>{"/opt/a b/liba.so.1", "/lib64/ld-linux-x86-64.so.2"}));
  EXPECT_EQ(answer.missing, std::vector<std::string>{"libgone.so"});
  EXPECT_TRUE(is_system_library("/usr/lib/x86_64-linux-gnu/libbenchmark.so.1"));
  EXPECT_FALSE(is_system_library("/usr/local/lib/libx.so"));
  EXPECT_FALSE(is_system_library("/home/lib/libx.so"));
}

TEST_F(ExecutableTest, AChangedLibraryIsAChangedExecutable) {
  const std::string program = folder_.file("uses_library");
  const std::string library = folder_.file("libmeasure_library.so");
  fs::copy_file(PERFGATE_LIBRARY_USER, program);
  fs::copy_file(PERFGATE_LIBRARY, library);
  const std::string before = inspect_executable(program).digest;
  EXPECT_EQ(inspect_executable(program).digest, before);
  std::ofstream(library, std::ios::app | std::ios::binary) << "changed";
  EXPECT_NE(inspect_executable(program).digest, before);
  const fs::path home = fs::current_path();
  fs::current_path(folder_.path());
  const std::string by_bare_name = inspect_executable("uses_library").digest;
  fs::current_path(home);
  EXPECT_EQ(by_bare_name, inspect_executable(program).digest);
  fs::remove(library);
  EXPECT_THAT(refusal(program), HasSubstr("libmeasure_library.so"));
}

}  // namespace
}  // namespace perfgate::measure
