#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# oracle_test.sh ENGINE: logits of small models, f32 and bf16, against the float64 oracle.
#
# Exit code 77 where numpy is missing. A bf16 model differs by the rounding of its cache.
set -eu
# The python3 found first need not be the one that the system's numpy belongs to.
for python in python3 /usr/bin/python3 ""; do
  [ -n "$python" ] || exit 77
  "$python" -c "import numpy" 2>/dev/null && break
done
here=$(dirname "$0")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
ids=$(seq 0 99 | awk '{print ($1 * 37 + 11) % 256}' | paste -sd,)
for preset in tiny odd gqa7; do
  for dtype in f32 bf16; do
    limit=5e-6
    [ $dtype = f32 ] || limit=1e-2
    "$1" synth --preset $preset --dtype $dtype --force --out "$scratch/m"
    for how in "" --incremental; do
      # shellcheck disable=SC2086
      "$1" logits --model "$scratch/m" --prompt-ids "$ids" --out "$scratch/logits" $how
      "$python" -B "$here/oracle.py" "$scratch/m" "$ids" --compare "$scratch/logits" --limit $limit
    done
  done
done
