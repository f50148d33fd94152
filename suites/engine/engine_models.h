// SPDX-License-Identifier: Apache-2.0
// engine_models.h: the models of the cases of a process, and the engines that they share or open.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/decode/engine.h"
#include "engine/decode/metrics.h"
#include "engine/decode/profile.h"
#include "suites/engine/engine_cases.h"

namespace suites {

// An engine and where its profile goes.
struct Opened {
  std::uint64_t last_use = 0;
  std::unique_ptr<engine::StageProfile> profile;  // of profiled cases, else null
  std::unique_ptr<engine::Engine> engine;
};

// An engine that is its caller's, and what the stages of its opening took.
struct Started {
  engine::StageTimer stages;
  std::unique_ptr<engine::Engine> engine;
};

// The folder for so many bytes: /dev/shm, which is memory, where there is one with room for them,
// else the one for temporary files.
std::filesystem::path BaseFor(std::uint64_t bytes);

// A model made on the spot. Without `shared`, in BaseFor its size, and it goes with the process.
// With `shared`, the path of a model in a folder that several processes know and somebody else
// removes: the first of them makes it, others wait. Where that folder has no room, as without
// `shared`.
class ModelFolder {
 public:
  explicit ModelFolder(const engine::SynthSpec& spec, const std::string& shared = {});
  ~ModelFolder();
  ModelFolder(const ModelFolder&) = delete;
  ModelFolder& operator=(const ModelFolder&) = delete;

  const std::string& path() const { return path_; }
  std::uint64_t bytes() const;  // of its files

 private:
  void Hold();

  std::string path_;
  bool own_ = true;
  std::vector<int> held_;  // descriptors
};

struct PoolLimits {
  std::uint64_t small = 64U << 20U;  // bytes of weights of a small model
  std::uint64_t room = 0;  // of weights of large ones that are open together; a GPU sets its own
};

class EnginePool {
 public:
  // wrap: gives what goes around the ops of the engine of a case, of its model and options alone;
  // the profile, where there is one, goes around that. May be empty.
  using WrapOfCase = std::function<engine::WrapOps(const EngineCase&)>;
  // run_folder: where models for a GPU are shared with other processes, see ModelFolder; empty:
  // nowhere. Weights that a CPU reads are always the process's own: where their pages lie is part
  // of what a launch draws anew.
  explicit EnginePool(WrapOfCase wrap, std::string run_folder = {}, PoolLimits limits = {})
      : wrap_(std::move(wrap)), run_folder_(std::move(run_folder)), limits_(limits) {}

  // Ready for the case, valid until the next call. Models are made once. Engines of small ones stay
  // open. Those of large ones make room for the next: all on a CPU, and on a GPU the ones that were
  // not used for longest, beyond a quarter of its memory, since two processes are measured together
  // and each has scratch memory as well.
  Opened& Open(const EngineCase& c);

  // The case's model, which later calls of Open() and Start() find.
  const ModelFolder& Model(const EngineCase& c);

  // An engine as Open() makes it, but anew, without a profile, and beside those that are open.
  Started Start(const EngineCase& c);

 private:
  void MakeRoom(std::uint64_t bytes);

  WrapOfCase wrap_;
  std::string run_folder_;
  PoolLimits limits_;
  std::uint64_t uses_ = 0;
  std::map<std::string, std::unique_ptr<ModelFolder>> folders_;  // by NameOfModel
  std::map<std::string, Opened> open_;
};

// Token i of every prompt: a fixed sequence without a pattern that a cache could like.
std::vector<std::int32_t> PromptTokens(std::int64_t count, std::int64_t vocab);

}  // namespace suites
