// SPDX-License-Identifier: Apache-2.0
// Runs kernels_bench as a user would: the list, and every case for one short slice. No time is
// judged here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

struct Output {
  int exit_code;
  std::string text;
};

Output Bench(const std::string& arguments) {
  FILE* pipe = popen((std::string(KERNELS_BENCH) + " " + arguments + " 2>/dev/null").c_str(), "r");
  Output output{-1, ""};
  if (pipe == nullptr) {
    return output;
  }
  std::array<char, 4096> buffer{};
  for (std::size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    output.text.append(buffer.data(), n);
  }
  const int status = pclose(pipe);
  output.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return output;
}

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    lines.push_back(line);
  }
  return lines;
}

TEST(KernelsBench, NamesAreUniqueAndKeyValue) {
  const Output list = Bench("--benchmark_list_tests=true");
  ASSERT_EQ(list.exit_code, 0);
  const std::vector<std::string> names = Lines(list.text);
  EXPECT_GE(names.size(), 24U);
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  std::set<std::string> ops;
  for (const std::string& name : names) {
    EXPECT_THAT(name,
                ::testing::MatchesRegex(
                    "[a-z0-9_]+/device:cpu/impl:[a-z0-9_]+(/[a-z_]+:[0-9]+)+/dtype:[a-z0-9_]+"));
    ops.insert(name.substr(0, name.find('/')));
  }
  EXPECT_THAT(ops, ::testing::IsSupersetOf({"copy", "sum", "rmsnorm", "residual_rmsnorm", "softmax",
                                            "silu_mul", "rope", "convert", "gemv",
                                            "decode_attention", "argmax", "top_k", "gemm"}));
}

TEST(KernelsBench, EveryCaseRunsAndDeclaresItsWork) {
  const std::size_t listed = Lines(Bench("--benchmark_list_tests=true").text).size();
  const Output run = Bench("--benchmark_format=json --benchmark_min_time=0.000001");
  ASSERT_EQ(run.exit_code, 0);
  const auto json = nlohmann::json::parse(run.text);
  EXPECT_TRUE(json["context"].contains("kernels_isa"));
  ASSERT_EQ(json["benchmarks"].size(), listed);
  for (const auto& result : json["benchmarks"]) {
    const std::string name = result["name"];
    EXPECT_FALSE(result.contains("error_occurred") && result["error_occurred"] == true) << name;
    ASSERT_TRUE(result.contains("bytes") && result.contains("flops")) << name;
    EXPECT_GT(result["bytes"].get<double>(), 0) << name;
    EXPECT_GT(result["bytes_per_second"].get<double>(), 0) << name;
    const bool moves_only = name.find("copy/") == 0 || name.find("convert/") == 0 ||
                            name.find("argmax/") == 0 || name.find("top_k/") == 0 ||
                            name.find("sample/") == 0;
    EXPECT_EQ(result["flops"].get<double>() == 0, moves_only) << name;
    EXPECT_EQ(result.contains("flops_per_second"), !moves_only) << name;
  }
}

}  // namespace
