#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# perfgate_run_fleet.sh: what the tests made by perfgate_add_fleet() run.
#
# usage: perfgate_run_fleet.sh plan NAME PERFGATE OUTPUT CANDIDATE BUILD BASELINE_BUILD JOBS [options...]
#        perfgate_run_fleet.sh job NAME PERFGATE OUTPUT NUMBER
#        perfgate_run_fleet.sh verdict NAME PERFGATE OUTPUT
#
# A job fails where it could not be measured; what is wrong with a case only the verdict says.
# Exit codes: those of perfgate; 77 where BASELINE_BUILD is empty; 65 where an executable is missing.
set -u

if [ $# -lt 4 ]; then
  sed -n '5,7s/^# //p' "$0" >&2
  exit 64
fi
step=$1 name=$2 perfgate=$3 output=$4
shift 4
plan=$output/fleet.json

case $step in
  plan)
    candidate=$1 build=$2 baseline_build=$3 jobs=$4
    shift 4
    # Nothing of an earlier run may be taken for this one's.
    rm -rf "$output" && mkdir -p "$output" || exit 65
    if [ -z "$baseline_build" ]; then
      echo "perfgate: fleet '$name' is skipped: name a build of the state to compare with," \
           "-DPERFGATE_BASELINE_BUILD=/path/to/baseline-build" >&2
      exit 77
    fi
    baseline=$baseline_build/${candidate#"$build"/}
    for executable in "$candidate" "$baseline"; do
      if [ ! -x "$executable" ]; then
        echo "perfgate: fleet '$name': there is no executable $executable; build it" >&2
        exit 65
      fi
    done
    if [ "$(cksum <"$candidate")" = "$(cksum <"$baseline")" ]; then
      echo "perfgate: fleet '$name' is skipped: baseline and candidate are one executable"
      exit 77
    fi
    exec "$perfgate" plan --split "$jobs" --suite "$name" --baseline "$baseline" --candidate "$candidate" \
      --output "$plan" "$@" ;;
  job)
    [ -f "$plan" ] || exit 77
    # The core that CTest has set aside: "id:2,slots:1".
    cpu=$(printf '%s\n' "${CTEST_RESOURCE_GROUP_0_CORES-}" | sed -n 's/^id:\([0-9]*\),.*/\1/p')
    "$perfgate" run --fleet "$plan" --job "$1" --session "$output/job-$1.json" ${cpu:+--cpu "$cpu"}
    code=$?
    [ $code -ne 11 ] || code=0  # the verdict says which case failed
    exit $code ;;
  verdict)
    [ -f "$plan" ] || exit 77
    exec "$perfgate" merge "$plan" "$output"/job-*.json --json "$output/$name.verdict.json" \
      --session "$output/$name.session.json" ;;
  *)
    echo "perfgate: unknown step '$step'" >&2
    exit 64 ;;
esac
