// SPDX-License-Identifier: Apache-2.0
#include "perfgate/ci/post/http_client.h"

#include <gtest/gtest.h>

#include "perfgate/base/error.h"

namespace perfgate::ci {
namespace {

TEST(HttpAddress, PartsOfAnAddress) {
  const HttpAddress plain = ParseAddress("https://api.example.org", "--api");
  EXPECT_TRUE(plain.tls);
  EXPECT_EQ(plain.host, "api.example.org");
  EXPECT_EQ(plain.port, "443");
  EXPECT_EQ(plain.path, "");
  const HttpAddress full = ParseAddress("https://h:8443/api/v4/", "--api");
  EXPECT_EQ(full.host, "h");
  EXPECT_EQ(full.port, "8443");
  EXPECT_EQ(full.path, "/api/v4");
  const HttpAddress six = ParseAddress("http://[::1]:80", "--api");
  EXPECT_EQ(six.host, "::1");
  EXPECT_EQ(six.port, "80");
}

TEST(HttpAddress, InTheClearOnThisMachineOnly) {
  EXPECT_FALSE(ParseAddress("http://127.0.0.1:8000", "--api").tls);
  EXPECT_FALSE(ParseAddress("http://localhost", "--api").tls);
  EXPECT_THROW(ParseAddress("http://example.org", "--api"), Error);
  EXPECT_THROW(ParseAddress("http://127.0.0.1.example.org", "--api"), Error);
}

TEST(HttpAddress, RefusesOtherText) {
  for (const char* url :
       {"", "example.org", "ftp://x", "https://", "https://user@h", "https://h?x", "https://h#x",
        "https://h:port", "https://h:", "https://h:123456", "https://h x", "https://h\r\nX: y"}) {
    EXPECT_THROW(ParseAddress(url, "--api"), Error) << url;
  }
}

}  // namespace
}  // namespace perfgate::ci
