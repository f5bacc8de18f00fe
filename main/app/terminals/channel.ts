/** What runs at the other end of a connection: a program at a terminal, or one whose answer is read. */
import type { ClientChannel } from 'ssh2';
import type { TerminalSize } from '../../terminal/viewer.ts';
import type { Connection } from './connection.ts';
import { SshFailure } from './failure.ts';

const TERM = 'xterm-256color';
/** An answer of a program is a line or two. */
const MOST_ANSWER = 64 * 1024;

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

export interface Program {
  /** Instead of the shell of the person. */
  command: readonly string[] | null;
  /** Names the session of tmux to be begun or come back to; null without tmux. */
  tmux: string | null;
}

/** A socket of its own, so that a person's own sessions and settings are left alone; no key of it is taken from the shell. */
const TMUX = 'tmux -L hangar -f /dev/null';
const TMUX_SETTINGS = [
  'set -g status off',
  'set -g prefix None',
  'set -s escape-time 0',
  'set -g default-terminal screen-256color',
  // Without a screen of its own what scrolls out of it stays in the scrollback of whoever looks.
  "set -ga terminal-overrides ',*:Tc:smcup@:rmcup@'",
];

function lineOf({ command, tmux }: Program): string {
  const env = 'COLORTERM=truecolor; export COLORTERM;';
  if (command !== null) return `${env} exec ${command.map(quoted).join(' ')}`;
  if (tmux === null) return `${env} exec "\${SHELL:-/bin/sh}" -l`;
  return `${env} exec ${[`${TMUX} start-server`, ...TMUX_SETTINGS, `new-session -A -s ${tmux}`].join(String.raw` \; `)}`;
}

const failed = (error: Error): SshFailure => new SshFailure('lost', `No terminal was opened: ${error.message}.`);

/** Through the proxy of a service there is nothing but the shell of the person. */
export function openChannel(
  { client }: Connection,
  way: 'direct' | 'proxy',
  program: Program,
  { columns, rows }: TerminalSize,
): Promise<ClientChannel> {
  const pty = { term: TERM, cols: columns, rows, width: 0, height: 0 };
  return new Promise((resolve, reject) => {
    const done = (error: Error | undefined, channel: ClientChannel): void => {
      if (error) reject(failed(error));
      else resolve(channel);
    };
    if (way === 'proxy') client.shell(pty, done);
    else client.exec(`exec sh -c ${quoted(lineOf(program))}`, { pty }, done);
  });
}

/** Runs a command to its end; answers its exit code and what it said. Rejects with SshFailure. */
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

/** Whether there is tmux, and the session in it. */
export async function findTmux(connection: Connection, session: string): Promise<'none' | 'new' | 'there'> {
  const { code } = await ask(connection, `command -v tmux || exit 1; ${TMUX} has-session -t =${session} || exit 2`);
  return code === 0 ? 'there' : code === 2 ? 'new' : 'none';
}

export const endTmux = (connection: Connection, session: string): Promise<unknown> =>
  ask(connection, `${TMUX} kill-session -t =${session}`);
