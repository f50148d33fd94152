#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# install_anew_test.sh: builds perfgate as its users do: inside a project that fetches it, and on a
# bare Debian by the commands of README.md, word for word.
#
# usage: install_anew_test.sh SOURCE_DIR GENERATOR
#
# The bare Debian needs root, debootstrap and a mirror, which is this machine's own; where one of them
# is missing that part is left out. Exit code 77 when it was left out and everything else passed.
# shellcheck disable=SC2016  # $ and ` are for others to read
set -uo pipefail
source_dir=$1 generator=$2
# shellcheck source=tests/e2e/shell_test.sh
source "$source_dir/tests/e2e/shell_test.sh"

quietly() { "$@" >"$scratch/log" 2>&1 || { tail -50 "$scratch/log"; fail "$*"; finish; exit 1; }; }

# --- FetchContent ---
mkdir "$scratch/projects"
cp -r "$source_dir/tests/e2e/consumer" "$source_dir/tests/e2e/fetched" "$scratch/projects"
quietly cmake -S "$scratch/projects/fetched" -B "$scratch/fetched" -G "$generator" \
  -DPERFGATE_SOURCE="$source_dir" -DCMAKE_UNITY_BUILD=ON -DCMAKE_BUILD_TYPE=Release
quietly cmake --build "$scratch/fetched" --parallel "$(nproc)"
quietly cmake "$scratch/fetched" -DPERFGATE_BASELINE_BUILD="$scratch/fetched"
expect_contains "$(ctest --test-dir "$scratch/fetched" -L perf)" "100% tests passed"

# --- a bare Debian ---
mirror() {
  apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 2>/dev/null |
    awk -v release="$1" '$2 == release { print $1; exit }'
}
release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
if [ "$(id -u)" != 0 ] || ! command -v debootstrap >/dev/null || [ -z "$(mirror "$release")" ]; then
  echo "no bare Debian: that needs root, debootstrap and a mirror of $release"
  finish && exit 77
  exit 1
fi
root=$scratch/root
quietly debootstrap --variant=minbase "$release" "$root" "$(mirror "$release")"
cp /etc/resolv.conf /etc/hosts "$root/etc"
cp /etc/apt/apt.conf.d/* "$root/etc/apt/apt.conf.d" 2>/dev/null
mkdir "$root/perfgate"
(cd "$source_dir" && git ls-files -z --cached --others --exclude-standard --deduplicate |
  tar --create --no-recursion --null --files-from=- --file=-) | tar --extract --directory="$root/perfgate"

# The commands of the first block below "## Install"; whoever is root needs no sudo.
{
  echo 'set -e'
  echo 'cd /perfgate'
  echo 'apt-get update -qq'
  sed -n '/^## Install/,/^## [^I]/p' "$source_dir/README.md" | sed -n '/^```/,/^```/{/^```/d;p}' |
    sed '/^perfgate demo/q' | sed 's/sudo //; s/apt-get install/apt-get install -y -qq/'
} >"$root/commands"
expect_contains "$(cat "$root/commands")" "cmake --install"
expect_contains "$(cat "$root/commands")" "perfgate demo"
# shellcheck disable=SC2016  # expanded inside
if ! unshare --mount --pid --fork --kill-child bash -c '
    mount --bind /dev "$1/dev" && mount -t proc proc "$1/proc" && mount -t sysfs sys "$1/sys" &&
      DEBIAN_FRONTEND=noninteractive chroot "$1" bash -x /commands' sh "$root" >"$scratch/log" 2>&1; then
  tail -50 "$scratch/log"
  fail "the commands of README.md on a bare Debian"
fi
expect_contains "$(cat "$scratch/log")" "demo/changed"

finish
