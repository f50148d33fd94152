#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# usage: submit.sh PLAN OUT [sbatch options ...]
# Submits the jobs of a plan (perfgate plan --split) as one Slurm array and the merge after them, and
# prints both ids. With WAIT=1 it waits and exits with the verdict. OUT is a folder that all nodes see,
# and so must be the plan, the executables that it names and perfgate itself (PERFGATE=/path/of/it).
set -eu
if [ $# -lt 2 ] || [ ! -f "$1" ]; then
  sed -n '3,6s/^# //p' "$0" >&2
  exit 64
fi
here=$(cd "$(dirname "$0")" && pwd)
PLAN=$(realpath "$1")
mkdir -p "$2"
OUT=$(realpath "$2")
shift 2
export PLAN OUT
jobs=$(sed -n 's/^ *"jobs": *\([0-9]*\),*$/\1/p' "$PLAN" | head -n 1)
[ -n "$jobs" ] || jobs=$(grep -o '"jobs": *[0-9]*' "$PLAN" | head -n 1 | grep -o '[0-9]*$')
array=$(sbatch --parsable --array="1-$jobs" --output="$OUT/job-%a.log" "$@" "$here/job.sbatch")
wait=()
[ "${WAIT:-0}" = 0 ] || wait=(--wait)
echo "jobs $array, 1 to $jobs"
# A requeued task is no ended one: afterany waits for its last end.
exec sbatch "${wait[@]}" --dependency="afterany:$array" --output="$OUT/merge.log" "$@" "$here/merge.sbatch"
