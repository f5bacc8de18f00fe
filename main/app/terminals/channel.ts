/** Programs at the other end of an SSH connection: one at a terminal, or one whose output is read. */
import type { ClientChannel } from 'ssh2';
import { programsOf, programsScript, TERMINAL_MARK, tmuxProgramsScript } from '../../terminal/programs.ts';
import type { TerminalSize } from '../../terminal/viewer.ts';
import type { Connection } from './connection.ts';
import { SshFailure } from './failure.ts';

const TERM = 'xterm-256color';
/** Largest output of a command: usually it has a line or two. */
const MOST_ANSWER = 64 * 1024;

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

export interface Program {
  /** The id of the terminal. */
  id: string;
  /** The command instead of the person's shell. */
  command: readonly string[] | null;
  /** The name of the tmux session to begin or resume; null without tmux. */
  tmux: string | null;
}

/** A separate socket and no settings file, so that the person's own tmux is not affected. */
const TMUX = 'tmux -L hangar -f /dev/null';
const TMUX_SETTINGS = [
  'set -g status off',
  'set -g prefix None',
  'set -s escape-time 0',
  'set -g default-terminal screen-256color',
  // Without the alternate screen, scrolled lines stay in the scrollback of each viewer.
  "set -ga terminal-overrides ',*:Tc:smcup@:rmcup@'",
];

function lineOf({ id, command, tmux }: Program): string {
  // In tmux, the programs are those of its server, which has the environment of its first terminal.
  const mark = tmux === null ? ` ${TERMINAL_MARK}=${quoted(id)}; export ${TERMINAL_MARK};` : '';
  const env = `COLORTERM=truecolor; export COLORTERM;${mark}`;
  if (command !== null) return `${env} exec ${command.map(quoted).join(' ')}`;
  if (tmux === null) return `${env} exec "\${SHELL:-/bin/sh}" -l`;
  return `${env} exec ${[`${TMUX} start-server`, ...TMUX_SETTINGS, `new-session -A -s ${tmux}`].join(String.raw` \; `)}`;
}

const failed = (error: Error): SshFailure => new SshFailure('lost', `No terminal was opened: ${error.message}.`);

/** How a program ended: its exit code, or null and its signal, such as "KILL". */
export interface ProgramExit {
  code: number | null;
  signal: string | null;
}

export interface OpenChannel {
  readonly channel: ClientChannel;
  /** Null until the other side has reported the end of the program. */
  exit(): ProgramExit | null;
  /** Resolves at the end of the channel. */
  readonly closed: Promise<void>;
}

/**
 * Opens a terminal and starts a program in it. The proxy of a service offers only the person's shell. Rejects with
 * SshFailure. A short program may have ended by the time that this resolves: its end is noted from the first moment.
 */
export function openChannel(
  { client }: Connection,
  way: 'direct' | 'proxy',
  program: Program,
  { columns, rows }: TerminalSize,
): Promise<OpenChannel> {
  const pty = { term: TERM, cols: columns, rows, width: 0, height: 0 };
  return new Promise((resolve, reject) => {
    const done = (error: Error | undefined, channel: ClientChannel): void => {
      if (error) {
        reject(failed(error));
        return;
      }
      let exit: ProgramExit | null = null;
      channel.on('exit', (code: number | null, signal?: string) => (exit = { code, signal: signal ?? null }));
      const closed = new Promise<void>((settle) => channel.on('close', () => settle()));
      resolve({ channel, exit: () => exit, closed });
    };
    if (way === 'proxy') client.shell(pty, done);
    else client.exec(`exec sh -c ${quoted(lineOf(program))}`, { pty }, done);
  });
}

/** Runs a command to its end; returns its exit code and its output. Rejects with SshFailure. */
function ask({ client }: Connection, command: string): Promise<{ code: number | null; text: string }> {
  return new Promise((resolve, reject) => {
    client.exec(`exec sh -c ${quoted(command)}`, (error, channel) => {
      if (error) {
        reject(failed(error));
        return;
      }
      let text = '';
      let code: number | null = null;
      channel.on('data', (data: Buffer) => {
        if (text.length < MOST_ANSWER) text += data.toString();
      });
      channel.stderr.resume();
      channel.on('exit', (exitCode: number | null) => (code = exitCode));
      channel.on('close', () => resolve({ code, text }));
    });
  });
}

/** Whether tmux is installed, and whether the session exists. */
export async function findTmux(connection: Connection, session: string): Promise<'none' | 'new' | 'there'> {
  const { code } = await ask(connection, `command -v tmux || exit 1; ${TMUX} has-session -t =${session} || exit 2`);
  return code === 0 ? 'there' : code === 2 ? 'new' : 'none';
}

/**
 * The command lines of what runs in a terminal beside idle shells; null if the other side cannot tell. Rejects with
 * SshFailure.
 */
export async function programsAt(
  connection: Connection,
  { id, tmux }: Pick<Program, 'id' | 'tmux'>,
): Promise<string[] | null> {
  const panes = `${TMUX} list-panes -s -t =${tmux} -F '#{pane_pid}'`;
  const { text } = await ask(connection, tmux === null ? programsScript(id) : tmuxProgramsScript(panes));
  return programsOf(text);
}

export const endTmux = (connection: Connection, session: string): Promise<unknown> =>
  ask(connection, `${TMUX} kill-session -t =${session}`);
