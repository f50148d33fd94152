#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# install.sh: makes `perfgate` a command of the following steps of a job.
#
# One that is in the PATH is taken. Otherwise it is built from the sources that this file lies in.
# Variables: ROOT, the top of these sources; RUNNER_TEMP and GITHUB_PATH, as GitHub defines them.
set -euo pipefail

if command -v perfgate >/dev/null 2>&1; then
  perfgate --version
  exit 0
fi
[ -f "$ROOT/perfgate/cli/main.cc" ] || {
  echo "::error title=perfgate::perfgate is not installed, and its sources are not here" >&2
  exit 2
}
# shellcheck source=ci/lib.sh
source "$ROOT/ci/lib.sh"
ensure_packages
mapfile -t common < <(common_cmake_arguments)
build=$RUNNER_TEMP/perfgate-build
log=$RUNNER_TEMP/perfgate-build.log
build_perfgate() {
  cmake -S "$ROOT" -B "$build" "${common[@]}" -DCMAKE_BUILD_TYPE=Release -DPERFGATE_TESTS=OFF \
    -DPERFGATE_CUDA=OFF && cmake --build "$build" --parallel "$(nproc)" --target perfgate
}
build_perfgate >"$log" 2>&1 || {
  tail -n 40 "$log" >&2
  echo "::error title=perfgate::perfgate does not build here" >&2
  exit 2
}
dirname "$(find_executable "$build" perfgate)" >>"$GITHUB_PATH"
