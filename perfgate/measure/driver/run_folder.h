// SPDX-License-Identifier: Apache-2.0
// run_folder.h: the folder of a run in which launches of an executable leave each other what takes
// long to make (perfgate/bench/run_folder.h).
//
// In /dev/shm where that has room and can be written to, else in TMPDIR: what is kept there is as
// large as a model, and a disk that writes it out would disturb the measurement. A lock on the
// folder says that its run is alive. A run that is killed leaves the folder, and the next one of
// this user removes it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "perfgate/base/os/unique_fd.h"

namespace perfgate::measure {

class RunFolder {
 public:
  // Bytes that must be free in /dev/shm. Nobody knows yet what the launches will keep; two builds
  // of engine_cuda_bench keep three models each, 12.6 GiB in all. Containers often have 64 MiB
  // there.
  static constexpr std::uint64_t kRoom = std::uint64_t{13} << 30;

  // Throws nothing: where no folder can be made, arms go without.
  explicit RunFolder(std::uint64_t room = kRoom);
  ~RunFolder();  // removes it
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  const std::string& path() const { return path_; }  // empty: none

  // The folder of all arms of this digest, of one length for all digests; empty: none. An empty
  // digest is nobody's.
  std::string of(const std::string& digest);

 private:
  std::string path_;
  UniqueFd lock_;
  std::vector<std::string> digests_;
};

}  // namespace perfgate::measure
