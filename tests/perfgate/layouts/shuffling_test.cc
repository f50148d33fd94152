// SPDX-License-Identifier: Apache-2.0
#include "perfgate/layouts/shuffling.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "perfgate/base/io/private_folder.h"
#include "perfgate/base/io/read_file.h"

namespace perfgate::layouts {
namespace {

using testing::Contains;
using testing::ElementsAre;

ParsedLink Link(LinkDriver driver = LinkDriver::kCompiler) {
  ParsedLink link;
  link.command = {"/b", {"/usr/bin/c++", "a.o", "x.a", "b.o", "c.o", "-o", "bench"}};
  link.driver = driver;
  link.output = "bench";
  link.output_at = 6;
  link.objects = {1, 3, 4};
  return link;
}

TEST(ShuffledLink, SeedZeroIsTheLinkAsItIs) {
  for (const Shuffling shuffling : {Shuffling::kLld, Shuffling::kMold, Shuffling::kOrder}) {
    EXPECT_THAT(ShuffledLink(Link(), shuffling, 0, "/none", "/o/bench").arguments,
                ElementsAre("/usr/bin/c++", "a.o", "x.a", "b.o", "c.o", "-o", "/o/bench"));
  }
}

TEST(ShuffledLink, LinkersGetTheSeed) {
  const auto lld = ShuffledLink(Link(), Shuffling::kLld, 17, "/none", "/o/bench").arguments;
  EXPECT_THAT(lld, Contains("-fuse-ld=lld"));
  EXPECT_THAT(lld, Contains("-Wl,--shuffle-sections=.text*=17"));
  EXPECT_THAT(lld, Contains("-Wl,--shuffle-sections=.data*=17"));
  const auto mold = ShuffledLink(Link(), Shuffling::kMold, 17, "/none", "/o/bench").arguments;
  EXPECT_THAT(mold, Contains("-Wl,--shuffle-sections=17"));
  const auto nvcc =
      ShuffledLink(Link(LinkDriver::kNvcc), Shuffling::kLld, 17, "/none", "/o/bench").arguments;
  EXPECT_THAT(nvcc, Contains("-Xcompiler"));
  EXPECT_THAT(nvcc, Contains("-Xlinker"));
  EXPECT_THAT(nvcc, Contains("--shuffle-sections=.text*=17"));
}

TEST(ShuffledLink, ObjectsChangePlacesAndArchivesDoNot) {
  const PrivateFolder folder("perfgate-shuffling-test-");
  std::set<std::vector<std::string>> orders;
  std::set<std::string> paddings;
  for (int seed = 1; seed <= 40; ++seed) {
    auto arguments =
        ShuffledLink(Link(), Shuffling::kOrder, seed, folder.path(), "/o/bench").arguments;
    EXPECT_EQ(arguments[1], folder.file("padding.s"));
    EXPECT_EQ(arguments[3], "x.a");
    std::vector<std::string> objects = {arguments[2], arguments[4], arguments[5]};
    orders.insert(objects);
    std::sort(objects.begin(), objects.end());
    EXPECT_THAT(objects, ElementsAre("a.o", "b.o", "c.o"));
    paddings.insert(read_file_text(folder.file("padding.s")));
  }
  EXPECT_EQ(orders.size(), 6U);
  EXPECT_EQ(paddings.size(), 40U);
}

TEST(LookBesideItself, ComesBeforeOtherRunPaths) {
  LinkCommand command = Link().command;
  LookBesideItself(Link(), command);
  EXPECT_EQ(command.arguments[1], "-Wl,-rpath=$ORIGIN");
}

}  // namespace
}  // namespace perfgate::layouts
