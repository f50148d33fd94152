#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# golden.sh: writes tests/data/engine/*.golden with the oracle. Needs numpy.
#
# usage: tests/engine/golden.sh ENGINE
#
# Positions past 64: a wrong pairing in the rotation hides in short prompts.
set -euo pipefail
engine=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
ids=$(seq 0 79 | awk '{print ($1 * 37 + 11) % 256}' | paste -sd,)
for preset in tiny odd gqa7; do
  "$engine" synth --preset "$preset" --dtype f32 --out "$scratch/$preset" >&2
  python3 oracle.py "$scratch/$preset" "$ids" --write "../data/engine/$preset.golden" \
    --positions 0,1,31,64,79
done
