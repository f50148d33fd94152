#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# packages_test.sh: what ci/lib.sh installs, and what it says where it may not, with a compiler, an
# apt-get and users that are made up.
#
# usage: packages_test.sh SOURCE_DIR
# shellcheck disable=SC2016  # scripts are written, not expanded
set -uo pipefail
source_dir=$1
# shellcheck source=tests/e2e/shell_test.sh
source "$source_dir/tests/e2e/shell_test.sh"
# shellcheck source=ci/lib.sh
source "$source_dir/ci/lib.sh"

fake() {  # NAME SCRIPT
  printf '#!/bin/bash\n%s\n' "$2" >"$scratch/bin/$1" && chmod +x "$scratch/bin/$1"
}
mkdir "$scratch/bin"
PATH=$scratch/bin:$PATH
unset CXX
export log=$scratch/log headers=$scratch/headers  # headers: those that the compiler finds
fake c++ 'read -r _ name; grep -qxF -- "$name" "$headers"'
fake cmake :
fake ninja :
fake apt-get 'echo "apt-get $*" >>"$log"'
fake id 'echo "$user_id"'
fake sudo 'exit 1'
needed_headers | sed 's/ .*//; s/.*/<&>/' >"$scratch/all"

ensure() {
  : >"$log"
  status=0
  output=$( (ensure_packages) 2>&1) || status=$?
}

# Everything is there: nothing happens, whoever runs it.
export user_id=1000
cp "$scratch/all" "$headers"
ensure
expect_equal "$status" 0
expect_equal "$output" ""
expect_equal "$(cat "$log")" ""

# Two headers are not: root installs their packages and no others.
grep -v -e benchmark -e gmock "$scratch/all" >"$headers"
user_id=0
ensure
expect_equal "$status" 0
expect_contains "$(cat "$log")" "apt-get update"
expect_contains "$(tail -1 "$log")" " libbenchmark-dev libgmock-dev"
expect_lacks "$(cat "$log")" libssl-dev

# Others are told what to type.
user_id=1000
ensure
expect_equal "$status" 2
expect_contains "$output" "needs root. Run: apt-get install libbenchmark-dev libgmock-dev"
expect_equal "$(cat "$log")" ""

# Unless sudo asks for no password.
fake sudo 'shift; exec "$@"'
ensure
expect_equal "$status" 0
expect_contains "$(tail -1 "$log")" " libbenchmark-dev libgmock-dev"

# An apt-get that fails is not taken for success.
fake apt-get 'exit 100'
ensure
expect_equal "$status" 2
expect_contains "$output" "apt-get update failed"
fake apt-get '[ "$1" = update ]'
ensure
expect_equal "$status" 2
expect_contains "$output" "could not install: libbenchmark-dev libgmock-dev"

# Without a compiler every header counts as missing.
fake apt-get 'echo "apt-get $*" >>"$log"'
user_id=0
rm "$scratch/bin/c++"
ln -s "$(command -v cat)" "$scratch/bin/cat"
output=$(PATH=$scratch/bin; missing_packages)
expect_contains "$output" "g++"
expect_contains "$output" "libssl-dev"

finish
