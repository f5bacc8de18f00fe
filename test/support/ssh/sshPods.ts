/**
 * The app's part that speaks SSH, with an account whose Pods are servers of the test, and viewers as the page has them.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Pod } from '#contract/api/pod.ts';
import type { TerminalClientMessage, TerminalServerMessage } from '#contract/local/terminal.ts';
import { systemClock, type Clock } from '../../../main/app/platform/clock.ts';
import type { Directory } from '../../../main/app/services/directory.ts';
import { createSsh, type Ssh, type SshOptions } from '../../../main/app/terminals/ssh.ts';
import type { TestSshd } from './sshd.ts';
import { until } from '../core/until.ts';

type Told<T extends TerminalServerMessage['type']> = Extract<TerminalServerMessage, { type: T }>;

/** What of a Pod matters here; `ssh` as the newer API tells it. */
export type TestPod = Pick<Pod, 'id' | 'desiredStatus' | 'ports' | 'publicIp' | 'portMappings'> & { ssh?: unknown };

const ACCOUNT = 'a-cloud';

/** Its sshd at its public port. */
export const podAt = ({ port, username }: TestSshd, id = 'pod-1'): TestPod => ({
  id,
  desiredStatus: 'RUNNING',
  ports: ['22/tcp'],
  publicIp: null,
  portMappings: null,
  ssh: { proxy: null, direct: { host: '127.0.0.1', port, username, command: 'ignored' } },
});

export interface SshGround extends AsyncDisposable {
  readonly ssh: Ssh;
  readonly dataDir: string;
  readonly home: string;
  pods: TestPod[];
  /** What it has waited for, in milliseconds. */
  readonly waits: readonly number[];
  /** So long does every wait last at least that begins from now on, in milliseconds: a slow machine is not given up. */
  leastWaitMs: number;
  /** What the agent is reached at from now on is read at the start alone, so this makes it anew. */
  restart(agentSocket?: string): Promise<void>;
}

/** `openScreen` makes the emulators of its terminals in place of the one that Hangar uses. */
export async function startSshGround(
  pods: TestPod[],
  { openScreen }: Pick<SshOptions, 'openScreen'> = {},
): Promise<SshGround> {
  const folder = await mkdtemp(join(tmpdir(), 'hangar-ssh-'));
  const dataDir = join(folder, 'data');
  const home = join(folder, 'home');
  await mkdir(dataDir);
  await mkdir(join(home, '.ssh'), { recursive: true });
  const entries = new Map<string, string>();
  const directory = {
    get: () => ({ address: 'http://127.0.0.1:1' }),
    compute: () => ({
      pods: { list: () => Promise.resolve(ground.pods) },
      terminals: null,
      graphql: { ask: () => Promise.resolve({ data: null, errors: [] }) },
    }),
  } as unknown as Directory;
  const waits: number[] = [];
  const clock: Clock = {
    now: () => systemClock.now(),
    after(ms, run) {
      waits.push(ms);
      return systemClock.after(Math.max(ms, ground.leastWaitMs), run);
    },
  };
  const create = (agentSocket?: string): Ssh =>
    createSsh({
      dataDir,
      directory,
      home,
      agentSocket,
      clock,
      logger: pino({ level: 'silent' }),
      ...(openScreen && { openScreen }),
      passphrases: {
        get: async (name) => entries.get(name) ?? null,
        set: async (name, value) => void entries.set(name, value),
        delete: async (name) => void entries.delete(name),
      },
    });
  let ssh = create();
  const ground: SshGround = {
    get ssh() {
      return ssh;
    },
    dataDir,
    home,
    pods,
    waits,
    leastWaitMs: 0,
    async restart(agentSocket) {
      await ssh.stop();
      ssh = create(agentSocket);
    },
    async [Symbol.asyncDispose]() {
      await ssh.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return ground;
}

export interface SshViewer {
  readonly messages: TerminalServerMessage[];
  readonly attached: () => Told<'attached'>;
  text(): string;
  /** Bytes that have come. */
  came(): number;
  /** What came was shown, and what comes is shown from now on. */
  show(): void;
  say(message: TerminalClientMessage): void;
  type(text: string): void;
  /** Waits until `text` has come behind what was seen before. */
  sees(text: string): Promise<void>;
  /** The newest state of the connection, once it is that one, and was not heard of yet. */
  link(state: Told<'link'>['state']): Promise<Told<'link'>>;
  hears<T extends TerminalServerMessage['type']>(type: T): Promise<Told<T>>;
  leave(): void;
}

export interface ViewerOptions {
  /** Whether it tells at once that what came was shown, as a page does. */
  shows?: boolean;
  /** How much of the newest text is kept, in characters; all of it unless told. */
  keeps?: number;
}

export async function openViewer(
  ssh: Ssh,
  podId: string,
  more: Partial<Extract<TerminalClientMessage, { type: 'attach' }>> = {},
  { shows: showsAtOnce = true, keeps }: ViewerOptions = {},
): Promise<SshViewer> {
  const received: TerminalServerMessage[] = [];
  let text = '';
  let readTo = 0;
  let came = 0;
  let shows = showsAtOnce;
  let place = 0;
  /** The states of the connection that were waited for so far. */
  let linksSeen = 0;
  const connection = await ssh.terminals.of(ACCOUNT).connect(
    { kind: 'pod', targetId: podId },
    {
      send(message) {
        if (message.type === 'attached') place = message.from;
        received.push(message);
      },
      output(bytes) {
        text += Buffer.from(bytes).toString('latin1');
        if (keeps !== undefined) text = text.slice(-keeps);
        came += bytes.length;
        place += bytes.length;
        if (shows) connection.say({ type: 'shown', upTo: place });
      },
      closed: () => undefined,
    },
    new AbortController().signal,
  );
  connection.say({ type: 'attach', columns: 80, rows: 24, ...more });
  const hears = <T extends TerminalServerMessage['type']>(type: T): Promise<Told<T>> =>
    until(
      `to hear ${type}`,
      () => received,
      (messages) => messages.findLast((message) => message.type === type) as Told<T> | undefined,
    );
  return {
    messages: received,
    hears,
    attached: () => received.find(({ type }) => type === 'attached') as Told<'attached'>,
    text: () => text,
    came: () => came,
    show() {
      shows = true;
      connection.say({ type: 'shown', upTo: place });
    },
    say: (message) => connection.say(message),
    type: (data) => connection.say({ type: 'input', data }),
    async sees(wanted) {
      await until(
        `to see ${JSON.stringify(wanted)}`,
        () => text.slice(readTo),
        (unseen) => unseen.includes(wanted),
      );
      readTo = text.indexOf(wanted, readTo) + wanted.length;
    },
    link: (state) =>
      until(
        `the connection to be ${state}`,
        () => received.filter((message) => message.type === 'link'),
        (links) => {
          const newest = links.at(-1);
          if (links.length <= linksSeen || newest?.state !== state) return null;
          linksSeen = links.length;
          return newest;
        },
      ),
    leave: () => connection.leave(),
  };
}
