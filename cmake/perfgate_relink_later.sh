#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# perfgate_relink_later.sh: an executable of a build tree as a folder of layouts, which a gate links
# when it needs them.
#
# usage: perfgate_relink_later.sh PERFGATE EXECUTABLE OPTIONS
#
# OPTIONS is the file TARGET.relink that perfgate_add_layouts() wrote into the build tree. Prints the
# folder. Exit code 1 where there is no such file or the executable cannot be linked again, with the
# reason on standard error.
set -u
perfgate=$1 executable=$2 options=$3
if [ ! -f "$options" ]; then
  echo "perfgate: no layouts of $executable: there is no $options (perfgate_add_layouts makes it)" >&2
  exit 1
fi
if ! tr '\n' '\0' <"$options" |
  xargs -0 "$perfgate" relink --later --output "$executable.layouts" >/dev/null; then
  echo "perfgate: no layouts of $executable; it is compared as it is linked" >&2
  exit 1
fi
echo "$executable.layouts"
