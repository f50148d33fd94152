#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# consumer_test.sh: installs this build, and uses the package from a foreign project.
#
# usage: consumer_test.sh SOURCE_DIR BUILD_DIR GENERATOR COMPILER [FLAGS]
set -uo pipefail
source_dir=$1 build_dir=$2 generator=$3 compiler=$4 flags=${5:-}
# shellcheck source=tests/e2e/shell_test.sh
source "$source_dir/tests/e2e/shell_test.sh"

quietly() { "$@" >"$scratch/log" 2>&1 || { cat "$scratch/log"; fail "$*"; finish; exit 1; }; }

quietly cmake --install "$build_dir" --prefix "$scratch/prefix"
# The project lies away from this tree, so that it can only find what was installed.
cp -r "$source_dir/tests/e2e/consumer" "$scratch/consumer"

build() {  # FOLDER TARGETS [cmake options...]
  local folder=$1 targets=$2
  shift 2
  quietly cmake -S "$scratch/consumer" -B "$scratch/$folder" -G "$generator" \
    -DCMAKE_PREFIX_PATH="$scratch/prefix" -DCMAKE_CXX_COMPILER="$compiler" \
    -DCMAKE_CXX_FLAGS="$flags" -DCMAKE_BUILD_TYPE=Release "$@"
  # shellcheck disable=SC2086  # a list of targets
  quietly cmake --build "$scratch/$folder" --parallel --target $targets
}
perf() {  # FOLDER: ctest -L perf there; $status and $output
  status=0
  output=$(ctest --test-dir "$scratch/$1" -L perf --output-on-failure 2>&1) || status=$?
}
check() {  # FOLDER TEST
  (cd "$scratch/$1/perfgate" && "$scratch/first/consumer_check" --gtest_filter="Consumer.$2" 2>&1)
}

# By hand it is an ordinary Google Benchmark executable.
build first "consumer_bench consumer_check consumer_gate"
expect_equal "$("$scratch/first/consumer_bench" --benchmark_list_tests)" add
expect_contains "$("$scratch/first/consumer_bench" --benchmark_min_time=0.01 2>/dev/null)" "add "

# Without a baseline the suite is skipped.
perf first
expect_equal "$status" 0
expect_contains "$output" "Skipped"
expect_contains "$output" "perf.consumer"

# Against a build of the same source: the same executable, so it passes.
build same consumer_bench -DPERFGATE_BASELINE_BUILD="$scratch/first"
expect_equal "$(cmp "$scratch/first/consumer_bench" "$scratch/same/consumer_bench" && echo same)" same
perf same
expect_equal "$status" 0
expect_contains "$output" "100% tests passed"
expect_lacks "$output" "Skipped"
expect_contains "$(check same Passes)" "[  PASSED  ] 1 test."

# With twice the work: a regression.
build slow consumer_bench -DPERFGATE_BASELINE_BUILD="$scratch/first" -DCONSUMER_SLOW=ON
perf slow
expect_equal "$status" 8  # CTest's own: a test failed
expect_contains "$output" "regression"
expect_contains "$(check slow Regresses)" "[  PASSED  ] 1 test."
expect_contains "$(check slow Passes)" "whose exit is 10 (regression)"
# ... that was confirmed over layouts, which the gate linked for it.
expect_contains "$(cat "$scratch/slow/perfgate/consumer.verdict.json")" '"layout_rounds": 10'
expect_equal "$(ls "$scratch/first/consumer_bench.layouts" | wc -l)" 14
# The target links them before.
quietly cmake --build "$scratch/same" --target layouts
expect_contains "$(cat "$scratch/log")" "12 layouts of consumer_bench"

# The same by the library: a program of the consumer's that calls RunGate().
by_library() {  # OLD NEW; $status and $output
  status=0
  output=$("$scratch/first/consumer_gate" "$scratch/$1/consumer_bench" "$scratch/$2/consumer_bench" 2>&1) ||
    status=$?
}
by_library first slow
expect_equal "$status" 10
expect_equal "$output" "add: regression"
by_library first same
expect_equal "$status" 0
expect_equal "$output" "add: no_regression"
by_library first absent
expect_equal "$status" 65
expect_contains "$output" "absent/consumer_bench"

# The installed command finds the library that makes unmodified executables workers.
stock=$build_dir/tests/e2e/e2e_stock_once
if [ -f "$build_dir/perfgate/cli/libperfgate_worker.so" ] && ldd "$stock" | grep -q libbenchmark.so; then
  # One round is inconclusive; only the way of measuring is looked at.
  "$scratch/prefix/bin/perfgate" gate --aa --candidate "$stock" --rounds 1 --slice 1ms \
    --session "$scratch/stock.json" >"$scratch/log" 2>&1
  expect_contains "$(cat "$scratch/stock.json")" '"driver":"worker"'
fi

# A baseline build that lacks the executable fails and names it.
quietly cmake "$scratch/same" -DPERFGATE_BASELINE_BUILD="$scratch/empty"
perf same
expect_equal "$status" 8
expect_contains "$output" "there is no executable $scratch/empty/consumer_bench"
expect_equal "$(find "$scratch/same" -name 'consumer.verdict.json' -newer "$scratch/slow/consumer_bench")" ""

expect_contains "$(check slow AssertsInProcess)" "[  PASSED  ] 1 test."

# Arguments of perfgate_add_suite(): mistakes stop the configuration and are named.
extra() {  # ARGUMENTS: configures with a second suite; $status and $output
  status=0
  output=$(cmake "$scratch/same" -DCONSUMER_EXTRA="$1" 2>&1) || status=$?
  output=$(tr -s ' \n' ' ' <<<"$output")
}
extra 'BUDGET;soon'
expect_equal "$status" 1
expect_contains "$output" 'BUDGET "soon" is no time'
for budget in '0.0s' '5 fortnights' '-3s' 'inf'; do
  extra "BUDGET;$budget"
  expect_equal "$status" 1
  expect_contains "$output" "BUDGET \"$budget\" is no time"
done
extra 'TOLERANCE;2'
expect_equal "$status" 1
expect_contains "$output" 'TOLERANCE 2 may mean 2% or 200%'
extra 'ALPHA;little'
expect_equal "$status" 1
expect_contains "$output" 'ALPHA "little" is no fraction'
# Durations are those of the command line, and the time limit follows: twice them and two minutes.
timeout_of() {  # BUDGET
  extra "BUDGET;$1"
  ctest --test-dir "$scratch/same" -R perf.extra --show-only=json-v1 | tr -d ' \n' |
    sed 's/.*"name":"TIMEOUT","value":\([0-9]*\).*/\1/'
}
expect_equal "$(timeout_of 90)" 300
expect_equal "$(timeout_of 1.5min)" 300
expect_equal "$(timeout_of 2m)" 360
expect_equal "$(timeout_of 0.5min)" 180
expect_equal "$(timeout_of 1h)" 7320
expect_equal "$(timeout_of 1.05s)" 124
expect_equal "$(timeout_of 500ms)" 122
extra 'TOLERANSE;2%'
expect_equal "$status" 1
expect_contains "$output" 'unknown argument "TOLERANSE'
extra 'POLICY;policy.json'
expect_equal "$status" 1
expect_contains "$output" "no policy file $scratch/consumer/policy.json"
printf '{"format":"perfgate-policy","version":1,"budget_s":90.5}' >"$scratch/consumer/policy.json"
extra 'POLICY;policy.json;TOLERANCE;2%'
expect_equal "$status" 1
expect_contains "$output" "TOLERANCE beside POLICY"
# What a policy says is passed on by name, and the time limit follows its budget: 2 * 91 + 120.
extra 'POLICY;policy.json;LABELS;gpu;nightly;RESOURCE_GROUPS;gpus:1'
expect_equal "$status" 0
registered=$(ctest --test-dir "$scratch/same" -R perf.extra --show-only=json-v1 | tr -d ' \n')
expect_contains "$registered" "\"--policy\",\"$scratch/consumer/policy.json\""
expect_contains "$registered" '"name":"TIMEOUT","value":302'
expect_contains "$registered" '"value":["gpu","nightly","perf"]'
expect_contains "$registered" '"name":"SKIP_RETURN_CODE","value":77'
expect_contains "$registered" '"name":"RUN_SERIAL","value":true'
expect_contains "$registered" RESOURCE_GROUPS

# The installed command line works from anywhere.
expect_contains "$("$scratch/prefix/bin/perfgate" --version)" "perfgate 0."

finish
