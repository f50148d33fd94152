// SPDX-License-Identifier: Apache-2.0
#include "engine/serve/answer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/model_folder.h"

namespace engine {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;

constexpr milliseconds kNone{0};

class AnswerTest : public ::testing::Test {
 protected:
  CompletionRequest Request(std::size_t prompts = 1) {
    CompletionRequest request;
    request.requests.resize(prompts);
    for (engine::Request& one : request.requests) {
      one.prompt = {1, 2};
    }
    return request;
  }
  std::shared_ptr<Answer> Make(const CompletionRequest& request) {
    return Answer::Make(request, &tokenizer_,
                        [this](const JobOutcome& outcome) { ends_.push_back(outcome.end); });
  }
  static JobOutcome Outcome(std::size_t tokens, JobEnd end = JobEnd::kDone) {
    JobOutcome outcome;
    outcome.end = end;
    outcome.result.times.tokens.resize(tokens);
    return outcome;
  }

  ModelFolder folder_{"tiny"};
  ByteTokenizer tokenizer_{folder_.path()};
  std::vector<JobEnd> ends_;
};

TEST_F(AnswerTest, PiecesAreWholeCharactersAndEndWithAFinish) {
  const auto answer = Make(Request());
  const std::vector<Job> jobs = answer->Jobs();
  EXPECT_FALSE(answer->Next(kNone).has_value());
  EXPECT_TRUE(jobs[0].on_token({0, 'a', nullptr}));
  EXPECT_TRUE(jobs[0].on_token({0, 0xc3, nullptr})) << "half of a character";
  EXPECT_EQ(answer->Next(kNone)->text, "a");
  EXPECT_FALSE(answer->Next(kNone).has_value());
  EXPECT_TRUE(jobs[0].on_token({0, 0xa9, nullptr}));
  EXPECT_TRUE(jobs[0].on_token({0, 0xe2, nullptr}));
  jobs[0].on_end(Outcome(4));
  EXPECT_FALSE(answer->complete());
  EXPECT_EQ(answer->Next(kNone)->text, "\xc3\xa9");
  const auto last = answer->Next(kNone);
  EXPECT_EQ(last->text, "\xef\xbf\xbd");
  EXPECT_EQ(last->finish, Finish::kLength);
  EXPECT_TRUE(answer->complete());
  EXPECT_EQ(answer->usage().prompt_tokens, 2);
  EXPECT_EQ(answer->usage().completion_tokens, 4);
  EXPECT_THAT(ends_, ElementsAre(JobEnd::kDone));
}

TEST_F(AnswerTest, AStopTextEndsTheJob) {
  CompletionRequest request = Request();
  request.stops = {"END"};
  const auto answer = Make(request);
  const std::vector<Job> jobs = answer->Jobs();
  std::string text;
  for (const char c : std::string("one EN")) {
    EXPECT_TRUE(jobs[0].on_token({0, c, nullptr}));
  }
  EXPECT_FALSE(jobs[0].on_token({0, 'D', nullptr}));
  JobOutcome outcome = Outcome(7);
  outcome.result.finish = Finish::kCancelled;
  jobs[0].on_end(outcome);
  std::optional<Finish> finish;
  while (auto piece = answer->Next(kNone)) {
    text += piece->text;
    finish = piece->finish;
  }
  EXPECT_EQ(text, "one ");
  EXPECT_EQ(finish, Finish::kStop);
}

TEST_F(AnswerTest, ChoicesKeepApartAndTokensAreToldWhenAsked) {
  CompletionRequest request = Request(2);
  request.token_ids = request.logprobs = true;
  const auto answer = Make(request);
  const std::vector<Job> jobs = answer->Jobs();
  const Uncertainty sure{-0.5F, 1, 2};
  jobs[1].on_token({0, 0xff, &sure});
  jobs[0].on_token({1, 'x', &sure});
  const auto first = answer->Next(kNone);
  EXPECT_EQ(first->index, 1U);
  EXPECT_EQ(first->text, "\xef\xbf\xbd");
  EXPECT_THAT(first->ids, ElementsAre(0xff));
  EXPECT_THAT(first->token_texts, ElementsAre("bytes:\\xff"));
  EXPECT_EQ(first->uncertainty[0].log_probability, -0.5F);
  EXPECT_EQ(answer->Next(kNone)->index, 0U);
  jobs[0].on_end(Outcome(1));
  answer->Next(kNone);
  EXPECT_FALSE(answer->complete());
  jobs[1].on_end(Outcome(1));
  answer->Next(kNone);
  EXPECT_TRUE(answer->complete());
}

TEST_F(AnswerTest, FailuresAreThrown) {
  const auto failed = Make(Request());
  JobOutcome outcome = Outcome(0, JobEnd::kFailed);
  outcome.error = "no memory";
  failed->Jobs()[0].on_end(outcome);
  try {
    failed->Next(kNone);
    ADD_FAILURE();
  } catch (const ApiError& error) {
    EXPECT_EQ(error.status(), 500);
    EXPECT_STREQ(error.what(), "the engine failed: no memory");
  }
  const auto stopped = Make(Request());
  stopped->Jobs()[0].on_end(Outcome(0, JobEnd::kStopping));
  EXPECT_THROW(stopped->Next(kNone), ApiError);
}

TEST_F(AnswerTest, GivingUpTellsTheJobs) {
  const auto answer = Make(Request(2));
  const std::vector<Job> jobs = answer->Jobs();
  EXPECT_TRUE(*jobs[1].wanted);
  answer->GiveUp();
  EXPECT_FALSE(*jobs[0].wanted || *jobs[1].wanted);
}

}  // namespace
}  // namespace engine
