// SPDX-License-Identifier: Apache-2.0
// worker_client.h: starts executables and speaks the worker protocol, for tests.
#pragma once

#include <sys/types.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace perfgate::bench {

struct Finished {
  int exit_code = -1;  // 128 + signal for a death by signal
  std::string out;
  std::string err;
};

// Runs `program` to its end. `environment` is added to this process's own.
Finished RunProgram(const std::string& program, const std::vector<std::string>& arguments,
                    const std::vector<std::string>& environment = {});

// A worker at the other end of a socketpair.
class WorkerClient {
 public:
  explicit WorkerClient(const std::string& program, const std::vector<std::string>& arguments = {},
                        const std::vector<std::string>& environment = {});
  ~WorkerClient();
  WorkerClient(const WorkerClient&) = delete;
  WorkerClient& operator=(const WorkerClient&) = delete;

  const nlohmann::json& hello() const { return hello_; }
  void SendRaw(const std::string& bytes) const;
  // The next line; nothing at the end of the stream or after 20 s.
  std::optional<nlohmann::json> Receive();
  nlohmann::json Ask(const nlohmann::json& request);  // null where no reply came
  nlohmann::json Slice(int id, std::int64_t iterations);
  // Id of the case that is listed under `name`; -1 if there is none.
  int Find(const std::string& name);
  const nlohmann::json& list();
  void CloseSocket();
  Finished Wait();  // closes the socket, collects the output

 private:
  int fd_ = -1;
  pid_t pid_ = -1;
  int out_ = -1;  // unlinked temporary files
  int err_ = -1;
  std::string received_;
  nlohmann::json hello_;
  nlohmann::json list_;
};

}  // namespace perfgate::bench
