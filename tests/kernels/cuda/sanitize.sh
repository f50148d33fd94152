#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# sanitize.sh: every implementation of the conformance test under compute-sanitizer, several at once, because
# instrumenting the kernels takes one core far longer than running them.
#
# usage: sanitize.sh memcheck|racecheck|initcheck|synccheck CONFORMANCE_TEST [JOBS]
#
# Prints one line per implementation and the findings of those that have any. Exit code: 0 clean, 1 findings,
# 77 where there is no compute-sanitizer or no GPU.
set -u
tool=$1 test=$2 jobs=${3:-$(nproc)}
sanitizer=$(command -v compute-sanitizer || echo /usr/local/cuda/bin/compute-sanitizer)
[ -x "$sanitizer" ] || { echo "skipped: no compute-sanitizer"; exit 77; }
"$test" --gtest_filter=CudaTables.* >/dev/null
[ $? -ne 77 ] || { echo "skipped: no GPU"; exit 77; }

logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
# The slowest first.
rows=$("$test" --gtest_list_tests --gtest_filter='CudaConformance.*' | sed -n 's/^  //p')
slow=$(echo "$rows" | grep -E '^(decode_attention|softmax|residual_rmsnorm|rmsnorm)_')
printf '%s\n' "$slow" "$rows" | awk 'NF && !seen[$0]++' |
  xargs -P "$jobs" -I '{}' sh -c '
    row=$1 log=$2/$1 started=$(date +%s)
    "$3" --tool "$4" --error-exitcode 1 "$5" --gtest_filter="CudaConformance.$row" >"$log" 2>&1
    code=$?
    # A filter that matches nothing passes too.
    grep -q "1 test from" "$log" || code=1
    echo "$4 $row: exit $code, $(($(date +%s) - started)) s"
    [ $code -eq 0 ] && exit 0
    grep -E "=====|FAILED|Failure" "$log" | head -40
    exit 1' sh '{}' "$logs" "$sanitizer" "$tool" "$test" || exit 1
