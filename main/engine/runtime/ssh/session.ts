/** One session of an SSH connection: a shell, a command or SFTP in the container of the Pod. */
import type { Container } from 'dockerode';
import type { ServerChannel, Session } from 'ssh2';
import { AppError, toAppError } from '#contract/core/errors.ts';
import type { Ids, Logger } from '../../domain/core/ports.ts';
import { isNoProgram } from '../terminals/exec.ts';
import { openProgram, type ContainerProgram } from '../terminals/program.ts';

export interface SessionParts {
  /** The running container of the Pod. Rejects with AppError if there is none. */
  container(): Promise<Container>;
  ids: Ids;
  logger: Logger;
  /** Both ends of the connection, as in the variable SSH_CONNECTION. */
  connection: string;
}

interface Terminal {
  columns: number;
  rows: number;
}

/** The code of `ssh` for failures of its own. */
const FAILED = 255;
/** A terminal of no size is that of a program without a window. */
const USUAL_SIZE: Terminal = { columns: 80, rows: 24 };
const MOST_CELLS = 1000;
/** Variables of the client that a program gets: its language. */
const TAKEN_VARIABLE = /^(?:LANG|LC_[A-Z]{1,30})$/;
const MOST_VARIABLES = 20;
const NO_SHELL = 'The image has no shell: nothing can be run in it over SSH.';

/** Begins in the home folder, as a server in the image would. `$0`: the command. */
const AT_HOME = 'cd 2>/dev/null; S=sh; command -v bash >/dev/null 2>&1 && S=bash;';
const SHELL = `${AT_HOME} exec $S`;
const COMMAND = `${AT_HOME} exec $S -c "$0"`;
const SFTP = `cd 2>/dev/null
for p in /usr/lib/openssh /usr/libexec/openssh /usr/libexec /usr/lib/ssh /usr/lib; do
  [ -x "$p/sftp-server" ] && exec "$p/sftp-server"
done
echo 'The image has no sftp-server. Use scp -O or rsync, which need only their own program in the image.' >&2
exit 127`;

const sizeOf = (columns: number, rows: number): Terminal =>
  columns > 0 && rows > 0 ? { columns: Math.min(columns, MOST_CELLS), rows: Math.min(rows, MOST_CELLS) } : USUAL_SIZE;

/** Joins the streams of the program and of the channel; resolves with the exit code once all output was passed on. */
async function join(program: ContainerProgram, channel: ServerChannel): Promise<number | null> {
  let isOver = false;
  channel.on('close', () => {
    if (!isOver) program.hangUp();
  });
  channel.pipe(program.input);
  program.output.pipe(channel, { end: false });
  program.errors?.pipe(channel.stderr, { end: false });
  const code = await program.ended;
  isOver = true;
  return code;
}

/** Ends the channel with this exit code. */
function finish(channel: ServerChannel, code: number): void {
  channel.exit(code);
  channel.end();
  // The client may have sent more than anybody reads.
  channel.resume();
}

/** Serves one session until its client closes it. */
export function serveSession(session: Session, { container, ids, logger, connection }: SessionParts): void {
  let terminal: Terminal | null = null;
  let term = 'xterm-256color';
  const variables = new Map<string, string>();
  let program: ContainerProgram | null = null;

  async function run(channel: ServerChannel, command: string[]): Promise<void> {
    let closed = false;
    channel.on('close', () => (closed = true));
    channel.on('error', () => undefined);
    const env = [
      ...[...variables].map(([name, value]) => `${name}=${value}`),
      `SSH_CONNECTION=${connection}`,
      ...(terminal ? [`TERM=${term}`] : []),
    ];
    try {
      program = await openProgram({ container: await container(), id: ids.random(8), command, env, terminal });
      if (closed) {
        program.hangUp();
        return;
      }
      // The window may have changed meanwhile.
      if (terminal) program.resize(terminal.columns, terminal.rows);
      const code = await join(program, channel);
      if (!closed) finish(channel, code ?? FAILED);
    } catch (thrown) {
      const error = isNoProgram(thrown) ? new AppError('BAD_REQUEST', NO_SHELL) : toAppError(thrown);
      if (error.code === 'INTERNAL') logger.error({ err: error.cause ?? error }, 'a session of SSH failed');
      if (closed) return;
      channel.stderr.write(`Hangar: ${error.message}\r\n`);
      finish(channel, FAILED);
    }
  }

  session.on('pty', (accept, _reject, info) => {
    terminal = sizeOf(info.cols, info.rows);
    if (/^[\w.+-]{1,60}$/.test(info.term)) ({ term } = info);
    accept?.();
  });
  session.on('window-change', (accept, _reject, { cols, rows }) => {
    if (terminal) {
      terminal = sizeOf(cols, rows);
      program?.resize(terminal.columns, terminal.rows);
    }
    accept?.();
  });
  session.on('env', (accept, reject, { key, val }) => {
    const isTaken = TAKEN_VARIABLE.test(key) && !/[\0\n]/.test(val) && variables.size < MOST_VARIABLES;
    if (isTaken) variables.set(key, val);
    (isTaken ? accept : reject)?.();
  });
  session.on('shell', (accept) => void run(accept(), ['sh', '-c', SHELL]));
  session.on('exec', (accept, _reject, { command }) => void run(accept(), ['sh', '-c', COMMAND, command]));
  session.on('subsystem', (accept, reject, { name }) => {
    if (name === 'sftp') void run(accept(), ['sh', '-c', SFTP]);
    else reject();
  });
}
