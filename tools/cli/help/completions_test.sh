#!/usr/bin/env bash
# Completes command lines as bash does, with the completions that the program prints.
set -euo pipefail
program=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir a.tape b.tape
touch orders.txt
"$program" completions bash > completions.bash
# shellcheck disable=SC1091
source completions.bash

failures=0
# expect LINE WORD...: what completing the last word of LINE offers, among other words or alone.
complete_line() {
  read -r -a COMP_WORDS <<< "$1"
  [[ $1 == *" " ]] && COMP_WORDS+=("")
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  COMPREPLY=()
  _ticktape
}
fail() {
  echo "'$1' offers '${COMPREPLY[*]}', expected $2" >&2
  failures=$((failures + 1))
}
offers() {
  complete_line "$1"
  local word
  for word in "${@:2}"; do
    [[ " ${COMPREPLY[*]} " == *" $word "* ]] || fail "$1" "$word"
  done
}
only() {
  complete_line "$1"
  [[ "${COMPREPLY[*]}" == "${*:2}" ]] || fail "$1" "only '${*:2}'"
}

# Every verb, and every option of every verb, by its own help.
verbs=$("$program" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z-]*\)  *.*/\1/p')
[[ $(wc -w <<< "$verbs") -gt 20 ]]
for verb in $verbs; do
  offers "ticktape " "$verb"
  options=$("$program" "$verb" --help | sed -n '/^Options:/,/^[A-Z].*:$/s/^  \(-[a-zA-Z],\)\{0,1\}\(--[a-z-]*\).*/\2/p')
  for option in $options; do offers "ticktape $verb -" "$option"; done
done

only "ticktape exp" export
only "ticktape record --from " csv dbn itch jsonl kalshi-capture lobster text workload
only "ticktape record --from js" jsonl
only "ticktape export a.tape --what ev" events
only "ticktape export a" a.tape
only "ticktape export --format csv b" b.tape
only "ticktape record --from text ord" orders.txt
only "ticktape merge a.tape b.tape a" a.tape
only "ticktape completions f" fish
offers "ticktape snapshot " make list restore
offers "ticktape snapshot make --" --help
only "ticktape snapshot make a" a.tape
only "ticktape cat a.tape " ""
offers "ticktape --m" --machine
only "ticktape --machine ord" orders.txt
only "ticktape --machine ./joiner exp" export
only "ticktape replay --machine ord" orders.txt
only "ticktape golden check ord" orders.txt
only "ticktape golden check --journal b" b.tape
only "ticktape inspect a.tape --depth 5 --engine ref" reference
# A word of the help that the option would take as well as any other is no choice.
only "ticktape retime a.tape --gate " ""
# As bash cuts it: at the equals sign.
COMP_WORDS=(ticktape record --from = te) COMP_CWORD=4 COMPREPLY=()
_ticktape
[[ "${COMPREPLY[*]}" == text ]] || fail "ticktape record --from=te" text

# The others are at least made of every verb.
for shell in zsh fish; do
  "$program" completions "$shell" > "completions.$shell"
  for verb in $verbs; do grep -q -- "$verb" "completions.$shell"; done
  if grep -q update-hint "completions.$shell"; then
    echo "$shell: what the help hides is offered" >&2
    failures=$((failures + 1))
  fi
  if command -v "$shell" > /dev/null; then "$shell" -n "completions.$shell"; fi
done
says() {  # SHELL LINE
  grep -qF -- "$2" "completions.$1" && return
  echo "$1: expected $2" >&2
  failures=$((failures + 1))
}
says zsh "'--output=[The new journal\\: a folder that does not exist]:OUTPUT:_files -/'"
says zsh "'-o[The new journal\\: a folder that does not exist]:OUTPUT:_files -/'"
says zsh "'1:journal:_files -/'"
says zsh "'2::range: '"
says fish "__fish_seen_subcommand_from cut' -l output -s o -x -a '(__fish_complete_directories)' -d "
says fish "__fish_seen_subcommand_from cut' -l map -r -F -d "
says fish "__fish_seen_subcommand_from cut' -l keep-sequence -d "
says fish "from golden; and not __fish_seen_subcommand_from add check update' -f -a check -d "
[[ $failures -eq 0 ]]
