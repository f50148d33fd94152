#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: compare.py FILE < OTHER      exits 1 where the two JSON documents differ in a number."""
import json
import math
import sys


def difference(a, b, where=""):
    """The first place where a and b differ, or None. `about` names versions and may differ."""
    if isinstance(a, dict) and isinstance(b, dict):
        if a.keys() != b.keys():
            return f"{where}: keys"
        pairs = [(k, a[k], b[k]) for k in a if k != "about"]
    elif isinstance(a, list) and isinstance(b, list):
        if len(a) != len(b):
            return f"{where}: {len(a)} and {len(b)} items"
        pairs = list(zip(range(len(a)), a, b))
    elif isinstance(a, str) or isinstance(b, str):
        return None if a == b else f"{where}: {a!r} and {b!r}"
    else:
        close = math.isclose(a, b, rel_tol=1e-8, abs_tol=1e-300)
        return None if close else f"{where}: {a!r} and {b!r}"
    for key, x, y in pairs:
        found = difference(x, y, f"{where}/{key}")
        if found:
            return found
    return None


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as committed:
        found = difference(json.load(committed), json.load(sys.stdin))
    if found:
        sys.exit("differs at " + found)
