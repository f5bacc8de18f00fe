/** The SFTP connections to Pods: one for each Pod, opened at the first use, and closed some time after the last use. */
import { AppError, messageOf } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import { pause, type Cancel, type Clock } from '../../platform/clock.ts';
import type { Connection, Connector } from '../connection.ts';
import { SshFailure } from '../failure.ts';
import type { PodWays } from '../routeFinder.ts';
import { isAnswer, openSftp, type Sftp } from './sftp.ts';

export interface PodConnectionsOptions {
  clock: Clock;
  ways: Pick<PodWays, 'direct'>;
  connector: Pick<Connector, 'connect'>;
}

type Work<T> = (sftp: Sftp) => Promise<T>;

export interface PodConnections {
  /**
   * Runs `work` with the connection to a Pod. Rejects as `work` does, and with SshFailure or AppError if the Pod is not
   * reachable.
   */
  once<T>(accountId: string, podId: string, work: Work<T>): Promise<T>;
  /** As `once`, with a new connection if the old one breaks: `work` may run more than once. */
  steadily<T>(accountId: string, podId: string, signal: AbortSignal, work: Work<T>): Promise<T>;
  /** Closes the connections to the Pods of an account. */
  leave(accountId: string): Promise<void>;
  /** Ends the connections that no longer answer. */
  resumed(): void;
  stop(): Promise<void>;
}

interface Line {
  connection: Connection;
  sftp: Sftp;
  users: number;
  isOver: boolean;
  forget: Cancel;
}

const keyOf = (accountId: string, podId: string): string => `${encodeURIComponent(accountId)}/${podId}`;

export function createPodConnections({ clock, ways, connector }: PodConnectionsOptions): PodConnections {
  const life = new AbortController();
  const lines = new Map<string, Promise<Line>>();

  async function open(accountId: string, podId: string): Promise<Line> {
    const connection = await connector.connect(await ways.direct(accountId, podId), life.signal);
    let sftp: Sftp;
    try {
      sftp = await openSftp(connection);
    } catch (error) {
      await connection.end();
      throw new AppError('BAD_REQUEST', `The Pod's sshd has no SFTP: ${messageOf(error)}.`, { cause: error });
    }
    return { connection, sftp, users: 0, isOver: false, forget: () => undefined };
  }

  /** The existing connection, or a new one. */
  function lineOf(accountId: string, podId: string): Promise<Line> {
    const key = keyOf(accountId, podId);
    const there = lines.get(key);
    if (there) return there;
    const opening = open(accountId, podId);
    lines.set(key, opening);
    const drop = (): void => {
      if (lines.get(key) === opening) lines.delete(key);
    };
    opening.then((line) => {
      void line.connection.closed.then(() => {
        line.isOver = true;
        line.forget();
        drop();
      });
    }, drop);
    return opening;
  }

  /** The connection stays open for a while, because the next piece of a file follows soon. */
  async function once<T>(accountId: string, podId: string, work: (sftp: Sftp) => Promise<T>): Promise<T> {
    const line = await lineOf(accountId, podId);
    line.forget();
    line.users++;
    try {
      return await work(line.sftp);
    } finally {
      line.users--;
      if (line.users === 0 && !line.isOver) {
        line.forget = clock.after(limits.ssh.filesIdleMs, () => void line.connection.end());
      }
    }
  }

  /** Reconnects after a lost connection: `work` may run more than once. */
  async function steadily<T>(accountId: string, podId: string, signal: AbortSignal, work: (sftp: Sftp) => Promise<T>) {
    for (let lost = 0; ; lost++) {
      try {
        return await once(accountId, podId, work);
      } catch (error) {
        const isLost =
          error instanceof SshFailure ? error.kind === 'lost' : !(error instanceof AppError) && !isAnswer(error);
        const waitMs = limits.ssh.againMs[lost];
        if (!isLost || waitMs === undefined || signal.aborted) throw error;
        await pause(clock, waitMs, AbortSignal.any([signal, life.signal]));
      }
    }
  }

  async function end(some: readonly Promise<Line>[]): Promise<void> {
    const open = await Promise.allSettled(some);
    await Promise.all(
      open.map(async (line) => {
        if (line.status !== 'fulfilled') return;
        line.value.forget();
        await line.value.connection.end();
      }),
    );
  }

  return {
    once,
    steadily,
    async leave(accountId) {
      const isOf = (key: string): boolean => key.startsWith(keyOf(accountId, ''));
      await end([...lines].flatMap(([key, line]) => (isOf(key) ? [line] : [])));
    },
    resumed() {
      for (const line of lines.values()) {
        line.then(
          ({ connection }) => connection.check(),
          () => undefined,
        );
      }
    },
    async stop() {
      life.abort();
      await end([...lines.values()]);
    },
  };
}
