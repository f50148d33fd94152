// SPDX-License-Identifier: Apache-2.0
#include "perfgate/cli/options/progress_display.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <string>

namespace perfgate::cli {
namespace {

constexpr double kRedrawS = 0.1;

std::string seconds(double s) { return std::to_string(std::lround(s)) + " s"; }

std::string line_of(const measure::Progress& p) {
  using Phase = measure::Progress::Phase;
  switch (p.phase) {
    case Phase::kListing:
      return "listing cases";
    case Phase::kWaitingForCore:
      return p.note;
    case Phase::kCalibrating:
      return "calibrating " + std::to_string(p.cases_done + 1) + "/" + std::to_string(p.cases);
    case Phase::kRound:
      break;
  }
  std::string line = "round " + std::to_string(p.round + 1);
  if (p.last_round > 0) line += " of at most " + std::to_string(p.last_round);
  line += "   " + std::to_string(p.cases_open) + " of " + std::to_string(p.cases) + " cases open";
  line += "   " + seconds(p.elapsed_s) + " elapsed";
  if (p.left_s >= 0) line += ", " + seconds(p.left_s) + " left";
  return line;
}

}  // namespace

ProgressDisplay::ProgressDisplay() : terminal_(isatty(STDERR_FILENO) != 0) {
  winsize size{};
  if (terminal_ && ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    width_ = size.ws_col;
  }
}

ProgressDisplay::~ProgressDisplay() { Clear(); }

void ProgressDisplay::Clear() {
  if (drawn_) std::fputs("\r\033[K", stderr);
  drawn_ = false;
}

void ProgressDisplay::Say(const std::string& text) {
  Clear();
  std::fprintf(stderr, "%s\n", text.c_str());
}

void ProgressDisplay::Show(const measure::Progress& progress) {
  const int phase = static_cast<int>(progress.phase);
  if (!terminal_) {
    // Elsewhere: the start of each phase, and every round in which the open cases can change.
    const bool new_phase = phase != last_phase_;
    const bool quarter = progress.round != last_round_ && progress.cases_done == 0 &&
                         (progress.round % 5 == 0 || progress.round == 6);
    if (new_phase || quarter) Say("perfgate: " + line_of(progress));
    last_phase_ = phase;
    if (progress.cases_done == 0) last_round_ = progress.round;
    return;
  }
  if (phase == last_phase_ && std::abs(progress.elapsed_s - last_drawn_s_) < kRedrawS) return;
  last_phase_ = phase;
  last_drawn_s_ = progress.elapsed_s;
  std::string line = line_of(progress);
  if (static_cast<int>(line.size()) >= width_) line.resize(static_cast<std::size_t>(width_ - 1));
  std::fprintf(stderr, "\r\033[K%s", line.c_str());
  std::fflush(stderr);
  drawn_ = true;
}

}  // namespace perfgate::cli
