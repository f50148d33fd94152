#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A cold start is measured stage by stage, and perfgate reads the result.
# usage: engine_cold_test.sh SOURCE ENGINE PERFGATE
set -eu
command -v python3 >/dev/null || exit 77
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$2" synth --preset tiny --out "$folder/tiny" >/dev/null
python3 -B "$1/suites/engine/engine_cold.py" --engine "$2" --model "$folder/tiny" \
  --output "$folder/cold" --rounds 2 --states warm
"$3" import "$folder"/cold/round_*.json --output "$folder/cold.session.json"
"$3" report "$folder/cold.session.json" > "$folder/report.txt"
for stage in process weights first_token total; do
  grep -q "$stage" "$folder/report.txt" || { cat "$folder/report.txt"; exit 1; }
done
# Stages add up to the total.
python3 - "$folder/cold/round_01.json" <<'EOF'
import json, sys
total = parts = 0
for row in json.load(open(sys.argv[1]))["benchmarks"]:
    if row["name"].endswith("stage:total"):
        total += row["real_time"]
    else:
        parts += row["real_time"]
assert abs(parts - total) < 1e-6 * total, (parts, total)
EOF
