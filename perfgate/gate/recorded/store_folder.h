// SPDX-License-Identifier: Apache-2.0
// store_folder.h: a store of baselines as it is named, and the baseline that fits this machine.
#pragma once

#include <optional>
#include <string>

#include "perfgate/base/io/private_folder.h"
#include "perfgate/evidence/machine.h"
#include "perfgate/store/baseline_store.h"

namespace perfgate::gate {

// A store as named: a folder, or "git:REF:PATH", which is read out into a temporary folder that
// ends with the object.
class StoreFolder {
 public:
  explicit StoreFolder(const std::string& name);
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::optional<PrivateFolder> temporary_;
};

// Whether --baseline names a store rather than an executable or a file.
bool NamesStore(const std::string& name);

// The suite of this machine's class. `suite` may be empty where the class has only one.
// Error(kNotComparable) when the store knows other classes only: it lists the fields in which the
// nearest of them differs. Error(kUsage) when the suite has to be named.
// With a key the store has to be signed by it: Error(kInvalid).
store::Baseline BaselineOfMachine(const StoreFolder& folder, const std::string& suite,
                                  const Machine& machine, const SecretKey* key = nullptr);

}  // namespace perfgate::gate
