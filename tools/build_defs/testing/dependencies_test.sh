#!/bin/bash
# dependencies_test.sh WORKSPACE DEPENDENCIES: both name the same repositories.
set -u
declared=$(sed -n 's/^    name = "\(.*\)",$/\1/p' "$1" | sort)
offered=$(sed -n 's/^    "\([a-z0-9_-]*\)"\(,\|: .*\)$/\1/p' "$2" | sort)
if [ -z "$declared" ] || [ "$declared" != "$offered" ]; then
  echo "WORKSPACE.bazel and dependencies.bzl name different repositories:"
  diff <(echo "$declared") <(echo "$offered")
  exit 1
fi
