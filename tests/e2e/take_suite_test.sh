#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# take_suite_test.sh: which files `ci/gate --suite-from` takes from the trusted commit, on a scratch
# repository.
#
# usage: take_suite_test.sh SOURCE_DIR
set -uo pipefail
source_dir=$1
# shellcheck source=tests/e2e/shell_test.sh
source "$source_dir/tests/e2e/shell_test.sh"
# shellcheck source=ci/lib.sh
source "$source_dir/ci/lib.sh"

# put TEXT FILE ...: every file holds the text, in folders that are made.
put() {
  local text=$1 file
  shift
  for file in "$@"; do
    mkdir -p "$(dirname "$file")" && printf '%s\n' "$text" >"$file"
  done
}
# The files and links below the folder $1, or the one part $2 of it.
files_of() { (cd "$1" && find "${2:-.}" -type f -o -type l) | LC_ALL=C sort | tr '\n' ' '; }
# Every file below $1 that holds the text $2.
holding() { (cd "$1" && grep --recursive --files-with-matches --fixed-strings "$2" .) | LC_ALL=C sort | tr '\n' ' '; }

git init --quiet --initial-branch=main "$scratch/repository" && cd "$scratch/repository" || exit 2
put trusted CMakeLists.txt cmake/build.cmake perfgate/bench/main.cc suites/cpu/bench.cc tests/check.cc \
  kernels/CMakeLists.txt kernels/dot.cc kernels/removed.cc kernels/cuda/rules.cmake kernels/cuda/dot.cu \
  engine/CMakeLists.txt engine/model/load.cc 'engine/with space.h'
trusted=$(commit trusted)

# The change edits every file, and adds some of each kind.
tree=$scratch/change
export_commit "$trusted" "$tree" || exit 2
find "$tree" -type f -exec sh -c 'echo change >"$1"' sh {} \;
rm "$tree/kernels/removed.cc"
(
  cd "$tree" || exit 2
  put change suites/cpu/other.cc suites/cpu/dot.h perfgate/bench/state.h benchmark/benchmark.h conftest.h \
    kernels/fast.cc kernels/new/CMakeLists.txt kernels/new/odd.cmake kernels/new/deep/fast.h \
    engine/.hidden.h engine_extra/file.cc kernelsx/file.cc
  ln -s fast.cc kernels/link.cc
)

expect_equal "$(take_suite "$trusted" "$tree" 2>&1; echo $?)" 0

# --- the libraries under test: sources of the change, build files of the commit ---
expect_equal "$(files_of "$tree" kernels)" \
  "kernels/CMakeLists.txt kernels/cuda/dot.cu kernels/cuda/rules.cmake kernels/dot.cc kernels/fast.cc kernels/new/deep/fast.h "
expect_equal "$(files_of "$tree" engine)" \
  "engine/.hidden.h engine/CMakeLists.txt engine/model/load.cc engine/with space.h "
expect_equal "$(holding "$tree" change)" \
  "./engine/.hidden.h ./engine/model/load.cc ./engine/with space.h ./kernels/cuda/dot.cu ./kernels/dot.cc ./kernels/fast.cc ./kernels/new/deep/fast.h "

# --- all else: as the commit has it, without any file that the change added ---
expect_equal "$(holding "$tree" trusted)" \
  "./CMakeLists.txt ./cmake/build.cmake ./engine/CMakeLists.txt ./kernels/CMakeLists.txt ./kernels/cuda/rules.cmake ./perfgate/bench/main.cc ./suites/cpu/bench.cc ./tests/check.cc "
expect_lacks "$(files_of "$tree")" suites/cpu/other.cc
expect_lacks "$(files_of "$tree")" benchmark/benchmark.h

# --- the commit itself changes nothing, and again gives the same ---
same=$scratch/same
export_commit "$trusted" "$same" || exit 2
before=$(files_of "$same")
expect_equal "$(take_suite "$trusted" "$same" 2>&1; echo $?)" 0
expect_equal "$(files_of "$same")" "$before"
expect_equal "$(holding "$same" trusted)" "$before"
files=$(files_of "$tree")
expect_equal "$(take_suite "$trusted" "$tree" 2>&1; echo $?)" 0
expect_equal "$(files_of "$tree")" "$files"

# --- a change that drops a library, and a commit that is not there ---
rm -r "$same/engine"
expect_equal "$(take_suite "$trusted" "$same" 2>&1; echo $?)" 0
expect_equal "$(holding "$same" trusted)" "$before"
expect_equal "$(tar() { return 1; }; take_suite "$trusted" "$tree" 2>&1 || echo not copied)" "not copied"
expect_equal "$(take_suite 1234567 "$same" >/dev/null 2>&1 && echo taken || echo refused)" refused

expect_equal "$(git status --porcelain)" ""  # the repository is as it was

finish
