// SPDX-License-Identifier: Apache-2.0
// process_tree.h: who descends from whom, read from /proc.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace perfgate::inline base {

struct ProcessEntry {
  int pid = 0;
  int parent = 0;
  int group = 0;
  int session = 0;
  char state = '?';  // of its first thread, as in /proc/<pid>/stat: 'Z' is a zombie
  int threads = 1;

  // A process whose first thread has ended goes on in the others.
  bool alive() const { return threads > 1 || (state != 'Z' && state != 'X' && state != 'x'); }
};

// All descendants of `pid`, itself left out, in no particular order. Processes that come or go
// meanwhile may be missed; callers repeat until nothing changes.
std::vector<ProcessEntry> descendants(int pid);

// The number of a process in the innermost PID namespace that it is in; 0: it is gone.
int NamespacePid(int pid);

// Whether all its threads are stopped by a signal, or gone.
bool IsStopped(int pid);

// Descendants of this process that belong to the launch whose main process is (or was) `main_pid`:
// below it, in its process group, or carrying `launch_id` in their environment (orphans come to
// this process because it is a subreaper). An orphan in a session of its own that carries no
// launch id at all belongs to whoever asks.
std::vector<ProcessEntry> launch_members(int main_pid, const std::string& launch_id);

// Main processes of launches that somebody still waits for: launch_members() of another launch
// leaves their zombies alone. Process identifiers belong to the whole process, and so does this
// list. A number is forgotten when its process has been waited for.
void ForgetMain(int pid);

// Starts such a process: what `start` returns is remembered before another thread can ask whose
// the new process is, unless it is negative.
int StartMain(const std::function<int()>& start);

// Makes orphans of our children come to this process instead of init.
void become_subreaper();

inline constexpr const char* kLaunchVariable = "PERFGATE_LAUNCH";

}  // namespace perfgate::inline base
