// SPDX-License-Identifier: Apache-2.0
// engine serve: answers completions over HTTP until SIGINT or SIGTERM.
#include <atomic>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "engine/cli/commands.h"
#include "engine/cli/engine_arguments.h"
#include "engine/decode/engine.h"
#include "engine/error.h"
#include "engine/model/cut_file.h"
#include "engine/model/tokenizer.h"
#include "engine/serve/http_server.h"
#include "engine/serve/server.h"

namespace engine::cli {
namespace {

struct ServeArguments {
  std::string model, name, host = "127.0.0.1";
  int port = 8080;
  std::size_t queue = 64;
  int timeout = 10;
  HttpLimits limits;
  EngineArguments engine;
};

// Waits for SIGINT and SIGTERM in a thread of its own; make it before all others, so that they
// have both blocked. Until OnSignal() either ends the process: nothing is there to be ended.
class SignalWatch {
 public:
  SignalWatch() {
    ::sigemptyset(&signals_);
    ::sigaddset(&signals_, SIGINT);
    ::sigaddset(&signals_, SIGTERM);
    ::pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
    thread_ = std::thread([this] { Watch(); });
  }
  ~SignalWatch() {
    over_ = true;
    ::pthread_kill(thread_.native_handle(), SIGTERM);
    thread_.join();
  }
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

  // Called once at the first signal, in the thread of the watch. What it uses outlives the watch,
  // or a call of Wait().
  void OnSignal(std::function<void()> call) {
    const std::lock_guard lock(mutex_);
    call_ = std::move(call);
  }
  // Until that call has returned.
  void Wait() {
    std::unique_lock lock(mutex_);
    called_.wait(lock, [this] { return done_; });
  }

 private:
  void Watch() {
    int signal = 0;
    ::sigwait(&signals_, &signal);
    const std::lock_guard lock(mutex_);
    if (over_) {
      return;
    }
    if (!call_) {
      std::_Exit(0);
    }
    call_();
    done_ = true;
    called_.notify_all();
  }

  sigset_t signals_;
  std::atomic<bool> over_{false};
  std::mutex mutex_;
  std::condition_variable called_;
  std::function<void()> call_;
  bool done_ = false;
  std::thread thread_;
};

std::optional<ByteTokenizer> FindTokenizer(const std::string& folder) {
  try {
    return ByteTokenizer(folder);
  } catch (const Error& error) {
    if (error.exit() != Exit::kUsage) {
      throw;
    }
    return std::nullopt;  // ids in, ids out
  }
}

std::string NameOf(const ServeArguments& arguments) {
  if (!arguments.name.empty()) {
    return arguments.name;
  }
  const std::filesystem::path path =
      std::filesystem::weakly_canonical(std::filesystem::path(arguments.model));
  return path.filename().string();
}

void RunServe(const ServeArguments& arguments) {
  const EngineOptions options = arguments.engine.Options();
  TellCutFiles();
  SignalWatch watch;
  StageTimer timer;
  const std::optional<ByteTokenizer> tokenizer = FindTokenizer(arguments.model);
  Engine engine(options, arguments.model, &timer);
  Request first;
  first.prompt = {0};
  first.max_tokens = 1;
  engine.Generate({&first, 1});
  timer.End("warm step");

  const std::string name = NameOf(arguments);
  Server server(engine, tokenizer ? &*tokenizer : nullptr, name, arguments.queue);
  HttpLimits limits = arguments.limits;
  limits.read = limits.write = std::chrono::seconds(arguments.timeout);
  limits.body_bytes = server.body_bytes();
  HttpServer http(arguments.host, arguments.port, limits, server.Handlers());
  watch.OnSignal([&] {
    http.Stop();
    server.Stop();
  });
  std::printf("engine: healthy at %s, model %s%s, start %.1f ms\n", http.url().c_str(),
              name.c_str(), tokenizer ? "" : " (token ids only)", timer.total() * 1e3);
  std::fflush(stdout);
  http.Serve();
  watch.Wait();
  std::printf("engine: stopped\n");
}

}  // namespace

Command AddServe(CLI::App& app) {
  auto a = std::make_shared<ServeArguments>();
  app.add_option("--model", a->model, "model folder")->required()->type_name("FOLDER");
  app.add_option("--name", a->name, "of the model in requests [the folder's]")->type_name("NAME");
  app.add_option("--host", a->host, "address to listen on [127.0.0.1]")->type_name("ADDRESS");
  app.add_option("--port", a->port, "0: any free one, told on the line that says healthy [8080]")
      ->check(CLI::Range(0, 65535))
      ->type_name("N");
  app.add_option("--queue", a->queue, "prompts that may wait beside a running batch [64]")
      ->check(CLI::Range(0, 65536))
      ->type_name("N");
  app.add_option("--connections", a->limits.connections, "open at a time; others wait [256]")
      ->check(CLI::Range(1, 4096))
      ->type_name("N");
  app.add_option("--timeout", a->timeout,
                 "seconds for a client to send its request, and to take any of an answer [10]")
      ->check(CLI::Range(1, 3600))
      ->type_name("S");
  a->engine.AddTo(app);
  app.footer(
      "GET /health, /v1/models, /metrics; POST /v1/completions, in OpenAI's shape.\n"
      "SIGINT or SIGTERM ends it with exit code 0. There is no authentication.");
  return [a] { RunServe(*a); };
}

}  // namespace engine::cli
