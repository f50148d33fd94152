#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# comment.sh: posts FOLDER/verdict.json, which perfgate reads and never believes blindly: exit and
# summary have to follow from its columns, and the pull request has to be at the commit HEAD.
#
# Variables: the inputs of action.yml in capitals.
set -euo pipefail

arguments=(ci comment --token-file - --head-sha "$HEAD")
if [ -n "${NUMBER:-}" ]; then arguments+=(--number "$NUMBER"); fi
if [ -n "${LINK:-}" ]; then arguments+=(--link "$LINK"); fi
if [ -f "$FOLDER/verdict.json" ]; then
  arguments+=("$FOLDER/verdict.json")
elif [ -n "${NUMBER:-}" ]; then
  arguments+=(--none --name "$SUITE")
else
  echo "::notice title=perfgate::the run made no verdict, and nobody says for which pull request"
  exit 0
fi
printf '%s' "$TOKEN" | perfgate "${arguments[@]}"
