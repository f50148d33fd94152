#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# perfgate_run_suite.sh: what a test made by perfgate_add_suite() runs.
#
# usage: perfgate_run_suite.sh NAME PERFGATE CANDIDATE BUILD BASELINE_BUILD STORE OUTPUT
#                              RELINK [gate options...]
#
# Gates CANDIDATE, which lies somewhere under BUILD, against the executable at the same place under
# BASELINE_BUILD, and writes the verdict and the session to the folder OUTPUT. Where BASELINE_BUILD
# is empty, against the baseline that the folder STORE has of this machine's class: recorded numbers
# alone warn and do not fail. RELINK is the place of the file TARGET.relink in the build trees: where
# both have it, both are given as folders of layouts. Empty: no layouts.
#
# Exit codes: those of `perfgate gate`; 77 when there is neither a BASELINE_BUILD nor a baseline of
# this class; 65 when BASELINE_BUILD is set but there is no such executable; 64 for arguments that
# make no sense.
set -u

if [ $# -lt 8 ]; then
  echo "usage: $0 NAME PERFGATE CANDIDATE BUILD BASELINE_BUILD STORE OUTPUT RELINK [gate options...]" >&2
  exit 64
fi
name=$1 perfgate=$2 candidate=$3 build=$4 baseline_build=$5 store=$6 output=$7 relink=$8
shift 8

case $candidate in
  "$build"/*) place=${candidate#"$build"/} ;;
  *)
    echo "perfgate: suite '$name': $candidate lies outside the build tree $build, so its place" \
         "in a baseline build is not known. Leave RUNTIME_OUTPUT_DIRECTORY inside the build tree." >&2
    exit 64 ;;
esac

if [ ! -x "$candidate" ]; then
  echo "perfgate: suite '$name': $candidate is not built. Build this tree before running ctest." >&2
  exit 65
fi

# The GPU that CTest has set aside for this test (ctest --resource-spec-file), for both arms.
if [ -n "${CTEST_RESOURCE_GROUP_0_GPUS-}" ]; then
  CUDA_VISIBLE_DEVICES=$(printf '%s\n' "$CTEST_RESOURCE_GROUP_0_GPUS" | tr ';' '\n' |
    sed -n 's/^id:\([^,]*\),.*/\1/p' | paste -s -d , -)
  export CUDA_VISIBLE_DEVICES
fi

# Where the rest of what the gate says can be read. CTest shows it, and the table, for a test that
# failed with --output-on-failure.
tell_where() {
  echo "perfgate: all of this verdict: $perfgate report $output/$name.verdict.json --all --verbose"
}

# A verdict of an earlier run must never be taken for this one's.
mkdir -p "$output" && rm -f "$output/$name.verdict.json" "$output/$name.session.json" || exit 65

reason='there is nothing to compare with'
if [ -z "$baseline_build" ] && [ -n "$store" ]; then
  if reason=$("$perfgate" baseline find --store "$store" --suite "$name" 2>&1); then
    tell_where
    exec "$perfgate" gate --baseline "$store" --candidate "$candidate" --suspected warn \
      --json "$output/$name.verdict.json" "$@"
  elif [ $? -ne 13 ]; then
    echo "$reason" >&2
    exit 14
  fi
fi

if [ -z "$baseline_build" ]; then
  cat <<END
perfgate: suite '$name' is skipped: $reason.
Build the state to compare with, with the same options, in a tree of its own, and name that tree:

  cmake -S . -B "$build" -DPERFGATE_BASELINE_BUILD=/path/to/baseline-build
  ctest --test-dir "$build" -L perf --output-on-failure

The executable compared with is then /path/to/baseline-build/$place
END
  exit 77
fi

baseline=$baseline_build/$place
if [ ! -x "$baseline" ]; then
  echo "perfgate: suite '$name': PERFGATE_BASELINE_BUILD is $baseline_build, but there is no" \
       "executable $baseline. Build it there, or configure with another PERFGATE_BASELINE_BUILD." >&2
  exit 65
fi

later=$(dirname "$0")/perfgate_relink_later.sh
if [ -n "$relink" ] &&
  baseline_layouts=$(sh "$later" "$perfgate" "$baseline" "$baseline_build/$relink") &&
  candidate_layouts=$(sh "$later" "$perfgate" "$candidate" "$build/$relink"); then
  baseline=$baseline_layouts candidate=$candidate_layouts
fi

tell_where
exec "$perfgate" gate --baseline "$baseline" --candidate "$candidate" \
  --json "$output/$name.verdict.json" --session "$output/$name.session.json" "$@"
