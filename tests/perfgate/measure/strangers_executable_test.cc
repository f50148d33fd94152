// SPDX-License-Identifier: Apache-2.0
// What is believed of an executable that a stranger may have built: neither its program loader nor
// what stands where its libraries should be.
#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <bit>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "perfgate/base/error.h"
#include "perfgate/base/io/private_folder.h"
#include "perfgate/measure/executable.h"
#include "perfgate/measure/libraries.h"

namespace perfgate::measure {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::uintmax_t kMostBytes = std::uintmax_t{16} << 30;

std::string BytesOfThisProgram() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// An ELF file that is nothing but the name of its program loader.
std::string ElfNaming(const std::string& loader) {
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;
  header.e_phoff = sizeof header;
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phnum = 1;
  Elf64_Phdr segment{};
  segment.p_type = PT_INTERP;
  segment.p_offset = sizeof header + sizeof segment;
  segment.p_filesz = loader.size() + 1;
  std::string bytes(reinterpret_cast<const char*>(&header), sizeof header);
  bytes.append(reinterpret_cast<const char*>(&segment), sizeof segment);
  return bytes.append(loader).append(1, '\0');
}

class StrangersExecutableTest : public testing::Test {
 protected:
  std::string Write(const std::string& name, const std::string& content) const {
    const std::string path = folder_.file(name);
    std::ofstream(path, std::ios::binary) << content;
    ::chmod(path.c_str(), 0755);
    return path;
  }

  // A script in the place of a loader that leaves a trace and names `library`.
  std::string Answering(const std::string& library) const {
    return Write("answering", "#!/bin/sh\ntouch '" + Trace() + "'\necho '\tlibx.so => " + library +
                                  " (0x00007f00)'\n");
  }
  std::string Trace() const { return folder_.file("trace"); }

  // kPass: it is accepted.
  Exit Inspected(const std::string& program, const Inspection& how) {
    try {
      executable_ = inspect_executable(program, how);
    } catch (const Error& error) {
      what_ = error.what();
      return error.exit();
    }
    return Exit::kPass;
  }

  // Of a program of the system's loader that is said to need this library.
  Exit WithLibrary(const std::string& library, bool is_strangers) {
    return Inspected(Write("program", ElfNaming(system_loader_)),
                     {.loader = {.words = {Answering(library)}}, .is_strangers = is_strangers});
  }

  PrivateFolder folder_{"perfgate-test-"};
  const std::string system_loader_ = elf_interpreter(BytesOfThisProgram());
  Executable executable_;
  std::string what_;
};

TEST_F(StrangersExecutableTest, ALoaderOfItsOwnIsNotEvenAsked) {
  const std::string library = Write("libx.so", "\177ELF");
  const std::string program = Write("program", ElfNaming(Answering(library)));
  EXPECT_EQ(Inspected(program, {.is_strangers = true}), Exit::kInvalid);
  EXPECT_THAT(what_, HasSubstr("names the program loader " + folder_.file("answering")));
  EXPECT_FALSE(fs::exists(Trace()));

  EXPECT_EQ(Inspected(program, {}), Exit::kPass);
  EXPECT_TRUE(fs::exists(Trace())) << "your own is";
  EXPECT_THAT(executable_.libraries, ElementsAre(library));
}

// All of these begin like a path of the system, or lie where no file is.
TEST_F(StrangersExecutableTest, ALoaderOfAnotherNameIsRefusedToo) {
  const std::string own = Answering("/lib/libc.so");
  for (const std::string& loader :
       {"/usr/.." + own, "/lib/../usr/.." + own, std::string("/usr/lib/no-such-loader.so"),
        std::string("ld.so"), std::string("/")}) {
    EXPECT_EQ(Inspected(Write("program", ElfNaming(loader)), {.is_strangers = true}),
              Exit::kInvalid)
        << loader;
  }
  EXPECT_FALSE(fs::exists(Trace()));
}

TEST_F(StrangersExecutableTest, TheSystemsLoaderIsKnownByItsFile) {
  ASSERT_FALSE(system_loader_.empty());
  const std::string link = folder_.file("ld.so");
  fs::create_symlink(fs::canonical(system_loader_), link);
  const Inspection how{.loader = {.words = {Answering("/lib/libc.so")}}, .is_strangers = true};
  EXPECT_EQ(Inspected(Write("program", ElfNaming(system_loader_)), how), Exit::kPass) << what_;
  EXPECT_EQ(Inspected(Write("program", ElfNaming(link)), how), Exit::kPass) << what_;
  EXPECT_EQ(Inspected("/proc/self/exe", {.is_strangers = true}), Exit::kPass) << what_;
}

TEST_F(StrangersExecutableTest, ALibraryIsAnElfFile) {
  EXPECT_EQ(WithLibrary(Write("libx.so", "\177ELF and more"), true), Exit::kPass) << what_;
  EXPECT_THAT(executable_.libraries, ElementsAre(folder_.file("libx.so")));
  for (const char* content : {"", "\177EL", "secret words", "#!/bin/sh\n", "!<arch>\n"}) {
    const std::string library = Write("libx.so", content);
    EXPECT_EQ(WithLibrary(library, true), Exit::kInvalid) << content;
    EXPECT_THAT(what_, HasSubstr(library + ": stands where a library should be"));
    EXPECT_EQ(WithLibrary(library, false), Exit::kPass) << content;
  }
}

// None of these is read, or waited for, whoever built the program.
TEST_F(StrangersExecutableTest, ALibraryIsARegularFile) {
  const std::string pipe = folder_.file("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0755), 0);
  const std::string link = folder_.file("link");
  fs::create_symlink("/dev/zero", link);
  for (const std::string& library : {pipe, link, folder_.path(), std::string("/dev/null")}) {
    for (const bool is_strangers : {false, true}) {
      EXPECT_EQ(WithLibrary(library, is_strangers), Exit::kData) << library;
      EXPECT_THAT(what_, HasSubstr(library + ": is not a regular file"));
    }
  }
  EXPECT_EQ(WithLibrary(folder_.file("absent.so"), true), Exit::kData);
  EXPECT_THAT(what_, HasSubstr("absent.so: cannot be read"));
}

// Sparse files, which take no room on the disk and would take it in memory.
TEST_F(StrangersExecutableTest, NothingLargerThan16GiBIsRead) {
  const std::string library = Write("libx.so", "\177ELF");
  const std::string program = Write("large", ElfNaming(system_loader_));
  std::error_code failed;
  for (const std::string& file : {library, program}) fs::resize_file(file, kMostBytes + 1, failed);
  if (failed) GTEST_SKIP() << "no file of 16 GiB can be made: " << failed.message();
  for (const bool is_strangers : {false, true}) {
    EXPECT_EQ(WithLibrary(library, is_strangers), Exit::kData);
    EXPECT_THAT(what_, HasSubstr(library + ": is larger than 16 GiB"));
    EXPECT_EQ(Inspected(program, {.is_strangers = is_strangers}), Exit::kData);
    EXPECT_THAT(what_, HasSubstr(program + ": is larger than 16 GiB"));
  }
}

}  // namespace
}  // namespace perfgate::measure
