/**
 * What runs at a terminal beside its idle shell: asked of the system that the shell runs on, by a script of its own
 * shell.
 */

/** The variable in the environment of all programs of a terminal. Its value is the id of the terminal. */
export const TERMINAL_MARK = 'HANGAR_TERMINAL';

/** Longer answers are cut. In bytes. */
export const MOST_ANSWER_BYTES = 256 * 1024;

/**
 * Prints one line for each process of the sessions $s, and for each of the processes $n: its id, and its command line.
 */
const LIST = `
for p in [0-9]*; do
  { read -r l < "$p/stat"; } 2>/dev/null || continue
  set -- \${l##*) }
  case "$s" in *" $4 "*) ;; *) case "$n" in *" $p "*) ;; *) continue ;; esac ;; esac
  printf '%s ' "$p"; tr '\\000\\n' '  ' < "$p/cmdline" 2>/dev/null; echo
done`;

/**
 * A script of `sh` that lists the processes of a terminal on Linux: those with its id in their environment, and those
 * that share a session with one of them, as after `su`. A process outside the terminal runs it.
 */
export const programsScript = (id: string): string => `cd /proc || exit 3
n=' ' s=' '
for e in $(grep -ls "${TERMINAL_MARK}=${id}" [0-9]*/environ); do
  p=\${e%/environ}; n="$n$p "
  { read -r l < "$p/stat"; } 2>/dev/null || continue
  set -- \${l##*) }; s="$s$4 "
done${LIST}`;

/**
 * A script of `sh` that lists the processes of the session of a shell on Linux, by the id of the shell's process. What
 * has left the session, such as a daemon, outlives the terminal and is not listed.
 */
export const sessionProgramsScript = (pid: number): string => `s=' ${pid} ' n=' '
cd /proc || exit 3${LIST}`;

/** The same for a terminal in tmux. `panes`: a command that prints the process of each of its panes. */
export const tmuxProgramsScript = (panes: string): string => `s=" $(${panes} | tr '\\n' ' ')" n=' '
cd /proc || exit 3${LIST}`;

/** A shell at its prompt. A shell that runs a script or a command has it in its command line. */
const IDLE_SHELL = /^-?(\S*\/)?(ba|da|a|z|fi|k|mk|c|tc)?sh( -[abd-zA-Z]+| --\w+)* *$/;

/**
 * The command lines of all programs but idle shells, from the answer of such a script. Null if the answer has no
 * process, not even the shell: then it is not known what runs.
 */
export function programsOf(answer: string): string[] | null {
  const lines = answer.split('\n').flatMap((line) => /^\d+ (.*\S)\s*$/.exec(line)?.[1] ?? []);
  return lines.length === 0 ? null : lines.filter((line) => !IDLE_SHELL.test(line));
}
