// SPDX-License-Identifier: Apache-2.0
#include "suites/engine/engine_models.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>

#include "engine/hash.h"
#include "engine/thread_pool.h"

namespace suites {
namespace {

namespace fs = std::filesystem;

std::string NewFolder(std::string name) {
  if (::mkdtemp(name.data()) == nullptr) {
    throw std::runtime_error("engine_bench: no folder " + name + " for the model");
  }
  return name;
}

bool HasRoom(const fs::path& folder, std::uint64_t bytes) {
  std::error_code error;
  const fs::space_info space = fs::space(folder, error);
  return !error && space.available >= bytes;
}

// "qwen0.5b-f32-peaked": what differs in files.
std::string NameOfModel(const EngineCase& c) {
  const engine::SynthSpec spec = ModelSpec(c);
  return c.model + (spec.type == engine::TensorType::kF32 ? "-f32" : "") +
         (spec.peaked ? "-peaked" : "");
}

// Room for the longest case, in all engines alike.
engine::EngineOptions OptionsOf(const EngineCase& c) {
  engine::EngineOptions options = c.options;
  options.max_seq = ModelSpec(c).config.max_positions;
  return options;
}

// The weights, and generously what lies beside them.
std::uint64_t SizeOf(const engine::SynthSpec& spec) {
  std::uint64_t bytes = 8U << 20U;
  for (const engine::TensorToWrite& tensor : engine::SynthTensors(spec)) {
    bytes += engine::ByteSize(tensor.name, tensor.type, tensor.shape);
  }
  return bytes;
}

// Removes what it wrote when it throws.
void Write(const engine::SynthSpec& spec, const std::string& folder) {
  engine::ThreadPool pool(engine::AvailableCpus());
  try {
    engine::WriteSynth(spec, folder, pool);
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
    throw;
  }
}

// Waits until no other process has the folder. The system gives it back with the process.
class FolderLock {
 public:
  explicit FolderLock(const fs::path& folder)
      : fd_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    int locked = 0;
    do {
      locked = fd_ < 0 ? fd_ : ::flock(fd_, LOCK_EX);
    } while (locked < 0 && errno == EINTR);
    if (locked < 0) {
      const std::string reason = std::generic_category().message(errno);
      ::close(fd_);
      throw std::runtime_error("engine_bench: cannot lock " + folder.string() + ": " + reason);
    }
  }
  ~FolderLock() { ::close(fd_); }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int fd_;
};

// Leaves the model at `shared`, unless it is there. False: there is no room for it.
bool Share(const engine::SynthSpec& spec, const std::string& shared) {
  const fs::path folder = fs::path(shared).parent_path();
  const FolderLock one_maker(folder);
  if (fs::exists(shared)) {
    return true;
  }
  // Whole or not there. A maker that was killed left its part, which may be gigabytes.
  const std::string part = shared + ".part";
  fs::remove_all(part);
  if (!HasRoom(folder, SizeOf(spec))) {
    return false;
  }
  Write(spec, part);
  fs::rename(part, shared);
  return true;
}

}  // namespace

fs::path BaseFor(std::uint64_t bytes) {
  const fs::path memory = "/dev/shm";
  return HasRoom(memory, bytes) ? memory : fs::temp_directory_path();
}

ModelFolder::ModelFolder(const engine::SynthSpec& spec, const std::string& shared)
    : path_(shared), own_(shared.empty() || !Share(spec, shared)) {
  if (own_) {
    path_ = NewFolder(BaseFor(SizeOf(spec)) / "engine_bench_XXXXXX");
    Write(spec, path_);
    Hold();
  }
}

// Files are held open and their names replaced by links to the descriptors: the system frees the
// memory with the process, however it ends.
void ModelFolder::Hold() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(path_)) {
    files.push_back(entry.path());
  }
  for (const fs::path& file : files) {
    const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
      throw std::runtime_error("engine_bench: cannot open " + file.string());
    }
    held_.push_back(fd);
    fs::remove(file);
    fs::create_symlink("/proc/self/fd/" + std::to_string(fd), file);
  }
}

ModelFolder::~ModelFolder() {
  for (const int fd : held_) {
    ::close(fd);
  }
  std::error_code ignored;
  if (own_) {
    fs::remove_all(path_, ignored);
  }
}

std::uint64_t ModelFolder::bytes() const {
  std::uint64_t sum = 0;
  for (const auto& entry : fs::directory_iterator(path_)) {
    sum += entry.file_size();
  }
  return sum;
}

const ModelFolder& EnginePool::Model(const EngineCase& c) {
  const std::string name = NameOfModel(c);
  std::unique_ptr<ModelFolder>& folder = folders_[name];
  if (!folder) {
    const bool shares = !run_folder_.empty() && c.options.device == engine::DeviceKind::kCuda;
    folder = std::make_unique<ModelFolder>(ModelSpec(c), shares ? run_folder_ + "/" + name : "");
  }
  return *folder;
}

Started EnginePool::Start(const EngineCase& c) {
  const ModelFolder& model = Model(c);
  MakeRoom(model.bytes());
  const engine::EngineOptions options = OptionsOf(c);
  const engine::WrapOps wrap = wrap_ ? wrap_(c) : engine::WrapOps();
  Started started;  // its clock runs from here
  started.engine =
      std::make_unique<engine::Engine>(options, model.path(), &started.stages, false, wrap);
  return started;
}

Opened& EnginePool::Open(const EngineCase& c) {
  const std::string key =
      NameOfModel(c) + (c.profile ? "/profile/" : "/") + engine::CaseName(c.options);
  if (const auto found = open_.find(key); found != open_.end()) {
    found->second.last_use = ++uses_;
    return found->second;
  }
  const ModelFolder& model = Model(c);
  MakeRoom(model.bytes());
  Opened opened;
  opened.last_use = ++uses_;
  const engine::WrapOps inside = wrap_ ? wrap_(c) : engine::WrapOps();
  engine::WrapOps wrap = inside;
  if (c.profile) {
    opened.profile = std::make_unique<engine::StageProfile>();
    wrap = [inside, around = engine::Profiled(*opened.profile)](std::unique_ptr<engine::Ops> ops) {
      return around(inside ? inside(std::move(ops)) : std::move(ops));
    };
  }
  opened.engine =
      std::make_unique<engine::Engine>(OptionsOf(c), model.path(), nullptr, false, wrap);
  if (c.options.device == engine::DeviceKind::kCuda) {
    limits_.room = opened.engine->device().value("memory_bytes", std::uint64_t{0}) / 4;
  }
  return open_.emplace(key, std::move(opened)).first->second;
}

void EnginePool::MakeRoom(std::uint64_t bytes) {
  for (;;) {
    std::uint64_t sum = bytes;
    auto oldest = open_.end();
    for (auto at = open_.begin(); at != open_.end(); ++at) {
      const std::uint64_t size = at->second.engine->checkpoint().bytes();
      if (size > limits_.small) {
        sum += size;
        if (oldest == open_.end() || at->second.last_use < oldest->second.last_use) {
          oldest = at;
        }
      }
    }
    if (oldest == open_.end() || sum <= limits_.room) {
      return;
    }
    open_.erase(oldest);
  }
}

std::vector<std::int32_t> PromptTokens(std::int64_t count, std::int64_t vocab) {
  std::vector<std::int32_t> tokens;
  std::uint64_t hash = engine::kFnvStart;
  for (std::int64_t i = 0; i < count; ++i) {
    hash = engine::Fnv1a("t", hash);
    tokens.push_back(static_cast<std::int32_t>((hash >> 24U) % static_cast<std::uint64_t>(vocab)));
  }
  return tokens;
}

}  // namespace suites
