#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# gate_script_test.sh: ci/gate from arguments to exit code, in a scratch repository, with a `cmake`
# that copies scripts instead of compiling.
#
# usage: gate_script_test.sh SOURCE_DIR
# shellcheck disable=SC2016  # scripts are written, not expanded
set -uo pipefail
source_dir=$1
# shellcheck source=tests/e2e/shell_test.sh
source "$source_dir/tests/e2e/shell_test.sh"

# "Builds" bench.sh to kernels_bench and judge.sh to perfgate; fails where the tree has a file
# `broken`. Notes its arguments.
mkdir "$scratch/bin"
cat >"$scratch/bin/cmake" <<'END'
#!/usr/bin/env bash
echo "cmake $*" >>"$FAKE_LOG"
if [ "$1" = -S ]; then
  mkdir -p "$4" && echo "$2" >"$4/source"
  exit
fi
src=$(cat "$2/source")
[ -e "$src/broken" ] && { echo "error: broken.cc:1"; exit 1; }
mkdir -p "$2/suites" "$2/perfgate/cli"
install -m 755 "$src/bench.sh" "$2/suites/kernels_bench"
case " $* " in *" perfgate "*) install -m 755 "$src/judge.sh" "$2/perfgate/cli/perfgate" ;; esac
END
chmod +x "$scratch/bin/cmake"
export PATH=$scratch/bin:$PATH FAKE_LOG=$scratch/log

repository=$scratch/repo
git init --quiet --initial-branch=main "$repository" && cd "$repository" || exit 2
mkdir -p ci suites perfgate/cli baselines/policy
cp "$source_dir/ci/gate" "$source_dir/ci/lib.sh" ci/
# The fake build needs none of the libraries.
echo 'ensure_packages() { :; }' >>ci/lib.sh
echo /.cache/ >.gitignore

gate() {  # runs ci/gate; status and output in $status and $output
  : >"$FAKE_LOG"
  status=0
  output=$(bash ci/gate "$@" 2>&1) || status=$?
  log=$(cat "$FAKE_LOG")
}
judge_with() {  # EXIT NAME: a perfgate that notes its call, and the exit code it gives
  printf '#!/bin/sh\necho "%s $*" >>"$FAKE_LOG"\necho table of %s\nexit %s\n' \
    "$2" "$2" "$1" >judge.sh
}

# --- no commit; no suite in the base: every case new, exit 0 ---
printf '#!/bin/sh\n[ "$1" = --benchmark_list_tests ] && printf "gemm/m:64\\nsort/n:8\\n"\n' >bench.sh
judge_with 10 first
echo 'add_executable(kernels_bench bench.cc)' >suites/CMakeLists.txt
echo '# perfgate' >perfgate/cli/CMakeLists.txt
gate
expect_equal "$status" 0
expect_contains "$output" "there is no earlier commit"
expect_contains "$output" "gemm/m:64  new"
expect_contains "$output" "sort/n:8  new"
expect_lacks "$log" "first gate"  # nothing was judged

mv suites "$scratch/suites_later"
commit "no suite" >/dev/null
mv "$scratch/suites_later" suites
gate
expect_equal "$status" 0
expect_contains "$output" "has no suite kernels"
expect_contains "$output" "gemm/m:64  new"
commit "suite" >/dev/null

# --- a change on the default branch ---
echo '# changed' >>bench.sh
judge_with 0 softened
gate --budget 5s --filter 'gemm.*'
expect_equal "$status" 10  # the base judges, so the softened judge has no say
expect_contains "$output" "uncommitted changes on main"
expect_contains "$output" "table of first"
expect_contains "$log" "first gate --baseline $repository/.cache/gate/base/build/suites/kernels_bench \
--candidate $repository/.cache/gate/cand/build/suites/kernels_bench"
expect_contains "$log" "--budget 5s --filter gemm.*"
expect_contains "$log" "--json $repository/.cache/gate/verdict.json"
expect_lacks "$log" "--policy"
expect_contains "$log" "-DCMAKE_BUILD_TYPE=Release -DPERFGATE_TESTS=OFF -DPERFGATE_CUDA=OFF"
expect_contains "$log" "-ffile-prefix-map=$repository/.cache/gate/base/="
expect_contains "$log" "-ffile-prefix-map=$repository/.cache/gate/cand/="
expect_equal "$(cat .cache/gate/cand/build/suites/kernels_bench)" "$(cat bench.sh)"
expect_equal "$(cat .cache/gate/base/build/suites/kernels_bench)" "$(git show HEAD:bench.sh)"
expect_equal "$(find .cache/gate -name src)" ""  # cleaned up
expect_equal "$(git worktree list | wc -l)" 1
gate --judge candidate
expect_equal "$status" 0
expect_contains "$log" "softened gate"

# --- the policy is the judge's ---
echo base >baselines/policy/kernels.json
judge_with 12 second
commit "policy" >/dev/null
echo changed >baselines/policy/kernels.json
gate
expect_equal "$status" 12
expect_contains "$log" "--policy $repository/.cache/gate/policy.json"
expect_equal "$(cat .cache/gate/policy.json)" base
gate --judge=candidate
expect_equal "$(cat .cache/gate/policy.json)" changed

# --- A/A builds once and hands the same executable over twice ---
gate --aa
expect_equal "$status" 12
expect_contains "$log" "gate --baseline $repository/.cache/gate/cand/build/suites/kernels_bench \
--candidate $repository/.cache/gate/cand/build/suites/kernels_bench --aa"
expect_lacks "$log" "gate/base"

# --- exit codes pass through, all of them; deaths become internal errors ---
for code in 0 10 11 12 13 14 15 64 65 70 77; do
  judge_with "$code" third
  gate --aa
  expect_equal "$status" "$code"
done
judge_with '0; kill -SEGV $$' third
sed -i 's/^exit 0;/:;/' judge.sh
gate --aa
expect_equal "$status" 70
expect_contains "$output" "signal 11"

# --- builds that fail are no verdict ---
judge_with 10 fourth
touch broken
gate
expect_equal "$status" 1
expect_contains "$output" "the working tree does not build"
expect_contains "$output" "broken.cc:1"
expect_lacks "$log" " gate "
commit "broken" >/dev/null
rm broken
gate
expect_equal "$status" 2
expect_contains "$output" "the base"
expect_contains "$output" "does not build"
git reset --quiet --hard HEAD~1

# --- a base named by the user, and mistakes ---
gate --base HEAD~1
expect_contains "$output" "base $(git rev-parse --short HEAD~1), HEAD~1"
expect_equal "$status" 10
gate --base=nonsense
expect_equal "$status" 2
gate --base
expect_equal "$status" 2
gate --judge nobody
expect_equal "$status" 2
gate --help
expect_equal "$status" 0
expect_contains "$output" "usage: ci/gate"

# --- one at a time ---
exec 8>.cache/gate/lock
flock 8
gate --aa
expect_equal "$status" 2
expect_contains "$output" "another ci/gate"
exec 8>&-

# --- interrupted: the child gets the signal, the sources go ---
printf '#!/bin/sh\ntrap "echo stopped >>%s; exit 143" TERM\necho started >>%s\nfor i in $(seq 400); do sleep 0.05; done\n' \
  "$FAKE_LOG" "$FAKE_LOG" >judge.sh
: >"$FAKE_LOG"
bash ci/gate --aa >/dev/null 2>&1 &
script=$!
for _ in $(seq 200); do grep -q started "$FAKE_LOG" && break; sleep 0.05; done
kill -TERM "$script"
status=0
wait "$script" || status=$?
expect_equal "$status" 143
expect_contains "$(cat "$FAKE_LOG")" stopped
expect_equal "$(find .cache/gate -name src)" ""

finish
