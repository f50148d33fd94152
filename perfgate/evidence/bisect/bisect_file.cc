// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "perfgate/base/io/atomic_file.h"
#include "perfgate/evidence/bisect/bisect.h"
#include "perfgate/evidence/bisect/bisect_fields.h"
#include "perfgate/evidence/files/consistency.h"
#include "perfgate/evidence/files/file_format.h"
#include "perfgate/evidence/files/input_kinds.h"

namespace perfgate::inline evidence {

std::string bisection_to_json(const Bisection& bisection) { return write_format(bisection); }

Bisection bisection_from_json(std::string_view text, const std::string& where) {
  auto bisection = read_format<Bisection>(text, where);
  UniqueNames commits;
  for (std::size_t i = 0; i < bisection.commits.size(); ++i) {
    commits.add(where, "/commits/" + std::to_string(i) + "/commit", bisection.commits[i].commit);
  }
  if (bisection.commits.size() < 2) {
    contradict(where, "/commits", "a bisection has a good end and a bad end");
  }
  // Until the first gate has shown that the bad end is slower nothing else is known.
  const bool has_ends = bisection.commits.front().answer == BisectAnswer::kGood &&
                        bisection.commits.back().answer == BisectAnswer::kBad;
  if (!bisection.case_name.empty() && !has_ends) {
    contradict(where, "/commits", "the first is not good, or the last not bad");
  }
  return bisection;
}

void write_bisection(const std::string& path, const Bisection& bisection) {
  write_file_atomically(path, bisection_to_json(bisection));
}

Bisection read_bisection(const std::string& path) {
  return bisection_from_json(ReadInputFile(path, kEvidenceFile), path);
}

}  // namespace perfgate::inline evidence
