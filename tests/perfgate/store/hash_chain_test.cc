// SPDX-License-Identifier: Apache-2.0
#include "perfgate/store/hash_chain.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "perfgate/base/error.h"
#include "perfgate/base/io/read_file.h"
#include "tests/perfgate/evidence/temporary_folder.h"

namespace perfgate::store {
namespace {

using sample::TemporaryFolder;

std::vector<std::string> lines_of(const std::string& path) {
  std::istringstream text(read_file_text(path));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

void write_lines(const std::string& path, const std::vector<std::string>& lines) {
  std::ofstream file(path);
  for (const std::string& line : lines) file << line << '\n';
}

class HashChainTest : public testing::Test {
 protected:
  void fill(int count) {
    for (int i = 0; i < count; ++i) append_to_chain(path_, {{"number", i}, {"text", "\xC3\xA9\n"}});
  }
  void expect_exit(Exit exit, const std::string& part) {
    try {
      read_chain(path_);
      ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.exit(), exit) << error.what();
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  }

  TemporaryFolder folder_;
  std::string path_ = folder_ / "chain.jsonl";
};

TEST_F(HashChainTest, NoFileIsAnEmptyChain) {
  EXPECT_TRUE(read_chain(path_).entries.empty());
  EXPECT_EQ(read_chain(path_).head, "");
}

TEST_F(HashChainTest, ReadsWhatWasAppended) {
  fill(5);
  const Chain chain = read_chain(path_);
  ASSERT_EQ(chain.entries.size(), 5U);
  EXPECT_EQ(chain.entries[4].body["number"], 4);
  EXPECT_EQ(chain.entries[4].seq, 5);
  EXPECT_EQ(chain.head, chain.entries[4].hash);
  EXPECT_FALSE(chain.torn);
}

// Whatever single line goes, moves or changes, the chain no longer reads; only the last line can be
// cut off unseen, which changes the head.
TEST_F(HashChainTest, EveryEditShows) {
  fill(6);
  const std::string head = read_chain(path_).head;
  const std::vector<std::string> whole = lines_of(path_);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::vector<std::string> without = whole;
    without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
    write_lines(path_, without);
    if (i + 1 < whole.size()) {
      expect_exit(Exit::kInvalid, "chain.jsonl:" + std::to_string(i + 1));
    } else {
      EXPECT_NE(read_chain(path_).head, head);
    }
    std::vector<std::string> edited = whole;
    edited[i].replace(edited[i].find("number\":") + 8, 1, "9");
    write_lines(path_, edited);
    expect_exit(Exit::kInvalid, "hash does not follow");
    std::vector<std::string> twice = whole;
    twice.insert(twice.begin() + static_cast<std::ptrdiff_t>(i), whole[i]);
    write_lines(path_, twice);
    expect_exit(Exit::kInvalid, "chain.jsonl:");
    if (i > 0) {
      std::vector<std::string> swapped = whole;
      std::swap(swapped[i], swapped[i - 1]);
      write_lines(path_, swapped);
      expect_exit(Exit::kInvalid, "chain.jsonl:" + std::to_string(i));
    }
  }
}

TEST_F(HashChainTest, LinesThatAreNoEntriesAreBadData) {
  for (const char* line : {"{}", "[]", "nonsense", "", R"({"seq":1})",
                           R"({"body":{},"hash":"","previous":"","seq":"1"})"}) {
    write_lines(path_, {line});
    expect_exit(Exit::kData, "chain.jsonl:1");
  }
  write_lines(path_, {R"({"seq":1,"seq":1})"});
  expect_exit(Exit::kInvalid, "chain.jsonl:1");
}

// An append that died after any number of bytes costs that entry alone.
TEST_F(HashChainTest, ATornLineIsLeftOutAndCutOffByTheNextAppend) {
  fill(2);
  const std::string two = read_file_text(path_);
  fill(1);
  const std::string three = read_file_text(path_);
  for (std::size_t size = two.size() + 1; size < three.size(); ++size) {
    std::ofstream(path_, std::ios::trunc) << three.substr(0, size);
    const Chain chain = read_chain(path_);
    ASSERT_TRUE(chain.torn);
    ASSERT_EQ(chain.entries.size(), 2U);
    append_to_chain(path_, {{"after", true}});
    const Chain again = read_chain(path_);
    ASSERT_FALSE(again.torn);
    ASSERT_EQ(again.entries.size(), 3U);
  }
}

}  // namespace
}  // namespace perfgate::store
