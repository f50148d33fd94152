// SPDX-License-Identifier: Apache-2.0
// engine run: generates from one prompt, or from several as a batch.
#include <cinttypes>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "engine/cli/commands.h"
#include "engine/cli/engine_arguments.h"
#include "engine/decode/engine.h"
#include "engine/error.h"
#include "engine/model/cut_file.h"
#include "engine/model/tokenizer.h"
#include "engine/serve/text_stream.h"
#include "perfgate/base/io/atomic_file.h"
#include "perfgate/base/text/hex.h"

namespace engine::cli {
namespace {

using nlohmann::ordered_json;

struct RunArguments {
  std::string model, json;
  std::vector<std::string> prompts, ids, stops;
  std::string stop_ids;
  Request request;
  EngineArguments engine;
};

// Text may hold zero bytes.
void PrintText(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

// The generated text of one request, or its ids where ids were all that was given.
class Output {
 public:
  Output(const ByteTokenizer* tokenizer, const std::vector<std::string>& stops)
      : tokenizer_(tokenizer), stream_(stops) {}

  // False when a stop text ended it.
  bool Push(std::int32_t token) {
    Add(tokenizer_ != nullptr ? stream_.Push(tokenizer_->Decode({&token, 1}))
                              : (text_.empty() ? "" : ",") + std::to_string(token));
    return !stream_.stopped();
  }
  void Finish() { Add(stream_.Finish()); }

  void ShowAsItComes() { show_ = true; }
  const std::string& text() const { return text_; }
  bool stopped() const { return stream_.stopped(); }

 private:
  void Add(const std::string& text) {
    text_ += text;
    if (show_) {
      PrintText(text);
      std::fflush(stdout);
    }
  }

  const ByteTokenizer* tokenizer_;
  TextStream stream_;
  std::string text_;
  bool show_ = false;
};

std::vector<Request> MakeRequests(const RunArguments& arguments, const ByteTokenizer* tokenizer) {
  std::vector<Request> requests;
  const auto add = [&](std::vector<std::int32_t> prompt) {
    requests.push_back(arguments.request);
    requests.back().prompt = std::move(prompt);
    requests.back().stop_ids = ParseIds(arguments.stop_ids, "--stop-ids");
  };
  for (const std::string& prompt : arguments.prompts) {
    add(tokenizer->Encode(prompt));
  }
  for (const std::string& ids : arguments.ids) {
    add(ParseIds(ids, "--prompt-ids"));
  }
  if (requests.empty()) {
    throw Error(Exit::kUsage, "nothing to start from: give --prompt or --prompt-ids");
  }
  return requests;
}

ordered_json Record(const Engine& engine, const StageTimer& timer, std::span<const Result> results,
                    std::span<const Output> outputs) {
  ordered_json root = {{"format", "engine-run"},
                       {"version", 1},
                       {"options", ToJson(engine.options())},
                       {"case", CaseName(engine.options())},
                       {"device", engine.device()},
                       {"model",
                        {{"parameters", engine.config().parameters()},
                         {"weight_bytes_per_token", engine.weights().bytes_per_token},
                         {"cache_bytes", engine.cache_bytes()},
                         {"header_digest", perfgate::Hex(engine.checkpoint().digest())}}},
                       {"start", ToJson(timer)},
                       {"requests", ordered_json::array()}};
  for (std::size_t i = 0; i < results.size(); ++i) {
    ordered_json request = ToJson(MetricsOf(results[i].times));
    request["finish"] = Name(results[i].finish);
    request["ids"] = results[i].tokens;
    request["text"] = outputs[i].text();
    request["logits_hash"] = perfgate::Hex(results[i].logits_hash);
    for (const Uncertainty& u : results[i].uncertainty) {
      request["uncertainty"].push_back(
          {{"log_probability", u.log_probability}, {"entropy", u.entropy}, {"margin", u.margin}});
    }
    root["requests"].push_back(request);
  }
  return root;
}

// The line that ends a run: time per part, and what the weights' share of the memory traffic was.
void PrintSummary(const Engine& engine, const StageTimer& timer, std::span<const Result> results) {
  for (std::size_t i = 0; i < results.size(); ++i) {
    const RequestMetrics metrics = MetricsOf(results[i].times);
    std::string decode;
    if (metrics.tpot) {
      char text[96];
      std::snprintf(text, sizeof(text), ", tpot %.3f ms (%.1f GB/s of weights)",
                    *metrics.tpot * 1e3,
                    static_cast<double>(engine.weights().bytes_per_token) * 1e-9 / *metrics.tpot);
      decode = text;
    }
    std::fprintf(stderr,
                 "engine: start %.1f ms, prompt %lld, generated %lld (%s), ttft %.3f ms%s, "
                 "logits %s\n",
                 timer.total() * 1e3, static_cast<long long>(metrics.prompt_tokens),
                 static_cast<long long>(metrics.tokens),
                 std::string(Name(results[i].finish)).c_str(), metrics.ttft * 1e3, decode.c_str(),
                 perfgate::Hex(results[i].logits_hash).c_str());
  }
}

// A run whose numbers broke down is no success, whatever came before.
void RefuseNotFinite(std::span<const Result> results) {
  std::string problems;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (results[i].finish == Finish::kNotFinite) {
      problems += (problems.empty() ? "" : "\n") + std::string("request ") + std::to_string(i + 1) +
                  ": the logits of token " + std::to_string(results[i].tokens.size()) +
                  " are NaN: the weights have values that are not finite, or too large ones";
    }
  }
  if (!problems.empty()) {
    throw Error(Exit::kData, problems);
  }
}

void RunRequests(const RunArguments& arguments) {
  TellCutFiles();
  StageTimer timer;
  EngineOptions options = arguments.engine.Options();
  std::optional<ByteTokenizer> tokenizer;
  if (!arguments.prompts.empty() || !arguments.stops.empty()) {
    tokenizer.emplace(arguments.model);
  }
  const ByteTokenizer* const bytes = tokenizer ? &*tokenizer : nullptr;
  const std::vector<Request> requests = MakeRequests(arguments, bytes);
  const std::uint64_t most = FindOption("batch")->most;
  if (requests.size() > most) {
    throw Error(Exit::kUsage, std::to_string(requests.size()) + " prompts; a batch has at most " +
                                  std::to_string(most));
  }
  options.batch = std::max(options.batch, static_cast<std::int64_t>(requests.size()));
  Engine engine(options, arguments.model, &timer);

  std::vector<Output> outputs(requests.size(), Output(bytes, arguments.stops));
  const bool show = arguments.json != "-";
  if (show && requests.size() == 1) {
    outputs[0].ShowAsItComes();
  }
  std::vector<Result> results = engine.Generate(
      requests, [&](const TokenEvent& event) { return outputs[event.request].Push(event.token); });
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    outputs[i].Finish();
    if (outputs[i].stopped()) {
      results[i].finish = Finish::kStop;
    }
    if (show) {
      PrintText((requests.size() == 1 ? "" : outputs[i].text()) + "\n");
    }
  }
  if (!arguments.json.empty()) {
    const std::string text = Record(engine, timer, results, outputs).dump(1) + "\n";
    if (arguments.json == "-") {
      PrintText(text);
    } else {
      perfgate::write_file_atomically(arguments.json, text);
    }
  }
  PrintSummary(engine, timer, results);
  RefuseNotFinite(results);
}

}  // namespace

Command AddRun(CLI::App& app) {
  auto a = std::make_shared<RunArguments>();
  Request& request = a->request;
  app.add_option("--model", a->model, "model folder")->required()->type_name("FOLDER");
  app.add_option("--prompt", a->prompts, "text, for byte-level vocabularies; several make a batch")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->expected(1)
      ->type_name("TEXT");
  app.add_option("--prompt-ids", a->ids, "token ids, separated by commas; several make a batch")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->expected(1)
      ->type_name("IDS");
  app.add_option("--max-tokens", request.max_tokens, "tokens to generate [16]")->type_name("N");
  app.add_option("--temperature", request.temperature, "0: the likeliest token [0]")
      ->type_name("T");
  app.add_option("--top-k", request.top_k, "draw from the K likeliest; 0: from 1024 [0]")
      ->type_name("K");
  app.add_option("--top-p", request.top_p, "draw from the likeliest with this mass [1]")
      ->type_name("P");
  app.add_option("--stop", a->stops, "text that ends the output; may be repeated")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->expected(1)
      ->type_name("TEXT");
  app.add_option("--stop-ids", a->stop_ids, "token ids that end the output")->type_name("IDS");
  app.add_flag("--ignore-eos", request.ignore_eos, "go on after the model's end tokens");
  app.add_option("--json", a->json, "write the record of the run; - for standard output")
      ->type_name("FILE");
  a->engine.AddTo(app);
  return [a] {
    a->request.seed = a->engine.Options().seed;
    RunRequests(*a);
  };
}

}  // namespace engine::cli
