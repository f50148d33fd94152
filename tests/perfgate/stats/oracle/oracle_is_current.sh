#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: oracle_is_current.sh SOURCE_DIR
# Writes the oracle anew with a Python that has scipy and compares numbers to 8 digits (versions of
# scipy differ in the last ones). Skipped (77) where there is none.
here=$1/tests/perfgate/stats/oracle
for python in python3 /usr/bin/python3; do
  "$python" -c 'import scipy' 2>/dev/null || continue
  "$python" -B "$here/make_oracle.py" | "$python" -B "$here/compare.py" "$1/tests/data/stats_oracle.json"
  exit $?
done
echo "no python3 with scipy"
exit 77
