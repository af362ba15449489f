# bash completion for ticktape. Made by 'ticktape completions bash'.

# What there is below the commands $1: commands, options, options with a value, arguments.
_ticktape_describe() {
  commands= options= valued= arguments=0 repeated=
  case "$1" in
# @commands@
  esac
}

# What can stand as the value of the option, or as the argument, $2 of the commands $1.
_ticktape_value() {
  kind= words=
  case "$1|$2" in
# @values@
  esac
}

_ticktape() {
  local commands options valued arguments repeated kind words
  local path= count=0 skip= word previous current i
  COMPREPLY=()
  current=${COMP_WORDS[COMP_CWORD]}
  previous=${COMP_WORDS[COMP_CWORD - 1]}
  # --option=value is three words to bash.
  if [[ $current == "=" ]]; then
    current=
  elif [[ $previous == "=" ]]; then
    previous=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  _ticktape_describe ""
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [[ -n $skip ]]; then
      [[ $word == "=" ]] || skip=
    elif [[ " $valued " == *" $word "* ]]; then
      skip=1
    elif [[ $word == -* ]]; then
      :
    elif [[ " $commands " == *" $word "* ]]; then
      path="${path:+$path }$word"
      count=0
      _ticktape_describe "$path"
    else
      count=$((count + 1))
    fi
  done
  if [[ " $valued " == *" $previous "* ]]; then
    _ticktape_value "$path" "$previous"
  elif [[ $current == -* ]]; then
    kind=words words=$options
  elif [[ -n $commands && $count -eq 0 ]]; then
    kind=words words=$commands
  else
    [[ -n $repeated && $count -ge $arguments ]] && count=$((arguments - 1))
    _ticktape_value "$path" "$count"
  fi
  case "$kind" in
    words) mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current") ;;
    file) mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    folder) mapfile -t COMPREPLY < <(compgen -d -- "$current") ;;
  esac
  if [[ $kind == file || $kind == folder ]]; then
    compopt -o filenames 2>/dev/null || true
  fi
}

complete -F _ticktape ticktape
