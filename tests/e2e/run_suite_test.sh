#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run_suite_test.sh: what a test made by perfgate_add_suite() does in each situation, with a perfgate
# that only notes its arguments.
#
# usage: run_suite_test.sh SOURCE_DIR
# shellcheck disable=SC2016  # scripts are written, not expanded
set -uo pipefail
source_dir=$1
# shellcheck source=tests/e2e/shell_test.sh
source "$source_dir/tests/e2e/shell_test.sh"
cd "$scratch" || exit 2

mkdir -p 'build dir/bin' 'base dir/bin'
printf '#!/bin/sh\n' | tee 'build dir/bin/k_bench' >'base dir/bin/k_bench'
printf '#!/bin/sh\nfor a; do echo "[$a]"; done >"%s/args"\nexit 10\n' "$scratch" >perfgate
chmod +x perfgate ./*/bin/k_bench

store='' relink=''
suite() {  # CANDIDATE BUILD BASELINE_BUILD [options...]
  local candidate=$1 build=$2 baseline=$3
  shift 3
  rm -f args
  status=0
  output=$(sh "$source_dir/cmake/perfgate_run_suite.sh" k "$scratch/perfgate" "$candidate" "$build" \
    "$baseline" "$store" "$scratch/out dir" "$relink" "$@" 2>&1) || status=$?
}
build="$scratch/build dir" base="$scratch/base dir"

# No baseline: skipped, and the message is a recipe.
suite "$build/bin/k_bench" "$build" ""
expect_equal "$status" 77
expect_contains "$output" "PERFGATE_BASELINE_BUILD"
expect_contains "$output" "ctest --test-dir \"$build\" -L perf --output-on-failure"
expect_contains "$output" "/path/to/baseline-build/bin/k_bench"
expect_equal "$(ls args 2>/dev/null)" ""

# With one: the executable at the same place, outputs of this run only, the gate's exit code.
mkdir -p 'out dir'
echo old | tee 'out dir/k.verdict.json' >'out dir/k.session.json'
suite "$build/bin/k_bench" "$build" "$base" --budget 5s --filter 'a b|c$'
expect_equal "$status" 10
expect_equal "$(tr -d '\n' <args)" "[gate][--baseline][$base/bin/k_bench][--candidate]\
[$build/bin/k_bench][--json][$scratch/out dir/k.verdict.json][--session]\
[$scratch/out dir/k.session.json][--budget][5s][--filter][a b|c\$]"
expect_contains "$output" "perfgate report $scratch/out dir/k.verdict.json --all --verbose"
expect_equal "$(ls 'out dir')" ""  # what an earlier run left is gone

# The GPU that CTest gave the test is the only one that the arms see.
printf '#!/bin/sh\necho "$CUDA_VISIBLE_DEVICES" >"%s/gpus"\n' "$scratch" >perfgate.gpu
mv perfgate perfgate.plain
mv perfgate.gpu perfgate
chmod +x perfgate
CTEST_RESOURCE_GROUP_0_GPUS='id:3,slots:1' suite "$build/bin/k_bench" "$build" "$base"
expect_equal "$(cat gpus)" "3"
CTEST_RESOURCE_GROUP_0_GPUS='id:GPU-1a2b,slots:1;id:5,slots:2' \
  suite "$build/bin/k_bench" "$build" "$base"
expect_equal "$(cat gpus)" "GPU-1a2b,5"
CUDA_VISIBLE_DEVICES=7 suite "$build/bin/k_bench" "$build" "$base"
expect_equal "$(cat gpus)" "7"
mv perfgate.plain perfgate

# Layouts: folders of both, linked later; where one build has none, both as they are linked.
printf '#!/bin/sh\ncase $1 in relink) for a; do echo "[$a]"; done >>"%s/relinks" ;; *) shift 0; for a; do echo "[$a]"; done >"%s/args"; exit 10 ;; esac\n' \
  "$scratch" "$scratch" >perfgate.layouts
mv perfgate perfgate.plain
mv perfgate.layouts perfgate
chmod +x perfgate
printf -- '--count\n40\n--command-file\n%s/k.link\n' "$build" | tee 'build dir/k.relink' >'base dir/k.relink'
relink=k.relink
suite "$build/bin/k_bench" "$build" "$base"
expect_equal "$status" 10
expect_contains "$(tr -d '\n' <args)" "[--baseline][$base/bin/k_bench.layouts][--candidate][$build/bin/k_bench.layouts]"
expect_contains "$(tr -d '\n' <relinks)" "[relink][--later][--output][$base/bin/k_bench.layouts][--count][40][--command-file][$build/k.link]"
rm 'base dir/k.relink'
suite "$build/bin/k_bench" "$build" "$base"
expect_equal "$status" 10
expect_contains "$output" "there is no $base/k.relink"
expect_contains "$(tr -d '\n' <args)" "[--baseline][$base/bin/k_bench][--candidate][$build/bin/k_bench]"
relink=''
mv perfgate.plain perfgate

# A baseline build without the executable is an error, never a pass or a skip.
rm "$base/bin/k_bench"
suite "$build/bin/k_bench" "$build" "$base"
expect_equal "$status" 65
expect_contains "$output" "there is no executable $base/bin/k_bench"

# So are a candidate that is not built, and one outside the build tree.
suite "$build/bin/absent" "$build" ""
expect_equal "$status" 65
expect_contains "$output" "is not built"
suite "$scratch/perfgate" "$build" "$base"
expect_equal "$status" 64
expect_contains "$output" "outside the build tree"
sh "$source_dir/cmake/perfgate_run_suite.sh" k >/dev/null 2>&1
expect_equal "$?" 64

# Without a baseline build but with a store: the machine's own baseline, where suspicion only warns;
# skipped where the store has none of this class, an error where it is broken.
store="$scratch/store"
printf '#!/bin/sh\n[ "$1" = baseline ] && { echo "no baseline of this class"; exit %s; }\n%s' \
  '"$(cat "$0.find")"' "$(tail -n +2 perfgate)" >perfgate.store
mv perfgate.store perfgate
chmod +x perfgate
echo 0 >perfgate.find
suite "$build/bin/k_bench" "$build" "" --budget 5s
expect_equal "$status" 10
expect_equal "$(tr -d '\n' <args)" "[gate][--baseline][$store][--candidate][$build/bin/k_bench]\
[--suspected][warn][--json][$scratch/out dir/k.verdict.json][--budget][5s]"
echo 13 >perfgate.find
suite "$build/bin/k_bench" "$build" ""
expect_equal "$status" 77
expect_contains "$output" "no baseline of this class"
echo 65 >perfgate.find
suite "$build/bin/k_bench" "$build" ""
expect_equal "$status" 14

finish
