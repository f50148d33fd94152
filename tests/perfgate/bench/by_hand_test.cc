// SPDX-License-Identifier: Apache-2.0
// An executable with perfgate::main, started by hand, against the same sources with the library's
// own main; its refusals; and the marker that the gate reads without running it.
#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <vector>

#include "tests/perfgate/bench/worker_client.h"

namespace perfgate::bench {
namespace {

using testing::HasSubstr;

// Fast; the CSV reporter takes only rows with the same counters.
const std::vector<std::string> kQuick = {"--benchmark_filter=^(Plain|Fixed.*|MinTime.*)$",
                                         "--benchmark_min_time=0.001"};

std::vector<std::string> With(std::vector<std::string> flags,
                              const std::vector<std::string>& more) {
  flags.insert(flags.end(), more.begin(), more.end());
  return flags;
}

// Numbers, the program's name and the date differ from run to run; nothing else may.
std::string Shape(std::string text) {
  text = std::regex_replace(text, std::regex("bench_sample_cases_stock"), "bench_sample_cases");
  text = std::regex_replace(text, std::regex("[0-9.:+-]+(e[+-]?[0-9]+)?[kMGTmunp]?"), "#");
  return std::regex_replace(text, std::regex("[ -]+"), " ");
}

TEST(ByHand, ListsTheSameNames) {
  const Finished ours = RunProgram(SAMPLE, {"--benchmark_list_tests"});
  const Finished stock = RunProgram(STOCK, {"--benchmark_list_tests"});
  EXPECT_EQ(ours.exit_code, stock.exit_code);
  EXPECT_EQ(ours.out, stock.out);
  EXPECT_THAT(ours.out, HasSubstr("Fixed/iterations:25\n"));
}

TEST(ByHand, PrintsTheSameInEveryFormat) {
  for (const char* format : {"console", "json", "csv"}) {
    const auto flags = With(kQuick, {std::string("--benchmark_format=") + format});
    const Finished ours = RunProgram(SAMPLE, flags);
    const Finished stock = RunProgram(STOCK, flags);
    EXPECT_EQ(ours.exit_code, 0);
    EXPECT_EQ(ours.exit_code, stock.exit_code);
    EXPECT_EQ(Shape(ours.out), Shape(stock.out)) << format;
    EXPECT_EQ(Shape(ours.err), Shape(stock.err)) << format;
    EXPECT_THAT(ours.out, HasSubstr("Fixed/iterations:25"));
  }
}

TEST(ByHand, WritesTheSameJsonRows) {
  const auto rows = [](const char* program) {
    const Finished end =
        RunProgram(program, With(kQuick, {"--benchmark_format=json", "--benchmark_repetitions=2"}));
    std::vector<std::string> names;
    const nlohmann::json report = nlohmann::json::parse(end.out, nullptr, true, false);
    for (const auto& row : report.at("benchmarks")) {
      names.push_back(row.at("name").get<std::string>() + " " +
                      row.at("run_type").get<std::string>());
    }
    return names;
  };
  const std::vector<std::string> ours = rows(SAMPLE);
  EXPECT_EQ(ours, rows(STOCK));
  EXPECT_GT(ours.size(), 10U);
}

TEST(ByHand, TakesTheSameArguments) {
  for (const std::vector<std::string>& flags :
       {std::vector<std::string>{"--help"}, std::vector<std::string>{"--nonsense"},
        std::vector<std::string>{"--benchmark_filter=^$", "positional"},
        std::vector<std::string>{"--benchmark_filter=NothingIsCalledThis"},
        std::vector<std::string>{"--benchmark_filter=["},
        std::vector<std::string>{"--benchmark_filter=Fails|Args", "--benchmark_min_time=0.001"},
        std::vector<std::string>{"--benchmark_format=xml"}}) {
    const Finished ours = RunProgram(SAMPLE, flags);
    const Finished stock = RunProgram(STOCK, flags);
    EXPECT_EQ(ours.exit_code, stock.exit_code) << flags[0];
    EXPECT_EQ(Shape(ours.out), Shape(stock.out)) << flags[0];
    EXPECT_EQ(Shape(ours.err), Shape(stock.err)) << flags[0];
  }
  EXPECT_EQ(RunProgram(SAMPLE, {"--nonsense"}).exit_code, 1);
}

TEST(ByHand, RefusesAWorkerDescriptorThatIsNone) {
  for (const char* argument :
       {"--perfgate_worker=", "--perfgate_worker=three", "--perfgate_worker=-1",
        "--perfgate_worker=3x", "--perfgate_worker=1", "--perfgate_worker=999"}) {
    const Finished end = RunProgram(SAMPLE, {argument});
    EXPECT_EQ(end.exit_code, 64) << argument;
    EXPECT_EQ(end.out, "") << argument;
    EXPECT_THAT(end.err, HasSubstr(argument));
  }
}

TEST(ByHand, RefusesArgumentsThatNobodyKnowsAsAWorker) {
  WorkerClient worker(SAMPLE, {"--nonsense"});
  EXPECT_TRUE(worker.hello().is_null());
  const Finished end = worker.Wait();
  EXPECT_EQ(end.exit_code, 1);
  EXPECT_THAT(end.err, HasSubstr("--nonsense"));
}

TEST(ByHand, RefusesBadMetricsInBothModes) {
  for (const char* program : {RESERVED_METRIC, DOUBLE_METRIC}) {
    const Finished by_hand = RunProgram(program, {"--benchmark_list_tests"});
    EXPECT_EQ(by_hand.exit_code, 70);
    EXPECT_EQ(by_hand.out, "");
    EXPECT_THAT(by_hand.err, HasSubstr("PERFGATE_METRIC"));
    WorkerClient worker(program);
    EXPECT_TRUE(worker.hello().is_null());
    EXPECT_EQ(worker.Wait().exit_code, 70);
  }
}

// Contents of section `wanted` of an ELF file, as a reader without the executable's help sees it.
std::string Section(const std::string& path, const std::string& wanted) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const auto load = [&bytes](std::uint64_t at, auto* into) {
    if (at + sizeof *into > bytes.size()) throw std::runtime_error("cut off");
    std::memcpy(into, bytes.data() + at, sizeof *into);
  };
  Elf64_Ehdr header;
  load(0, &header);
  Elf64_Shdr names;
  load(header.e_shoff + std::uint64_t{header.e_shstrndx} * sizeof names, &names);
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section;
    load(header.e_shoff + std::uint64_t{i} * sizeof section, &section);
    if (wanted == bytes.c_str() + names.sh_offset + section.sh_name) {
      return bytes.substr(section.sh_offset, section.sh_size);
    }
  }
  return "";
}

TEST(Marker, SurvivesSectionCollectionAndStrip) {
  const std::string stripped = testing::TempDir() + "bench_stripped" + std::to_string(getpid());
  const Finished strip = RunProgram(STRIP, {"-s", "-o", stripped, COLLECTED});
  ASSERT_EQ(strip.exit_code, 0) << strip.err;
  for (const std::string& program : {std::string(SAMPLE), std::string(COLLECTED), stripped}) {
    EXPECT_THAT(Section(program, ".perfgate"),
                testing::StartsWith(std::string("perfgate-worker-protocol:1\0", 27)))
        << program;
  }
  EXPECT_EQ(Section(STOCK, ".perfgate"), "");
  WorkerClient worker(stripped);
  EXPECT_EQ(worker.hello().value("perfgate", 0), 2);
  std::remove(stripped.c_str());
}

}  // namespace
}  // namespace perfgate::bench
