#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# perfgate_add_fleet() in a project of its own: jobs on cores that CTest sets aside, one verdict.
# usage: ctest_test.sh PERFGATE BASELINE CANDIDATE SOURCE
set -u
perfgate=$1 baseline=$2 candidate=$3 source=$4
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

expect() {  # WHAT STATUS EXPECTED TEXT
  if [ "$2" -ne "$3" ] || ! grep -qF -- "$4" "$scratch/log"; then
    echo "FAILED: $1: exit $2, expected $3 and '$4'"
    cat "$scratch/log"
    failures=$((failures + 1))
  fi
}

mkdir -p "$scratch/project" "$scratch/old" "$scratch/new"
cp "$baseline" "$scratch/old/bench" && cp "$candidate" "$scratch/new/bench"
cat >"$scratch/project/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.25)
project(fleet NONE)
enable_testing()
add_executable(perfgate::perfgate IMPORTED)
set_target_properties(perfgate::perfgate PROPERTIES IMPORTED_LOCATION $perfgate)
add_executable(bench IMPORTED)
set_target_properties(bench PROPERTIES IMPORTED_LOCATION \${CMAKE_BINARY_DIR}/bench)
include($source/cmake/PerfgateAddFleet.cmake)
perfgate_add_fleet(NAME few TARGET bench JOBS \${JOBS} ROUNDS 10 \${MORE})
END
core=$(taskset -cp $$ | sed 's/.*: \([0-9]*\).*/\1/')
printf '{"version":{"major":1,"minor":0},"local":[{"cores":[{"id":"%s","slots":1}]}]}' "$core" >"$scratch/resources.json"

configure() { cmake -S "$scratch/project" -B "$scratch/new" -DJOBS=2 "$@" >"$scratch/log" 2>&1; }
tests() { ctest --test-dir "$scratch/new" -j 2 --resource-spec-file "$scratch/resources.json" --output-on-failure \
  "$@" >"$scratch/log" 2>&1; }

configure "-DPERFGATE_BASELINE_BUILD=$scratch/old" || { cat "$scratch/log"; exit 1; }
tests
expect "a slower candidate" $? 8 "fleet.few.verdict"
expect "the table is shown" 0 0 "fleet/case:7"
expect "only the verdict fails" 0 0 "75% tests passed, 1 tests failed out of 4"
cpus=$(grep -o '"cpus":\[[0-9]*\]' "$scratch/new/perfgate/few.fleet/job-1.json" | sort -u)
[ "$cpus" = "\"cpus\":[$core]" ] || { echo "FAILED: pinned to $cpus, not to the core $core"; failures=$((failures + 1)); }
grep -q '"exit":10\|"exit": 10' "$scratch/new/perfgate/few.fleet/few.verdict.json" ||
  { echo "FAILED: no verdict file with exit 10"; failures=$((failures + 1)); }

cp "$baseline" "$scratch/new/bench"
tests
expect "the same executable" $? 0 "Skipped"

configure -DPERFGATE_BASELINE_BUILD=
tests
expect "nothing to compare with" $? 0 "Skipped"

configure "-DPERFGATE_BASELINE_BUILD=$scratch/nowhere"
tests
expect "no such executable" $? 8 "there is no executable"

configure -DJOBS=none
expect "no number of jobs" $? 1 "is no number of jobs"
configure -DJOBS=2 "-DMORE=TOLERANSE;2%"
expect "unknown argument" $? 1 "unknown argument"

sh "$source/cmake/perfgate_run_fleet.sh" >"$scratch/log" 2>&1
expect "no arguments" $? 64 "usage:"
[ $failures -eq 0 ] && echo "passed"
exit $((failures > 0))
