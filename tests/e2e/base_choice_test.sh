#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# base_choice_test.sh: which revision ci/gate compares with, on scratch repositories.
#
# usage: base_choice_test.sh SOURCE_DIR
set -uo pipefail
source_dir=$1
# shellcheck source=tests/e2e/shell_test.sh
source "$source_dir/tests/e2e/shell_test.sh"
# shellcheck source=ci/lib.sh
source "$source_dir/ci/lib.sh"

chosen() { ( choose_base "${1:-}" ) 2>/dev/null | cut -d' ' -f1; }
status_of() { ( choose_base "${1:-}" ) >/dev/null 2>&1; echo $?; }
message_of() { { ( choose_base "${1:-}" ) >/dev/null; } 2>&1; }

new_repository() {  # NAME [BRANCH]
  git init --quiet --initial-branch="${2:-main}" "$scratch/$1" && cd "$scratch/$1" || exit 2
}

# --- default branch ---
new_repository linear
echo one >file
expect_equal "$(chosen)" ""  # no commit yet
expect_equal "$(status_of)" 0
first=$(commit first)
expect_equal "$(chosen)" ""  # a first commit has no base
expect_equal "$(status_of)" 0
echo two >file
expect_equal "$(chosen)" "$first"  # dirty: HEAD
second=$(commit second)
expect_equal "$(chosen)" "$first"  # clean: HEAD~1
touch untracked
expect_equal "$(chosen)" "$second"  # a new file is a change
rm untracked
echo ignored >.gitignore
third=$(commit third)
touch ignored
expect_equal "$(chosen)" "$second"  # an ignored one is not
rm file
expect_equal "$(chosen)" "$third"  # a deletion is
git checkout --quiet -- file
expect_equal "$(chosen "$first")" "$first"  # --base wins
expect_equal "$(chosen HEAD~2)" "$first"
expect_equal "$(status_of nonsense)" 2
expect_contains "$(message_of nonsense)" "no such revision"

# --- feature branch ---
git checkout --quiet -b feature
expect_equal "$(chosen)" "$third"  # nothing on it yet
echo more >file
expect_equal "$(chosen)" "$third"
commit fourth >/dev/null
echo yet more >file
commit fifth >/dev/null
expect_equal "$(chosen)" "$third"  # clean or dirty, two commits on: the merge base
echo dirty >file
expect_equal "$(chosen)" "$third"
git checkout --quiet -- file
git checkout --quiet main
echo ahead >other
sixth=$(commit sixth)
git checkout --quiet feature
expect_equal "$(chosen)" "$third"  # the default branch moved on
git merge --quiet --no-edit main
expect_equal "$(chosen)" "$sixth"  # and was merged in
git checkout --quiet --detach feature
expect_equal "$(chosen)" "$sixth"  # detached off the default branch
git checkout --quiet --detach main
expect_equal "$(chosen)" "$third"  # detached at its tip counts as being on it

# --- merge commit on the default branch: the first parent ---
git checkout --quiet main
git merge --quiet --no-ff --no-edit feature
expect_equal "$(chosen)" "$sixth"

# --- other names of the default branch ---
new_repository old_name master
commit first >/dev/null
commit second >/dev/null
expect_equal "$(chosen)" "$(git rev-parse HEAD~1)"
new_repository unknown_name trunk
commit first >/dev/null
expect_equal "$(status_of)" 2
expect_contains "$(message_of)" "--base"

# --- clones: origin/HEAD names the default branch, and the better of two refs counts ---
new_repository upstream trunk
commit first >/dev/null
base=$(commit second)
git clone --quiet "$scratch/upstream" "$scratch/clone" 2>/dev/null && cd "$scratch/clone" || exit 2
expect_equal "$(default_branch)" trunk
git checkout --quiet -b feature
echo change >file
commit change >/dev/null
expect_equal "$(chosen)" "$base"
git branch --quiet -D trunk  # CI checks out no local default branch
expect_equal "$(chosen)" "$base"
git branch --quiet trunk "$base~1"  # a local default branch that is behind its origin
expect_equal "$(chosen)" "$base"
git update-ref refs/remotes/origin/trunk "$base~1"  # and the other way round
git branch --quiet --force trunk "$base"
expect_equal "$(chosen)" "$base"

# --- shallow clones must not look like a history without base ---
git clone --quiet --depth 1 "file://$scratch/upstream" "$scratch/shallow" 2>/dev/null &&
  cd "$scratch/shallow" || exit 2
expect_equal "$(status_of)" 2
expect_contains "$(message_of)" "shallow"

# --- unrelated history; no repository ---
cd "$scratch/linear" || exit 2
git checkout --quiet --orphan unrelated
commit alone >/dev/null
expect_equal "$(status_of)" 2
mkdir "$scratch/plain" && cd "$scratch/plain" || exit 2
export GIT_CEILING_DIRECTORIES=$scratch
expect_equal "$(status_of)" 2

# --- whether the base has the suite ---
new_repository suite
echo 'add_executable(other_bench x.cc) # kernels_bench_old' >CMakeLists.txt
commit none >/dev/null
expect_equal "$(commit_has_target HEAD kernels_bench && echo yes || echo no)" no
mkdir suites
echo 'add_executable(kernels_bench x.cc)' >suites/CMakeLists.txt
commit some >/dev/null
expect_equal "$(commit_has_target HEAD kernels_bench && echo yes || echo no)" yes
expect_equal "$(commit_has_target HEAD~1 kernels_bench && echo yes || echo no)" no

# --- exports ---
new_repository export
mkdir -p 'dir with space'
echo old >'dir with space/file'
echo gone >deleted
ln -s deleted link
echo ignored >.gitignore
commit content >/dev/null
echo new >'dir with space/file'
echo extra >untracked
echo x >ignored
rm deleted
expect_equal "$(export_commit HEAD "$scratch/out_commit" 2>&1; echo $?)" 0
expect_equal "$(export_tree "$scratch/out_tree" 2>&1; echo $?)" 0
expect_equal "$(cat "$scratch/out_commit/dir with space/file")" old
expect_equal "$(cat "$scratch/out_tree/dir with space/file")" new
expect_equal "$(cd "$scratch/out_commit" && find . -type f -o -type l | LC_ALL=C sort | tr '\n' ' ')" \
  "./.gitignore ./deleted ./dir with space/file ./link "
expect_equal "$(cd "$scratch/out_tree" && find . -type f -o -type l | LC_ALL=C sort | tr '\n' ' ')" \
  "./.gitignore ./dir with space/file ./link ./untracked "
expect_equal "$(git status --porcelain | tr '\n' '|')" \
  ' D deleted| M "dir with space/file"|?? untracked|'  # exporting changed nothing here

finish
