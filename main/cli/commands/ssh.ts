/** `hangar ssh`: a terminal in a Pod. The app has the keys and the route. */
import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import type { TerminalEvent } from '#contract/bridge/terminal.ts';
import type { CommandClient } from '#contract/command/index.ts';
import { limits } from '#contract/core/limits.ts';
import type { SshQuestion, TerminalLink } from '#contract/local/terminalLink.ts';
import type { Cli } from '../cli.ts';
import { CommandFailure, exitCodes, usage } from '../failure.ts';
import { canAsk, confirm, readSecret } from '../output/prompts.ts';
import { findAccount, findPod } from '../targets.ts';
import { createEscape } from '../terminal/escape.ts';
import { createLocalTerminal, type LocalTerminal } from '../terminal/localTerminal.ts';
import { ACCOUNT, type AccountOption } from './shared.ts';

type Event<T extends TerminalEvent['type']> = Extract<TerminalEvent, { type: T }>;

interface Target {
  accountId: string;
  targetId: string;
  name: string;
  command: readonly string[];
}

const account = (message: string): CommandFailure => new CommandFailure(exitCodes.account, message);

/**
 * Asks the person the question of the connection. Throws CommandFailure if nobody can be asked, or if the answer is no.
 */
async function answer(client: CommandClient, question: SshQuestion, why: string): Promise<void> {
  if (question.kind === 'changed-host' || !canAsk()) throw account(why);
  if (question.kind === 'passphrase') {
    const passphrase = await readSecret(`Passphrase of ${question.file}: `);
    return client.ssh.unlock({ passphrase, keep: false });
  }
  const { host, port, algorithm, fingerprint } = question;
  await confirm(
    `${host}:${port} was never connected to from this computer. Its key is ${algorithm} ${fingerprint}. Is it the right one?`,
    false,
  );
  await client.ssh.trust({ host, port, fingerprint });
}

/** One terminal session, from the first answer to its end. */
class Session {
  readonly #cli: Cli;
  readonly #client: CommandClient;
  readonly #terminal: LocalTerminal;
  readonly #target: Target;
  readonly #viewer = randomUUID();
  readonly #escape = createEscape();
  #id: string | null = null;
  /** The state of its connection; null if there is none. */
  #link: TerminalLink['state'] | null = null;
  #from = 0;
  #waiting = '';
  #isSending = false;
  #leave: () => void = () => undefined;
  /** Resolves when the person leaves with the escape sequence. */
  readonly left: Promise<void>;

  constructor(cli: Cli, client: CommandClient, terminal: LocalTerminal, target: Target) {
    this.#cli = cli;
    this.#client = client;
    this.#terminal = terminal;
    this.#target = target;
    this.left = new Promise((resolve) => (this.#leave = resolve));
  }

  /** Resolves with the event of its end. */
  async run(): Promise<Event<'ended'>> {
    const { accountId, targetId, command } = this.#target;
    const events = await this.#client.terminals.attach({
      accountId,
      viewer: this.#viewer,
      kind: 'pod',
      targetId,
      ...this.#terminal.size,
      ...(command.length > 0 && { command: [...command] }),
    });
    this.#terminal.onResize(() =>
      this.#send(() => this.#client.terminals.resize({ viewer: this.#viewer, ...this.#terminal.size })),
    );
    for await (const event of events) {
      if (event.type === 'ended') return event;
      await this.#take(event);
    }
    throw new CommandFailure(exitCodes.failed, 'The connection to the terminal was lost.');
  }

  /** Ends the shell, because nobody can resume it. */
  async close(): Promise<void> {
    const { accountId } = this.#target;
    if (this.#id !== null) await this.#client.terminals.close({ accountId, session: this.#id }).catch(() => undefined);
  }

  async #take(event: Exclude<TerminalEvent, { type: 'ended' }>): Promise<void> {
    if (event.type === 'output') this.#show(Buffer.from(event.bytes, 'base64'));
    else if (event.type === 'error') throw new CommandFailure(exitCodes.failed, event.message);
    else if (event.type === 'link') await this.#follow(event);
    else if (event.type === 'attached') {
      this.#id = event.session;
      this.#from = event.from;
      if (event.snapshot) this.#terminal.write(Buffer.from(event.snapshot), () => undefined);
      this.#openKeys();
    }
  }

  /** Output counts as shown only after it is written, so that a slow terminal slows the shell. */
  #show(bytes: Buffer): void {
    this.#from += bytes.length;
    const upTo = this.#from;
    this.#terminal.write(bytes, () => this.#send(() => this.#client.terminals.shown({ viewer: this.#viewer, upTo })));
  }

  /** Forwards keys once there is a shell. */
  #openKeys(): void {
    if (this.#id === null || (this.#link !== null && this.#link !== 'up')) return;
    this.#terminal.open((typed) => {
      const { text, isLeaving } = this.#escape.take(typed);
      this.#waiting += text;
      void this.#type().then(() => isLeaving && this.#leave());
    });
  }

  /** Sends typed text in order. */
  async #type(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    while (this.#waiting !== '') {
      const data = this.#waiting.slice(0, limits.terminal.inputLength);
      this.#waiting = this.#waiting.slice(data.length);
      await this.#client.terminals.input({ viewer: this.#viewer, data }).catch(() => undefined);
    }
    this.#isSending = false;
  }

  async #follow({ state, why, question }: Event<'link'>): Promise<void> {
    this.#link = state;
    const reason = why ?? 'The Pod cannot be reached.';
    if (state === 'up') return this.#openKeys();
    this.#terminal.close();
    if (state === 'lost') this.#cli.output.note(`${reason} Hangar tries again. Press Ctrl+C to leave.`);
    if (state !== 'refused') return;
    if (question === null) throw account(reason);
    await answer(this.#client, question, reason);
    await this.#client.terminals.retry({ viewer: this.#viewer });
  }

  /** A message to a session that has just ended is dropped. */
  #send(word: () => Promise<unknown>): void {
    word().catch(() => undefined);
  }
}

async function ssh(cli: Cli, wanted: string, command: string[], { account: name }: AccountOption): Promise<void> {
  if (command.length === 0 && !(process.stdin.isTTY && process.stdout.isTTY)) {
    throw usage('A shell needs a terminal. To run one command, write it after "--": hangar ssh POD -- nvidia-smi.');
  }
  const client = await cli.client();
  const target = await findAccount(client, name);
  const { pod } = await findPod(client, target, wanted);
  const podName = pod.name || pod.id;
  if (pod.desiredStatus !== 'RUNNING') {
    throw new CommandFailure(
      exitCodes.failed,
      `The Pod "${podName}" is not running (${pod.desiredStatus}). "hangar pods start" starts it.`,
    );
  }
  const terminal = createLocalTerminal();
  const session = new Session(cli, client, terminal, {
    accountId: target.id,
    targetId: pod.id,
    name: podName,
    command,
  });
  const interrupted = new Promise<never>((_resolve, reject) => {
    cli.onInterrupt(() => reject(new CommandFailure(exitCodes.interrupted, '')));
  });
  cli.onTermination(() => session.close());
  try {
    const ended = await Promise.race([session.run(), session.left.then(() => null), interrupted]);
    terminal.stop();
    if (ended === null) cli.output.note(`Left the Pod "${podName}".`);
    else if (ended.exitCode === null) throw new CommandFailure(exitCodes.failed, ended.reason);
    else if (ended.exitCode !== 0) throw new CommandFailure(ended.exitCode, '');
  } finally {
    terminal.stop();
    cli.onInterrupt(null);
    cli.onTermination(null);
    await session.close();
  }
}

export function addSsh(program: Command, cli: () => Cli): void {
  program
    .command('ssh')
    .description('open a terminal into a Pod')
    .argument('<pod>', 'id or name of the Pod')
    .argument('[command...]', 'after --: the command to run instead of a shell')
    .option(...ACCOUNT)
    .addHelpText(
      'after',
      `
At the beginning of a line ~. leaves the Pod. The exit code is that of the shell, or of the command.

Examples:
  $ hangar ssh trainer
  $ hangar ssh trainer --account cloud -- nvidia-smi -L`,
    )
    .action((pod: string, command: string[], options: AccountOption) => ssh(cli(), pod, command, options));
}
