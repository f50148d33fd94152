# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# lib.sh: what the commands in ci/ share, and .ci/run. Sourced by bash; runs nothing by itself.
#
# Exit codes here are the wrappers' own, 1 and 2, never one that perfgate uses for a verdict.

say() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; }
die() { say "$@"; exit 2; }

# --- the tools and libraries of the build -------------------------------------------------------

has_header() {
  printf '#include <%s>\n' "$1" | "${CXX:-c++}" -std=c++20 -E -x c++ - >/dev/null 2>&1
}

# Prints the Debian packages whose tool or header is not there, whoever installed it.
missing_packages() {
  local tool header package missing=()
  while read -r tool package; do
    command -v "$tool" >/dev/null 2>&1 || missing+=("$package")
  done <<'END'
c++ g++
cmake cmake
ninja ninja-build
git git
ld.lld lld
bwrap bubblewrap
END
  if command -v "${CXX:-c++}" >/dev/null 2>&1; then
    while read -r header package; do
      has_header "$header" || missing+=("$package")
    done < <(needed_headers)
  else
    while read -r header package; do missing+=("$package"); done < <(needed_headers)
  fi
  echo "${missing[@]}"
}

needed_headers() {
  cat <<'END'
benchmark/benchmark.h libbenchmark-dev
nlohmann/json.hpp nlohmann-json3-dev
CLI/CLI.hpp libcli11-dev
fmt/format.h libfmt-dev
boost/math/distributions/students_t.hpp libboost-dev
openssl/evp.h libssl-dev
elfutils/libdw.h libdw-dev
gelf.h libelf-dev
capstone/capstone.h libcapstone-dev
gtest/gtest.h libgtest-dev
gmock/gmock.h libgmock-dev
END
}

# Installs what is missing. Needs root or passwordless sudo only when something is.
ensure_packages() {
  local missing as_root=()
  missing=$(missing_packages)
  [ -z "$missing" ] && return
  say "missing: $missing"
  if [ "$(id -u)" != 0 ]; then
    sudo -n true 2>/dev/null || die "installing them needs root. Run: apt-get install $missing"
    as_root=(sudo -n)
  fi
  command -v apt-get >/dev/null 2>&1 ||
    die "this system has no apt-get. Install what these Debian packages hold: $missing"
  "${as_root[@]}" apt-get update -qq || die "apt-get update failed"
  # shellcheck disable=SC2086  # a list of names
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
    --no-install-recommends $missing >/dev/null ||
    die "apt-get could not install: $missing"
}

# Arguments for cmake that every build here has in common.
common_cmake_arguments() {
  if command -v ninja >/dev/null 2>&1; then echo -GNinja; fi
  if command -v ccache >/dev/null 2>&1; then
    # Without this ccache keeps nothing that was compiled with a precompiled header.
    echo "-DCMAKE_CXX_COMPILER_LAUNCHER=cmake;-E;env;CCACHE_SLOPPINESS=pch_defines,time_macros;ccache"
  fi
}

# --- the revision that a working tree is compared with ------------------------------------------
#
# Feature branch: the merge base with the default branch. Default branch with uncommitted changes:
# HEAD. Clean default branch: HEAD~1. All functions look at the repository of the current folder.

# The default branch's short name: what origin/HEAD points at, else main, else master.
default_branch() {
  local name
  if name=$(git symbolic-ref --quiet --short refs/remotes/origin/HEAD 2>/dev/null); then
    echo "${name#origin/}"
    return
  fi
  for name in main master; do
    if git rev-parse --quiet --verify "refs/heads/$name" >/dev/null ||
       git rev-parse --quiet --verify "refs/remotes/origin/$name" >/dev/null; then
      echo "$name"
      return
    fi
  done
}

# Whether tracked files differ from HEAD or there are new files that git does not ignore.
tree_is_dirty() { [ -n "$(git status --porcelain --untracked-files=normal)" ]; }

# Whether HEAD counts as the default branch: checked out by name, or detached at its tip.
on_default_branch() {
  local default=$1 current ref
  if current=$(git symbolic-ref --quiet --short HEAD); then
    [ "$current" = "$default" ]
    return
  fi
  for ref in "refs/remotes/origin/$default" "refs/heads/$default"; do
    if [ "$(git rev-parse --quiet --verify "$ref")" = "$(git rev-parse HEAD)" ]; then return 0; fi
  done
  return 1
}

# In a shallow clone a missing ancestor proves nothing: refuse, rather than compare with nothing.
refuse_shallow() {
  [ "$(git rev-parse --is-shallow-repository)" = false ] ||
    die "this clone is shallow and $1 is not in it. Fetch more: git fetch --unshallow"
}

# Prints "COMMIT reason", or nothing where there is no commit to compare with. Exits 2 where the
# base exists but cannot be known. $1: a revision named by the user, may be empty.
choose_base() {
  local named=$1 default commit refs=() ref
  git rev-parse --git-dir >/dev/null || die "git cannot read a repository in $PWD (reason above)"
  if [ -n "$named" ]; then
    commit=$(git rev-parse --quiet --verify "$named^{commit}") || {
      refuse_shallow "$named"
      die "--base $named: no such revision"
    }
    echo "$commit $named"
    return
  fi
  git rev-parse --quiet --verify HEAD >/dev/null || return 0  # no commit yet
  default=$(default_branch)
  [ -n "$default" ] || die "no default branch found (origin/HEAD, main or master); name --base REV"

  if on_default_branch "$default"; then
    if tree_is_dirty; then
      echo "$(git rev-parse HEAD) HEAD (uncommitted changes on $default)"
    elif commit=$(git rev-parse --quiet --verify HEAD~1); then
      echo "$commit HEAD~1 ($default without changes)"
    else
      refuse_shallow HEAD~1
    fi
    return
  fi

  for ref in "refs/remotes/origin/$default" "refs/heads/$default"; do
    if git rev-parse --quiet --verify "$ref" >/dev/null; then refs+=("$ref"); fi
  done
  # With two refs git takes the best common ancestor with either, so a stale one does no harm.
  if commit=$(git merge-base HEAD "${refs[@]}"); then
    echo "$commit merge base with $default"
  else
    refuse_shallow "the merge base with $default"
    die "HEAD and $default have no common ancestor; name --base REV"
  fi
}

# Whether the build files of a commit define the target ($2).
commit_has_target() {
  git grep --quiet --word-regexp --fixed-strings -e "$2" "$1" -- '*CMakeLists.txt' '*.cmake'
}

# --- two source trees and their builds ----------------------------------------------------------

# Writes the files of a commit ($1) to the folder $2. The index is a temporary one, and nothing is
# registered in the repository, so that a killed run leaves nothing to prune.
export_commit() {
  local index
  index=$(mktemp)
  GIT_INDEX_FILE=$index git read-tree "$1" &&
    GIT_INDEX_FILE=$index git checkout-index --all --prefix="$2/"
  local status=$?
  rm -f "$index"
  return $status
}

# Makes the folder $2 the tree of a commit ($1), but for the libraries under test, kernels and
# engine, of which it keeps its own sources. Build files are all of the commit, and a header of the
# folder can take the place of none outside of these libraries.
take_suite() {
  local own library
  own=$(mktemp -d)
  mv "$2" "$own/tree" && mkdir -p "$2" && export_commit "$1" "$2" || return 1
  for library in kernels engine; do
    [ -d "$own/tree/$library" ] || continue
    find "$2/$library" -type f ! -name CMakeLists.txt ! -name '*.cmake' -delete
    (cd "$own/tree" && find "$library" -type f ! -name CMakeLists.txt ! -name '*.cmake' -print0 |
      tar --create --null --files-from=- --file=-) | tar --extract --file=- --directory="$2" ||
      return 1
  done
  rm -rf "$own"
}

# Copies what git would commit here with `git add --all` to the folder $1: tracked files as they
# are now, new files that are not ignored, no deleted ones.
export_tree() {
  mkdir -p "$1"
  git ls-files -z --cached --others --exclude-standard --deduplicate |
    while IFS= read -r -d '' file; do
      if [ -e "$file" ] || [ -L "$file" ]; then printf '%s\0' "$file"; fi
    done | tar --create --no-recursion --null --files-from=- --file=- |
    tar --extract --file=- --directory="$1"
}

# The one executable named $2 below $1.
find_executable() {
  local found
  found=$(find "$1" -name "$2" -type f -perm -u+x -print -quit)
  [ -n "$found" ] || return 1
  echo "$found"
}
