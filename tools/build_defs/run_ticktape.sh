#!/bin/bash
# Runs ticktape for the tests of ticktape.bzl: run_ticktape.sh PROGRAM WORD...
#
#   @folder FILE... @end          the journal's folder: where its segments are
#   @program PROGRAM WORD... @end one word, a program with its arguments
#   @source FILE                  the file in the source tree under `bazel run`, else as it is
#
# Exit code 0, or ticktape's. A timing that cannot be judged is said to be so, and passes.
set -u

# Files of other workspaces lie beside this one's.
at() {
  case $1 in
    external/*) printf '../%s' "${1#external/}" ;;
    *) printf '%s' "$1" ;;
  esac
}

fail() {
  echo "run_ticktape: $*" >&2
  exit 2
}

program=$(at "$1")
case $program in */*) ;; *) program=./$program ;; esac
shift
words=()
while [ $# -gt 0 ]; do
  word=$1
  shift
  case $word in
    @folder)
      folder=
      while [ $# -gt 0 ] && [ "$1" != @end ]; do
        case ${1##*/} in
          segment-*.tape)
            found=$(dirname "$(at "$1")")
            [ -z "$folder" ] || [ "$folder" = "$found" ] || fail "segments in two folders: $folder and $found"
            folder=$found
            ;;
        esac
        shift
      done
      shift
      [ -n "$folder" ] || fail "no segment-NNNNNN.tape is among the files of the journal"
      words+=("$folder")
      ;;
    @program)
      command=$(at "$1")
      case $command in */*) ;; *) command=./$command ;; esac
      shift
      while [ $# -gt 0 ] && [ "$1" != @end ]; do
        command="$command $1"
        shift
      done
      shift
      words+=("$command")
      ;;
    @source)
      case ${BUILD_WORKSPACE_DIRECTORY:+tree} in
        tree) words+=("$BUILD_WORKSPACE_DIRECTORY/$1") ;;
        *) words+=("$(at "$1")") ;;
      esac
      shift
      ;;
    *) words+=("$word") ;;
  esac
done

if [ "${words[0]-}" != retime ]; then
  exec "$program" "${words[@]}"
fi

# retime's exit code 5 is for what cannot be told and for what must not be compared alike.
output=$("$program" "${words[@]}" 2>&1)
code=$?
printf '%s\n' "$output"
if [ "$code" -eq 5 ] && grep -q '^INCONCLUSIVE' <<<"$output"; then
  echo "run_ticktape: INCONCLUSIVE is neither a pass nor a failure; more runs (runs = ...) or a quieter machine may tell"
  exit 0
fi
exit "$code"
