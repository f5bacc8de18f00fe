/** The completion scripts of each shell. The program itself computes the candidates: COMPLETE with the typed words. */

/** The hidden command that prints the candidates for the words after it, one on each line. */
export const COMPLETE = '__complete';
/** Printed instead of candidates: the shell completes file names. */
export const FILES_MARK = ':files';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

export const scripts: Readonly<Record<Shell, string>> = {
  bash: `# Completion of hangar for bash. In ~/.bashrc: eval "$(hangar completion bash)"
_hangar() {
  local IFS=$'\\n' found one
  found=$(hangar ${COMPLETE} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  COMPREPLY=()
  if [ "$found" = "${FILES_MARK}" ]; then
    compopt -o default
    return
  fi
  for one in $found; do COMPREPLY+=("$(printf '%q' "$one")"); done
}
complete -F _hangar hangar`,
  zsh: `#compdef hangar
# Completion of hangar for zsh. In ~/.zshrc, behind compinit: eval "$(hangar completion zsh)"
_hangar() {
  local -a found
  found=("\${(@f)$(hangar ${COMPLETE} "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ "$found[1]" == "${FILES_MARK}" ]]; then
    compset -P 1 '--*='
    _files
  elif [[ -n "$found[1]" ]]; then
    compadd -- "\${found[@]}"
  fi
}
compdef _hangar hangar`,
  fish: `# Completion of hangar for fish. In ~/.config/fish/config.fish: hangar completion fish | source
function __hangar_complete
  set -l typed (commandline -opc) (commandline -ct)
  set -l found (hangar ${COMPLETE} $typed[2..-1] 2>/dev/null)
  if test "$found" = "${FILES_MARK}"
    set -l path $typed[-1]
    set -l prefix
    if string match -q -- '--*=*' $path
      set -l parts (string split -m 1 -- = $path)
      set prefix "$parts[1]="
      set path $parts[2]
    end
    for found in (__fish_complete_path "$path")
      printf '%s\\n' "$prefix$found"
    end
  else
    printf '%s\\n' $found
  end
end
complete -c hangar -f -a '(__hangar_complete)'`,
};
