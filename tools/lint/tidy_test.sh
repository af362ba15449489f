#!/bin/bash
# Runs tidy.py over the source tree that this test was built from.
set -euo pipefail
root=$(dirname "$(readlink -f "$1")")
exec python3 tools/lint/tidy.py "$root"
