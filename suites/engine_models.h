// SPDX-License-Identifier: Apache-2.0
// engine_models.h: the engines that the cases of a process share.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/engine.h"
#include "engine/profile.h"
#include "suites/engine_cases.h"

namespace suites {

// An engine and where its profile goes.
struct Opened {
  std::unique_ptr<engine::StageProfile> profile;  // of profiled cases, else null
  std::unique_ptr<engine::Engine> engine;
};

// A model made on the spot, in memory (/dev/shm, where there is one), that goes with the process.
class ModelFolder {
 public:
  explicit ModelFolder(const engine::SynthSpec& spec);
  ~ModelFolder();
  ModelFolder(const ModelFolder&) = delete;
  ModelFolder& operator=(const ModelFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::vector<int> held_;  // descriptors
};

class EnginePool {
 public:
  // wrap: gives what goes around the ops of the engine of a case, of its model and options alone;
  // the profile, where there is one, goes around that. May be empty.
  using WrapOfCase = std::function<engine::WrapOps(const EngineCase&)>;
  explicit EnginePool(WrapOfCase wrap) : wrap_(std::move(wrap)) {}

  // Ready for the case, valid until the next call. Models are made once; engines of small ones stay
  // open, that of a large one makes room for the next.
  Opened& Open(const EngineCase& c);

 private:
  WrapOfCase wrap_;
  std::map<std::string, std::unique_ptr<ModelFolder>> folders_;  // by model
  std::map<std::string, Opened> open_;
};

// Token i of every prompt: a fixed sequence without a pattern that a cache could like.
std::vector<std::int32_t> PromptTokens(std::int64_t count, std::int64_t vocab);

}  // namespace suites
