#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# gate.sh: one gate as a step of a job. Its exit code is that of `perfgate ci`.
#
# Variables: the inputs of action.yml in capitals; GITHUB_OUTPUT, as GitHub defines it.
set -euo pipefail

arguments=(ci --output "$FOLDER" "--isolate=${ISOLATE:-require}")
add() { [ -z "$2" ] || arguments+=("$1" "$2"); }
add --target "${TARGET:-}"
add --configure "${CONFIGURE:-}"
add --source "${SOURCE:-}"
add --build "${BUILD:-}"
add --bench "${BENCH:-}"
add --suite "${SUITE:-}"
add --policy "${POLICY:-}"
add --accept "${ACCEPT:-}"
# Words as a shell splits them, with nothing expanded.
words=$(printf '%s' "${OPTIONS:-}" | xargs -r -n 1 printf '%s\n') || {
  echo "::error title=perfgate::options: a quote is not closed"
  exit 64
}
more=()
if [ -n "$words" ]; then mapfile -t more <<<"$words"; fi

status=0
perfgate "${arguments[@]}" "${more[@]}" || status=$?
if [ -n "${GITHUB_OUTPUT:-}" ]; then echo "exit=$status" >>"$GITHUB_OUTPUT"; fi

# Annotations at the lines of the benchmarks; the verdict stands without them.
if [ -f "$FOLDER/verdict.json" ]; then
  perfgate report --format github --sources . "$FOLDER/verdict.json" 2>/dev/null || true
fi
exit "$status"
