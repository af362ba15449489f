#!/bin/bash
# Runs ticktape for the tests of ticktape.bzl: run_ticktape.sh PROGRAM WORD...
#
#   @folder FILE... @end          a copy of the journal's folder: Bazel lays out files as links, which no journal has
#   @program PROGRAM WORD... @end one word, a program with its arguments
#   @source FILE                  the file in the source tree under `bazel run`, else as it is
#
# Exit code 0, or ticktape's. An inconclusive timing is reported, and passes.
set -u

# Files of other workspaces are next to this one's.
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
copies=$(mktemp -d "${TEST_TMPDIR:-/tmp}/ticktape.XXXXXX") || exit 2
trap 'rm -rf "$copies"' EXIT

# copy_journal FILE...: sets $folder to the copy.
copy_journal() {
  local file found=
  for file in "$@"; do
    case ${file##*/} in
      segment-*.tape)
        [ -z "$found" ] || [ "$found" = "${file%/*}" ] || fail "segments in two folders: $found and ${file%/*}"
        found=${file%/*}
        ;;
    esac
  done
  [ -n "$found" ] || fail "no segment-NNNNNN.tape is among the files of the journal"
  folder=$(mktemp -d "$copies/XXXXXX")/${found##*/} || exit 2
  for file in "$@"; do
    case $file in
      "$found"/*)
        mkdir -p "$(dirname "$folder/${file#"$found"/}")" &&
          cp --dereference "$file" "$folder/${file#"$found"/}" || fail "the journal cannot be copied"
        ;;
    esac
  done
}

while [ $# -gt 0 ]; do
  word=$1
  shift
  case $word in
    @folder)
      files=()
      while [ $# -gt 0 ] && [ "$1" != @end ]; do
        files+=("$(at "$1")")
        shift
      done
      shift
      copy_journal "${files[@]}"
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
  "$program" "${words[@]}"
  exit
fi

# retime's exit code 5 means both: inconclusive, and not comparable.
output=$("$program" "${words[@]}" 2>&1)
code=$?
printf '%s\n' "$output"
if [ "$code" -eq 5 ] && grep -q '^INCONCLUSIVE' <<<"$output"; then
  echo "run_ticktape: INCONCLUSIVE is neither a pass nor a failure; more runs (runs = ...) or a quieter machine may tell"
  exit 0
fi
exit "$code"
