#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# perfgate_keep_link.sh: runs a link command and keeps it, for `perfgate relink --command-file`.
#
# usage: perfgate_keep_link.sh FILE COMMAND [ARGUMENT...]
#
# FILE gets the current folder and the words of the command, each ended by a zero byte. Response
# files (@file) are copied beside FILE, because build tools remove them after linking.
set -u
file=$1
shift
{
  printf '%s\0' "$PWD"
  number=0
  for word; do
    case $word in
      @*)
        if [ -f "${word#@}" ]; then
          number=$((number + 1))
          cp "${word#@}" "$file.rsp$number"
          word=@$file.rsp$number
        fi ;;
    esac
    printf '%s\0' "$word"
  done
} >"$file.new" && mv "$file.new" "$file"
exec "$@"
