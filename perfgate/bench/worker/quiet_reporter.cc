// SPDX-License-Identifier: Apache-2.0
#include "perfgate/bench/worker/quiet_reporter.h"

#include <ostream>
#include <sstream>
#include <streambuf>
#include <string_view>

namespace perfgate::bench {
namespace {

// Keeps the writes apart: the library writes a name and its line end separately, which is the only
// way to tell a line end from a newline inside a name.
class WriteLog : public std::streambuf {
 public:
  const std::vector<std::string>& writes() const { return writes_; }

 protected:
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    writes_.emplace_back(text, static_cast<std::size_t>(size));
    return size;
  }
  int_type overflow(int_type c) override {
    if (!traits_type::eq_int_type(c, traits_type::eof())) {
      writes_.emplace_back(1, traits_type::to_char_type(c));
    }
    return traits_type::not_eof(c);
  }

 private:
  std::vector<std::string> writes_;
};

class QuietReporter : public benchmark::BenchmarkReporter {
 public:
  QuietReporter(std::ostream* out, std::ostream* err) {
    SetOutputStream(out);
    SetErrorStream(err);
  }
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      // The big-O rows of a family belong to no instance.
      if (run.run_type == Run::RT_Aggregate && (run.report_big_o || run.report_rms)) continue;
      if (instances_.empty() || !SameInstance(instances_.back().front(), run)) {
        instances_.emplace_back();
      }
      instances_.back().push_back(WithMemory(run));
    }
  }
  std::vector<InstanceRuns> TakeInstances() { return std::move(instances_); }

 private:
  // What the benchmark's own MemoryManager counted, as counters under the names of the library's
  // files. The library's result goes with its runner.
  static Run WithMemory(Run run) {
    if (run.memory_result != nullptr) {
      run.counters["allocs_per_iter"] = run.allocs_per_iter;
      run.counters["max_bytes_used"] = static_cast<double>(run.memory_result->max_bytes_used);
      run.memory_result = nullptr;
    }
    return run;
  }

  static bool SameInstance(const Run& a, const Run& b) {
    return a.family_index == b.family_index &&
           a.per_family_instance_index == b.per_family_instance_index;
  }
  std::vector<InstanceRuns> instances_;
};

}  // namespace

CaughtRuns RunQuietly(const std::string& filter) {
  std::ostream nowhere(nullptr);
  std::ostringstream complaint;
  QuietReporter reporter(&nowhere, &complaint);
  benchmark::RunSpecifiedBenchmarks(&reporter, filter);
  return {reporter.TakeInstances(), std::move(complaint).str()};
}

std::vector<std::string> ListQuietly() {
  WriteLog log;
  std::ostream out(&log);
  std::ostream nowhere(nullptr);
  QuietReporter reporter(&out, &nowhere);
  benchmark::RunSpecifiedBenchmarks(&reporter, ".");

  const std::vector<std::string>& writes = log.writes();
  bool in_pairs = writes.size() % 2 == 0;
  for (std::size_t i = 1; in_pairs && i < writes.size(); i += 2) in_pairs = writes[i] == "\n";
  std::vector<std::string> names;
  if (in_pairs) {
    for (std::size_t i = 0; i < writes.size(); i += 2) names.push_back(writes[i]);
    return names;
  }
  // A library that writes otherwise: by lines, which is right for all but names with newlines.
  std::string text;
  for (const std::string& write : writes) text += write;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) names.push_back(line);
  return names;
}

}  // namespace perfgate::bench
