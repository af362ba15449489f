#!/bin/bash
# Runs a program and keeps what it prints for the case that it fails.
set -u
output=$("$@" 2>&1)
code=$?
if [ "$code" -ne 0 ]; then
  printf '%s\n' "$output"
  echo "exit $code: $*"
fi
exit "$code"
