// SPDX-License-Identifier: Apache-2.0
// counts.h: what the records of all tasks come to, as the summary of the report. Every table has a
// row or column of sums, and says so in a comment that `perfgate audit` checks.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <string>

#include "perfgate/study/records.h"

namespace perfgate::study {

class StudyCounts {
 public:
  void Add(const TaskRecord& task);

  std::size_t tasks() const { return tasks_; }

  // "1 failed, 2 win"
  std::string OutcomesLine() const;

  // Sections of Markdown, each ended by an empty line.
  std::string Markdown() const;

  // {"tasks": ..., "agents": ..., "outcomes": {...}, "arms": {...}}
  std::string Json() const;

 private:
  // Of baselines, humans and agents.
  using ByRole = std::array<std::size_t, 3>;

  std::string OutcomesSection() const;
  std::string ViewsSection() const;
  static std::string RolesSection(const std::string& title, const std::string& about,
                                  const std::string& head,
                                  const std::map<std::string, ByRole>& rows);

  std::size_t tasks_ = 0;
  std::size_t agents_ = 0;
  std::size_t vacuous_ = 0;
  std::map<ParityStatus, std::size_t> outcomes_{};
  std::map<std::string, ByRole> statuses_{};
  std::map<std::string, ByRole> causes_{};  // "build_failed: undefined_reference"
};

// "match (vacuous)"
std::string OutcomeText(const AgentRecord& agent);

// Neither measured nor ready to be.
bool HasEnded(const ArmRecord& arm);

}  // namespace perfgate::study
