#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# readme_test.sh: the example of README.md does what README.md says, in the words of README.md.
#
# usage: readme_test.sh SOURCE_DIR PERFGATE
# shellcheck disable=SC2016  # ` is for sed
set -uo pipefail
source_dir=$1 perfgate=$2
# shellcheck source=tests/e2e/shell_test.sh
source "$source_dir/tests/e2e/shell_test.sh"

example=$(sed -n "/^## A minute's example/,/^## Your project/p" "$source_dir/README.md")
block() {  # LANGUAGE: the first block of the example in it
  sed -n '/^```'"$1"'$/,/^```$/{/^```/!p}' <<<"$example"
}
mkdir "$scratch/bin"
ln -s "$perfgate" "$scratch/bin/perfgate"
PATH=$scratch/bin:$PATH
cd "$scratch" || exit 2

block cpp >my_bench.cc
block sh >commands
expect_contains "$(cat my_bench.cc)" "BENCHMARK_MAIN"
expect_contains "$(tail -1 commands)" "perfgate gate old_bench new_bench"
status=0
output=$(bash -e commands 2>log) || status=$?
# A machine that is busy with other tests may leave the case open (12); it is never said to pass.
case $status in
  10) expect_contains "$output" "regression     Parse" ;;
  12) expect_contains "$output" "inconclusive" ;;
  *) expect_equal "$status $(cat log)" 10 ;;
esac
expect_contains "$output" "Print"
expect_contains "$output" "baseline  cand. [us]"
# The output that README shows has the same head and the same words.
expect_contains "$example" "verdict        case   baseline  cand. [us]"
if [ "$status" -eq 10 ]; then
  expect_contains "$(grep '^verdict' <<<"$output" | tr -s ' ')" \
    "$(grep '^verdict' <<<"$example" | tr -s ' ')"
fi

# README stays short, and its links lead somewhere.
expect_equal "$(($(wc -l <"$source_dir/README.md") < 120))" 1
while read -r link; do
  expect_equal "$([ -e "$source_dir/$link" ] && echo there || echo "no $link")" there
done < <(grep -o '](docs/[^)#]*' "$source_dir/README.md" | cut -c 3-)

finish
