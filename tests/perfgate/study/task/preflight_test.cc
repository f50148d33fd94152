// SPDX-License-Identifier: Apache-2.0
#include "perfgate/study/task/preflight.h"

#include <gtest/gtest.h>

#include <vector>

namespace perfgate::study {
namespace {

TEST(Preflight, CommandsThatAreFine) {
  for (const char* command :
       {"", "cmake -B build && cmake --build build -j\"$(nproc)\"",
        "for f in *.c; do cc -c $f; done", "X=1; echo ${X} $? $1 $PWD ${Y:-2}",
        "grep '<a>' file <in >out", "echo \"it's\" \\' \\(", "case $HOME in a) echo;; esac",
        "echo a # don't\necho b", "test \"$(ls)\" = 'TODOS'"}) {
    EXPECT_EQ(TroubleInShellCommand(command), command == std::string("grep '<a>' file <in >out")
                                                  ? "the placeholder <a> was never filled in"
                                                  : "")
        << command;
  }
}

TEST(Preflight, CommandsThatWereNeverFinished) {
  const std::pair<const char*, const char*> kTroubles[] = {
      {"run --model <MODEL>", "<MODEL>"},
      {"run --model={{model}}", "{{model}}"},
      {"run TODO", "TODO"},
      {"run /path/to/model", "/path/to/"},
      {"run $MODEL_PATH", "$MODEL_PATH"},
      {"run \"${MODEL}\"", "$MODEL"},
      {"echo 'a", "quote ' is not closed"},
      {"echo \"a", "quote \" is not closed"},
      {"(cd a && make", "( is not closed"},
      {"make )", ") closes nothing"},
      {"echo $(ls", "( is not closed"},
  };
  for (const auto& [command, part] : kTroubles) {
    EXPECT_NE(TroubleInShellCommand(command).find(part), std::string::npos)
        << command << ": " << TroubleInShellCommand(command);
  }
}

TEST(Preflight, Arguments) {
  EXPECT_EQ(TroubleInArgument("--config={\"a\": [1, 2]}"), "");
  EXPECT_NE(TroubleInArgument("--config={\"a\": [1, 2}"), "");
  EXPECT_NE(TroubleInArgument("--config={\"a: 1}"), "");
  EXPECT_NE(TroubleInArgument("--model=$MODEL"), "");
  EXPECT_NE(TroubleInArgument("<model>"), "");
}

TEST(Preflight, ContextAboveThatOfTheModel) {
  const std::vector<std::string> kFits = {"--max-model-len", "4096"};
  const std::vector<std::string> kTooLong = {"--max-model-len=8192"};
  const std::vector<std::string> kThousands = {"--ctx_size", "32k"};
  EXPECT_EQ(TroubleWithContext(kFits, 4096), "");
  EXPECT_NE(TroubleWithContext(kTooLong, 4096).find("8192"), std::string::npos);
  EXPECT_NE(TroubleWithContext(kThousands, 4096).find("32768"), std::string::npos);
}

TEST(Preflight, OptionsThatTheHelpDoesNotKnow) {
  const std::vector<std::string> kArguments = {"--batch_size=4", "-v", "--tokens", "3"};
  EXPECT_EQ(TroubleWithOptions(kArguments, "usage: x [--batch-size N] [--tokens N]"), "");
  EXPECT_NE(TroubleWithOptions(kArguments, "usage: x [--batch-size N]").find("--tokens"),
            std::string::npos);
  EXPECT_EQ(TroubleWithOptions(kArguments, "benchmark [--benchmark_filter=<regex>] [--v=<n>]"), "");
  EXPECT_EQ(TroubleWithOptions(kArguments, ""), "");
}

TEST(Preflight, SaysInWhichPartOfTheTask) {
  Task task;
  task.build = "make";
  task.test = "run <TESTS>";
  EXPECT_EQ(TroubleInTask(task), "test: the placeholder <TESTS> was never filled in");
  task.test = "run";
  EXPECT_EQ(TroubleInTask(task), "");
  task.arguments = {"--max-model-len=10"};
  task.context = 9;
  EXPECT_TRUE(TroubleInTask(task).starts_with("arguments: --max-model-len"));
}

}  // namespace
}  // namespace perfgate::study
