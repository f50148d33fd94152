# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# shell_test.sh: expectations for tests of shell scripts. A test file sources it, calls expect_*
# and ends with `finish`. Work happens in $scratch, which is removed at the end.

failures=0 expectations=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
  failures=$((failures + 1))
  printf 'FAILED %s:%s: %s\n' "${BASH_SOURCE[2]##*/}" "${BASH_LINENO[1]}" "$*" >&2
}
expect_equal() {  # ACTUAL EXPECTED
  expectations=$((expectations + 1))
  [ "$1" = "$2" ] || fail "got '$1', expected '$2'"
}
expect_contains() {  # TEXT PART
  expectations=$((expectations + 1))
  case $1 in *"$2"*) ;; *) fail "'$2' is not in: $1" ;; esac
}
expect_lacks() {  # TEXT PART
  expectations=$((expectations + 1))
  case $1 in *"$2"*) fail "'$2' is in: $1" ;; esac
}
finish() {
  printf '%d expectations, %d failed\n' "$expectations" "$failures"
  [ "$expectations" -gt 0 ] && [ "$failures" -eq 0 ]
}

# A git that reads nobody's configuration, with a fixed author.
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
export GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@example.org GIT_COMMITTER_NAME=t
export GIT_COMMITTER_EMAIL=t@example.org
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE

commit() {  # MESSAGE: commits everything in the current repository
  git add --all && git commit --quiet --allow-empty --message "$1" && git rev-parse HEAD
}
